import type { Journey } from '../driver.js';

/** All that a run that may only read can see of an execution. */
export const readExecution: Journey = {
  id: 'read-execution',
  effect: 'read',
  needs: ['execution'],
  stateless: true,
  async run(driver) {
    const id = driver.id(driver.facts.execution);
    await driver.send({ step: 'read-once', operation: 'getExecution', id });
    await driver.send({ step: 'read-again', operation: 'getExecution', id });
    await driver.send({ step: 'list-once', operation: 'listExecutionFiles', id });
  },
};
