import { type Operation, type OperationId, operations } from '../../../generated/operations.js';
import { type GapId, type Rule, type RuleId, rules } from '../../../generated/rules.js';
import { requests } from '../../../generated/validators.js';
import { refused, startedId } from '../../engine/outcome/read.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type ControlSteps, type Driver, type Steps } from '../driver.js';
import { freeFields } from '../executions/view.js';
import { someOfEach } from '../invalid-bodies.js';
import { leastSoftTimeoutMins, longestWaitSeconds } from '../operations.js';
import { validBody } from '../starts/requests.js';

// Bodies that are odd in ways that no rule names.

const json = 'application/json';
/** More than many services accept by default, but less than a report cuts. */
const large = 'x'.repeat(150_000);

/** Bodies that cannot be accepted: even a service that accepts a part of one does nothing. */
const mistakes = {
  execute: {
    head: true,
    version: 1,
    [freeFields.metadata]: { count: 1 },
    executionOptions: { softTimeoutMins: leastSoftTimeoutMins - 1 },
  },
  executeSync: { head: true, version: 1, inputs: 'text', timeoutSeconds: longestWaitSeconds + 1 },
  updateProfile: { name: '', description: 5, cachePersistence: 'yes' },
  duplicateProfile: { organizationId: 'not-a-uuid' },
} as const;

/** JSON that some stores cannot hold, in free fields. It may be refused; if accepted, it must be readable later. */
const hardToKeep = {
  'half-a-pair': '"half":"\\ud800"',
  'null-character': '"null":"\\u0000"',
} as const;

/**
 * Starts with such values. Only judged: that the service does not fail, at the start or when it is read. Sends all at
 * once, and each by itself if that is refused, since one refusal hides the others.
 */
export async function startsHardToStore(driver: Driver, id: string): Promise<void> {
  const start = (step: string, values: string) =>
    driver.start({
      step,
      operation: 'execute',
      id,
      raw: { text: `{"inputs":{${values}}}`, type: json },
      unjudged: true,
    });
  const startAndFollow = async (step: string, values: string) => {
    const started = await start(step, values);
    const executionId = startedId(started);
    if (executionId !== undefined) await driver.follow(executionId, 'its end');
    return started;
  };
  if (!refused(await startAndFollow('hard-to-keep', Object.values(hardToKeep).join()))) return;
  await allOrThrow(Object.entries(hardToKeep).map(([step, value]) => startAndFollow(step, value)));
}

/** Bodies that must be refused, for whichever reason: several mistakes at once, in several forms. */
export function sendInvalidBodies(driver: Driver, operation: keyof typeof mistakes, id: string): Promise<Exchange>[] {
  const text = JSON.stringify(mistakes[operation]);
  const odd = (slug: string, body: string, type = json, observes: readonly GapId[] = []): Promise<Exchange> => {
    const raw: RequestSpec['raw'] = { text: body, type };
    return driver.send({
      step: `${slug}-${operation}`,
      operation,
      id,
      raw,
      unjudged: true,
      startsNothing: true,
      ...(observes.length > 0 && { observes }),
    });
  };
  return [
    odd('several-mistakes', text),
    odd('malformed-json', text.slice(0, -1)),
    odd('large', JSON.stringify({ ...mistakes[operation], large })),
    odd('unsupported-media-type', text, 'text/plain', ['unsupported-media-type']),
  ];
}

/** No body, and the body `null`. Only for requests in which neither asks for anything. Some services fail on them. */
export function sendMissingBodies(driver: Driver, operation: keyof typeof mistakes, id: string): Promise<Exchange>[] {
  const ask = (slug: string): RequestSpec => ({
    step: `${slug}-${operation}`,
    operation,
    id,
    unjudged: true,
    startsNothing: true,
  });
  return [driver.send(ask('no-body')), driver.send({ ...ask('null-body'), raw: { text: 'null', type: json } })];
}

// Sends wrong bodies of the operations that no rule of their own says that of.

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
  const send = (slug: string, fault: string, controls: ControlSteps, more: Pick<RequestSpec, 'body' | 'raw'>) =>
    driver.probe(rule, fault, controls, { ...asked, step: `wrong-${slug}-${operation}`, ...more });
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
