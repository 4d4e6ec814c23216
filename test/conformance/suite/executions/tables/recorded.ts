import { freeFields } from '../../../../../conformance/suite/executions/view.js';
import { ids, type Sketch } from '../../../../support/evidence.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
import { baseline, update } from '../../../../support/profiles.js';
import { another, recorded as asRecorded, group, reading, start } from '../../../../support/runs.js';

const { metadata } = freeFields;
const probe = { probe: { rule: 'execute-body-is-typed', fault: '', controls: [] } } as const;

/** What is recorded of any field, where it shows: given, and shown as it was or otherwise. */
const agreeing = (given: object, asGiven: object, otherwise: object): Table => ({
  'satisfied: present later only': [start(given), reading('starting'), reading('completed', asGiven)],
  'satisfied: present for a while': [start(given), reading('running', asGiven), reading('completed')],
  'violated: present with another value': {
    given: [start(given), reading('completed', otherwise)],
    says: 'as given at the start',
  },
  'ignored: nothing in the request': [start(), reading('completed', otherwise)],
  'ignored: a start that should have been refused': [start(given, { mark: probe }), reading('completed')],
});

const asking = (softTimeoutMins: number | undefined) =>
  softTimeoutMins === undefined ? {} : { executionOptions: { softTimeoutMins } };

/** A start with softTimeoutMins that is not followed. */
const gives = (at: number, minutes = 20): Sketch[] => [
  start(asking(minutes), { at, body: { executionId: another.execution, status: 'starting' } }),
];
/** One that asks for none, whose execution shows so many. */
const silent = (digit: string, at: number, minutes?: number, executionOptions?: object): Sketch[] => {
  const executionId = ids.execution.replace(/.$/, digit);
  return [
    start(executionOptions && { executionOptions }, { at, body: { executionId, status: 'starting' } }),
    reading('completed', { id: executionId, ...asking(minutes) }, { resource: executionId, at: at + 6 }),
  ];
};

/** Whether any field shows. */
const shown = (given: object, asGiven: object): Table => ({
  'satisfied: present later only': [start(given), reading('starting'), reading('completed', asGiven)],
  'violated: missing': { given: [start(given), reading('completed')], says: 'actual: nothing' },
  'ignored: missing so far': [start(given), reading('queued'), reading('starting')],
  'ignored: nothing in the request': [start(), reading('completed')],
  'ignored: a start that should have been refused': [start(given, { mark: probe }), reading('completed')],
});

const inputs = { customer: 'acme', nested: { list: [1, null] } };

const named = (agentProfileName: string) => [
  start({ profileId: ids.profile }),
  reading('completed', { agentProfileId: ids.profile, agentProfileName }),
];

// Options are optional: where none are shown, none are missing.
const { 'violated: missing': _, ...shownOptions } = shown(
  { executionOptions: { softTimeoutMins: 20 } },
  { executionOptions: { softTimeoutMins: 20, sharedStorageKey: 'acme' } },
);

/** Executions of a group of two seconds each, with the profile of each and when it begins. */
const inGroup = (...all: readonly (readonly [profile: string, at: number])[]): Sketch[] =>
  all.flatMap(([profile, at], place) => {
    const id = place === 0 ? ids.execution : another.execution;
    const of = (from: number) => new Date(Date.parse('2026-03-02T12:00:00.137Z') + at + from).toISOString();
    const shown = { id, agentProfileId: profile, createdAt: of(0), terminalAt: of(1963), duration: 2 };
    return [
      start({ profileGroupId: group }, { at, durationMs: 0, body: { executionId: id, status: 'starting' } }),
      reading('completed', shown, { at: at + 2100, durationMs: 0, resource: id }),
    ];
  });

export const recorded = {
  'inputs-are-recorded': {
    ...agreeing({ inputs }, { inputs }, { inputs: { ...inputs, nested: { list: [1] } } }),
    'satisfied: with secrets masked': [
      start({ inputs: { ...inputs, login: { password: 'secret', pin: '1234' } } }),
      reading('completed', { inputs: { ...inputs, login: { password: '********', pin: '[REDACTED]' } } }),
    ],
    'violated: a list': [start({ inputs: { a: 1 } }), reading('completed', { inputs: [1] })],
    'ignored: under the old name, which another rule judges': [
      start({ dynamicData: { a: 1 } }),
      reading('completed', { inputs: { a: 2 } }),
    ],
    'ignored: null for it': [start({ inputs: { a: 1 } }), reading('completed', { inputs: { a: null } })],
    'violated: a number as a text': [start({ inputs: { n: 1 } }), reading('completed', { inputs: { n: '1' } })],
    ...all(
      (
        [
          ['one\r\ntwo ö', 'one\ntwo ö', 'with other line ends'],
          ['one\ttwo ö', 'one two ö', '"one two ö"'],
          ['one\u0000two ö', 'onetwo ö', 'with other control characters'],
          ['one\ttwo ö', 'one\ttwo ?', 'without its letters beyond ASCII'],
        ] as const
      ).map(([given, back, says]) => ({
        [`violated: a text that came back ${says}`]: {
          given: [start({ inputs: { text: given } }), reading('completed', { inputs: { text: back } })],
          says,
        },
      })),
    ),
    'violated: a text between stars that hide none of it': [
      start({ inputs: { text: 'hello' } }),
      reading('completed', { inputs: { text: '**hello**' } }),
    ],
    'satisfied: the end of a text behind a mask, also of a short one': [
      start({ inputs: { pin: '1234' } }),
      reading('completed', { inputs: { pin: '••••1234' } }),
    ],
  },
  'inputs-are-shown': {
    ...shown({ inputs }, { inputs }),
    'satisfied: without one that was null': [
      start({ inputs: { a: 1, b: null } }),
      reading('completed', { inputs: { a: 1 } }),
    ],
    'violated: present, then missing, then present': [
      start({ inputs }),
      reading('starting', { inputs }),
      reading('running'),
      reading('completed', { inputs }),
    ],
  },
  'metadata-is-recorded': {
    ...agreeing({ [metadata]: { a: 'b' } }, { metadata: { a: 'b' } }, { metadata: { a: 'c' } }),
    'violated: beside pairs of the service': {
      given: [start({ [metadata]: { a: 'b' } }), reading('completed', { metadata: { a: 'b', c: 'd' } })],
      says: ['no metadata that its start did not give', 'c: "d"'],
    },
    'violated: one of two lost': {
      given: [start({ [metadata]: { a: 'b', c: 'd' } }), reading('completed', { metadata: { a: 'b' } })],
      says: ['metadata.c "d", as given at the start', 'lost'],
    },
    'satisfied: not all of them yet': [
      start({ [metadata]: { a: 'b', c: 'd' } }, { at: 0 }),
      reading('starting', { metadata: { a: 'b' } }, { at: 100 }),
      reading('completed', { metadata: { a: 'b', c: 'd' } }, { at: 9000 }),
    ],
    'satisfied: a replica that is stale for a moment': [
      start({ [metadata]: { a: 'b', c: 'd' } }, { at: 0 }),
      reading('running', { metadata: { a: 'b' } }, { at: 100 }),
      reading('completed', { metadata: { a: 'b', c: 'd' } }, { at: 900 }),
    ],
  },
  'metadata-is-shown': {
    ...shown({ [metadata]: { a: 'b' } }, { metadata: { a: 'b' } }),
    'satisfied: missing in the queue, for less time than another one takes to appear': [
      start({ [metadata]: { a: 'b' } }, { at: 0 }),
      reading('queued', {}, { at: 3000 }),
      reading('completed', { metadata: { a: 'b' } }, { at: 9000 }),
      start({ [metadata]: { a: 'b' } }, { at: 0, body: { executionId: another.execution, status: 'starting' } }),
      reading('running', { id: another.execution, metadata: { a: 'b' } }, { at: 2000, resource: another.execution }),
    ],
    'satisfied, violated: missing in the queue': [
      start({ [metadata]: { a: 'b' } }, { at: 0 }),
      reading('queued', {}, { at: 3000 }),
      reading('completed', { metadata: { a: 'b' } }, { at: 9000 }),
    ],
  },
  'options-are-recorded': {
    ...shownOptions,
    'violated: missing, although those of another execution are present': [
      start({ executionOptions: { softTimeoutMins: 20 } }),
      reading('completed'),
      reading('completed', { id: another.execution, executionOptions: {} }, { resource: another.execution }),
    ],
    'violated: that of the last start, where the request has none': {
      given: [...silent('a', 10), ...gives(20), ...silent('b', 30, 20), ...gives(40, 30), ...silent('c', 50, 30)],
      says: ['no softTimeoutMins', '20, as one before it was given'],
    },
    'violated: that of the last start, where options without it are valid': [
      ...gives(20),
      ...silent('a', 30, 20),
      ...silent('b', 40, undefined, {}),
      ...silent('c', 50),
    ],
    'ignored: a default that all have': [
      ...silent('a', 10, 20),
      ...gives(20),
      ...silent('b', 30, 20),
      ...gives(40, 30),
      ...silent('c', 50, 20),
    ],
    'ignored: that of the last start, twice': [...silent('a', 10), ...gives(20), ...silent('b', 30, 20)],
    'ignored: a variantKey alone': [start({ executionOptions: { variantKey: 'acme' } }), reading('completed')],
  },
  'profile-is-recorded': {
    ...agreeing({ profileId: ids.profile }, { agentProfileId: ids.profile }, { agentProfileId: another.profile }),
  },
  'used-profile-is-shown': {
    ...shown({ profileId: ids.profile }, { agentProfileId: ids.profile }),
    'satisfied: by a name of its profile': [baseline({ name: 'Shop' }), update({ name: 'B' }), ...named('B')],
    'satisfied: of a profile that was never read': named('Shop'),
    'satisfied: by a name that another client set for a while': [
      baseline({ name: 'Shop' }),
      ...named('Till'),
      baseline({ name: 'Stall' }),
    ],
    'satisfied: in a recording, which may lack a name': [
      asRecorded(baseline({ name: 'Shop' })),
      ...named('B').map(asRecorded),
    ],
    'satisfied, violated: by the name of another one': {
      given: [baseline({ name: 'Shop' }), ...named('Till')],
      says: ['a name of the profile', 'Till'],
    },
  },
  'group-profile-is-recorded': {
    'satisfied: the earlier value, from a stale replica': [
      start({ profileGroupId: group }, { at: 5e6 }),
      reading('queued', {}, { at: 5e6 + 100 }),
      reading('starting', { agentProfileId: ids.profile }, { at: 5e6 + 200 }),
      reading('queued', {}, { at: 5e6 + 300 }),
      reading('running', { agentProfileId: ids.profile }, { at: 5e6 + 400 }),
    ],
    'violated: the group itself': [start({ profileGroupId: group }), reading('completed', { agentProfileId: group })],
    'satisfied, satisfied, violated: one profile for two at the same time': {
      given: inGroup([ids.profile, 0], [ids.profile, 1000]),
      says: 'that no other running execution has',
    },
    'satisfied, satisfied: one profile for two in turn': inGroup([ids.profile, 0], [ids.profile, 2200]),
    'satisfied, satisfied, violated: more profiles than the group has': {
      given: inGroup([ids.profile, 0], [another.profile, 5000]),
      facts: { capacity: { profileGroup: group, size: 1, workflow: ids.workflow } },
      says: 'one of the 1 profiles of the group',
    },
    'satisfied, satisfied: as many as it has': {
      given: inGroup([ids.profile, 0], [another.profile, 5000]),
      facts: { capacity: { profileGroup: group, size: 2, workflow: ids.workflow } },
    },
    'ignored: not started yet': [start({ profileGroupId: group }), reading('starting')],
  },
} satisfies Tables;
