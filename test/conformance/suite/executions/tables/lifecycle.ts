import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Table, Tables } from '../../../../support/judge-table.js';
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
const onlyAtTheEnd = (field: string, value: unknown): Table => [
  ['kept', 'absent while it runs', [reading('starting'), reading('running'), reading('paused_by_agent')]],
  ['kept', 'null for absent', [reading('running', { [field]: null })]],
  ['broken', 'shown while it runs', [reading('running', { [field]: value })], { says: [`no ${field} while running`] }],
  ['broken', 'shown while it is queued', [recorded(reading('queued', { [field]: value }))]],
  ['broken', 'shown while it is paused', [reading('paused', { [field]: value })]],
  ['untouched', 'a status that nobody knows', [reading('new', { [field]: value })]],
  ['untouched', 'no reading', [unreadable]],
];

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
const inTurn = (at: number, status: string, why: 'notAsDeclared' | 'steered' = 'notAsDeclared'): Sketch[] => {
  const executionId = ids.execution.replace(/..$/, String(at));
  return [
    start(
      {},
      {
        at,
        durationMs: 1,
        body: { executionId, status: 'starting' },
        ...(status !== 'completed' && { mark: { [why]: true } }),
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

export const lifecycle = {
  'terminal-is-final': [
    ['kept', 'the same again', [reading('running'), reading('completed'), reading('completed')]],
    ['kept', 'in a recording', [recorded(reading('failed')), recorded(reading('failed'))]],
    [
      'kept',
      'what may change: comments, labels, reruns, names, URLs',
      [
        reading('completed'),
        reading('completed', {
          comments: [{}],
          humanLabels: [{}],
          hasBeenRerun: true,
          agentName: 'New',
          recordingUrl: url,
        }),
      ],
    ],
    [
      'broken',
      'running again',
      [reading('completed'), reading('running')],
      { says: ['completed never left', 'running'] },
    ],
    [
      'kept',
      'a replica that is behind for a moment',
      [
        reading('completed', {}, { at: 5e6 }),
        reading('running', {}, { at: 5e6 + 900 }),
        reading('completed', {}, { at: 5e6 + 2500 }),
      ],
    ],
    ['broken', 'another end', [reading('completed'), reading('failed')]],
    [['kept', 'broken'], 'at the third look', [reading('completed'), reading('completed'), reading('running')]],
    ['untouched', 'one reading at the end', [reading('running'), reading('completed')]],
    ['untouched', 'never at its end', [reading('running'), reading('starting')]],
    [
      'untouched',
      'a reading that was sent before the end was answered',
      [reading('completed', {}, { at: 0, durationMs: 50 }), reading('running', {}, { at: 40 })],
    ],
    ['untouched', 'an answer that is no reading', [reading('completed'), unreadable]],
  ],

  'terminal-record-is-fixed': [
    [
      'kept',
      'script failures that are found later, in another order',
      [reading('failed', failures('a')), reading('failed', failures('b', 'a'))],
    ],
    [
      ['kept', 'broken'],
      'script failures that are gone',
      [reading('failed', failures('a', 'b')), reading('failed', failures('b'))],
      { says: 'scriptFailures as before, 2 of them' },
    ],
    [['kept', 'broken'], 'other script failures', [reading('failed', failures('a')), reading('failed', failures('b'))]],
    ['broken', 'script failures that the end takes away', [reading('running', failures('a')), reading('failed')]],
    [
      'untouched',
      'script failures of which the oldest made room',
      [reading('running', failures('a')), reading('failed', failures('b'))],
    ],
    [
      ['kept', 'kept'],
      'a replica that does not know the script failures yet',
      [reading('failed', failures('a')), reading('failed'), reading('failed', failures('a'))],
    ],
    [
      'kept',
      'a result that comes a little later',
      [reading('completed'), reading('completed', { executionResult: result })],
    ],
    [
      'kept',
      'the same time, written otherwise',
      [reading('completed'), reading('completed', { terminalAt: '2026-03-02T12:00:02.1Z' })],
    ],
    [
      'broken',
      'another result',
      [
        reading('completed', { executionResult: result }),
        reading('completed', { executionResult: { ...result, outcome: 'failure' } }),
      ],
      { says: 'as at the end' },
    ],
    [
      ['kept', 'broken'],
      'another result than the one that came a little later',
      [
        reading('completed'),
        reading('completed', { executionResult: result }),
        reading('completed', { executionResult: { ...result, outcome: 'failure' } }),
      ],
      { says: 'as at the end' },
    ],
    ['broken', 'no result any more', [reading('completed', { executionResult: result }), reading('completed')]],
    ['broken', 'a later end', [reading('completed'), reading('completed', { terminalAt: '2026-03-02T12:00:03.100Z' })]],
    [
      'kept',
      'what else may be added or cleared up',
      [
        reading('failed', { metadata: { a: 'b' }, duration: 2 }),
        reading('failed', { scriptFailures: [{}], duration: 3 }),
      ],
    ],
    ['kept', 'the same again', [reading('running'), reading('completed'), reading('completed')]],
    ['untouched', 'an end that is left', [reading('completed'), reading('running')]],
    ['untouched', 'one reading at the end', [reading('running'), reading('completed')]],
  ],

  'status-is-current': [
    ['kept', 'an end that was read soon', [start({}, { at: 0 }), reading('running', {}, { at: 1900 }), late(5000)]],
    [
      'kept',
      'a reading that is a little behind',
      [start({}, { at: 0 }), reading('running', {}, { at: 5900 }), late(6100)],
    ],
    [
      'broken',
      'going on long after the end',
      [start({}, { at: 0 }), reading('running', {}, { at: 8200 }), late(9000)],
      { says: ['completed by then: terminalAt is 2000 ms after createdAt', 'running 8195 ms after its start'] },
    ],
    ['broken', 'queued long after the end', [start({}, { at: 0 }), reading('queued', {}, { at: 9000 }), late(9100)]],
    ['broken', 'in a recording', [start({}, { at: 0 }), reading('paused', {}, { at: 9000 }), late(9100)].map(recorded)],
    [
      'kept',
      'what is left again is for another rule',
      [start({}, { at: 0 }), late(2100), reading('running', {}, { at: 9000 })],
    ],
    ['untouched', 'no times', [start({}, { at: 0 }), reading('completed', { terminalAt: undefined }, { at: 9000 })]],
    [
      'untouched',
      'times in the wrong order',
      [
        start({}, { at: 0 }),
        reading('running', {}, { at: 100 }),
        reading('completed', { terminalAt: '2026-03-02T11:59:00Z' }, { at: 2100 }),
      ],
    ],
    ['untouched', 'no start', [reading('running', {}, { at: 9000 }), late(9100)]],
    ['untouched', 'no end', [start({}, { at: 0 }), reading('running', {}, { at: 60_000 })]],
  ],
  'execution-progresses': [
    ['kept', 'the end that it comes to', [start(), reading('running'), reading('completed')], completes],
    ['kept', 'as a synchronous start tells', [sync(200, { status: 'failed' })], role({ fails: ids.workflow })],
    [
      'kept',
      'a stop, seen in passing',
      [start(), reading('paused'), reading('completed')],
      role({ pauses: ids.workflow }),
    ],
    [
      'kept',
      'a stop, told by a synchronous start',
      [sync(202, { status: 'awaiting_confirmation' })],
      role({ awaitsConfirmation: ids.workflow }),
    ],
    [
      'kept',
      'the workflow that holds the group',
      [start(), reading('completed')],
      { facts: { capacity: { profileGroup: ids.pool, size: 1, workflow: ids.workflow } } },
    ],
    [
      ['kept', 'kept'],
      'a workflow with two roles',
      [start(), reading('paused_by_agent'), reading('completed')],
      role({ slow: ids.workflow, pausesByAgent: ids.workflow }),
    ],
    [
      'broken',
      'another end',
      [start(), reading('failed')],
      { ...completes, says: ['completed reached', 'the end failed'] },
    ],
    ['broken', 'the wrong end of a run that fails', [start(), reading('completed')], role({ fails: ids.workflow })],
    [
      'unclear',
      'no end for as long as it is waited for: nobody knows how long it takes',
      [start(), reading('running')],
      { ...completes, ...patience, says: ['still running after 60 s', 'workflows.completes.takes'] },
    ],
    [
      ['broken', 'kept'],
      'no end, many times as long as another run of its workflow took',
      [start(), reading('running'), ...besideIt('completed')],
      { ...completes, ...patience, says: ['still running, 60 s without a change', 'took 1 s at most'] },
    ],
    [
      ['unclear', 'kept'],
      'no end, a few times as long as another run of its workflow took',
      [start(), reading('running'), ...besideIt('completed', 7_000)],
      { ...completes, ...patience },
    ],
    [
      ['unclear', 'kept'],
      'no end, where another run waited for room for most of its time',
      [
        start(),
        reading('running'),
        ...besideIt('queued', 1000),
        reading('completed', { id: another.execution }, { resource: another.execution, at: 100_000 }),
      ],
      { ...completes, ...patience },
    ],
    [
      'unclear',
      'no end, beside a run of another workflow',
      [start(), reading('running'), ...besideIt('completed', 1000, another.workflow)],
      { ...completes, ...patience },
    ],
    [
      'broken',
      'no end, many times as long as it is declared to take',
      [start(), reading('running')],
      { facts: { ...completes.facts, takes: { completes: 6000 } }, ...patience, says: 'declared to take 6 s at most' },
    ],
    [
      'unclear',
      'no end, a few times as long as it is declared to take',
      [start(), reading('running')],
      { facts: { ...completes.facts, takes: { completes: 7000 } }, ...patience },
    ],
    [
      ['unclear', 'kept'],
      'no room, however soon others have ended: somebody else may hold it',
      [start(), reading('queued'), ...besideIt('completed')],
      { ...completes, ...patience, says: ['still queued after 60 s', 'room'] },
    ],
    ['unclear', 'no stop', [start(), reading('running')], { ...role({ pauses: ids.workflow }), ...patience }],
    [
      ['broken', 'kept'],
      'no stop, many times as long as another run took to it',
      [start(), reading('running'), ...besideIt('paused')],
      { ...role({ pauses: ids.workflow }), ...patience },
    ],
    [
      'unclear',
      'an end without its stop: polls may miss it',
      [start(), reading('running'), reading('completed')],
      { ...role({ pauses: ids.workflow }), says: 'seen paused' },
    ],
    [
      'unclear',
      'an answer that could not be read',
      [start(), unreadable],
      { ...completes, failedWaits: [failedWait('unreadable')], says: 'could not be read' },
    ],
    [
      'unclear',
      'a run of the suite that was stopped',
      [start(), reading('running')],
      { ...completes, failedWaits: [failedWait('stopped')] },
    ],
    [
      'untouched',
      'a stop that fell into the synchronous call',
      [sync(200, { status: 'completed' }), reading('completed')],
      role({ pauses: ids.workflow }),
    ],
    ['untouched', 'the editable head: it may do anything', [start({ head: true }), reading('failed')], completes],
    [
      'untouched',
      'a start that should have been refused',
      [start({}, { mark: { probe: { rule: 'version-must-exist', fault: '', twins: [] } } }), reading('failed')],
      completes,
    ],
    [
      'untouched',
      'a recording: somebody may have cancelled it',
      [recorded(start()), recorded(reading('cancelled'))],
      completes,
    ],
    [
      'untouched',
      'a workflow that is not declared',
      [start({}, { resource: another.workflow }), reading('failed')],
      completes,
    ],
    ['untouched', 'still on its way', [start(), reading('running')], completes],
    [
      'kept',
      'a run that was paused for good, beside one that completed',
      [
        start(),
        reading('paused'),
        start({}, { body: { executionId: another.execution, status: 'starting' } }),
        reading('completed', { id: another.execution }, { resource: another.execution }),
      ],
      { ...completes, ...patience },
    ],
    [
      'untouched',
      "a run that went otherwise by somebody's doing, as the next one tells",
      [start({}, { mark: { notAsDeclared: true } }), reading('failed')],
      completes,
    ],
    [
      'untouched',
      'runs that were told to end, each time that another one begins',
      ['cancelled', 'cancelled', 'cancelled', 'cancelled'].flatMap((status, place) =>
        inTurn(10 * place, status, 'steered'),
      ),
      completes,
    ],
    [
      ['kept', ...Array(3).fill('broken')],
      'cancelled, each time that another one begins',
      [...inTurn(10, 'cancelled'), ...inTurn(20, 'cancelled'), ...inTurn(30, 'cancelled'), ...inTurn(40, 'completed')],
      { ...completes, says: 'each time that another one was started' },
    ],
    [
      'kept',
      'cancelled, each time but one that another one begins',
      [...inTurn(10, 'cancelled'), ...inTurn(20, 'completed'), ...inTurn(30, 'cancelled'), ...inTurn(40, 'completed')],
      completes,
    ],
    [
      'kept',
      'cancelled twice as another one began',
      [...inTurn(20, 'cancelled'), ...inTurn(30, 'cancelled'), ...inTurn(40, 'completed')],
      completes,
    ],
    [
      'untouched',
      'cancelled, each time that another one begins, and so is the last',
      [...inTurn(10, 'cancelled'), ...inTurn(20, 'cancelled'), ...inTurn(30, 'cancelled'), ...inTurn(40, 'cancelled')],
      completes,
    ],
    [
      'unclear',
      'a stop that was not seen, as the run of the suite was stopped',
      [start(), reading('running')],
      { ...completes, failedWaits: [failedWait('stopped')], says: 'The run was stopped' },
    ],
    [
      'unclear',
      'nothing but a status that nobody knows',
      [start(), reading('new')],
      { ...completes, ...patience, says: 'in a state that nobody knows after 60 s' },
    ],
    ['untouched', 'an execution that somebody else started', [reading('failed')], completes],
  ],

  'identity-is-constant': [
    [
      'kept',
      'a trigger and a storage key that come later, with a name that changes',
      [
        reading('queued'),
        reading('running', trigger({ email: 'a@example.com' })),
        reading('completed', trigger({ email: 'b@example.com' })),
      ],
    ],
    [
      ['kept', 'broken'],
      'a trigger that is gone',
      [reading('running', trigger({})), reading('completed')],
      { says: 'required triggerContext' },
    ],
    [
      'kept',
      'a trigger that another key may not see',
      [reading('running', trigger({})), reading('completed', {}, { mark: { credential: 'swapped' } })],
    ],
    [
      'kept',
      'a trigger that a replica does not know yet',
      [reading('running', trigger({})), reading('running'), reading('completed', trigger({}))],
    ],
    [
      ['kept', 'broken'],
      'another runner',
      [reading('running', trigger({})), reading('completed', trigger({ userId: ids.pool }))],
      { says: 'runner.userId' },
    ],
    [
      ['kept', 'broken'],
      'another storage key',
      [reading('running', trigger({})), reading('completed', { ...trigger({}), executionOptions: {} })],
      { says: 'sharedStorageKey "a"' },
    ],
    ['kept', 'the same', [reading('queued'), reading('running')]],
    ['broken', 'a file of another agent', [reading('running'), listing(ids.pool)], { says: 'files with agentId' }],
    ['untouched', 'a file of the same agent', [reading('running'), listing('00000000-0000-4000-8000-00000000000A')]],
    ['untouched', 'an upload of another agent', [reading('running'), listing(ids.pool, 'uploads')]],
    ['untouched', 'a file without an agent', [reading('running'), listing(undefined)]],
    [
      'kept',
      'the same time, written otherwise',
      [reading('running'), reading('running', { createdAt: '2026-03-02T13:00:00.100+01:00' })],
    ],
    ...['id', 'agentId', 'organizationId', 'workflowId'].map(
      (field) =>
        [
          'broken',
          `another ${field}`,
          [reading('running'), reading('running', { [field]: another.workflow })],
          { says: `${field} "` },
        ] as const,
    ),
    [
      'broken',
      'another createdAt',
      [recorded(reading('running')), recorded(reading('running', { createdAt: '2026-03-02T12:00:09Z' }))],
    ],
    [
      ['kept', 'broken'],
      'later on',
      [reading('running'), reading('running'), reading('completed', { agentId: ids.pool })],
    ],
    ['untouched', 'one reading', [reading('running')]],
    ['untouched', 'a second one that cannot be read', [reading('running'), unreadable]],
    [
      ['kept', 'broken'],
      'another profile',
      [reading('running', { agentProfileId: ids.profile }), reading('completed', { agentProfileId: ids.pool })],
      { says: `agentProfileId "${ids.profile}", as before` },
    ],
    ['kept', 'a profile that comes later', [reading('queued'), reading('running', { agentProfileId: ids.profile })]],
    [
      'broken',
      'another organization than of another execution of the workflow',
      [start(), reading('running'), ...ofAnother()],
      { says: 'as of another execution of the workflow' },
    ],
    [
      'untouched',
      'another organization in a recording, where keys may be of several',
      [start(), reading('running'), ...ofAnother()].map(recorded),
    ],
    [
      'untouched',
      'another organization of another workflow',
      [start(), reading('running'), ...ofAnother(another.workflow)],
    ],
  ],

  'duration-only-when-terminal': [
    ...onlyAtTheEnd('duration', 0),
    ['untouched', 'shown at the end', [reading('completed')]],
    [
      'untouched',
      'a listing that looks like a reading',
      [reading('running', { duration: 1 }, { operation: 'listExecutionFiles' })],
    ],
  ],
  'recording-only-when-terminal': [
    ...onlyAtTheEnd('recordingUrl', url),
    ['untouched', 'shown at the end', [reading('completed', { recordingUrl: url })]],
  ],
  'terminal-at-only-when-terminal': [
    [
      ['kept', 'broken'],
      'in another zone than createdAt',
      [start({}, { at: 0 }), reading('completed', { terminalAt: '2026-03-02T14:00:02Z' }, { at: 2100 })],
      { says: 'at most' },
    ],
    [
      'kept',
      'read soon after it',
      [start({}, { at: 0 }), reading('completed', {}, { at: 2010 }), reading('completed', {}, { at: 9000 })],
    ],
    ...onlyAtTheEnd('terminalAt', '2026-03-02T12:00:02.100Z'),
    ['kept', 'after createdAt', [reading('completed')]],
    ['kept', 'at createdAt', [times('00.100Z', '00.100Z')]],
    ['kept', 'cut to the second', [times('00.900Z', '00Z')]],
    ['broken', 'before createdAt', [times('09.200Z', '01.100Z')], { says: 'not before createdAt' }],
    ['kept', 'before createdAt by the clock of a worker', [times('02.100Z', '00.900Z')]],
    ['kept', 'of the same minute, by a clock of minutes', [times('00Z', '00Z')]],
    [
      ['kept', 'kept', 'kept', 'kept', 'broken', 'broken'],
      'at createdAt, of two that were waited for in vain',
      [...endedAtOnce(ids.execution), ...endedAtOnce(another.execution)],
      { says: ['1000 ms after createdAt', '"2026-03-02T12:00:00.100Z"'] },
    ],
    [
      ['kept', 'kept', 'kept', 'kept'],
      'at createdAt, of one: by the clock of a worker',
      [...endedAtOnce(ids.execution), ...endedAtOnce(another.execution, '01.100Z')],
    ],
    [
      ['kept', 'kept', 'kept', 'kept'],
      'at createdAt, by a clock of seconds',
      [...endedAtOnce(ids.execution, '00Z', '00Z'), ...endedAtOnce(another.execution, '00Z', '00Z')],
    ],
    ['untouched', 'an end without it', [reading('completed', { terminalAt: undefined })]],
    ['untouched', 'a createdAt that is no time', [reading('completed', { createdAt: 'today' })]],
  ],

  'duration-is-in-seconds': [
    ['kept', 'seconds', [reading('completed')]],
    ['kept', 'rounded up', [times('00.100Z', '00.300Z', { duration: 1 })]],
    ['kept', 'without the time that it waited', [times('00.100Z', '40.100Z', { duration: 2 })]],
    ['kept', 'times cut to the second', [times('00Z', '01Z', { duration: 2 })]],
    [
      'broken',
      'milliseconds',
      [times('00.100Z', '00.300Z', { duration: 200 })],
      { says: ['3 at most', 'duration 200 in 200 ms'] },
    ],
    ['broken', 'more than clocks may differ', [times('00.100Z', '02.100Z', { duration: 6 })]],
    ['untouched', 'no duration', [reading('completed', { duration: undefined })]],
    ['untouched', 'no terminalAt', [reading('completed', { terminalAt: undefined, duration: 999 })]],
    [
      'broken',
      'no terminalAt, and more seconds than passed since the start: milliseconds',
      [start({}, { at: 0 }), reading('completed', { terminalAt: undefined, duration: 1900 }, { at: 2000 })],
      { says: ['at most', 'duration 1900'] },
    ],
    [
      'kept',
      'no terminalAt, and as many seconds as may have passed',
      [start({}, { at: 0 }), reading('completed', { terminalAt: undefined, duration: 4 }, { at: 2000 })],
    ],
    [
      'untouched',
      'a run that has not ended',
      [reading('running', { duration: 999, terminalAt: '2026-03-02T12:00:02.100Z' })],
    ],
    ['broken', 'many seconds too many, of times cut to the second', [times('00Z', '01Z', { duration: 9 })]],
    [
      ['kept', 'broken'],
      'fewer than it was seen to run: minutes',
      [
        reading('running', {}, { at: 0 }),
        reading('running', {}, { at: 6000 }),
        { ...times('00Z', '09Z', { duration: 0 }), at: 9000 },
      ],
      { says: ['3 at least', 'duration 0'] },
    ],
    [
      ['kept', 'broken'],
      'a second too many, of times that are those of who watched',
      [
        start({}, { at: 0 }),
        reading('running', {}, { at: 1400 }),
        { ...times('00.010Z', '01.510Z', { duration: 3 }), at: 1550 },
      ],
      { says: ['2 at most', 'duration 3'] },
    ],
    [
      'kept',
      'a second too many, of times that may be those of two clocks',
      [start({}, { at: 0 }), { ...times('00.010Z', '00.510Z', { duration: 3 }), at: 2550 }],
    ],
    [
      ['kept', 'broken'],
      'none, of a run that was watched for more than a second',
      [
        start({}, { at: 0 }),
        reading('running', {}, { at: 100 }),
        reading('running', {}, { at: 1700 }),
        { ...times('00.010Z', '01.810Z', { duration: 0 }), at: 1810 },
      ],
      { says: ['1 at least', 'duration 0'] },
    ],
    [
      'kept',
      'by a clock that stood still with its machine',
      [
        reading('running', {}, { at: 0 }),
        reading('running', {}, { at: 6000 }),
        { ...times('00Z', '01Z', { duration: 1 }), at: 9000 },
      ],
    ],
    [
      'kept',
      'without the time of a stop',
      [
        reading('running', {}, { at: 0 }),
        reading('paused', {}, { at: 2000 }),
        reading('running', {}, { at: 9000 }),
        times('00Z', '09Z', { duration: 1 }),
      ],
    ],
  ],

  'live-view-is-shown': [
    ['kept', 'running, with its URL', [reading('running', { liveViewUrl: url })]],
    ['kept', 'with both', [reading('running', { liveViewUrl: url, browserLiveViewUrl: url })]],
    ['kept', 'in a recording', [recorded(reading('running', { liveViewUrl: url }))]],
    [
      'broken',
      'with the deprecated one alone',
      [reading('running', { browserLiveViewUrl: url })],
      { says: 'browserLiveViewUrl alone' },
    ],
    ['untouched', 'nothing to watch', [reading('running')]],
    ['untouched', 'the deprecated one at another time', [reading('paused', { browserLiveViewUrl: url })]],
  ],
  'recording-is-shown': [
    ['kept', 'a recording of what could be watched', [live, reading('completed', recording)]],
    ['kept', 'a little later', [live, reading('completed', none), reading('completed', recording)]],
    [
      'broken',
      'none',
      [live, reading('completed', none, { at: 5e6 }), reading('completed', none, { at: 5e6 + 60_005 })],
      { says: 'the recordingUrl of a run that had a liveViewUrl' },
    ],
    ['untouched', 'none yet, right at the end', [live, reading('completed', none)]],
    ['untouched', 'none yet, and not asked for long', [live, reading('completed', none), reading('completed', none)]],
    [
      'untouched',
      'no environment',
      [reading('running'), reading('completed', none, { at: 5e6 }), reading('completed', none, { at: 6e6 })],
    ],
    [
      'untouched',
      'an empty text in the place of a live view',
      [
        reading('running', { liveViewUrl: '' }),
        reading('completed', none, { at: 5e6 }),
        reading('completed', none, { at: 6e6 }),
      ],
    ],
  ],

  'live-view-never-when-terminal': [
    ['kept', 'absent at the end', [reading('completed'), reading('failed'), reading('cancelled')]],
    [
      'broken',
      'shown at the end',
      [reading('completed', { liveViewUrl: url })],
      { says: 'no liveViewUrl while completed' },
    ],
    ['kept', 'empty at the end, which is no URL', [reading('completed', { liveViewUrl: '' })]],
    ['untouched', 'shown while it runs', [reading('running', { liveViewUrl: url })]],
    ['untouched', 'not shown while it runs', [reading('running')]],
  ],

  'live-view-not-before-start': [
    ['kept', 'absent while it is queued', [reading('queued')]],
    ['broken', 'shown while it is queued', [reading('queued', { liveViewUrl: url })], { says: 'while queued' }],
    ['untouched', 'shown while it runs', [reading('running', { liveViewUrl: url })]],
    ['broken', 'shown while it starts', [reading('starting', { liveViewUrl: url })]],
  ],
} satisfies Tables;
