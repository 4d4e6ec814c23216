import { acceptedExecutionId } from '../../evidence/read.js';
import { type Journey, together } from '../driver.js';
import { noBodies } from './odd-bodies.js';
import { both, marked } from './requests.js';

/** No file names as they stand: the server has to make slugs of them. */
const plain = { execute: '1.5 (Conformance): Birnen & more.', executeSync: 'Conformance Suite/Äpfel' } as const;
/** A folder that is another one, and a name that no folder can have. A service may refuse either. */
const bold = { execute: '..', executeSync: `${plain.executeSync} `.repeat(20) } as const;

/** It is required on every execution: neither another version nor another option stands for it. */
const without = { execute: { head: true }, executeSync: { executionOptions: { softTimeoutMins: 1 } } } as const;

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
        const ask = (variantKey: string) => ({
          step,
          operation,
          id,
          body: { ...marked(driver, step), ...wait, executionOptions: { variantKey } },
        });
        const executionId = acceptedExecutionId(await driver.startOr(ask(bold[operation]), ask(plain[operation])));
        await driver.probe(
          'variant-key-is-required',
          'no variantKey on a workflow in variant mode',
          [`variant/${step}`],
          {
            step: `refuse-${operation}-no-variant-key`,
            operation,
            id,
            body: { ...marked(driver, `no-key-${step}`), ...wait, ...without[operation] },
            asks: ['variant-key-status'],
          },
        );
        await driver.probe('execute-body-is-typed', 'a variantKey that is a number', [`variant/${step}`], {
          step: `refuse-${operation}-variant-key-number`,
          operation,
          id,
          body: { ...marked(driver, `number-${step}`), ...wait, executionOptions: { variantKey: 5 } },
        });
        // Without a variantKey they are refused, whatever else is made of them.
        await together([
          ...noBodies(driver, operation, id),
          driver.startOnce({
            step: `unknown-field-${operation}`,
            operation,
            id,
            body: { ...wait, conformanceSuite: true },
            odd: true,
          }),
        ]);
        if (executionId !== undefined) await driver.follow(executionId, 'completed');
      }),
    );
  },
};
