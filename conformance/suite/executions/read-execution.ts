import type { Journey } from '../driver.js';

/** Reads an execution that exists already: all that a run which may only read can see of one. */
export const readExecution = {
  id: 'read-execution',
  effect: 'read',
  needs: ['execution'],
  stateless: true,
  steps: {
    'read-once': [
      'execution-is-the-one-asked-for',
      'terminal-at-only-when-terminal',
      'duration-is-in-seconds',
      'live-view-never-when-terminal',
      'deprecated-urls-agree',
      'script-failures-omitted-when-none',
    ],
    'read-again': ['identity-is-constant', 'terminal-is-final', 'terminal-record-is-fixed', 'times-are-in-order'],
    'list-once': ['files-are-grouped'],
    'list-again': ['files-stay-listed'],
  },
  async run(driver) {
    const id = driver.id(driver.facts.execution);
    await driver.send({ step: 'read-once', operation: 'getExecution', id });
    await driver.send({ step: 'list-once', operation: 'listExecutionFiles', id });
    await driver.send({ step: 'read-again', operation: 'getExecution', id });
    await driver.send({ step: 'list-again', operation: 'listExecutionFiles', id });
  },
} as const satisfies Journey;
