import { acceptedExecutionId, type Fields } from '../../evidence/read.js';
import { type Journey, together } from '../driver.js';
import { noBodies } from './odd-bodies.js';
import { both, marked } from './requests.js';

/**
 * No file names as they stand: the server has to make slugs of them. What is hard in either is in the second: the first is
 * sent only where the bold one is refused. Short: how long one may be is not said.
 */
const plain = { execute: 'Conformance Suite/Äpfel', executeSync: '1.5 (A/Ä): +50% & #1!, b?' } as const;
/** A folder that is another one, and a name that no folder can have. A service may refuse either. */
const bold = { execute: '..', executeSync: `${plain.executeSync} `.repeat(20) } as const;

/** It is required on every execution: neither another version, nor another option, nor to wait stands for it. */
const without = (version: number): Readonly<Record<(typeof both)[number], Readonly<Record<string, Fields>>>> => ({
  execute: { 'no-variant-key': { head: true }, 'no-variant-key-version': { version } },
  executeSync: {
    'no-variant-key': { executionOptions: { softTimeoutMins: 1 } },
    'no-variant-key-queue': { onCapacityLimit: 'queue' },
  },
});

/** What is refused of every workflow is so beside a variantKey. */
const beside = {
  execute: { rule: 'soft-timeout-minimum', fault: 'softTimeoutMins 0 beside a variantKey', more: {}, minutes: 0 },
  executeSync: {
    rule: 'head-excludes-version',
    fault: 'head together with version, in variant mode',
    more: { head: true, version: 1 },
    minutes: undefined,
  },
} as const;

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
        for (const [slug, more] of Object.entries(without(driver.facts.publishedVersion ?? 1)[operation]))
          await driver.probe(
            'variant-key-is-required',
            'no variantKey on a workflow in variant mode',
            [`variant/${step}`],
            {
              step: `refuse-${operation}-${slug}`,
              operation,
              id,
              body: { ...marked(driver, `${slug}-${step}`), ...wait, ...more },
              asks: ['variant-key-status'],
            },
          );
        const { rule, fault, more, minutes: softTimeoutMins } = beside[operation];
        await driver.probe(rule, fault, [`variant/${step}`], {
          step: `refuse-${operation}-beside-variant-key`,
          operation,
          id,
          body: {
            ...marked(driver, `beside-${step}`),
            ...wait,
            ...more,
            executionOptions: {
              variantKey: plain[operation],
              ...(softTimeoutMins !== undefined && { softTimeoutMins }),
            },
          },
        });
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
