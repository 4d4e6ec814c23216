import { ids, type Sketch } from '../../../../support/evidence.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
import { another, failedWait, reading, recorded, start, sync } from '../../../../support/runs.js';

const url = 'https://example.com/view';
const result = { id: ids.pool, executionId: ids.execution, outcome: 'success', reasoning: '', result: { a: [1] } };
const unreadable: Sketch = reading('running', {}, { status: 500 });
const role = (workflows: object) => ({ facts: { workflows } });
const completes = role({ completes: ids.workflow });
const patience = { failedWaits: [failedWait('patience')] };
const times = (createdAt: string, terminalAt: string, more: object = {}) =>
  reading('completed', {
    createdAt: `2026-03-02T12:00:${createdAt}`,
    terminalAt: `2026-03-02T12:00:${terminalAt}`,
    ...more,
  });

/** Another run, that was there so many milliseconds after its start. */
const besideIt = (status: string, ms = 1000, workflow: string = ids.workflow): Sketch[] => [
  start({}, { resource: workflow, at: 10_000, body: { executionId: another.execution, status: 'starting' } }),
  reading(status, { id: another.execution }, { resource: another.execution, at: 10_000 + ms }),
];

/** A field that shows only once the execution has ended. */
const onlyAtTheEnd = (field: string, value: unknown): Table => ({
  'satisfied: null for absent': [reading('running', { [field]: null })],
  'violated: present while it runs': {
    given: [reading('running', { [field]: value })],
    says: [`no ${field} while running`],
  },
  'ignored: an unknown status': [reading('new', { [field]: value })],
});

const late = (at: number) => reading('completed', {}, { at });
const recording = { recordingUrl: 'https://recordings.example.com/1' };
const none = { recordingUrl: undefined };
const live = reading('running', { liveViewUrl: 'https://live.example.com/1' });
/** A synchronous start that gave up after a second, and the run that it did not wait for. */
const endedAtOnce = (id: string, terminalAt = '00.100Z', createdAt = '00.100Z'): Sketch[] => [
  sync(202, { executionId: id, status: 'running' }, { timeoutSeconds: 1 }, { at: 0, durationMs: 1010 }),
  reading('running', { id }, { resource: id, at: 1100 }),
  { ...times(createdAt, terminalAt, { id }), resource: id, at: 2100 },
];

/** A run that lasts until others like it have begun; what went otherwise went as declared when it was sent again. */
const inTurn = (at: number, status: string, why: 'wasRepeated' | 'changedByRequest' = 'wasRepeated'): Sketch[] => {
  const executionId = ids.execution.replace(/..$/, String(at));
  return [
    start(
      {},
      {
        at,
        durationMs: 1,
        body: { executionId, status: 'starting' },
        ...(status !== 'completed' && { mark: {}, [why]: true }),
      },
    ),
    reading(status, { id: executionId }, { resource: executionId, at: at + 100 }),
  ];
};

/** A listing of a file that names an agent. */
const listing = (agentId: string | undefined, directory = 'debug'): Sketch => ({
  operation: 'listExecutionFiles',
  status: 200,
  body: { directories: { [directory]: [{ id: ids.profile, agentId, executionId: ids.execution }] } },
  mark: { step: 'list' },
});

/** Another execution, in another organization. */
const ofAnother = (workflow: string = ids.workflow): Sketch[] => [
  start({}, { resource: workflow, body: { executionId: another.execution, status: 'starting' } }),
  reading(
    'running',
    { id: another.execution, workflowId: workflow, organizationId: another.organization },
    { resource: another.execution },
  ),
];

/** What an execution has from its start on. */
const trigger = (runner: object) => ({
  triggerContext: { source: 'api', runner: { userId: ids.profile, ...runner } },
  executionOptions: { sharedStorageKey: 'a' },
});

const failures = (...errors: string[]) => ({
  scriptFailures: errors.map((error) => ({ occurredAt: '2026-03-02T12:00:01Z', error })),
});

/** Readings that name the agent, and when they were sent. */
const called = (...names: readonly (readonly [name: string, at: number])[]): Sketch[] =>
  names.map(([agentName, at]) => reading('running', { agentName }, { at, durationMs: 0 }));

export const lifecycle = {
  'terminal-is-final': {
    'violated: running again': {
      given: [reading('completed'), reading('running')],
      says: ['completed never left', 'running'],
    },
    'satisfied: a replica that is stale for a moment': [
      reading('completed', {}, { at: 5e6 }),
      reading('running', {}, { at: 5e6 + 900 }),
      reading('completed', {}, { at: 5e6 + 2500 }),
    ],
    'ignored: a stale replica at the end of a recording': [
      recorded(reading('completed', {}, { at: 5e6 })),
      recorded(reading('running', {}, { at: 5e6 + 900 })),
    ],
    'ignored: never at its end': [reading('running'), reading('starting')],
  },

  'terminal-record-is-fixed': {
    'satisfied, violated: missing script failures': {
      given: [reading('failed', failures('a', 'b')), reading('failed', failures('b'))],
      says: 'scriptFailures as before, 2 of them',
    },
    'violated: script failures that disappear at the end': [reading('running', failures('a')), reading('failed')],
    'ignored: script failures without the oldest': [
      reading('running', failures('a')),
      reading('failed', failures('b')),
    ],
    'satisfied, satisfied: a replica without the script failures yet': [
      reading('failed', failures('a')),
      reading('failed'),
      reading('failed', failures('a')),
    ],
    'satisfied: the same time in another notation': [
      reading('completed'),
      reading('completed', { terminalAt: '2026-03-02T12:00:02.1Z' }),
    ],
    'satisfied, violated: another result than the one that appeared a little later': {
      given: [
        reading('completed'),
        reading('completed', { executionResult: result }),
        reading('completed', { executionResult: { ...result, outcome: 'failure' } }),
      ],
      says: 'as at the end',
    },
    'violated: a later end': [reading('completed'), reading('completed', { terminalAt: '2026-03-02T12:00:03.100Z' })],
    'ignored: an end that is followed by another state': [reading('completed'), reading('running')],
  },

  'status-is-current': {
    'satisfied: a reading that is a little stale': [
      start({}, { at: 0 }),
      reading('running', {}, { at: 5900 }),
      late(6100),
    ],
    'violated: continues long after the end': {
      given: [start({}, { at: 0 }), reading('running', {}, { at: 8200 }), late(9000)],
      says: ['completed by then: terminalAt is 2000 ms after createdAt', 'running 8195 ms after its start'],
    },
    'satisfied: times written in hours': [
      start({}, { at: 0 }),
      reading('running', {}, { at: 600_000 }),
      reading('completed', { createdAt: '2026-03-02T12Z', terminalAt: '2026-03-02T12Z' }, { at: 601_000 }),
    ],
    'satisfied: left again, which another rule judges': [
      start({}, { at: 0 }),
      late(2100),
      reading('running', {}, { at: 9000 }),
    ],
    'ignored: no times': [start({}, { at: 0 }), reading('completed', { terminalAt: undefined }, { at: 9000 })],
    'ignored: times in the wrong order': [
      start({}, { at: 0 }),
      reading('running', {}, { at: 100 }),
      reading('completed', { terminalAt: '2026-03-02T11:59:00Z' }, { at: 2100 }),
    ],
    'ignored: no start': [reading('running', {}, { at: 9000 }), late(9100)],
  },
  'execution-progresses': {
    'satisfied: as in a synchronous start': {
      given: [sync(200, { status: 'failed' })],
      ...role({ fails: ids.workflow }),
    },
    'satisfied: the workflow that holds the group': {
      given: [start(), reading('completed')],
      facts: { capacity: { profileGroup: ids.pool, size: 1, workflow: ids.workflow } },
    },
    'violated: another end': {
      given: [start(), reading('failed')],
      ...completes,
      says: ['completed reached', 'ended as failed'],
    },
    'inconclusive, satisfied: no end, a few times as long as another execution of its workflow': {
      given: [start(), reading('running'), ...besideIt('completed', 7_000)],
      ...completes,
      ...patience,
    },
    'violated, satisfied: no end, in a short wait, and read as running long after that': {
      given: [
        start(),
        reading('running', {}, { at: 7_500_000 }),
        reading('running', {}, { at: 7_580_000 }),
        ...besideIt('completed', 7_000),
      ],
      ...completes,
      ...patience,
      says: 'without a change',
    },
    'inconclusive: no end, beside an execution of another workflow': {
      given: [start(), reading('running'), ...besideIt('completed', 1000, another.workflow)],
      ...completes,
      ...patience,
    },
    'violated: no end, many times as long as its declared duration': {
      given: [start(), reading('running')],
      facts: { ...completes.facts, takes: { completes: 6000 } },
      ...patience,
      says: 'declared to take 6 s at most',
    },
    'inconclusive, satisfied: no capacity, although others have ended: another client may hold it': {
      given: [start(), reading('queued'), ...besideIt('completed')],
      ...completes,
      ...patience,
      says: ['still queued after 60 s', 'unknown whether there was capacity'],
    },
    'violated, satisfied: no pause, many times as long as another execution took to it': {
      given: [start(), reading('running'), ...besideIt('paused')],
      ...role({ pauses: ids.workflow }),
      ...patience,
    },
    'inconclusive: an end without its pause: polls may miss it': {
      given: [start(), reading('running'), reading('completed')],
      ...role({ pauses: ids.workflow }),
      says: 'seen paused',
    },
    'inconclusive: an answer that could not be read': {
      given: [start(), unreadable],
      ...completes,
      failedWaits: [failedWait('unreadable')],
      says: 'could no longer be read',
    },
    'ignored: a pause within the synchronous call': {
      given: [sync(200, { status: 'completed' }), reading('completed')],
      ...role({ pauses: ids.workflow }),
    },
    'ignored: still in progress': { given: [start(), reading('running')], ...completes },
    'satisfied: an execution that stayed paused, beside one that completed': {
      given: [
        start(),
        reading('paused'),
        start({}, { body: { executionId: another.execution, status: 'starting' } }),
        reading('completed', { id: another.execution }, { resource: another.execution }),
      ],
      ...completes,
      ...patience,
    },
    'satisfied, violated, violated, violated: cancelled, each time that another one starts': {
      given: [
        ...inTurn(10, 'cancelled'),
        ...inTurn(20, 'cancelled'),
        ...inTurn(30, 'cancelled'),
        ...inTurn(40, 'completed'),
      ],
      ...completes,
      says: 'each time that another one was started',
    },
    'satisfied: cancelled, each time but one that another one starts': {
      given: [
        ...inTurn(10, 'cancelled'),
        ...inTurn(20, 'completed'),
        ...inTurn(30, 'cancelled'),
        ...inTurn(40, 'completed'),
      ],
      ...completes,
    },
    'satisfied: cancelled twice when another one started': {
      given: [...inTurn(20, 'cancelled'), ...inTurn(30, 'cancelled'), ...inTurn(40, 'completed')],
      ...completes,
    },
    'ignored: cancelled, each time that another one starts, and the last too': {
      given: [
        ...inTurn(10, 'cancelled'),
        ...inTurn(20, 'cancelled'),
        ...inTurn(30, 'cancelled'),
        ...inTurn(40, 'cancelled'),
      ],
      ...completes,
    },
    'inconclusive: an unobserved pause, because the run of the suite was stopped': {
      given: [start(), reading('running')],
      ...completes,
      failedWaits: [failedWait('stopped')],
      says: 'The run was stopped',
    },
    'inconclusive: only an unknown status': {
      given: [start(), reading('new')],
      ...completes,
      ...patience,
      says: 'in an unknown state after 60 s',
    },
    'ignored: an execution that another client started': { given: [reading('failed')], ...completes },
  },

  'identity-is-constant': {
    'satisfied: a trigger that a replica does not have yet': [
      reading('running', trigger({})),
      reading('running'),
      reading('completed', trigger({})),
    ],
    'satisfied, satisfied, satisfied, violated: two names of an agent in turn': {
      given: called(['A', 0], ['B', 100], ['A', 1500], ['B', 3000]),
      says: '"A", in turn with "B"',
    },
    'satisfied: a new name that a replica does not have yet': called(['A', 0], ['B', 100], ['A', 1500], ['B', 2000]),
    'satisfied: two executions, each with the name of the agent at its start': [
      reading('running', { agentName: 'A' }, { at: 0 }),
      reading('running', { agentName: 'B', id: another.execution }, { at: 100, resource: another.execution }),
      reading('running', { agentName: 'A' }, { at: 1500 }),
      reading('running', { agentName: 'B', id: another.execution }, { at: 3000, resource: another.execution }),
    ],
    'satisfied: a name that was changed and changed back': called(['A', 0], ['B', 100], ['B', 5000], ['A', 9000]),
    'satisfied, violated: another runner': {
      given: [reading('running', trigger({})), reading('completed', trigger({ userId: ids.pool }))],
      says: 'runner.userId',
    },
    'satisfied, violated: another storage key': {
      given: [reading('running', trigger({})), reading('completed', { ...trigger({}), executionOptions: {} })],
      says: 'sharedStorageKey "a"',
    },
    'violated: a file of another agent': { given: [reading('running'), listing(ids.pool)], says: 'files with agentId' },
    'ignored: a file of the same agent': [reading('running'), listing('00000000-0000-4000-8000-00000000000A')],
    'satisfied: the same time in another notation': [
      reading('running'),
      reading('running', { createdAt: '2026-03-02T13:00:00.100+01:00' }),
    ],
    ...all(
      ['id', 'agentId', 'organizationId', 'workflowId'].map((field) => ({
        [`violated: another ${field}`]: {
          given: [reading('running'), reading('running', { [field]: another.workflow })],
          says: `${field} "`,
        },
      })),
    ),
    'violated: another createdAt': [
      recorded(reading('running')),
      recorded(reading('running', { createdAt: '2026-03-02T12:00:09Z' })),
    ],
    'satisfied, violated: another profile': {
      given: [reading('running', { agentProfileId: ids.profile }), reading('completed', { agentProfileId: ids.pool })],
      says: `agentProfileId "${ids.profile}", as before`,
    },
    'violated: another organization than that of another execution of the workflow': {
      given: [start(), reading('running'), ...ofAnother()],
      says: 'as of another execution of the workflow',
    },
    'ignored: another organization of another workflow': [start(), reading('running'), ...ofAnother(another.workflow)],
  },

  'duration-only-when-terminal': {
    ...onlyAtTheEnd('duration', 0),
    'ignored: a listing that looks like a reading': [
      reading('running', { duration: 1 }, { operation: 'listExecutionFiles' }),
    ],
  },
  'recording-only-when-terminal': {
    ...onlyAtTheEnd('recordingUrl', url),
  },
  'terminal-at-only-when-terminal': {
    'satisfied, violated: in another zone than createdAt': {
      given: [start({}, { at: 0 }), reading('completed', { terminalAt: '2026-03-02T14:00:02Z' }, { at: 2100 })],
      says: 'at most',
    },
    'satisfied, satisfied, violated: later than the time when its end was read, at another reading': {
      given: [
        start({}, { at: 0 }),
        { ...times('00.100Z', '02.100Z'), at: 2100 },
        { ...times('00.100Z', '59.100Z'), at: 59_000 },
      ],
      says: ['at most', '12:00:59.100Z'],
    },
    ...onlyAtTheEnd('terminalAt', '2026-03-02T12:00:02.100Z'),
    'satisfied: at createdAt': [times('00.100Z', '00.100Z')],
    'violated: before createdAt': { given: [times('09.200Z', '01.100Z')], says: 'not before createdAt' },
    'satisfied, satisfied, satisfied, satisfied, violated, violated: at createdAt, of two with long waits': {
      given: [...endedAtOnce(ids.execution), ...endedAtOnce(another.execution)],
      says: ['1000 ms after createdAt', '"2026-03-02T12:00:00.100Z"'],
    },
    'satisfied, satisfied, satisfied, satisfied: at createdAt, of one: by the clock of a worker': [
      ...endedAtOnce(ids.execution),
      ...endedAtOnce(another.execution, '01.100Z'),
    ],
    'satisfied, satisfied, satisfied, satisfied: at createdAt, by a clock of seconds': [
      ...endedAtOnce(ids.execution, '00Z', '00Z'),
      ...endedAtOnce(another.execution, '00Z', '00Z'),
    ],
    'ignored: a createdAt that is not a time': [reading('completed', { createdAt: 'today' })],
  },

  'duration-is-in-seconds': {
    'ignored: no duration': [reading('completed', { duration: undefined })],
    'violated: no terminalAt, and more seconds than passed since the start: milliseconds': {
      given: [start({}, { at: 0 }), reading('completed', { terminalAt: undefined, duration: 1900 }, { at: 2000 })],
      says: ['at most', 'duration 1900'],
    },
    'satisfied: no terminalAt, and as many seconds as may have passed': [
      start({}, { at: 0 }),
      reading('completed', { terminalAt: undefined, duration: 4 }, { at: 2000 }),
    ],
    'ignored: a run that has not ended': [
      reading('running', { duration: 999, terminalAt: '2026-03-02T12:00:02.100Z' }),
    ],
    'satisfied, violated: fewer than the time it was observed to run: minutes': {
      given: [
        reading('running', {}, { at: 0 }),
        reading('running', {}, { at: 6000 }),
        { ...times('00Z', '09Z', { duration: 0 }), at: 9000 },
      ],
      says: ['3 at least', 'duration 0'],
    },
    'satisfied, violated: a second too many, by the times of the observer': {
      given: [
        start({}, { at: 0 }),
        reading('running', {}, { at: 1400 }),
        { ...times('00.010Z', '01.510Z', { duration: 3 }), at: 1550 },
      ],
      says: ['2 at most', 'duration 3'],
    },
    'satisfied: a second too many, by times that may come from two clocks': [
      start({}, { at: 0 }),
      { ...times('00.010Z', '00.510Z', { duration: 3 }), at: 2550 },
    ],
    'satisfied: by a clock that stopped with its machine': [
      reading('running', {}, { at: 0 }),
      reading('running', {}, { at: 6000 }),
      { ...times('00Z', '01Z', { duration: 1 }), at: 9000 },
    ],
  },

  'live-view-is-shown': {
    'satisfied: running, with its URL': [reading('running', { liveViewUrl: url })],
    'violated: with only the deprecated field': {
      given: [reading('running', { browserLiveViewUrl: url })],
      says: 'browserLiveViewUrl alone',
    },
    'satisfied: with only the deprecated field at first': [
      reading('running', { browserLiveViewUrl: url }),
      reading('running', { liveViewUrl: url, browserLiveViewUrl: url }),
    ],
    'satisfied: with only the deprecated field for less time than another one': [
      reading('running', { browserLiveViewUrl: url }),
      reading('running', { liveViewUrl: url, browserLiveViewUrl: url }),
      reading('running', { browserLiveViewUrl: url }, { resource: another.execution }),
    ],
    'ignored: the deprecated field at another time': [reading('paused', { browserLiveViewUrl: url })],
  },
  'recording-is-shown': {
    'satisfied: a little later': [live, reading('completed', none), reading('completed', recording)],
    'violated: none': {
      given: [live, reading('completed', none, { at: 5e6 }), reading('completed', none, { at: 5e6 + 60_005 })],
      says: 'the recordingUrl of a run that had a liveViewUrl',
    },
    'ignored: none yet, and no long wait': [live, reading('completed', none), reading('completed', none)],
    'ignored: an empty text in place of a live view': [
      reading('running', { liveViewUrl: '' }),
      reading('completed', none, { at: 5e6 }),
      reading('completed', none, { at: 6e6 }),
    ],
  },

  'live-view-never-when-terminal': {
    'satisfied: absent at the end': [reading('completed'), reading('failed'), reading('cancelled')],
    'violated: present at the end': {
      given: [reading('completed', { liveViewUrl: url })],
      says: 'no liveViewUrl while completed',
    },
    'ignored: missing while it runs': [reading('running')],
  },

  'live-view-not-before-start': {
    'satisfied: absent while it is queued': [reading('queued')],
    'ignored: present while it runs': [reading('running', { liveViewUrl: url })],
    'violated: present while it starts': [reading('starting', { liveViewUrl: url })],
  },
} satisfies Tables;
