import { expect, test } from 'vitest';
import type { Deviation } from '../../deviations/index.js';
import type { Rule } from '../../generated/rules.js';
import { checkInProcess } from '../../proof/in-process.js';
import { usualTarget } from '../support/usual-run.js';

const target = usualTarget({ allow: 'execute' });
const selected = ({ id }: Rule) => id === 'over-capacity-is-rejected';

const queuedAsStarting: Deviation = {
  id: 'queued-as-starting',
  behaviour: () => ({ initialStatus: () => 'starting' }),
};

/** How often a step of the scenario that fills the group was sent, with those that were withdrawn. */
async function sentOf(step: string, ...faults: readonly Deviation[]): Promise<number> {
  let sent = 0;
  await checkInProcess({ faults }, { target, selected }, (service) => (request) => {
    sent += Number(request.mark.scenario === 'capacity' && request.mark.step === step);
    return service(request);
  });
  return sent;
}

test('a group is filled once, also if queued executions are described as starting', async () => {
  expect(await sentOf('hold-1')).toBe(1);
  expect(await sentOf('hold-1', queuedAsStarting)).toBe(1);
});
