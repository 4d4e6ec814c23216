import type { Journey } from '../journey.js';

/** All that a run that may only read can see of an execution. */
export const readExecution: Journey = {
  id: 'read-execution',
  effect: 'read',
  needs: ['execution'],
  stateless: true,
  async run(talk) {
    const id = talk.id(talk.facts.execution);
    await talk.send({ step: 'read-once', operation: 'getExecution', id });
    await talk.send({ step: 'read-again', operation: 'getExecution', id });
    await talk.send({ step: 'list-once', operation: 'listExecutionFiles', id });
  },
};
