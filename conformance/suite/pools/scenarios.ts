/** The scenarios that delete a pool, and look what else changed. */

import { isAt } from '../../engine/outcome/mark.js';
import { outcomeOf } from '../../engine/outcome/outcome.js';
import { accepted, type Fields, fieldNames, isClientError, requestBody, status } from '../../engine/outcome/read.js';
import { replicaLagMs } from '../../engine/outcome/when.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { allOrThrow, type Driver, type Scenario } from '../driver.js';
import { wrongBodyScenarios } from '../errors/scenarios.js';
import { ifFull } from '../executions/view.js';
import { wrongKeys } from '../keys/headers.js';
import { isPoolDeleted } from '../keys/real-keys.js';
import { startsAtOnce } from '../operations.js';
import { briefly, marked, startOperations } from '../starts/requests.js';

/**
 * Uses the pool before it is deleted: only that shows that it exists, and that a refused deletion has no effect. Comes
 * when most others have ended: until then the organization may be full, and a pool without profiles is refused alike.
 * Runs what writes files, if it may: the files of two executions of a workflow show whose each is.
 */
export const poolInUse: Scenario = {
  id: 'pool-in-use',
  begins: 'pool-in-use/run',
  sends: ['execute', 'getExecution'],
  effect: 'delete',
  needs: ['pool', 'workflows.completes'],
  after: ['start', 'start-sync'],
  async run(driver): Promise<void> {
    const { pool: group, workflows } = driver.facts;
    // Not with a start that queues: the pool may be empty, so it might wait for good. Followed to its end, because a
    // pool in use may not be deletable.
    const started = await driver.startOnce({
      step: 'run',
      operation: 'execute',
      id: driver.id(workflows.writesFiles ?? workflows.completes),
      body: { profileGroupId: group, ...marked(driver, 'run') },
      unjudged: true,
    });
    await driver.followStarted(started);
  },
};

/** How often a deletion that was answered 202 is looked for, at most. */
const mostLooks = 10;

export const pool = {
  id: 'pool',
  sends: ['deletePool', 'execute', 'executeSync', 'getExecution'],
  requests: 10,
  effect: 'delete',
  needs: ['pool'],
  after: ['real-keys', ...wrongBodyScenarios.map(({ id }) => id)],
  steps: {
    'none-delete-again': ['missing-key-is-401'],
    'invalid-delete-again': ['invalid-key-is-401'],
    delete: ['pool-is-deleted'],
    'delete-again': ['deleted-pool-is-gone'],
    'run-deleted*': ['deleted-pool-cannot-run'],
  },
  async run(driver): Promise<void> {
    const id = driver.id(driver.facts.pool);
    if (isPoolDeleted(driver))
      return driver.addLeftBehind({ kind: 'deleted pool', id, note: 'deleted with an invalid key' });
    const deleted = await driver.send({ step: 'delete', operation: 'deletePool', id });
    if (!accepted(deleted)) {
      const tried = driver.evidence.exchanges.filter((one) => isAt(one, 'pool/delete'));
      if (tried.every((one) => isClientError(one) || outcomeOf(one).form === 'unsent')) return;
      driver.addLeftBehind({
        kind: 'deleted pool',
        id,
        note: 'maybe: an answer was lost. The target file allows it',
      });
      return;
    }
    driver.addLeftBehind({ kind: 'deleted pool', id, note: 'the target file allows it' });
    const deleteAgain = (replaces: readonly Exchange[] = []) =>
      driver.send({ step: 'delete-again', operation: 'deletePool', id, replaces });
    let again = await deleteAgain();
    await withoutKey(driver, id);
    await driver.pause(replicaLagMs);
    // A cache may still hold the pool for a moment; a deletion that was answered 202 may take longer.
    const looks = !driver.facts.stateful ? 0 : status(deleted) === 202 ? mostLooks : 1;
    for (let look = 1; look <= looks && status(again) !== 404; look += 1) {
      if (look > 1) await driver.pause(replicaLagMs);
      again = await deleteAgain([again]);
    }
    await allOrThrow(askForDeleted(driver, id));
  },
} as const satisfies Scenario;

/** Without a right key the answer must be 401, even though the pool is gone. */
async function withoutKey(driver: Driver, id: string): Promise<void> {
  for (const [rule, credential, fault] of wrongKeys)
    await driver.probe(rule, fault, ['pool/delete-again'], {
      step: `${credential}-delete-again`,
      operation: 'deletePool',
      id,
      credential,
    });
}

/** Asks for the deleted pool in each way in which a start can. */
function askForDeleted(driver: Driver, id: string): Promise<unknown>[] {
  const workflow = driver.facts.workflows.completes;
  if (workflow === undefined) return [];
  /** Each with and without queueing: it must not wait for a pool that does not exist. */
  const names = fieldNames({ operation: 'execute' }, 'profileGroupId').map((field, place) =>
    place === 0
      ? { field, step: 'run-deleted', waits: 'executeSync' }
      : { field, step: 'run-deleted-deprecated', waits: 'execute' },
  );
  // If no such start was accepted before, a refusal tells nothing.
  const operations = startOperations.filter((operation) => driver.startsOf(operation, workflow).some(accepted));
  return operations.flatMap((operation) =>
    names.map(({ field, step, waits }) => {
      const body: Fields = {
        [field]: id,
        ...(operation === waits && ifFull('queue')),
        ...briefly(operation),
      };
      return driver.probe(
        'deleted-pool-cannot-run',
        `a profile group that was deleted, as ${field}`,
        { except: Object.keys(body) },
        { step: startsAtOnce({ operation }) ? step : `${step}-sync`, operation, id: workflow, body },
      );
    }),
  );
}

/** Uses another group, which must still supply profiles. If it is the capacity group, nobody else uses it by then. */
export const besidePool: Scenario = {
  id: 'beside-pool',
  begins: 'beside-pool/other-group',
  sends: ['execute', 'getExecution'],
  effect: 'delete',
  needs: ['pool', 'profileGroup|capacity'],
  after: ['pool', 'capacity'],
  async run(driver): Promise<void> {
    const { capacity, profileGroup, workflows } = driver.facts;
    const [group, workflow] =
      profileGroup === undefined ? [capacity?.profileGroup, capacity?.workflow] : [profileGroup, workflows.completes];
    const deleted = driver.lastAnswer('pool/delete');
    if (!(deleted && accepted(deleted)) || workflow === undefined) return;
    // Asks to queue, so that it is not refused for want of room. The body is that of an earlier start, if there is one.
    const ended = driver.lastAnswer('start/group');
    const body = (ended && requestBody(ended)) ?? {
      profileGroupId: group,
      ...(profileGroup !== undefined && ifFull('queue')),
      ...marked(driver, 'other-group'),
    };
    const started = await driver.start({ step: 'other-group', operation: 'execute', id: workflow, body });
    await driver.followStarted(started);
  },
};
