import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, reading, recorded, start } from '../../../../support/runs.js';

const file = { id: ids.pool, executionId: ids.execution, workflowId: ids.workflow };
const other = { ...file, id: another.profile };
const written = { ...file, fileName: 'run.log', filePath: 'debug/run.log', fileSize: 7 };
const none = { debug: [], downloads: [], shared: [], tracing: [], uploads: [], workspace: [] };
const lastUpdated = '2026-03-02T12:00:03Z';
const list = (directories: unknown, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'listExecutionFiles',
  status: 200,
  body: { directories, lastUpdated },
  mark: { step: 'list' },
  ...more,
});
const { debug: _, ...lacking } = none;
const writes = { facts: { workflows: { writesFiles: ids.workflow } } };
const end = reading('completed', {}, { at: 1000, durationMs: 0 });
const begun = start({}, { at: 0 });
const missing = {
  operation: 'listExecutionFiles',
  status: 404,
  body: { code: 404, message: 'No.' },
  mark: {},
  at: 2000,
} as const;
/** A file that has an id of its own in the second listing after the end, unless it is told to have that of the first. */
const listedAnew = (executionId: string, id: string = another.profile): Sketch[] => [
  reading('completed', { id: executionId }, { resource: executionId, at: 1000 }),
  ...[ids.execution, id].map((one, place) =>
    list({ ...none, debug: [{ ...written, id: one, executionId }] }, { resource: executionId, at: 2000 + 100 * place }),
  ),
];

export const files = {
  'files-are-grouped': {
    'satisfied: six lists': [list({ ...none, debug: [file, file] })],
    'violated: a missing list': { given: [list(lacking)], says: ['in each of directories', 'debug is nothing'] },
    'violated: no list, reported once': {
      given: [list({})],
      says: 'debug is nothing, downloads is nothing, shared',
    },
    'violated: a list of files beside a name': [list({ ...none, shared: [file, 'a.txt'] })],
    'violated: not found, of an execution that was read': {
      given: [reading('completed', {}, { at: 0 }), { ...missing, at: 10 }],
      says: 'that exists',
    },
    'satisfied, satisfied, violated: not found in between, long after it was read': [
      reading('completed', {}, { at: 0 }),
      list(none, { at: 2100 }),
      { ...missing, at: 2200 },
      list(none, { at: 2300 }),
    ],
    'satisfied, satisfied: not found in between by a replica that may be behind': [
      reading('running', {}, { at: 0 }),
      list(none, { at: 500 }),
      { ...missing, at: 1500 },
      list(none, { at: 2300 }),
    ],
    'ignored: not found, without state': {
      given: [reading('completed', {}, { at: 0 }), { ...missing, at: 10 }],
      facts: { stateful: false },
    },
  },

  'files-belong-to-execution': {
    'satisfied: an undeclared workflow': [list({ ...none, debug: [{ ...file, workflowId: another.workflow }] })],
    'violated: of another execution': {
      given: [list({ ...none, debug: [file, { ...file, executionId: another.execution }] })],
      says: another.execution,
    },
    'violated: of another workflow': {
      given: [begun, list({ ...none, debug: [{ ...file, workflowId: another.workflow }] })],
      says: another.workflow,
    },
    'ignored: a value among the directories that is not a list': [begun, list({ ...none, links: { self: null } })],
  },

  'files-are-listed-once': {
    'violated: one in the list of another directory': {
      given: [list({ ...none, debug: [{ ...file, fileName: 'a.txt', directory: 'shared' }] })],
      says: ['"a.txt" under "shared"', 'under debug'],
    },
    'satisfied, satisfied, violated: one that another execution has': {
      given: [list({ ...none, debug: [file] }), list({ ...none, debug: [file] }, { resource: another.execution })],
      says: another.execution,
    },
    'satisfied: an upload that two executions have': [
      list({ ...none, uploads: [file] }),
      list({ ...none, uploads: [file] }, { resource: another.execution }),
    ],
    'violated: one under two ids': {
      given: [list({ ...none, debug: [written, { ...written, id: another.profile }] })],
      says: 'listed twice',
    },
    'satisfied: a file that was written twice to one path': [
      list({ ...none, debug: [written, { ...written, id: another.profile, createdAt: '2026-03-01T10:00:09Z' }] }),
    ],
    'satisfied: two uploads of one name': [list({ ...none, uploads: [written, { ...written, id: another.profile }] })],
    'satisfied, satisfied, violated: an upload of another execution, where the request has none': {
      given: [
        list({ ...none, uploads: [file] }, { resource: another.execution }),
        begun,
        list({ ...none, uploads: [file] }),
      ],
      says: another.execution,
    },
    'ignored: no listing': [missing],
  },

  'files-stay-listed': {
    'violated: another name under its id': {
      given: [
        begun,
        end,
        list({ ...none, debug: [{ ...file, fileName: 'other.txt' }] }, { at: 1001 }),
        list({ ...none, debug: [file] }),
      ],
      says: 'under its id',
    },
    'violated: one that is missing from the two later listings': {
      given: [
        begun,
        end,
        list({ ...none, debug: [file, other] }, { at: 1001 }),
        list({ ...none, debug: [file] }, { at: 1100 }),
        list({ ...none, debug: [file] }, { at: 3000 }),
      ],
      says: 'no longer listed',
    },
    'satisfied: one under another id after the end': [
      begun,
      end,
      list({ ...none, debug: [{ ...file, directory: 'debug', filePath: 'a' }] }, { at: 1001 }),
      list({ ...none, debug: [{ ...other, directory: 'debug', filePath: 'a' }] }),
    ],
    'satisfied, satisfied, violated: each under another id, of two executions': {
      given: [...listedAnew(ids.execution), ...listedAnew(another.execution)],
      says: 'another id each time',
    },
    'satisfied, satisfied: each under another id, of one of two executions': [
      ...listedAnew(ids.execution),
      ...listedAnew(another.execution, ids.execution),
    ],
    'ignored: listings while it runs': [begun, list({ ...none, debug: [file] }), list(none)],
    'ignored: no files': [begun, end, list(none, { at: 1001 }), list(none, { at: 1100 })],
  },

  'files-appear': {
    'violated: none, with patience': {
      given: [begun, end, list(none, { at: 1001 }), list(none, { at: 61_000 })],
      ...writes,
      says: ['a file listed', 'none'],
    },
    'violated: only a file that another execution shared, with patience': {
      given: [
        begun,
        end,
        ...[1001, 61_000].map((at) => list({ ...none, shared: [{ ...file, executionId: another.execution }] }, { at })),
      ],
      ...writes,
    },
    'satisfied: a file that another execution shared, rewritten': {
      given: [
        begun,
        reading('completed', { createdAt: '2026-03-02T12:00:00Z' }, { at: 1000, durationMs: 0 }),
        list({ ...none, shared: [{ ...file, executionId: another.execution, updatedAt: '2026-03-02T12:00:01Z' }] }),
      ],
      ...writes,
    },
    'inconclusive: none, but not for long': {
      given: [begun, end, list(none, { at: 1001 }), list(none, { at: 40_000 })],
      ...writes,
      says: 'long enough',
    },
    'inconclusive: an answer that is not a listing': {
      given: [begun, end, { ...missing, status: 500 }],
      ...writes,
      says: '500',
    },
    'ignored: none yet, before the end': { given: [begun, list(none, { at: 500 }), end], ...writes },
    'ignored: none, for a while, in a recording': {
      given: [recorded(begun), recorded(end), recorded(list(none, { at: 90_000 }))],
      ...writes,
    },
    'ignored: another workflow': [begun, end, list(none, { at: 90_000 })],
    'ignored: an execution that never ended': {
      given: [begun, reading('running', {}, { at: 500 }), list(none, { at: 90_000 })],
      ...writes,
    },
    'satisfied: in one list': { given: [begun, end, list([file])], ...writes },
  },
} satisfies Tables;
