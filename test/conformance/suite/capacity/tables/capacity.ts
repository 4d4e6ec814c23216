import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Table, Tables } from '../../../../support/judge-table.js';
import { another, cut, failedWait, group, reading, recorded, start } from '../../../../support/runs.js';
import { control, probe } from '../../../../support/sketches.js';

/** One group with one profile, held by `hold`; `older` and `newer` wait for it. */
const hold = '00000000-0000-4000-8000-0000000000e0';
const older = '00000000-0000-4000-8000-0000000000e1';
const newer = '00000000-0000-4000-8000-0000000000e2';
const third = '00000000-0000-4000-8000-0000000000e3';
const held = { facts: { capacity: { profileGroup: group, size: 1, workflow: ids.workflow } } };
const exclusive = { facts: { capacity: { ...held.facts.capacity, exclusive: true } } };
const two = { facts: { capacity: { profileGroup: group, size: 2, workflow: ids.workflow } } };

const holds = start({ profileGroupId: group }, { body: { executionId: hold, status: 'starting' } });
const holds2 = start({ profileGroupId: group }, { body: { executionId: older, status: 'starting' } });
const asks = { profileGroupId: group, onCapacityLimit: 'queue' };
const queue = (executionId: string, more: Partial<Sketch> = {}): Sketch =>
  start(asks, { body: { executionId, status: 'queued' }, ...more });
const read = (id: string, ...statuses: string[]): Sketch[] =>
  statuses.map((status) => reading(status, { id }, { resource: id }));
const refused = (status: number, more: Partial<Sketch> = {}): Sketch =>
  start(asks, { status, body: { code: status, message: 'No.' }, ...more });
const lost = (id: string, status = 404, at?: number): Sketch => ({
  ...(at !== undefined && { at }),
  operation: 'getExecution',
  resource: id,
  status,
  body: {},
  mark: {},
});

const newcomer = (status: number): Sketch =>
  probe('queue-is-not-overtaken', {
    operation: 'execute',
    sent: { profileGroupId: group },
    status,
    body: { executionId: newer, status: 'starting' },
  });
const again = (status: number, sent: object = { profileGroupId: group }): Sketch =>
  start(sent, { status, body: { executionId: newer, status: 'starting' } });

/** One waits for another, and is read so until a start elsewhere has found room, long after the other had ended; then it begins. */
const elsewhere = {};
const waitsAlone = (from: number, ms = 61_000): Sketch[] => {
  const id = (digit: string) => hold.replace(/e0$/, `${from === 0 ? 'a' : 'b'}${digit}`);
  const at = (sketch: Sketch, after: number): Sketch => ({ ...sketch, at: from + after });
  return [
    at(start({ profileGroupId: group }, { body: { executionId: id('0'), status: 'starting' } }), 0),
    at(queue(id('1')), 1000),
    at(reading('completed', { id: id('0') }, { resource: id('0') }), 11_000),
    at(start(elsewhere, { body: { executionId: id('2'), status: 'starting' } }), 11_005 + ms),
    at(reading('queued', { id: id('1') }, { resource: id('1') }), 11_500 + ms),
    at(reading('running', { id: id('1') }, { resource: id('1') }), 13_000 + ms),
    at(reading('completed', { id: id('1') }, { resource: id('1') }), 14_000 + ms),
  ];
};
/** Two wait for another. A start elsewhere finds room just before each of them begins, the second long after the first. */
const waitInTurn = (): Sketch[] => {
  const at = (ms: number, sketch: Sketch): Sketch => ({ ...sketch, at: ms });
  const seen = (ms: number, id: string, status: string) => at(ms, reading(status, { id }, { resource: id }));
  const room = (ms: number, digit: string) =>
    at(ms, start(elsewhere, { body: { executionId: third.replace(/e3$/, `f${digit}`), status: 'starting' } }));
  return [
    at(0, holds),
    at(1000, queue(older)),
    at(2000, queue(newer)),
    seen(11_000, hold, 'completed'),
    room(11_005, '1'),
    seen(11_500, older, 'queued'),
    seen(12_000, older, 'starting'),
    seen(40_000, older, 'completed'),
    room(80_000, '2'),
    seen(80_500, newer, 'queued'),
    seen(81_000, newer, 'running'),
  ];
};
const full = probe('over-capacity-is-rejected', refused(429));
/** A run of the group, a refusal while it goes on, and the same one so long after its end; one without the group is taken. */
const usedAgainAfter = (ms: number): Sketch[] => {
  const no = { status: 429, body: { code: 429, message: 'No.' } };
  return [
    { ...holds, at: 0 },
    { ...full, at: 100 },
    ...read(hold, 'completed').map((one): Sketch => ({ ...one, at: 1000 })),
    start({ profileGroupId: group }, { ...no, at: 1000 + ms }),
    start({}, { body: { executionId: third, status: 'starting' }, at: 1100 + ms }),
  ];
};

/** Two of the group that have ended, one that is under way, and a start beside it that is refused, and sent again. */
const filledTwice = (): Sketch[] => [
  holds,
  holds2,
  full,
  ...read(hold, 'completed'),
  ...read(older, 'completed'),
  again(202),
  ...read(newer, 'running'),
  refused(429, { sent: { profileGroupId: group }, mark: { excluded: true } }),
];

/** A start that is taken, one that is refused for its body, and how the next one is answered. */
const round = (n: number, after: number, between = 400): Sketch[] => [
  start({}, { body: { executionId: third, status: 'starting' }, mark: { step: `beside-bodies-${n}`, unjudged: true } }),
  probe('head-excludes-version', refused(between)),
  refused(after, { mark: { step: `after-bodies-${n}`, unjudged: true } }),
];

const rounds = (...args: [after: number, between?: number]): Sketch[] =>
  [1, 2, 3, 4, 5].flatMap((n) => round(n, ...args));

/** What fills the group, ended after half a second by its record. */
const endedSoon = reading('completed', { id: hold, terminalAt: '2026-03-02T12:00:00.500Z' }, { resource: hold });

export const capacity = {
  'over-capacity-is-queued': {
    'satisfied: queued, and found': { given: [holds, queue(older), ...read(older, 'queued')], ...held },
    'violated: not found': {
      given: [holds, queue(older, { at: 5e6 }), lost(older, 404, 5e6 + 2005)],
      ...held,
      says: '404',
    },
    'inconclusive: not found yet': {
      given: [holds, queue(older, { at: 5e6 }), lost(older, 404, 5e6 + 500)],
      ...held,
      says: 'could not be read',
    },
    'violated: refused': { given: [holds, refused(409)], ...held, says: ['202 with status queued', '409'] },
    'inconclusive: refused by an intermediary': {
      given: [holds, refused(429, { body: { message: 'Slow down.' } })],
      ...held,
    },
    'inconclusive: refused with the head, which no start could use': {
      given: [holds, refused(404, { sent: { ...asks, head: true } })],
      ...held,
      says: '404',
    },
    'inconclusive: started, as the group may have been free again': {
      given: [holds, queue(older, { body: { executionId: older, status: 'starting' } }), endedSoon],
      ...held,
      says: 'not have been full',
    },
    'inconclusive: a group that could not be filled': {
      given: [holds, queue(older), ...read(older, 'queued')],
      ...two,
      says: 'could not be filled',
    },
    'ignored: a synchronous start that may have been queued and started': {
      given: [
        holds,
        queue(older, { operation: 'executeSync', body: { executionId: older, status: 'running' } }),
        endedSoon,
      ],
      ...held,
    },
    'inconclusive: a key without the permission': { given: [holds, refused(403)], ...held },
    'inconclusive: no answer': { given: [holds, { operation: 'execute', sent: asks, mark: {}, ...cut }], ...held },
    'ignored: temp files: they cannot be queued': {
      given: [holds, refused(400, { sent: { ...asks, tempFiles: [] } })],
      ...held,
    },
    'ignored: a probe': {
      given: [
        holds,
        refused(400, { mark: { probe: { rule: 'temp-files-are-never-queued', fault: '', controls: [] } } }),
      ],
      ...held,
    },
    'ignored: no group to fill': [holds, refused(409)],
    'inconclusive: an execution that another client started': {
      given: [recorded(holds), queue(older), ...read(older, 'queued')],
      ...held,
    },
    'inconclusive: an execution that started at the same time': {
      given: [
        start({ profileGroupId: group }, { at: 0, durationMs: 50, body: holds.body }),
        queue(older, { at: 20 }),
        ...read(older, 'queued'),
      ],
      ...held,
    },
    'violated: started, although the group was full and became free later': {
      given: [
        holds,
        queue(older, { body: { executionId: older, status: 'starting' } }),
        ...read(hold, 'running', 'completed'),
      ],
      ...held,
    },
    'inconclusive: an invalid key': { given: [holds, refused(401)], ...held },
    'inconclusive: an error': { given: [holds, refused(500)], ...held },
  },

  'queued-starts-by-itself': {
    'satisfied: beside one that a cache shows as holding the profile, although it has ended': {
      given: [
        start({ profileGroupId: group }, { body: { executionId: hold, status: 'starting' }, at: 5e6 }),
        queue(older, { at: 5e6 + 500 }),
        ...['running', 'running', 'running', 'running', 'completed'].map((status, place) =>
          reading(status, { id: hold }, { resource: hold, at: 5e6 + 1000 + place * 1000 }),
        ),
        reading('running', { id: older }, { resource: older, at: 5e6 + 2100 }),
        reading('running', { id: older }, { resource: older, at: 5e6 + 4500 }),
      ],
      ...exclusive,
    },
    'satisfied, violated: beside the one that holds the profile': {
      given: [
        holds,
        queue(older),
        ...read(older, 'running'),
        ...read(hold, 'running'),
        ...read(older, 'running'),
        ...read(hold, 'running'),
        reading('completed', { id: hold, terminalAt: '2026-03-02T12:00:20.100Z' }, { resource: hold }),
      ],
      ...exclusive,
      says: 'a start while all of them ran',
    },
    'satisfied, satisfied, violated, violated: twice, each only when another start had found capacity, a minute after the holder of the group had ended':
      {
        given: [...waitsAlone(0), ...waitsAlone(200_000)],
        ...exclusive,
        says: 'queued for 71 s, while other starts got capacity',
      },
    'satisfied, satisfied: the same in a group that others may use': {
      given: [...waitsAlone(0), ...waitsAlone(200_000)],
      ...held,
    },
    'satisfied: once, when another start had found capacity: perhaps by chance': { given: waitsAlone(0), ...exclusive },
    'satisfied, satisfied: after another one of its group, which started first': {
      given: waitInTurn(),
      ...exclusive,
    },
    'satisfied, satisfied: twice, within a minute after the holder of the group had ended': {
      given: [...waitsAlone(0, 59_000), ...waitsAlone(200_000, 59_000)],
      ...exclusive,
    },
    'satisfied: starting, after it was read as queued': {
      given: [queue(older), ...read(older, 'queued', 'starting')],
      ...exclusive,
    },
    'satisfied: read at its end': [queue(older), ...read(older, 'completed')],
    'inconclusive: always queued, although the holder of the group has ended: others may hold the capacity of the organization':
      {
        given: [holds, queue(older), ...read(hold, 'completed'), ...read(older, 'queued')],
        ...exclusive,
        failedWaits: [failedWait('patience', older)],
        says: ['still queued after 60 s', 'Other users may hold'],
      },
    'violated: always queued, although others found capacity in its group repeatedly': {
      given: [
        holds,
        queue(older),
        ...read(hold, 'completed'),
        { ...again(202), at: 20_000 },
        start({ profileGroupId: group }, { body: { executionId: third, status: 'starting' }, at: 81_000 }),
        reading('queued', { id: older }, { resource: older, at: 82_000 }),
      ],
      ...exclusive,
      failedWaits: [failedWait('patience', older)],
      says: ['when capacity frees', 'queued for'],
    },
    'inconclusive: always queued, although others found capacity in the organization: another one of its group continues':
      {
        given: [
          holds,
          queue(older),
          ...read(hold, 'running'),
          { ...again(202, elsewhere), at: 20_000 },
          start(elsewhere, { body: { executionId: third, status: 'starting' }, at: 81_000 }),
          reading('queued', { id: older }, { resource: older, at: 82_000 }),
        ],
        ...exclusive,
        failedWaits: [failedWait('patience', older)],
      },
    'satisfied, inconclusive: always queued, behind one that was queued before it and is paused': {
      given: [
        holds,
        queue(newer),
        queue(older),
        ...read(hold, 'completed'),
        ...read(newer, 'paused'),
        ...read(older, 'queued'),
      ],
      ...exclusive,
      failedWaits: [failedWait('patience', older)],
      says: 'No capacity',
    },
    'ignored: expired in the queue': [queue(older), ...read(older, 'queued', 'failed')],
    'ignored: perhaps still queued': [queue(older), ...read(older, 'starting')],
    'ignored: back in the queue, as it were': [queue(older), ...read(older, 'starting', 'queued')],
    'ignored: one that never waited and never ended': {
      given: [holds, ...read(hold, 'starting')],
      ...exclusive,
      failedWaits: [failedWait('patience', hold)],
    },
  },

  'queue-is-oldest-first': {
    'satisfied: three, with only the first read before another one': {
      given: [
        queue(older),
        queue(newer),
        queue(third),
        ...read(older, 'running'),
        ...read(newer, 'queued', 'running'),
        ...read(third, 'running'),
      ],
      ...two,
    },
    'satisfied: in order, where a queued execution is read as starting': {
      given: [queue(older), queue(newer), ...read(older, 'running'), ...read(newer, 'starting')],
      ...held,
    },
    'violated: overtaken': {
      given: [queue(older), queue(newer), ...read(newer, 'running'), ...read(older, 'queued')],
      ...two,
      says: ['queued first to start first', 'still waited when'],
    },
    'inconclusive: overtaken, in answers of stale replicas: a started one waits again': {
      given: [
        queue(older),
        queue(newer),
        ...read(older, 'starting', 'queued'),
        ...read(newer, 'running'),
        ...read(older, 'queued'),
      ],
      ...two,
    },
    'satisfied: in order by the recorded times, although a cache shows the first as waiting': {
      given: [
        queue(older),
        queue(newer),
        ...read(newer, 'running'),
        ...read(older, 'queued', 'completed'),
        reading('completed', { id: newer, terminalAt: '2026-03-02T12:00:03.100Z' }, { resource: newer }),
      ],
      ...held,
    },
    'inconclusive: in a group of one, where a stale copy may show the older one as running': {
      given: [queue(older), queue(newer), ...read(newer, 'running'), ...read(older, 'running')],
      ...held,
    },
    'inconclusive: two profiles became free, and one execution started faster': {
      given: [queue(older), queue(newer), ...read(newer, 'running'), ...read(older, 'starting')],
      ...two,
      says: 'was not seen',
    },
    'inconclusive: both at their end when they were read': {
      given: [queue(older), queue(newer), ...read(older, 'completed'), ...read(newer, 'completed')],
      ...held,
    },
    'ignored: two that were queued at one time': {
      given: [
        queue(older, { at: 0, durationMs: 50 }),
        queue(newer, { at: 20 }),
        ...read(newer, 'running'),
        ...read(older, 'queued'),
      ],
      ...held,
    },
    'ignored: both at their end, in a recording': [
      queue(older),
      queue(newer),
      ...read(older, 'completed'),
      ...read(newer, 'completed'),
    ].map(recorded),
    'ignored: one that never waited': {
      given: [holds, queue(older), ...read(hold, 'running'), ...read(older, 'queued')],
      ...held,
    },
  } satisfies Table,

  'queue-is-not-overtaken': {
    'satisfied: a refusal as soon as there is capacity': {
      given: [control(holds), queue(older), newcomer(409)],
      ...held,
    },
    'violated: a start that runs before the queued one': {
      given: [control(holds), queue(older), newcomer(202), ...read(older, 'queued', 'running')],
      ...held,
      says: 'the execution that was queued earlier to start first',
    },
    'inconclusive: an accepted start when none was read as queued': {
      given: [control(holds), queue(older), newcomer(202), ...read(older, 'running')],
      ...held,
    },
    'inconclusive: one that waits for another group': {
      given: [
        control(holds),
        queue(older, { sent: { ...asks, profileGroupId: another.profile } }),
        newcomer(202),
        ...read(older, 'queued'),
      ],
      ...held,
    },
    'inconclusive: no answer': {
      given: [queue(older), { ...newcomer(202), status: undefined, ...cut } as Sketch],
      ...held,
    },
    'ignored: a recording': { given: [queue(older), recorded(newcomer(202)), ...read(older, 'queued')], ...held },
  },

  'capacity-is-freed': {
    'violated: a place that a start with a refused body takes each time': {
      given: [full, ...rounds(429)],
      ...held,
      says: 'a place for a start after others that were refused for their bodies',
    },
    'ignored: a refusal with the words of a limit that readings meet too': {
      given: [full, { ...lost(hold, 429), body: { code: 429, message: 'No.' } }, ...rounds(429)],
      ...held,
    },
    'inconclusive: a refusal with the words of a full group, a second after the end': {
      given: usedAgainAfter(1000),
      ...exclusive,
      says: 'how long a place takes to come free is not shown',
    },
    'violated: a refusal with the words of a full group that no other client uses, long after the end': {
      given: usedAgainAfter(61_000),
      ...exclusive,
      says: 'after the end of those that used it',
    },
    'inconclusive: a rate limit in the words that a start without the group got too': {
      given: usedAgainAfter(61_000).flatMap((one): Sketch[] => {
        if (one.status !== 429 || one.at !== 62_000) return [one];
        const limit = { ...one, headers: { 'retry-after': '1' }, body: { code: 429, message: 'Slow down.' } };
        return [{ ...limit, sent: {}, at: 61_900 }, limit];
      }),
      ...exclusive,
      says: 'Starts without the group got the same answer',
    },
    'inconclusive: a refusal with the words of a full group, long after the end': {
      given: usedAgainAfter(61_000),
      ...held,
      says: 'declare capacity.exclusive',
    },
    'inconclusive: a refusal long after the end, where no start was refused at the limit': {
      given: usedAgainAfter(61_000).filter((one) => one !== full && one.at !== 100),
      ...held,
      says: 'declare capacity.exclusive',
    },
    'satisfied, satisfied, inconclusive: a start that is accepted only after another has ended, although both had capacity before':
      {
        given: [...filledTwice(), ...read(newer, 'completed'), again(202)],
        ...two,
        says: 'none was accepted later beside as many',
      },
    'satisfied, satisfied: the same, while the running one has the only place': {
      given: [
        ...filledTwice().slice(0, 1),
        ...filledTwice().slice(2, 4),
        ...filledTwice().slice(5),
        ...read(newer, 'completed'),
        again(202),
      ],
      ...held,
    },
    'satisfied, satisfied: one that is accepted beside another a little later': {
      given: [...filledTwice(), again(202), ...read(newer, 'running')],
      ...two,
    },
    'inconclusive: a refusal, where another run ends before the next start': {
      given: [
        holds,
        start({}, { body: { executionId: older, status: 'starting' } }),
        ...read(hold, 'cancelled'),
        again(429),
        ...read(older, 'completed'),
        start({}, { body: { executionId: third, status: 'starting' } }),
      ],
      ...held,
      says: 'others may hold all capacity',
    },
    'inconclusive: a refusal while another execution runs': {
      given: [
        holds,
        start({}, { body: { executionId: older, status: 'starting' } }),
        ...read(hold, 'completed'),
        again(429),
      ],
      ...held,
      says: 'others may hold all capacity',
    },
    'inconclusive: a refusal while another client may use another profile of the group': {
      given: [
        holds,
        holds2,
        start({ profileId: another.profile }, { body: { executionId: another.execution, status: 'starting' } }),
        ...read(hold, 'completed'),
        again(429),
        start({}, { body: { executionId: third, status: 'starting' } }),
      ],
      ...two,
    },
    'inconclusive, satisfied: a refusal, then an acceptance although none has ended: another client uses the group': {
      given: [
        holds,
        ...read(hold, 'completed'),
        again(429),
        start({}, { body: { executionId: third, status: 'starting' } }),
        again(202),
      ],
      ...held,
      says: 'the group has other users',
    },
    'satisfied: one that waited for another, and started when that had ended': {
      given: [holds, queue(older), ...read(older, 'queued'), ...read(hold, 'failed'), ...read(older, 'running')],
      ...held,
    },
    'ignored: one that started before the other was read as ended, or that was not read as queued': {
      given: [
        holds,
        queue(older),
        ...read(older, 'queued', 'running'),
        queue(newer),
        ...read(hold, 'failed'),
        ...read(newer, 'running'),
      ],
      ...held,
    },
    'ignored: a recording': { given: [holds, ...read(hold, 'failed'), recorded(again(429))], ...held },
    'ignored: no group to fill': [holds, ...read(hold, 'failed'), again(429)],
  },
} satisfies Tables;
