import { type Operation, type OperationId, operationIds, operations } from '../../../generated/operations.js';
import type { RuleId } from '../../../generated/rules.js';
import {
  accepted,
  type Fields,
  isCopyRequest,
  isReadRequest,
  requestBody,
  requestFields,
} from '../../engine/outcome/read.js';
import { isFaultless } from '../../engine/rule/probes.js';
import { equal } from '../../engine/rule/values.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import { allows } from '../../engine/settings/needs.js';
import type { Credential, Effect } from '../../engine/vocabulary.js';
import { allOrThrow, type ControlSteps, type Driver, type Scenario } from '../driver.js';
import { otherStartScenarios, otherStarts } from '../executions/roles.js';
import { effectOf, isOnOwnExecution, ownExecution, placeOf } from '../known-places.js';
import { readsExecution } from '../operations.js';
import { sharedSteps } from '../profiles/view.js';
import { briefly, validBody } from '../starts/requests.js';
import { isNearKey, keyFaults, nearKeyKinds, nearKeys } from './headers.js';
import { bodyOf } from './keys-and-ids.js';

/** How an operation is called on something real. */
interface Real {
  readonly effect: Effect;
  readonly id: string | undefined;
  readonly query?: RequestSpec['query'];
  /** A body that finds or changes nothing, in case a wrong key is accepted. */
  readonly harmless?: Fields;
  /** A body that the full key was granted: a key without the permission must be refused for that reason alone. */
  readonly granted?: Fields;
  /** The steps that send the same with the full key, or nearly the same. */
  readonly controls: ControlSteps;
  /** The controls of `granted`, if they are different. */
  readonly taken?: ControlSteps;
  /** Other bodies that the full key was granted: each may have its own permission check. */
  readonly ways?: readonly Way[];
}

interface Way {
  readonly name: string;
  readonly body: Fields;
  readonly controls: ControlSteps;
}

/**
 * Sends keys that are missing, wrong, nearly right or restricted for things that exist: a service may check the key
 * only if it finds nothing, or remember who had access. So it comes after scenarios that use them with the right key.
 */
export const realKeys = {
  id: 'real-keys',
  sends: operationIds,
  requests: 80,
  effect: 'read',
  needs: ['execution|workflows.completes|profile|pool'],
  after: [
    ...['keys-and-ids', 'read-execution', 'start', 'start-sync', 'refusals', 'profile', 'pool-in-use'],
    ...otherStartScenarios.map(({ id }) => id),
  ],
  steps: {
    'own-getExecution own-listExecutionFiles look-*': [],
    'none-* own-none-* elsewhere-*': ['missing-key-is-401'],
    'restricted-*': ['insufficient-permission-is-403', 'key-refusal-does-nothing'],
    'own-restricted-*': ['insufficient-permission-is-403'],
    '*': ['invalid-key-is-401'],
  },
  async run(driver): Promise<void> {
    const all = realOf(driver);
    await allOrThrow(
      operationIds.map(async (operation) => {
        const own = (all as { readonly [operation in OperationId]?: Real })[operation];
        const real = own ?? (await plainly(driver, operation));
        if (!real || !allows(driver.facts.allow, real.effect)) return;
        await tryKeys(driver, operation, real);
      }),
    );
    const read = ownExecution(driver) ?? all.getExecution.id;
    if (read !== undefined) await driver.runExclusively(() => afterTheRightKey(driver, read, all));
  },
} as const satisfies Scenario;

/** A cache may serve the answer for the right key to the next caller, so nothing else is sent in between. */
async function afterTheRightKey(driver: Driver, id: string, all: ReturnType<typeof realOf>): Promise<void> {
  for (const operation of ['getExecution', 'listExecutionFiles'] as const) {
    await driver.send({ step: `own-${operation}`, operation, id });
    await tryKeys(driver, operation, { ...all[operation], id }, 'own-', ['none', 'invalid']);
  }
}

/** A copy that is made with a wrong key stays too: so duplicate only if the budget has a copy left. */
const mayTry = ({ budget }: Driver, operation: OperationId): boolean =>
  !isCopyRequest({ operation }) || budget.copiesLeft > 0;

/** Whether the pool was deleted by a request that should have been refused. */
export const isPoolDeleted = (driver: Driver): boolean =>
  [...triedOn('deletePool'), 'restricted'].some((credential) => {
    const deleted = driver.lastAnswer(`real-keys/${credential}-deletePool`);
    return deleted !== undefined && accepted(deleted);
  });

/**
 * Operations that `realOf` does not describe, on what they do no harm to: all that is read, executions of the run, what
 * others are started from, and what a scenario did, but for what it ended. A service that takes a wrong key does it once
 * more. Others are only tried with made-up ids.
 */
async function plainly(driver: Driver, operation: OperationId): Promise<Real | undefined> {
  const reads = isReadRequest({ operation });
  const done = () => driver.sent.findLast((one) => one.operation === operation && isFaultless(one) && accepted(one));
  const isOwn = isOnOwnExecution(operation) || otherStarts.some((one) => one === operation);
  const mayRepeat = isOwn || ((operations[operation] as Operation).effect !== 'ends' && done() !== undefined);
  const place = reads || mayRepeat ? placeOf(driver, operation) : undefined;
  if (!place) return undefined;
  if (reads && !done()) {
    // No scenario has asked for it. What the target file declares may be there.
    await driver.send({ step: `look-${operation}`, operation, ...place, ifRefused: 'unjudged' });
  }
  const sent = done();
  const body = (sent && requestBody(sent)) ?? validBody(operation);
  return {
    effect: effectOf(operation),
    ...place,
    ...(body && { harmless: body, granted: body }),
    controls: { except: Object.keys(body ?? {}), ...(!reads && { otherId: true as const }) },
  };
}

function realOf(driver: Driver) {
  const { facts } = driver;
  const execution = facts.execution ?? ownExecution(driver);
  const start = (operation: 'execute' | 'executeSync', wait: Fields): Real => ({
    effect: 'execute',
    id: facts.workflows.completes,
    harmless: { profileGroupId: driver.unknownId(), ...wait },
    granted: wait,
    controls: [`refusals/refuse-${operation}-unknown-profile-group`, `keys-and-ids/unknown-${operation}`],
    taken: { except: Object.keys(wait) },
    ways: driver
      .startsOf(operation, facts.workflows.completes ?? '')
      .filter((one) => accepted(one) && requestFields(one).head === true)
      .slice(0, 1)
      .map(() => ({ name: 'head', body: { head: true, ...wait }, controls: { except: Object.keys(wait) } })),
  });
  /** A body that the full key was granted at a step with the profile. */
  const granted = (step: string, body: Fields): Way[] => {
    const control = driver.lastAnswer(`profile/${step}`);
    return control && accepted(control) ? [{ name: step, body, controls: [`profile/${step}`] }] : [];
  };
  const openings = ['baseline', ...sharedSteps].map((step) => driver.lastAnswer(`profile/${step}`));
  const baseline = openings.find((one) => one && accepted(one));
  const scratch = driver.scratch.find(({ id }) => id === baseline?.resource);
  const same = { description: scratch?.now.description };
  const nothingGoes = driver.lastAnswer('profile/only-unknown-deleted');
  return {
    execute: start('execute', {}),
    executeSync: start('executeSync', briefly('executeSync')),
    getExecution: { effect: 'read', id: execution, controls: ['read-execution/read-again', 'start/read-after-end'] },
    listExecutionFiles: {
      effect: 'read',
      id: execution,
      controls: ['read-execution/list-once', 'start/list-after-end'],
    },
    // Sending the current values changes nothing.
    updateProfile: {
      effect: 'write',
      id: scratch?.id,
      harmless: same,
      granted: { ...same, ...(nothingGoes && accepted(nothingGoes) && requestBody(nothingGoes)) },
      controls: ['baseline', ...sharedSteps].map((step) => `profile/${step}` as const),
      ways: granted(baseline?.mark?.step ?? '', {}).filter(() => equal(baseline && requestBody(baseline), {})),
    },
    duplicateProfile: {
      effect: 'write',
      id: facts.profile,
      harmless: { organizationId: driver.unknownId() },
      granted: {},
      controls: ['keys-and-ids/unknown-duplicateProfile'],
      taken: ['profile/scratch', 'profile/duplicate-home', 'profile/duplicate'],
      ways: granted('duplicate-elsewhere', { organizationId: facts.otherOrganization }),
    },
    deletePool: { effect: 'delete', id: facts.pool, controls: ['pool/delete'] },
  } as const satisfies { readonly [operation in OperationId]?: Real };
}

const triedOn = (operation: OperationId): readonly Credential[] => [
  'none',
  'elsewhere',
  'invalid',
  ...nearKeyKinds.filter((kind) => readsExecution({ operation }) || !('once' in nearKeys[kind])),
];

async function tryKeys(
  driver: Driver,
  operation: OperationId,
  { id, query, harmless, granted, controls, taken = controls, ways = [] }: Real,
  prefix = '',
  credentials: readonly Credential[] = triedOn(operation),
): Promise<void> {
  if (id === undefined) return;
  const probe = (rule: RuleId, credential: Credential, beside: ControlSteps, body?: Fields, way = '') =>
    driver.probe(rule, faultOf(credential), beside, {
      step: `${prefix}${credential}-${way}${operation}`,
      operation,
      id,
      ...(query && { query }),
      credential,
      ...(body ? { body } : bodyOf(operation)),
    });
  const tried = credentials.filter((credential) => driver.hasKey(credential));
  const send = (credential: Credential) => {
    const rule = credential === 'none' || credential === 'elsewhere' ? 'missing-key-is-401' : 'invalid-key-is-401';
    return probe(rule, credential, controls, harmless);
  };
  if (isReadRequest({ operation })) await allOrThrow(tried.map(send));
  // What a faulty service does for a wrong key must not be done twice.
  else
    for (const credential of tried) {
      if (!mayTry(driver, operation)) return;
      if (accepted(await send(credential))) break;
    }
  if (!driver.facts.restricted?.denied.includes(operation)) return;
  const restricted = (beside: ControlSteps, body?: Fields, way?: string) =>
    probe('insufficient-permission-is-403', 'restricted', beside, body, way);
  for (const { name, body, controls: asked } of ways)
    if (mayTry(driver, operation) && accepted(await restricted(asked, body, `${name}-`))) return;
  if (mayTry(driver, operation))
    await restricted('except' in taken ? taken : [`keys-and-ids/unknown-${operation}`, ...taken], granted);
}

function faultOf(credential: Credential): string {
  if (isNearKey(credential)) return nearKeys[credential].fault;
  if (credential === 'elsewhere') return 'no key, and a made-up token';
  return keyFaults.find(([, key]) => key === credential)?.[2] ?? 'a wrong key';
}
