import { accepted } from '../../evidence/read.js';
import type { Journey } from '../driver.js';
import { poolIsSpent } from './real-keys.js';

export const pool: Journey = {
  id: 'pool',
  effect: 'delete',
  needs: ['pool'],
  after: ['real-keys'],
  async run(driver) {
    const id = driver.id(driver.facts.pool);
    if (poolIsSpent(driver))
      return driver.leaves({ kind: 'deleted pool', id, note: 'deleted with a key that is not right' });
    const deleted = await driver.send({ step: 'delete', operation: 'deletePool', id, asks: ['pool-delete-success'] });
    if (!accepted(deleted)) return;
    driver.leaves({ kind: 'deleted pool', id, note: 'deleted, as the target file allows' });
    await driver.send({ step: 'delete-again', operation: 'deletePool', id });
    const workflow = driver.facts.workflows.completes;
    if (workflow !== undefined)
      await driver.probe('deleted-pool-cannot-run', 'a profile group that was deleted', ['start/rich', 'start/head'], {
        step: 'run-deleted',
        operation: 'execute',
        id: workflow,
        body: { profileGroupId: id },
      });
  },
};
