import { expect, test } from 'vitest';
import { toTarget } from '../../../../conformance/suite/target/target.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { createReference, type Deviation } from '../../../../reference/index.js';

test.each<[what: string, behaviour: Deviation['behaviour']]>([
  [
    'fails at every start',
    () => ({
      admit: () => {
        throw new Error('The service failed.');
      },
    }),
  ],
  ['has no capacity for any start', () => ({ admit: () => 'reject' })],
])('a run ends on a service that %s', async (_, behaviour) => {
  const { fixtures: target } = createReference();
  const { completes } = target.workflows;
  const run = await checkInProcess(
    { faults: [{ id: 'refuses-starts', behaviour }] },
    {
      target: toTarget({
        ...target,
        allow: 'execute',
        workflows: { completes },
        pace: { ...target.pace, patienceSeconds: 5 },
      }),
    },
  );
  expect(run.executionsStarted).toBe(0);
  expect(run.requests).toBeLessThan(1000);
});
