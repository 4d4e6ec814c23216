import { roomField } from '../../../../../conformance/suite/executions/view.js';
import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, cut, group, reading, recorded, start, sync } from '../../../../support/runs.js';

const answered = (body: unknown, sent: unknown = {}): Sketch => start(sent, { body });
const refused = (sent: unknown, status = 400, more: Partial<Sketch> = {}): Sketch =>
  start(sent, { status, body: { code: status, message: 'No.' }, ...more });
const unanswered = (sent: unknown): Sketch => {
  const { status: _, body: __, ...sketch } = start(sent, cut);
  return sketch;
};
const queued = { executionId: ids.execution, status: 'queued' };
const key = (variantKey: string) => ({ executionOptions: { variantKey } });
const noKey = { probe: { rule: 'variant-key-is-required', fault: 'no key', controls: [] } } as const;
const storage = (sharedStorageKey: unknown) => reading('completed', { executionOptions: { sharedStorageKey } });
const slow = { facts: { workflows: { slow: ids.workflow } } };

const idOf = (letter: string) => ids.execution.replace(/^./, letter);
/** A start that is answered as queued, and the first reading of its execution. */
const waits = (letter: string) =>
  answered({ executionId: idOf(letter), status: 'queued' }, { onCapacityLimit: 'queue' });
const begun = (letter: string, status: 'running' | 'queued' = 'running') =>
  reading(status, { id: idOf(letter) }, { resource: idOf(letter) });

/** A start that holds a group for so long, and ones that are queued for it at the same time and answered so late. */
const heldUntil = (ms: number): Sketch[] => [
  start({ profileGroupId: group }, { at: 0, durationMs: 1, body: { executionId: idOf('c'), status: 'starting' } }),
  reading(
    'completed',
    { id: idOf('c'), createdAt: new Date(0).toISOString(), terminalAt: new Date(ms).toISOString() },
    { resource: idOf('c'), at: 20_000 },
  ),
];
const queuedUntil = (letter: string, durationMs: number): Sketch[] => [
  start(
    { profileGroupId: group, onCapacityLimit: 'queue' },
    { at: 10, durationMs, body: { executionId: idOf(letter), status: 'queued' } },
  ),
  reading('starting', { id: idOf(letter) }, { resource: idOf(letter), at: 5000, durationMs: 5 }),
];

/** The start of a run of another workflow, which is answered after two seconds whatever the run takes. */
const shortRun = (ms: number): Sketch[] => [
  start(
    {},
    {
      resource: another.workflow,
      at: 0,
      durationMs: 2010,
      body: { executionId: idOf('d'), status: 'starting' },
    },
  ),
  reading(
    'completed',
    { id: idOf('d'), createdAt: new Date(0).toISOString(), terminalAt: new Date(ms).toISOString() },
    { resource: idOf('d'), at: 2020 },
  ),
];

/** A start that is answered at once. */
const quick: Sketch[] = [
  start({}, { at: 0, durationMs: 5, body: { executionId: idOf('e'), status: 'starting' } }),
  reading('running', { id: idOf('e') }, { resource: idOf('e'), at: 100, durationMs: 5 }),
];

/** A start that is queued for a group, and one that does not wait and begins. */
const queuedThenBegun = (one: string, other: string): Sketch[] => [
  answered({ executionId: idOf(one), status: 'queued' }, { profileGroupId: group, onCapacityLimit: 'queue' }),
  answered({ executionId: idOf(other), status: 'starting' }, { profileGroupId: group, onCapacityLimit: 'reject' }),
  ...[one, other].map((letter) => reading('completed', { id: idOf(letter) }, { resource: idOf(letter) })),
];

/** What is asked for together, and as much of it as tells whether there is room. */
const from = { profileGroupId: group, inputs: { a: 1 } };
const both = { version: 3, profileGroupId: group };
const toWait = { onCapacityLimit: 'queue' };
const taken = (letter: string, sent: unknown) => answered({ executionId: idOf(letter), status: 'starting' }, sent);

/** Another execution, with a storage key. */
const ofAnother = (sent: object, sharedStorageKey: string): Sketch[] => [
  start(sent, { body: { executionId: another.execution, status: 'starting' } }),
  reading(
    'completed',
    { id: another.execution, executionOptions: { sharedStorageKey } },
    { resource: another.execution },
  ),
];

const file = { tempFiles: [{ id: ids.pool, name: 'a' }] };
const filed = { ...file, head: false };

export const starts = {
  'execute-is-accepted': {
    'violated: 200': { given: [start({}, { status: 200 })], says: ['expected: 202', 'actual: 200 with'] },
    'violated: no status': [answered({ executionId: ids.execution })],
    'satisfied, satisfied, violated: one execution for two recorded starts': [
      recorded(start({ inputs: { a: 1 } }, { at: 0 })),
      recorded(start({ inputs: { a: 2 } }, { at: 5000 })),
    ],
    'satisfied, satisfied: a start in two recordings, each without other parts of it': [
      recorded(start({ inputs: { a: 1 } }, { at: 0 })),
      recorded(start({ inputs: {} }, { at: 30 })),
    ],
    'satisfied, satisfied: a start that is recorded twice': [
      recorded(start({}, { at: 0 })),
      recorded(start({}, { at: 9000 })),
    ],
    'satisfied, violated: the execution of a synchronous call': {
      given: [start({}, { operation: 'executeSync' }), start()],
      says: 'an execution for each start',
    },
    'inconclusive, satisfied, violated: empty inputs refused, although others are accepted': {
      given: [refused({ inputs: {}, metadata: {} }), start()],
      says: 'empty inputs and metadata',
    },
    'inconclusive, satisfied, inconclusive, violated: values of a free field': {
      given: [
        refused({ inputs: { a: { b: 1 } } }),
        taken('1', { inputs: { a: 1 } }),
        refused({ inputs: { a: { b: 1 } } }),
      ],
      says: 'a start with inputs accepted',
    },
    'inconclusive, satisfied, inconclusive, satisfied: a start that does not wait, where one that waits is accepted': [
      refused(both),
      taken('1', { ...from, ...toWait }),
      refused(both),
      taken('2', { version: 3 }),
    ],
    'inconclusive, satisfied, inconclusive, satisfied: fields, one of them never accepted': [
      refused(both),
      taken('1', from),
      refused(both),
      taken('2', { version: 2 }),
    ],
    'inconclusive, satisfied, inconclusive, satisfied: a temp file that may be deleted after its use': [
      refused(filed),
      taken('1', {}),
      refused(filed),
      taken('2', file),
    ],
    'inconclusive, satisfied, inconclusive, satisfied, satisfied, violated: a temp file that still exists': [
      refused(filed),
      taken('1', {}),
      refused(filed),
      taken('2', file),
      taken('3', file),
    ],
    'inconclusive, satisfied, satisfied, satisfied: fields that are accepted later': [
      refused(both),
      taken('1', from),
      taken('2', both),
      taken('3', { version: 3 }),
    ],
    'inconclusive: a refusal: a service at its limit refuses': { given: [refused({})], says: '400 with' },
    'inconclusive: no answer': { given: [unanswered({})], says: 'The connection was cut.' },
    'ignored: a refusal in a recording': [recorded(refused({}))],
  },

  'execute-initial-status': {
    'satisfied: queued, as requested': [answered(queued, { onCapacityLimit: 'queue' })],
    'violated: running': { given: [answered({ ...queued, status: 'running' })], says: '"running"' },
    'ignored: queued without onCapacityLimit: a rule of its own': [answered(queued)],
    'violated: running, although it would have queued': [
      answered({ ...queued, status: 'running' }, { onCapacityLimit: 'queue' }),
    ],
    'satisfied, satisfied, satisfied, satisfied, satisfied, violated: queued whenever the request allows it, and started at once':
      {
        given: [start(), start(), start(), waits('a'), begun('a'), waits('b'), begun('b')],
        says: 'status starting of a run that begins at once',
      },
    'satisfied, satisfied, satisfied, satisfied, violated: queued for a group, twice, although another has a profile of it at once':
      {
        given: [...queuedThenBegun('a', 'b'), ...queuedThenBegun('c', 'd')],
        facts: { profileGroup: group },
        says: 'while the group has a profile to spare',
      },
    'satisfied, satisfied: queued for a group once: another client may have finished': {
      given: queuedThenBegun('a', 'b'),
      facts: { profileGroup: group },
    },
    'satisfied, satisfied, satisfied, satisfied, satisfied: queued for a group, while another run of the suite continues':
      {
        given: [taken('e', {}), ...queuedThenBegun('a', 'b'), ...queuedThenBegun('c', 'd')],
        facts: { profileGroup: group },
      },
    'satisfied, satisfied, satisfied, satisfied, satisfied: queued, and read as queued': [
      start(),
      start(),
      start(),
      waits('a'),
      begun('a', 'queued'),
      waits('b'),
      begun('b'),
    ],
    'satisfied, satisfied, satisfied, satisfied, satisfied: queued, while others were refused': [
      refused({}, 429),
      start(),
      start(),
      start(),
      waits('a'),
      begun('a'),
      waits('b'),
      begun('b'),
    ],
  },

  'queued-only-when-asked': {
    'satisfied: starting': [start(), reading('running')],
    'violated: queued without onCapacityLimit': { given: [answered(queued)], says: `${roomField} queue` },
    'ignored: queued, as requested': [answered(queued, { onCapacityLimit: 'queue' }), reading('queued')],
  },

  'version-and-head-are-accepted': {
    'satisfied, violated: a version that is refused beside the head': {
      given: [refused({ version: 3 }), start({ head: true })],
      says: ['a start of version 3 accepted', '400 with'],
    },
    'inconclusive: others of another workflow only': [
      refused({ version: 3 }),
      start({}, { resource: another.workflow }),
    ],
    'inconclusive: refused with inputs, although none were accepted': [
      refused({ head: true, inputs: { supplier: 'Nordwind' } }),
      start({ metadata: { team: 'north' } }),
    ],
    'violated: refused with inputs, where others were accepted': [
      refused({ head: true, inputs: { supplier: 'Nordwind' } }),
      start({ inputs: { month: 'May' } }),
    ],
    'inconclusive: refused with inputs, and the refusal names them': [
      refused({ head: true, inputs: { supplier: 'Nordwind' } }, 400, {
        body: { code: 400, message: 'No.', errors: [{ parameter: 'inputs.supplier', detail: 'is unknown' }] },
      }),
      start({ inputs: { month: 'May' } }),
    ],
    'ignored: a refusal in a recording': [recorded(refused({ version: 3 })), start({})],
    'satisfied: refused with options, and accepted without': [
      refused({ version: 3, profileId: ids.profile }),
      start({ version: 3 }),
    ],
    'ignored: both, in a recording': [recorded(start({ head: true, version: 3 }))],
    'ignored: a synchronous start': [
      sync(202, {}, { head: true }),
      refused({ head: true }, 400, { operation: 'executeSync' }),
    ],
    'satisfied: a refusal of neither': [refused({}), start({ head: true })],
    'violated: refused with options that one of two starts was accepted with': [
      refused({ version: 3, profileId: ids.profile }),
      start({}),
      start({ profileId: ids.profile }),
    ],
  },

  'storage-key-is-a-slug': {
    'satisfied, satisfied, violated: one folder for two variants': {
      given: [start(key('acme')), storage('main'), ...ofAnother(key('Globex'), 'main')],
      says: '"main" for two',
    },
    'satisfied, satisfied: one folder for keys with the same slug': [
      start(key('acme')),
      storage('acme'),
      ...ofAnother(key('ACME!'), 'acme'),
    ],
    'violated: a slash in the answer': {
      given: [start(key('Acme/x')), storage('Acme/x')],
      says: 'a slug of the variantKey',
    },
    'violated: a folder without a name': [start(key('acme')), storage('org//acme')],
    'violated: a parent directory in the answer': [start(key('acme')), storage('..')],
    'ignored: nothing in the answer': [start(key('acme')), reading('completed')],
    'violated: the directory itself in the answer': [start(key('acme')), storage('.')],
    'violated: a number in the answer': [start(key('acme')), storage(17)],
    'ignored: no key': [start({ executionOptions: { softTimeoutMins: 5 } }), storage('a/b')],
  },

  'variant-key-is-normalised': {
    'violated: a key refused that needs a slug': { given: [refused(key('Acme Corp'))], says: '"Acme Corp"' },
    'inconclusive: a workflow that is not in variant mode': {
      given: [refused(key('Acme Corp')), start({}, { mark: noKey })],
      says: 'not in variant mode',
    },
    'inconclusive: a refusal for lack of capacity': [refused(key('Acme Corp'), 429)],
    'inconclusive: a resource that does not exist': [refused(key('Acme Corp'), 404)],
    'satisfied: a key refused beside another field, and accepted': [refused(key('Acme Corp')), start(key('Acme Corp'))],
    'inconclusive: a longer soft timeout than in any accepted start': {
      given: [
        start({ executionOptions: { softTimeoutMins: 5 } }),
        refused({ executionOptions: { variantKey: 'Acme Corp', softTimeoutMins: 59 } }),
      ],
      says: 'softTimeoutMins 59',
    },
    'ignored: a key that is already a slug': [start(key('acme-2'))],
    'violated: a key refused, although another operation accepts starts without one': [
      refused(key('Acme Corp')),
      sync(202, {}, {}, { mark: noKey }),
    ],
    'violated: a key refused, although another workflow accepts starts without one': [
      refused(key('Acme Corp')),
      start({}, { mark: noKey, resource: another.workflow }),
    ],
    'ignored: a key refused, in a recording': [recorded(refused(key('Acme Corp')))],
    'inconclusive: a redirect': {
      given: [start(key('Acme Corp'), { status: 303, body: undefined })],
      says: 'the reason is unclear',
    },
  },

  'execute-returns-at-once': {
    'violated: a queued start that is answered when it starts to run, each time': {
      given: [...heldUntil(2000), ...queuedUntil('a', 2010), ...queuedUntil('b', 2020)],
      says: ['an answer while it waits', '2010 ms'],
    },
    'violated: and one that waited too short a time to decide': [
      ...heldUntil(2000),
      ...queuedUntil('a', 2010),
      ...queuedUntil('b', 2020),
      ...queuedUntil('d', 150),
    ],
    'ignored: one that is, by chance': [...heldUntil(2000), ...queuedUntil('a', 2010), ...queuedUntil('b', 20)],
    'ignored: slow answers, long before there is capacity': [
      ...heldUntil(9000),
      ...queuedUntil('a', 2010),
      ...queuedUntil('b', 2020),
    ],
    'satisfied: an execution that continues after the answer': { given: [start(), reading('running')], ...slow },
    'violated: an answer when the execution has ended': {
      given: [start({}, { at: 0, durationMs: 2010 }), reading('completed', {}, { at: 2020 })],
      ...slow,
      says: ['2010 ms', 'lasted 2000 ms'],
    },
    'violated: the same of another workflow, whose executions last as long': {
      given: [...shortRun(2000), ...quick],
      says: '2010 ms',
    },
    'ignored: the same where every start takes that long': shortRun(2000),
    'ignored: the same beside a start that took as long, of an execution that continued': [
      ...shortRun(2000),
      ...quick,
      start(
        {},
        { resource: ids.workflow, at: 0, durationMs: 2000, body: { executionId: idOf('f'), status: 'starting' } },
      ),
      reading(
        'completed',
        { id: idOf('f'), createdAt: new Date(0).toISOString(), terminalAt: new Date(9000).toISOString() },
        { resource: idOf('f'), at: 9500 },
      ),
    ],
    'ignored: a reading that was as slow': [
      ...shortRun(2000),
      ...quick,
      reading('running', { id: idOf('e') }, { resource: idOf('e'), at: 5000, durationMs: 2000 }),
    ],
    'ignored: an execution of another workflow that ends soon': [...shortRun(900), ...quick],
    'inconclusive: the same, no slower than an answer for an execution that had ended long before': {
      given: [start({}, { at: 0, durationMs: 2010 }), reading('completed', {}, { at: 2020 }), ...shortRun(300)],
      ...slow,
    },
    'inconclusive: a slow connection, on which every answer takes that long': {
      given: [start({}, { at: 0, durationMs: 2500 }), reading('completed', {}, { at: 2600, durationMs: 2400 })],
      ...slow,
    },
    'satisfied: a late reading in a recording': { given: [recorded(start()), recorded(reading('completed'))], ...slow },
    'ignored: the same of an execution without times': {
      given: [recorded(start()), recorded(reading('completed', { terminalAt: undefined }))],
      ...slow,
    },
    'ignored: a synchronous start': { given: [sync(200, { status: 'completed' }), reading('completed')], ...slow },
    'ignored: no reading': { given: [start(), reading('running', {}, { status: 500 })], ...slow },
    'inconclusive: an answer that took more than half of the execution': {
      given: [start({}, { at: 1000, durationMs: 1100 }), reading('completed', {}, { at: 6000 })],
      ...slow,
      says: '5005 ms',
    },
  },
} satisfies Tables;
