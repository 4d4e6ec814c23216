import { expect, test } from 'vitest';
import { ExecutionTracker } from '../../../../conformance/suite/executions/tracker.js';
import { shortSoftTimeout, softTimeout } from '../../../../conformance/suite/starts/requests.js';
import { facts } from '../../../support/evidence.js';

test.each([
  ['nothing is known', {}, undefined, undefined],
  ['executions are known to be short', { takes: { completes: 10_000 } }, 2, 1],
  ['executions take minutes', { takes: { completes: 290_000 } }, 6, 6],
  ['only executions of another workflow are known', { takes: { slow: 10_000 } }, undefined, undefined],
  ['the hard timeout is known', { agentHardTimeoutMins: 30, takes: { completes: 180_000 } }, 29, 29],
  ['only the hard timeout is known', { agentHardTimeoutMins: 30 }, 29, 29],
])('no execution reaches a soft timeout, if %s', (_, known, usual, shortest) => {
  const workflows = { completes: 'one', slow: 'other' };
  const driver = {
    facts: facts({ workflows, ...known }),
    executions: new ExecutionTracker(facts({ workflows, ...known })),
  };
  const minutes = [softTimeout, shortSoftTimeout].map((of) => of(driver, workflows.completes).softTimeoutMins);
  expect(minutes).toEqual([usual, shortest]);
});
