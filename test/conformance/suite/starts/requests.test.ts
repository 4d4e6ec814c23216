import { expect, test } from 'vitest';
import { softTimeout } from '../../../../conformance/suite/starts/requests.js';
import { facts } from '../../../support/evidence.js';

test.each([
  ['nothing is known', {}, 2],
  ['runs are known to be short', { takes: { completes: 10_000 } }, 2],
  ['runs take minutes', { takes: { completes: 180_000, slow: 290_000 } }, 6],
  ['the hard timeout is known', { agentHardTimeoutMins: 30, takes: { completes: 180_000 } }, 29],
])('a soft timeout is one that no run comes to, where %s', (_, known, softTimeoutMins) => {
  expect(softTimeout({ facts: facts(known) })).toEqual({ softTimeoutMins });
});
