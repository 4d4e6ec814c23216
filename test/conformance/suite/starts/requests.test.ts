import { expect, test } from 'vitest';
import { ExecutionTracker } from '../../../../conformance/suite/executions/tracker.js';
import { shortSoftTimeout, softTimeout } from '../../../../conformance/suite/starts/requests.js';
import { facts } from '../../../support/evidence.js';

test.each([
  ['nothing is known', {}, undefined, undefined],
  ['runs are known to be short', { takes: { completes: 10_000 } }, 2, 1],
  ['runs take minutes', { takes: { completes: 180_000, slow: 290_000 } }, 6, 6],
  ['the hard timeout is known', { agentHardTimeoutMins: 30, takes: { completes: 180_000 } }, 29, 29],
  ['the hard timeout alone is known', { agentHardTimeoutMins: 30 }, 29, 29],
])('a soft timeout is one that no run comes to, where %s', (_, known, usual, shortest) => {
  const driver = { facts: facts(known), executions: new ExecutionTracker(facts(known)) };
  expect([softTimeout(driver).softTimeoutMins, shortSoftTimeout(driver).softTimeoutMins]).toEqual([usual, shortest]);
});
