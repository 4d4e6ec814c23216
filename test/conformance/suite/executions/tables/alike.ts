import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { reading, recorded, start, sync } from '../../../../support/runs.js';

const shownResult = { executionResult: { id: ids.pool, executionId: ids.execution } };

/** An execution that was waited for or not, has ended after a second, and is read again after so many. */
const run = (n: number, how: 'async' | 'sync', shown: object, again = 9, end = 'completed'): Sketch[] => {
  const id = ids.execution.replace(/.$/, String(n));
  const answer = { executionId: id, status: how === 'async' ? 'starting' : end };
  return [
    how === 'async' ? start({}, { at: 0, body: answer }) : sync(200, answer, {}, { at: 0, durationMs: 1000 }),
    reading(end, { id, ...shown }, { resource: id, at: 1000 }),
    reading(end, { id, ...shown }, { resource: id, at: again * 1000 }),
  ];
};
const waitedFor = (...shown: object[]) => shown.flatMap((one, n) => run(n, 'sync', one));
const others = (...shown: object[]) => shown.flatMap((one, n) => run(5 + n, 'async', one));
const bare = { terminalAt: undefined, duration: undefined };

export const alike = {
  'ends-are-recorded-alike': {
    'violated, satisfied, satisfied, satisfied, satisfied: no result where the others have one': {
      given: [...waitedFor(shownResult, shownResult), ...others({}, {})],
      says: 'that was not waited for',
    },
    'violated: no terminalAt of a failed one': {
      given: [
        ...others({ duration: undefined }, { duration: undefined }),
        ...run(1, 'async', bare, 9, 'failed'),
        ...run(2, 'async', bare, 9, 'failed'),
      ],
      says: 'the terminalAt of an execution that failed',
    },
    'ignored: one of its kind': [
      ...waitedFor({ ...bare }),
      ...others({ ...shownResult, ...bare }, { ...shownResult, ...bare }),
    ],
    'ignored: no result yet': [
      ...run(1, 'sync', bare, 2),
      ...run(2, 'sync', bare, 2),
      ...others({ ...shownResult, ...bare }, { ...shownResult, ...bare }),
    ],
    'ignored: a recording': [...waitedFor({}, {}), ...others(shownResult, shownResult)].map(recorded),
  },
} satisfies Tables;
