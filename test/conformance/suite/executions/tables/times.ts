import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, reading, start } from '../../../../support/runs.js';

const noon = (seconds: string) => `2026-03-02T12:00:${seconds}Z`;
const before = '2026-03-02T11:59:00Z';
const result = (createdAt: string) => ({ executionResult: { id: ids.pool, executionId: ids.execution, createdAt } });
const comment = (createdAt: string, more: object = {}) => ({
  comments: [{ executionId: ids.execution, createdAt, ...more }],
});
/** Read two seconds after its start. */
const run = (shown: object): Sketch[] => [start({}, { at: 0 }), reading('completed', shown, { at: 2200 })];

const list = (lastUpdated: string, createdAt: string, at: number): Sketch => ({
  operation: 'listExecutionFiles',
  status: 200,
  body: {
    lastUpdated,
    directories: { debug: [{ id: ids.profile, fileName: 'run.log', createdAt, updatedAt: createdAt }] },
  },
  mark: { step: 'list' },
  at,
});

export const times = {
  'times-are-in-order': {
    'satisfied: a result that is cut to the hour': run(result('2026-03-02T12Z')),
    'violated: a result before the creation': {
      given: run(result(before)),
      says: 'executionResult.createdAt not before',
    },
    'violated: a result of next year': {
      given: run(result('2027-03-02T12:00:02Z')),
      says: 'not later than it is shown',
    },
    'violated: a script failure before the creation': run({ scriptFailures: [{ occurredAt: before }] }),
    'violated: a comment before the creation': run(comment(before)),
    'violated: a comment that was edited before it': run(comment(noon('01'), { updatedAt: before })),
    'ignored: a comment on another one': run(comment(before, { executionId: another.execution })),
    'ignored: a rerun': run({ ...comment(before), parentExecutionId: another.execution }),
    'violated: a listing of files before the creation': {
      given: [reading('completed'), list(before, noon('02'), 5000)],
      says: 'lastUpdated of its files',
    },
    'violated: a file that grows older': {
      given: [reading('completed'), list(noon('30'), noon('22'), 5000), list(noon('30'), noon('02'), 9000)],
      says: 'createdAt of "run.log" not before',
    },
    'violated: a listing of next year': {
      given: [start({}, { at: 0 }), reading('completed'), list('2027-03-02T12:00:03Z', noon('02'), 5000)],
      says: 'lastUpdated not later than it is listed',
    },
  },
} satisfies Tables;
