import { accepted } from '../../evidence/read.js';
import type { Journey } from '../journey.js';

export const pool: Journey = {
  id: 'pool',
  effect: 'delete',
  needs: ['pool'],
  async run(talk) {
    const id = talk.id(talk.facts.pool);
    const deleted = await talk.send({ step: 'delete', operation: 'deletePool', id, asks: ['pool-delete-success'] });
    if (!accepted(deleted)) return;
    talk.leaves({ kind: 'deleted pool', id, note: 'deleted, as the target file allows' });
    await talk.send({ step: 'delete-again', operation: 'deletePool', id });
    const workflow = talk.facts.workflows.completes;
    if (workflow !== undefined)
      await talk.probe('deleted-pool-cannot-run', 'a profile group that was deleted', ['start/rich', 'start/head'], {
        step: 'run-deleted',
        operation: 'execute',
        id: workflow,
        body: { profileGroupId: id },
      });
  },
};
