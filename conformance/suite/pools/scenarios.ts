import { outcomeOf } from '../../engine/outcome/outcome.js';
import { accepted, declined, type Fields, sent, startedId, status } from '../../engine/outcome/read.js';
import { behindMs } from '../../engine/outcome/when.js';
import { allOrThrow, type Driver, type Journey } from '../driver.js';
import { keyFaults } from '../keys/faults.js';
import { poolIsSpent } from '../keys/real-keys.js';
import { both, marked } from '../starts/requests.js';

/** Uses the pool while it is there: nothing else shows that it is, and that a refused deletion leaves it. */
export const poolInUse: Journey = {
  id: 'pool-in-use',
  effect: 'delete',
  needs: ['pool', 'workflows.completes'],
  after: ['start'],
  async run(driver) {
    const { pool: group, workflows } = driver.facts;
    if (!driver.starts('pool-in-use/run')) return;
    // It may have no profiles: then a start that waits would wait for good. Followed to its end: what is in use may be kept
    // from being deleted.
    const started = await driver.startOnce({
      step: 'run',
      operation: 'execute',
      id: driver.id(workflows.completes),
      body: { profileGroupId: group, ...marked(driver, 'run') },
      unjudged: true,
    });
    const executionId = startedId(started);
    if (executionId !== undefined) await driver.follow(executionId, 'completed');
  },
};

export const pool = {
  id: 'pool',
  effect: 'delete',
  needs: ['pool'],
  after: ['real-keys'],
  steps: {
    'none-delete-again': ['missing-key-is-401'],
    'invalid-delete-again': ['invalid-key-is-401'],
    delete: ['pool-is-deleted'],
    'delete-again': ['deleted-pool-is-gone'],
    'run-deleted*': ['deleted-pool-cannot-run'],
  },
  async run(driver) {
    const id = driver.id(driver.facts.pool);
    if (poolIsSpent(driver))
      return driver.leaves({ kind: 'deleted pool', id, note: 'deleted with a key that is not right' });
    const deleted = await driver.send({ step: 'delete', operation: 'deletePool', id });
    if (!accepted(deleted)) {
      const tried = driver.evidence.exchanges.filter(({ mark }) => mark?.journey === 'pool' && mark.step === 'delete');
      if (tried.every((one) => declined(one) || outcomeOf(one).form === 'unsent')) return;
      driver.leaves({
        kind: 'deleted pool',
        id,
        note: 'may be deleted, as the target file allows: an answer was lost',
      });
      return;
    }
    driver.leaves({ kind: 'deleted pool', id, note: 'deleted, as the target file allows' });
    const deleteAgain = () => driver.send({ step: 'delete-again', operation: 'deletePool', id });
    const again = await deleteAgain();
    await withoutKey(driver, id);
    // A copy of what was read before may be used for a moment still.
    const afterwards = async () => {
      await driver.pause(behindMs);
      if (driver.facts.stateful && status(again) !== 404) {
        driver.exclude(again);
        await deleteAgain();
      }
      await allOrThrow(askForDeleted(driver, id));
    };
    await afterwards();
  },
} as const satisfies Journey;

/** Who asks has to say who it is also where the pool is gone by now. */
async function withoutKey(driver: Driver, id: string): Promise<void> {
  for (const [rule, credential, fault] of keyFaults.filter(([, credential]) => credential !== 'restricted'))
    await driver.probe(rule, fault, ['pool/delete-again'], {
      step: `${credential}-delete-again`,
      operation: 'deletePool',
      id,
      credential,
    });
}

/** The pool asked for in each way that a start can. */
function askForDeleted(driver: Driver, id: string): Promise<unknown>[] {
  const workflow = driver.facts.workflows.completes;
  if (workflow === undefined) return [];
  /** Each with and without a queue: for what is not there nobody can wait. */
  const names = [
    { field: 'profileGroupId', step: 'run-deleted', waits: 'executeSync' },
    { field: 'agentProfilePoolId', step: 'run-deleted-deprecated', waits: 'execute' },
  ] as const;
  // Without a start that was accepted the refusal of one tells nothing.
  const operations = both.filter((operation) => driver.startsOf(operation, workflow).some(accepted));
  return operations.flatMap((operation) =>
    names.map(({ field, step, waits }) => {
      const body: Fields = {
        [field]: id,
        ...(operation === waits && { onCapacityLimit: 'queue' }),
        ...(operation === 'executeSync' && { timeoutSeconds: 1 }),
      };
      return driver.probe(
        'deleted-pool-cannot-run',
        `a profile group that was deleted, as ${field}`,
        { but: Object.keys(body) },
        { step: operation === 'execute' ? step : `${step}-sync`, operation, id: workflow, body },
      );
    }),
  );
}

/** Uses a group that was not deleted: it supplies profiles as before. Of one that is filled as well nobody else is in the way. */
export const besidePool: Journey = {
  id: 'beside-pool',
  effect: 'delete',
  needs: ['pool', 'profileGroup|capacity'],
  after: ['pool', 'capacity'],
  async run(driver) {
    const { capacity, profileGroup, workflows } = driver.facts;
    const [group, workflow] =
      profileGroup === undefined ? [capacity?.profileGroup, capacity?.workflow] : [profileGroup, workflows.completes];
    const deleted = driver.lastAnswer('pool', 'delete');
    if (!(deleted && accepted(deleted)) || workflow === undefined || !driver.starts('beside-pool/other-group')) return;
    // Queued, since others may use it: then a refusal is not for want of room. As one that has ended: equal starts are two.
    const ended = driver.lastAnswer('start', 'group');
    const body = (ended && sent(ended)) ?? {
      profileGroupId: group,
      ...(profileGroup !== undefined && { onCapacityLimit: 'queue' }),
      ...marked(driver, 'other-group'),
    };
    const started = await driver.start({ step: 'other-group', operation: 'execute', id: workflow, body });
    const executionId = startedId(started);
    if (executionId !== undefined) await driver.follow(executionId, 'completed');
  },
};
