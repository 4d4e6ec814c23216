import { expect, test } from 'vitest';
import { findFault } from '../../deviations/index.js';
import { rules } from '../../generated/rules.js';
import { runCase } from '../../proof/cases.js';
import { broken, slowly } from '../support/slowly.js';

const musts = new Set<string>(rules.flatMap(({ id, level }) => (level === 'MUST' ? [id] : [])));

test.each([
  // What a run that is over at once could have shown.
  { variation: 'runs-of-no-time' },
  // The start with hard values is refused.
  { variation: 'inputs-are-short' },
  // No duration is shown, by which a run is known to be too long.
  { choices: 'minimal' },
  { choices: 'status-read-while-queued=starting' },
])('with few executions in the budget, no MUST is inconclusive for %o', async (of) => {
  const run = await runCase({ ...of, at: { minutes: 2, places: 5, executions: 12 } });
  expect(run.rules.filter(({ id, verdict }) => verdict === 'inconclusive' && musts.has(id))).toEqual([]);
});

test('the order of the queue is judged for a group of two', async () => {
  const run = await runCase({ variation: 'group-of-two', at: { minutes: 2, places: 5, executions: 12 } });
  const inTurn = run.rules.filter(({ id }) => ['queue-is-oldest-first', 'queue-is-not-overtaken'].includes(id));
  expect(inTurn.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
});

test.each([
  [['inputs-are-short', 'temp-files-serve-once', 'odd-texts-are-not-acceptable']],
  [['one-slow-run-fails', 'fails-in-other-words']],
])('with a spent budget, %j violate no rule', async (variations) => {
  const run = await slowly(17, ...variations);
  expect(broken(run).filter((id) => musts.has(id))).toEqual([]);
  expect(run.rules.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(100);
});

test('a budget of 12 is kept, and finds the fault', async () => {
  // Who fills the group alone may wait for what another scenario asks of the key.
  const fault = 'keys-count-in-the-service-header-alone';
  const run = await slowly(12, fault);
  expect(run.executions).toBeLessThanOrEqual(12);
  expect(broken(run)).toEqual(findFault(fault).breaks);
});

/** What is found where runs take minutes and few may be started: how starts are refused, and what each run has. */
const found = [
  // A start that is to be refused waits for a place that the run itself holds.
  'the-last-temp-file-counts',
  // The files of each execution are listed.
  'files-are-listed-twice',
];

test('a budget of 17 is spent, and finds faults that show in several executions', async () => {
  const run = await slowly(17, ...found);
  // One is kept for a start that must be refused, which the first fault takes.
  expect(run.executions).toBe(17);
  expect(run.minutes).toBeGreaterThan(4);
  expect(broken(run).toSorted()).toEqual(found.flatMap((id) => findFault(id).breaks).toSorted());
});
