import { stoppedStatuses } from '../../../../../generated/lifecycle.js';
import type { Sketch } from '../../../../support/evidence.js';
import { all, type Tables } from '../../../../support/judge-table.js';
import { another, sync as call, reading, recorded, start } from '../../../../support/runs.js';

export const wait = (seconds: number) => ({ timeoutSeconds: seconds });
export const lasting = (durationMs: number, at = 0): Partial<Sketch> => ({ at, durationMs });
export const refused = (status: number, durationMs: number, sent: unknown = wait(1)): Sketch =>
  call(200, {}, sent, { status, durationMs, body: { code: status, message: 'No.' } });
export const fault = { mark: { probe: { rule: 'sync-timeout-range', fault: '', controls: [] } } } as const;
/** A reading of a run that lasted so many seconds. */
export const ended = (seconds: number, more: object = {}, sketch: Partial<Sketch> = {}) =>
  reading(
    'completed',
    {
      createdAt: '2026-03-02T12:00:00.100Z',
      terminalAt: `2026-03-02T12:00:${String(seconds).padStart(2, '0')}.100Z`,
      ...more,
    },
    sketch,
  );

/** A run that was started asynchronously; a call for which another wait as long is taken. */
const run = (...statuses: string[]): Sketch[] => [start(), ...statuses.map((status) => reading(status))];
const other: Sketch = call(202, { executionId: another.execution, status: 'running' }, wait(5));
const no = (more: Partial<Sketch> = {}): Sketch =>
  call(200, {}, wait(5), { status: 422, body: { code: 422, message: 'No.' }, ...more });

export const sync = {
  'sync-200-means-terminal': {
    'violated: refused for an execution that failed': {
      given: [no(), other, ...run('running', 'failed')],
      says: ['200 for a run like that', '422'],
    },
    'satisfied: a reading by a stale replica': [
      call(200, { status: 'completed' }, {}, { at: 5e6, durationMs: 2100 }),
      reading('running', {}, { at: 5e6 + 2200 }),
      reading('completed', {}, { at: 5e6 + 3000 }),
    ],
    'inconclusive: a conflict, as may happen at times': [no({ status: 409 }), other, ...run('failed')],
    'ignored: refused, with a pause in between': [no(), other, ...run('paused', 'completed')],
    'ignored: refused, like every wait of that length': [no(), ...run('failed')],
    'ignored: refused, with another workflow that runs': [no({ resource: another.workflow }), other, ...run('failed')],
    'ignored: refused at the end of the wait': [no({ durationMs: 5000 }), other, ...run('completed')],
    'ignored: refused for its fault': [no(fault), other, ...run('failed')],
    ...all(
      ['completed', 'failed', 'cancelled'].map((status) => ({ [`satisfied: ${status}`]: [call(200, { status })] })),
    ),
    'satisfied: as in the reading': [call(200, { status: 'completed' }), reading('completed')],
    'violated: 200 while it runs': { given: [call(200, { status: 'running' })], says: '200 with "running"' },
    'satisfied, violated: reported as ended, and read as running': {
      given: [call(200, { status: 'completed' }), reading('running')],
      says: 'running afterwards',
    },
    'violated: 202 long before the end of the wait, of an execution that ended within it': {
      given: [call(202, { status: 'starting' }, wait(25), lasting(20)), reading('completed', {}, { at: 1000 })],
      says: ['200 for a run that ended within the wait', '202 after 20 ms'],
    },
    'ignored: 202 just before': [call(202, { status: 'running' }, wait(4), lasting(3900)), ended(4, {}, { at: 3950 })],
    'violated: 201 at the end': {
      given: [call(200, { status: 'completed' }, {}, { status: 201 })],
      says: ['200 for a run that ended', '201'],
    },
    'ignored: 201 while it runs': [call(200, { status: 'running' }, {}, { status: 201 })],
    'ignored: 202 with a status of its own': [
      call(202, { status: 'new' }, wait(25), lasting(20)),
      reading('completed', {}, { at: 400 }),
    ],
    'ignored: 202 at the end, of a short wait: sync-202-means-not-finished judges that': [
      call(202, { status: 'completed' }, wait(1)),
    ],
    ...all(
      stoppedStatuses.map((status) => ({
        [`ignored: 202 at once, ${status}`]: [
          call(202, { status }, wait(25), lasting(20)),
          reading('completed', {}, { at: 400 }),
        ],
      })),
    ),
  },

  'sync-202-means-not-finished': {
    'satisfied, violated: refused for an execution that paused': {
      given: [no(), other, ...run('running', 'paused')],
      says: ['202 for a run like that', '422'],
    },
    ...all(
      ['starting', 'running', ...stoppedStatuses].map((status) => ({
        [`satisfied: ${status}`]: [call(202, { status })],
      })),
    ),
    'violated: 202 at the end': { given: [call(202, { status: 'completed' })], says: '202 with "completed"' },
    'violated: an error at the end of the wait': {
      given: [refused(408, 1010)],
      says: ['202 when the wait is over', '408'],
    },
    'violated: 200 long after the wait': {
      given: [call(200, { status: 'completed' }, wait(1), lasting(9000)), ended(9)],
      says: ['wait of 1000 ms', '200 for a run of 8900 ms at least'],
    },
    'ignored: 200 within the wait, whatever the recorded duration of the execution': [
      call(200, { status: 'completed' }, wait(1), lasting(400)),
      ended(9),
    ],
    'ignored: 200 within the grace': [call(200, { status: 'completed' }, wait(1), lasting(2000)), ended(2)],
    'ignored: a gateway': [refused(504, 1010)],
    'ignored: an error after a wait in which a gateway may time out': [refused(500, 25_000, wait(25))],
    'ignored: a refusal in a recording': [recorded(refused(408, 1010))],
    'violated: 201 while it runs': {
      given: [call(200, { status: 'running' }, {}, { status: 201 })],
      says: '202 for a run that has not ended',
    },
    'ignored: 200 while it runs': [call(200, { status: 'running' })],
    'ignored: a wait that should have been refused': [call(200, { status: 'completed' }, wait(0), fault), ended(9)],
    'ignored: asynchronous starts': [
      start(wait(1), { status: 200 }),
      ended(9),
      start(wait(1), { status: 408, durationMs: 1010 }),
    ],
  },
} satisfies Tables;
