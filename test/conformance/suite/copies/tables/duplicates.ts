import { couplings, derivedFlags, plainFlags } from '../../../../../generated/flags.js';
import { ids, type Sketch } from '../../../../support/evidence.js';
import { all, type Table, type Tables } from '../../../../support/judge-table.js';
import {
  baseline,
  cookie,
  duplicate,
  flags,
  flagsOfProxy,
  known,
  personalFlags,
  refusedUpdate,
  setIds,
  setWords,
  update,
} from '../../../../support/profiles.js';
import { another, organization, recorded, start } from '../../../../support/runs.js';

const elsewhere = { organizationId: another.organization };
const there = (shown: object = {}) => duplicate({ ...elsewhere, ...shown }, elsewhere);
const refused = (status: number, sent?: unknown, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'duplicateProfile',
  status,
  ...(sent !== undefined && { sent }),
  body: { code: status, message: 'No.' },
  mark: {},
  ...more,
});
const unknown = { probe: { rule: 'duplicate-into-unknown-organization', fault: '', controls: [] } } as const;
/** The first update of the copy, answered so. */
const onCopy = (status: number): Sketch =>
  update({ description: 'A copy.' }, { id: another.profile }, { resource: another.profile, status });

/** What is said of a start with a profile: that there is none. */
const noProfile = (profileId: string, status: number, more: Partial<Sketch> = {}): Sketch =>
  start({ profileId }, { status, body: { code: status, message: `There is no profile ${profileId}.` }, ...more });
const unknownToStart = (status = 404): Sketch =>
  noProfile(ids.pool, status, {
    mark: { probe: { rule: 'execute-profile-must-exist', fault: 'a profile that does not exist', controls: [] } },
  });
const startOfCopy = (status: number, more: Partial<Sketch> = {}): Sketch => noProfile(another.profile, status, more);

const cookies = [known(cookie('a'), 'a'), known(cookie('b'), 'b')];
const credentials = [
  { name: 'one', data: 'secret', id: ids.pool },
  { name: 'two', data: 'secret' },
];
const empty = credentials.map(({ name }) => ({ name, data: '' }));
const visible = update({ credentialsToAdd: credentials }, { credentials });
/** The first update of the copy: what it shows of the first credential. */
const copied = (more: object): Sketch =>
  update(
    { description: 'A copy.' },
    { id: another.profile, credentials: [{ ...credentials[0], ...more }, credentials[1]] },
    { resource: another.profile },
  );
const filled = {
  description: 'Filled.',
  ...Object.fromEntries([...plainFlags, ...derivedFlags.map(({ flag }) => flag)].map((flag) => [flag, true])),
  extensionIds: [ids.pool],
  ...Object.assign({}, ...setWords),
};

export const duplicates = {
  'duplicate-is-new': {
    'violated: the same id': { given: [duplicate({ id: ids.profile })], says: 'another id' },
    'violated: no profile': { given: [duplicate({}, undefined, { body: undefined })], says: 'nothing' },
    'violated: an invalid id': [duplicate({ id: '17' })],
    'satisfied, satisfied, violated: one copy for two': {
      given: [duplicate(), duplicate()],
      says: 'a new id for each copy',
    },
    'violated: refused, although the profile can be updated': {
      given: [baseline(), refused(404)],
      says: 'a 2xx with the copy',
    },
    'inconclusive: refused, of a profile that may not exist': [refused(404)],
    'ignored: into another organization, refused': [baseline(), refused(400, elsewhere)],
    'ignored: no duplication': [baseline(), refusedUpdate({ name: '' })],
    'satisfied, violated: a copy that starts cannot find': {
      given: [duplicate(), unknownToStart(), baseline(), startOfCopy(404), onCopy(200)],
      says: ['a profile that starts find', '404'],
    },
    'satisfied: a copy that the key may not use for starts any more, like other profiles': [
      duplicate(),
      unknownToStart(403),
      noProfile(ids.pool, 403, { body: { code: 403, message: 'The key lacks the permission.' } }),
      startOfCopy(403),
      onCopy(200),
    ],
    'satisfied: a copy that starts cannot find yet': [unknownToStart(), duplicate(), startOfCopy(404), onCopy(200)],
    'satisfied: a deleted copy': [duplicate(), unknownToStart(), baseline(), startOfCopy(404), onCopy(404)],
    'satisfied: a start of a copy refused with the words of every refusal': [
      duplicate(),
      unknownToStart(400),
      baseline(),
      startOfCopy(400),
      onCopy(200),
    ],
    'satisfied, violated: a start of a copy refused with words that no other refusal has': [
      duplicate(),
      unknownToStart(400),
      start({}, { status: 400, body: { code: 400, message: 'Full.' } }),
      startOfCopy(400),
      onCopy(200),
    ],
  },

  'duplicate-is-independent': {
    'violated: the source changed': {
      given: [baseline(), duplicate(), baseline({ description: 'Copied.' })],
      says: ['description "Signs in."', '"Copied."'],
    },
    'violated, satisfied: data of a credential of the source changed together with that of the copy': [
      visible,
      baseline({ credentials }),
      duplicate({ credentials }),
      copied({ data: 'new' }),
      baseline({ credentials: [{ ...credentials[0], data: 'new' }, credentials[1]] }),
    ],
    'satisfied: data of a credential of the source in clear only in the answer to its own request': [
      visible,
      duplicate({ credentials }),
      copied({ data: 'new' }),
      baseline({ credentials: [{ ...credentials[0], data: 'new' }, credentials[1]] }),
    ],
    'violated: a copy that cannot be updated': { given: [duplicate(), onCopy(404)], says: 'can be updated' },
    'violated: a copy that is gone later': {
      given: [duplicate(), onCopy(200), { ...onCopy(404), at: 1e6 }],
      says: 'can still be updated',
    },
    'satisfied: a copy that is found again': [
      duplicate(),
      onCopy(200),
      { ...onCopy(404), at: 1e6 },
      { ...onCopy(200), at: 2e6 },
    ],
    'satisfied: a new copy that a replica does not know': [duplicate(), onCopy(200), onCopy(404)],
    'inconclusive: a copy that the key may not update': [duplicate(), onCopy(403)],
    'ignored: a source that another client changed, in a recording': [
      baseline(),
      duplicate(),
      baseline({ name: 'X' }),
    ].map(recorded),
    'violated: the source deleted': { given: [baseline(), duplicate(), refused(404)], says: 'the source still there' },
    'ignored: another organization that does not exist, refused with 404': [
      baseline(),
      duplicate(),
      refused(404, elsewhere, { mark: unknown }),
    ],
  },

  'duplicate-copies-settings': {
    ...all(
      personalFlags.map(
        (flag): Table => ({
          [`satisfied: ${flag}, which not everybody may set`]: [baseline({ [flag]: true }), duplicate()],
          [`violated: ${flag}, of a key that turned it on itself`]: [
            update({ [flag]: true }, { [flag]: true }),
            duplicate(),
          ],
          [`satisfied: ${flag} in another organization, where the key may be nobody`]: [
            update({ [flag]: true }, { [flag]: true }),
            there(),
          ],
          [`violated: ${flag} put on`]: [baseline(), duplicate({ [flag]: true })],
        }),
      ),
    ),
    'satisfied: a setting that changed by itself before': [
      baseline({ adblockActive: true }),
      baseline({ adblockActive: false }),
      duplicate({ adblockActive: true }),
    ],
    'satisfied: an undocumented field': [baseline({ tier: 'none' }), duplicate({ tier: 'gold' })],
    'violated: a proxy mode where the source has none': {
      given: [baseline({ proxyMode: 'none' }), duplicate({ proxyMode: 'managed' })],
      says: 'proxyMode "none", as in the source',
    },
    'satisfied: another organization, which may have other extensions': [
      baseline({ extensionIds: [ids.pool] }),
      there({ extensionIds: [] }),
    ],
    'ignored: a source that was not read': [duplicate(filled)],
    ...all(
      [...flags, ...couplings.map(({ flag }) => flag), ...Object.keys(flagsOfProxy)].map((flag) => ({
        [`violated: ${flag} left out`]: [baseline({ [flag]: true }), duplicate()],
      })),
    ),
    ...all(
      [...setWords, ...setIds].map((one) => ({
        [`violated: ${Object.keys(one)} left out`]: [baseline(one), duplicate()],
      })),
    ),
  },

  'duplicate-copies-cookies': {
    'violated: none': { given: [baseline({ cookies }), duplicate()], says: '"a" among cookies of the copy' },
    'violated: each twice': {
      given: [baseline({ cookies }), duplicate({ cookies: [...cookies, ...cookies] })],
      says: '2 cookies, as in the source',
    },
    'violated: another value': [
      baseline({ cookies }),
      duplicate({ cookies: [cookie('a'), cookie('b', { value: 'x' })] }),
    ],
    'violated: one that no longer expires': [
      baseline({ cookies: [cookie('a', { expiry: '2040-01-01T00:00:00Z' })] }),
      duplicate({ cookies: [cookie('a')] }),
    ],
    'satisfied: one that expires at the same time, in another notation': [
      baseline({ cookies: [cookie('a', { expiry: '2040-01-01T00:00:00Z' })] }),
      duplicate({ cookies: [cookie('a', { expiry: '2040-01-01T01:00:00+01:00' })] }),
    ],
    'ignored: cookies that a browser renews, also after an update that is lost': [
      baseline({ cookies }),
      baseline({ cookies: [cookie('a'), known(cookie('b', { value: 'renewed' }), 'c')] }),
      refusedUpdate({ description: 'Lost.' }, { status: 500 }),
      baseline({ cookies: [cookie('a'), known(cookie('b', { value: 'again' }), 'd')] }),
      duplicate({ cookies: [] }),
    ],
  },

  'duplicate-copies-credentials': {
    'satisfied: one more, which another client added to the source before the copy, as the next reading shows': [
      baseline({ credentials: credentials.slice(0, 1) }),
      duplicate({ credentials }),
      update({ description: 'B' }, { credentials }),
    ],
    'violated: one more, which the source has neither before nor after': {
      given: [
        baseline({ credentials: credentials.slice(0, 1) }),
        duplicate({ credentials }),
        update({ description: 'B' }, { credentials: credentials.slice(0, 1) }),
      ],
      says: '2 of them',
    },
    'satisfied, violated: other data, where updates show data in clear': {
      given: [visible, duplicate({ credentials }), copied({ data: '' })],
      says: ['with the data of the source', 'other data'],
    },
    'satisfied: other data in the copy, after an update of it that was lost': [
      visible,
      duplicate({ credentials }),
      update(
        { credentialsToUpdate: [{ ...credentials[0], data: 'new' }] },
        {},
        { resource: another.profile, status: 504, rawBody: { kind: 'none' } },
      ),
      copied({ data: 'new' }),
    ],
    'satisfied: data in clear in the answer to its own request only': [
      visible,
      duplicate({ credentials: empty }),
      copied({ data: '' }),
    ],
    'satisfied, violated: other data in the answer, although the copy cannot be updated': {
      given: [visible, there({ credentials: credentials.map(({ name }) => ({ name, data: 'other' })) })],
      says: 'other data',
    },
    'ignored: a source without credentials': [baseline(), duplicate()],
  },

  'duplicate-name-is-unique': {
    'violated: the same name': { given: [baseline(), duplicate({ name: 'Portal' })], says: 'other than "Portal"' },
    'satisfied, satisfied, violated: the name of another copy': {
      given: [baseline(), duplicate(), duplicate({ id: another.execution })],
      says: "another copy's",
    },
    'satisfied, satisfied: a name for each copy': [
      baseline(),
      duplicate(),
      duplicate({ id: another.execution, name: 'Portal (copy 2)' }),
    ],
    'ignored: recorded copies: the first may be deleted': [duplicate(), duplicate({ id: another.execution })].map(
      recorded,
    ),
    'ignored: the same name in another organization': [baseline(), there({ name: 'Portal' })],
  },

  'duplicate-stays-in-organization': {
    'violated: another organization': {
      given: [baseline(), duplicate(elsewhere)],
      says: [`organizationId "${organization}"`, another.organization],
    },
    'violated: refused with an empty object, although the same organization is accepted by its id': {
      given: [baseline(), duplicate({}, { organizationId: organization }), refused(400, {})],
      says: 'or with the same',
    },
    'satisfied, inconclusive: refused, at a limit': [baseline(), duplicate(), refused(429, {})],
    'satisfied, violated: refused for a copy with an empty object': [
      baseline(),
      duplicate(),
      onCopy(200),
      refused(400, {}, { resource: another.profile }),
    ],
    'satisfied: refused for a copy that does not exist: duplicate-is-new judges that': [
      baseline(),
      duplicate(),
      onCopy(404),
      refused(404, {}, { resource: another.profile }),
    ],
    'ignored: a source that was not read': [duplicate()],
  },

  'duplicate-into-organization': {
    'satisfied: in a recording': [recorded(there())],
    'violated: in the same organization': {
      given: [duplicate({}, elsewhere)],
      says: [`organizationId "${another.organization}"`, organization],
    },
    'violated: refused, although copies in the same organization are made': {
      given: [duplicate(), refused(404, elsewhere)],
      says: 'a copy in the organization',
    },
    'inconclusive: refused, like any other': [refused(404, elsewhere)],
    'ignored: refused in a recording': [duplicate(), recorded(refused(404, elsewhere))],
  },
} satisfies Tables;
