/** Tests keys and ids on every operation, with made-up ids. */

import { type Operation, type OperationId, operationIds, operations } from '../../../generated/operations.js';
import { type GapId, type RuleId, rules } from '../../../generated/rules.js';
import { isCopyRequest, isIdOf, status } from '../../engine/outcome/read.js';
import { observationsOf, observed } from '../../engine/rule/observed.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange, Observer } from '../../engine/vocabulary.js';
import { allOrThrow, type ControlSteps, type Driver, type Scenario } from '../driver.js';
import { sendInvalidBodies, sendMissingBodies } from '../errors/invalid.js';
import { invalidBodies } from '../invalid-bodies.js';
import { isHarmless, madeUpPlace } from '../known-places.js';
import { validBody } from '../starts/requests.js';

// Observes what the interface leaves open about keys.

const byOperation =
  (gap: GapId, says: (barred: boolean, status: number | undefined) => string): Observer =>
  (evidence) =>
    observed(observationsOf(evidence, gap).map((one) => `${one.operation}: ${says(isBarred(one), status(one))}`));

const isBarred = (exchange: Exchange) => [401, 403].includes(status(exchange) ?? 0);

export const keyGaps = {
  'header-names-interchangeable': byOperation('header-names-interchangeable', (barred, code) =>
    barred ? `no (${code})` : 'yes',
  ),
  'key-in-both-headers': byOperation('key-in-both-headers', (barred, code) =>
    barred ? `the wrong key (${code})` : 'the valid key',
  ),
  'auth-before-validation': byOperation('auth-before-validation', (_, code) => (code === 401 ? 'yes' : `no (${code})`)),
} satisfies { readonly [gap in GapId]?: Observer };

/** The rules that say how an unknown id is answered, for each kind of resource. */
const ofUnknown = [
  'workflow-must-exist',
  'unknown-execution-is-404',
  'unknown-execution-files-is-404',
  'unknown-profile-is-404',
  'unknown-pool-is-404',
] as const satisfies readonly RuleId[];
/** Controls: any accepted start by the same operation. */
const startedAnyhow: ControlSteps = { except: ['timeoutSeconds'], otherId: true };
const unknown: { readonly [operation in OperationId]?: { controls: ControlSteps; observes: GapId[] } } = {
  execute: { controls: startedAnyhow, observes: ['unknown-workflow-status'] },
  executeSync: { controls: startedAnyhow, observes: ['unknown-workflow-status'] },
};

const ruleOf = (operation: OperationId): RuleId | undefined =>
  ofUnknown.find((id) =>
    rules.some((rule) => rule.id === id && (rule.on as readonly OperationId[]).includes(operation)),
  );

/** Asks for an id that does not exist: by default for no id that does. */
function askUnknown(
  driver: Driver,
  operation: OperationId,
  from: RequestSpec = ask(driver, `unknown-${operation}`, operation),
): Promise<unknown> {
  const { controls = [], observes = [] } = unknown[operation] ?? {};
  const asked = { ...from, observes };
  const rule = ruleOf(operation);
  if (rule === undefined) return driver.send(asked);
  const { subject, resource }: Operation = operations[operation];
  const what = subject ?? resource;
  const article = what === 'execution' ? 'an' : 'a';
  return driver.probe(rule, `${article} ${what} that does not exist`, controls, asked);
}

/** Asks for a malformed id. */
async function askMalformed(driver: Driver, operation: OperationId): Promise<void> {
  const { pathParameters }: Operation = operations[operation];
  if (pathParameters.length === 0 || isIdOf(operation, 'not-a-uuid')) return;
  await driver.probe('malformed-id-is-refused', 'a malformed id', [], {
    ...ask(driver, `malformed-${operation}`, operation),
    id: 'not-a-uuid',
    observes: ['malformed-id-status'],
  });
}

/** Sends every operation with made-up ids, so that nothing happens if a service lacks a check. */
export const keysAndIds = {
  id: 'keys-and-ids',
  sends: operationIds,
  requests: 60,
  effect: 'read',
  needs: [],
  stateless: true,
  steps: {
    'unknown-*': ofUnknown,
    'malformed-*': ['malformed-id-is-refused'],
    'without-key-and-invalid-*': [],
    'without-key-*': ['missing-key-is-401'],
    'restricted-*': ['insufficient-permission-is-403'],
    'wrong-key-*': ['invalid-key-is-401'],
    '*': [],
  },
  async run(driver): Promise<unknown> {
    const { restricted, gentle } = driver.facts;
    if (gentle) return gently(driver);
    await allOrThrow([
      ...operationIds.map((operation) => perOperation(driver, operation)),
      ...(restricted?.denied ?? []).filter(isHarmless).map((operation) =>
        driver.probe(
          'insufficient-permission-is-403',
          'a key without the permission',
          [`keys-and-ids/unknown-${operation}`],
          {
            ...ask(driver, `restricted-${operation}`, operation),
            credential: 'restricted',
          },
        ),
      ),
      ...operationIds.map((operation) => askMalformed(driver, operation)),
      ...(['execute', 'updateProfile'] as const).map((operation) =>
        driver.send({
          ...ask(driver, `without-key-and-invalid-${operation}`, operation),
          body: invalidBodies(operation)[0]?.body,
          credential: 'none',
          observes: ['auth-before-validation'],
        }),
      ),
      driver.send({
        ...ask(driver, 'unsupported-method', 'getExecution'),
        method: 'PUT',
        observes: ['unsupported-method'],
      }),
      // With an unknown id, because a copy that is made by mistake could not be undone.
      ...sendInvalidBodies(driver, 'duplicateProfile', driver.unknownId()),
      ...sendMissingBodies(driver, 'duplicateProfile', driver.unknownId()),
    ]);
  },
} as const satisfies Scenario;

/** Two readings of unknown ids, and one with a wrong key. The preflight has sent one without a key. */
const gently = (driver: Driver): Promise<unknown> =>
  allOrThrow([
    askUnknown(driver, 'getExecution'),
    askUnknown(driver, 'listExecutionFiles'),
    driver.probe('invalid-key-is-401', 'a wrong key', ['keys-and-ids/unknown-getExecution'], {
      ...ask(driver, 'wrong-key-getExecution', 'getExecution'),
      credential: 'invalid',
    }),
  ]);

async function perOperation(driver: Driver, operation: OperationId): Promise<void> {
  const harmless = isHarmless(operation);
  const control: ControlSteps = harmless
    ? [`keys-and-ids/unknown-${operation}`]
    : { except: Object.keys(validBody(operation) ?? {}) };
  await allOrThrow([
    harmless && askUnknown(driver, operation),
    driver.probe('missing-key-is-401', 'no key', control, {
      ...ask(driver, `without-key-${operation}`, operation),
      credential: 'none',
    }),
    // Without a body too: a key is needed in any case.
    isCopyRequest({ operation }) &&
      driver.probe('missing-key-is-401', 'no key', control, {
        step: 'without-key-and-body-duplicateProfile',
        operation,
        id: driver.unknownId(),
        credential: 'none',
      }),
    driver.probe('invalid-key-is-401', 'a wrong key', control, {
      ...ask(driver, `wrong-key-${operation}`, operation),
      credential: 'invalid',
    }),
    harmless &&
      driver.send({
        ...ask(driver, `swapped-${operation}`, operation),
        credential: 'swapped',
        observes: ['header-names-interchangeable'],
      }),
    harmless &&
      driver.send({
        ...ask(driver, `contradicting-${operation}`, operation),
        credential: 'contradicting',
        observes: ['key-in-both-headers'],
      }),
  ]);
}

const ask = (driver: Driver, step: string, operation: OperationId): RequestSpec => ({
  step,
  operation,
  ...madeUpPlace(driver, operation),
  hasMadeUpId: true,
  ...bodyOf(operation),
});

/** A body that the operation must have. */
export const bodyOf = (operation: OperationId): Pick<RequestSpec, 'body'> => {
  const body = validBody(operation);
  return body ? { body } : {};
};
