import { acceptedExecutionId } from '../../evidence/read.js';
import { type Journey, together } from '../driver.js';
import { both, marked } from './requests.js';

/** No file names as they stand: the server has to make slugs of them. */
const variantKeys = { execute: 'Conformance Suite/Äpfel', executeSync: '1.5 (Conformance): Birnen & more.' } as const;

export const variant: Journey = {
  id: 'variant',
  effect: 'execute',
  needs: ['workflows.variantMode'],
  async run(driver) {
    const id = driver.id(driver.facts.workflows.variantMode);
    await together(
      both.map(async (operation) => {
        const wait = operation === 'executeSync' ? { timeoutSeconds: 1 } : {};
        const step = operation === 'execute' ? 'variant' : 'variant-sync';
        const body = { ...marked(driver, step), ...wait, executionOptions: { variantKey: variantKeys[operation] } };
        const executionId = acceptedExecutionId(await driver.start({ step, operation, id, body }));
        await driver.probe(
          'variant-key-is-required',
          'no variantKey on a workflow in variant mode',
          [`variant/${step}`],
          {
            step: `refuse-${operation}-no-variant-key`,
            operation,
            id,
            body: { ...marked(driver, `no-key-${step}`), ...wait },
            asks: ['variant-key-status'],
          },
        );
        await driver.probe('execute-body-is-typed', 'a variantKey that is a number', [`variant/${step}`], {
          step: `refuse-${operation}-variant-key-number`,
          operation,
          id,
          body: { ...marked(driver, `number-${step}`), ...wait, executionOptions: { variantKey: 5 } },
        });
        if (executionId !== undefined) await driver.follow(executionId, 'completed');
      }),
    );
  },
};
