/** Sends wrong bodies of the operations that no rule of their own says that of. */

import { type Operation, type OperationId, operations } from '../../../generated/operations.js';
import { type Rule, type RuleId, rules } from '../../../generated/rules.js';
import { requests } from '../../../generated/validators.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange, Twins } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Steps } from '../driver.js';
import { someOfEach } from '../invalid-bodies.js';
import { validBody } from '../starts/requests.js';

const rule = 'other-bodies-are-typed' satisfies RuleId;

export const withWrongBodies: readonly OperationId[] = rules.find(({ id }: Rule) => id === rule)?.on ?? [];

export const wrongBodySteps = { 'wrong-*': [rule] } as const satisfies Steps;

/** Sends an operation with one thing wrong in each body. A refusal counts beside any request of it that was accepted. */
export function sendWrongBodies(
  driver: Driver,
  asked: Omit<RequestSpec, 'step' | 'body' | 'raw'>,
): Promise<readonly Exchange[]> {
  const { operation } = asked;
  const isValid: ((body: unknown) => boolean) | undefined = requests[operation as keyof typeof requests];
  const { requestBody, requestTypes }: Operation = operations[operation];
  const [type = ''] = requestTypes;
  const valid = validBody(operation) ?? {};
  const send = (slug: string, fault: string, twins: Twins, more: Pick<RequestSpec, 'body' | 'raw'>) =>
    driver.probe(rule, fault, twins, { ...asked, step: `wrong-${slug}-${operation}`, ...more });
  const raw = (slug: string, fault: string, text: string) =>
    send(slug, fault, { except: [], otherId: true }, { raw: { text, type } });
  const mustHaveOne = requestBody === 'required' && !isValid?.({});
  return allOrThrow([
    ...someOfEach(operation, driver.constant(`wrong bodies of ${operation}`)).map(({ field, fault, body }, place) =>
      send(`${field}-${place}`, fault, { except: [field.replace(/\..*/, '')], otherId: true }, { body }),
    ),
    raw('json', 'malformed JSON', JSON.stringify(valid).slice(0, -1)),
    ...(isValid?.([valid]) ? [] : [raw('kind', 'a body that is no object', JSON.stringify([valid]))]),
    ...(mustHaveOne ? [send('none', 'no body', { except: [], otherId: true }, {})] : []),
    driver.send({
      ...asked,
      step: `unsupported-media-type-${operation}`,
      raw: { text: JSON.stringify(valid), type: 'text/plain' },
      unjudged: true,
      startsNothing: true,
      observes: ['unsupported-media-type'],
    }),
  ]);
}
