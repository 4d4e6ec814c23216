/** Faults that show beside something else alone: fields together, a value of another kind, a bound on a copy, what is next door. */
import type { Fault, Hooks } from '../hooks.js';
import { type Call, copyOf, type Fields, fieldsOf, type Profile, type Value } from '../state.js';
import { must, should } from './make.js';

const isSync = (call: Call) => call.operation === 'executeSync';
const isStart = (call: Call) => call.operation === 'execute' || isSync(call);
const isNone = (value: Value | undefined) =>
  value !== undefined && value !== null && Object.keys(Object(value)).length === 0;
const profileOf = (call: Call) => call.state.profiles.get(call.id.toLowerCase());
const idsIn = (value: Value | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Refuses starts that ask for what they may. */
const refuses = (is: (body: Fields, call: Call) => unknown): Partial<Hooks> => ({
  answers: (answer, call) => {
    if (isStart(call) && answer.status < 300 && is(call.body, call))
      Object.assign(answer, { status: 400, body: { code: 400, message: 'Not this one.' } });
  },
});
const optional = 'Request body fields (all optional as shaped).';

export const combinedStarts: readonly Fault[] = [
  must(
    'empty-body-refused',
    optional,
    refuses((body, call) => call.operation === 'execute' && call.hasBody && isNone(body)),
  ),
  must(
    'head-false-refused',
    optional,
    refuses(({ head }) => head === false),
  ),
  must(
    'options-empty-refused',
    optional,
    refuses(({ executionOptions }) => isNone(executionOptions)),
  ),
  must(
    'temp-files-empty-refused',
    optional,
    refuses(({ tempFiles }) => isNone(tempFiles)),
  ),
  must(
    'reject-without-group-refused',
    optional,
    refuses((body) => body.onCapacityLimit === 'reject' && body.profileGroupId === undefined),
  ),
  must(
    'version-with-group-refused',
    optional,
    refuses(({ version, profileGroupId }) => version !== undefined && profileGroupId),
  ),
  must(
    'version-with-queue-refused',
    optional,
    refuses(({ version, onCapacityLimit }) => version !== undefined && onCapacityLimit === 'queue'),
  ),
  must(
    'head-with-profile-refused',
    optional,
    refuses(({ head, profileId }) => head === true && profileId),
  ),
  must(
    'temp-file-with-profile-refused',
    optional,
    refuses(({ tempFiles, profileId }) => tempFiles && profileId),
  ),
  must(
    'metadata-with-temp-files-refused',
    optional,
    refuses(({ metadata, tempFiles }) => metadata && !isNone(tempFiles) && tempFiles),
  ),
  should(
    'old-profile-with-version-refused',
    'agentProfileId: use profileId.',
    refuses(({ agentProfileId, version }) => agentProfileId && version !== undefined),
  ),
  must('soft-timeout-of-the-head-has-no-top', 'Less than the hard timeout.', {
    refuses: (problem, call, field) =>
      !(problem === 'out-of-bounds' && field === 'softTimeoutMins-hard' && call.body.head === true),
  }),
];

export const combinedCapacity: readonly Fault[] = [
  must('group-has-no-limit-for-the-head', 'Every profile in the pool in use: the request fails.', {
    holds: (free, { body }) => free || body.head === true,
  }),
];

export const combinedRecords: readonly Fault[] = [
  must('inputs-of-the-start-before-when-none-given', 'Input variables used.', () => {
    let last: Fields | undefined;
    return {
      starts: (execution) => {
        if (execution.inputs) last = execution.inputs;
        else if (last) execution.inputs = last;
      },
    };
  }),
  should('profile-name-is-its-id', 'agentProfileName.', {
    shows: (view) => void (view.agentProfileName !== undefined && (view.agentProfileName = view.agentProfileId)),
  }),
  should('profile-name-of-another', 'agentProfileName.', {
    shows: (view) => void (view.agentProfileName !== undefined && (view.agentProfileName = 'Profile 2')),
  }),
];

const isBound = (field: string, when: (call: Call) => unknown): Partial<Hooks> => ({
  refuses: (problem, call, named) => !(problem === 'out-of-bounds' && named === field && when(call)),
});

export const combinedSettings: readonly Fault[] = [
  must(
    'name-256-on-copy',
    'Length 1 to 255.',
    isBound('name', (call) => profileOf(call)?.copyOf),
  ),
  must(
    'name-256-beside-description',
    'Length 1 to 255.',
    isBound('name', ({ body }) => body.description !== undefined),
  ),
  must(
    'name-300-taken',
    'Length 1 to 255.',
    isBound('name', ({ body }) => [...String(body.name)].length > 300),
  ),
  must(
    'description-1001-on-copy',
    'Maximum length 1000.',
    isBound('description', (call) => profileOf(call)?.copyOf),
  ),
  must('popup-never-without-adblock-in-the-same', 'Requires adblock to be active.', {
    answers: (answer, { operation, body }) => {
      if (operation !== 'updateProfile' || answer.status !== 200) return;
      if (body.popupBlockerActive === true && body.adblockActive === undefined)
        Object.assign(answer, { status: 400, body: { code: 400, message: 'Adblock is needed.' } });
    },
  }),
  should('refused-popup-turns-adblock-on', 'A refused update changes nothing.', {
    refused: ({ settings }, { body }) => void (body.popupBlockerActive === true && (settings.adblockActive = true)),
  }),
];

const unscoped = (kind: 'cookies' | 'credentials'): Partial<Hooks> => ({
  updates: (_, __, { body, state }) => {
    const gone = idsIn(body[`${kind}ToDelete`]);
    for (const one of state.profiles.values()) one[kind] = one[kind].filter(({ id }) => !gone.includes(String(id)));
  },
});

export const combinedSets: readonly Fault[] = [
  should('cookies-deleted-wherever-they-are', 'Cookie ids to remove.', unscoped('cookies')),
  should('credentials-deleted-wherever-they-are', 'Credential ids to remove.', unscoped('credentials')),
  must('unknown-cookie-deletes-all', 'Cookie ids to remove.', {
    updates: (profile, before, { body }) => {
      const asked = idsIn(body.cookiesToDelete).length > 0 && body.cookiesToAdd === undefined;
      if (asked && profile.cookies.length === before.cookies.length) profile.cookies = [];
    },
  }),
];

const copies = (change: (copy: Profile, source: Profile) => void): Partial<Hooks> => ({ copies: change });

export const combinedCopies: readonly Fault[] = [
  must(
    'copy-description-cut-at-255',
    'With all settings.',
    copies(({ settings }) => {
      settings.description = [...String(settings.description)].slice(0, 255).join('');
    }),
  ),
  must(
    'copy-without-blank-cookies',
    'With all cookies.',
    copies((copy) => {
      copy.cookies = copy.cookies.filter(({ value }) => value !== '');
    }),
  ),
  should(
    'copying-a-copy-takes-its-credentials',
    'Duplicates a profile.',
    copies((_, source) => void (source.copyOf !== undefined && (source.credentials = []))),
  ),
  should('copy-answered-with-another-created-at', 'createdAt.', {
    profile: (view, _, { operation }) =>
      void (operation === 'duplicateProfile' && (view.createdAt = new Date(0).toISOString())),
  }),
];

const deletedThough = (status: number): Partial<Hooks> => ({
  answers: (answer, { operation, id, state }) =>
    void (operation === 'deletePool' && answer.status === status && state.groups.delete(id)),
});

export const combinedKeys: readonly Fault[] = [
  must('pool-goes-though-401', 'A missing or invalid key yields 401.', deletedThough(401)),
  must('pool-goes-though-403', 'Insufficient permission yields 403.', deletedThough(403)),
  must('any-token-lets-in', 'A missing key yields 401.', {
    entry: (entry, { headers }) => (entry === 'missing' && headers.has('authorization') ? 'ok' : entry),
  }),
];

/** Takes values of another kind for a field, as if it had not been sent. */
const lenient = (id: string, field: string, is: (value: Value) => boolean): Fault =>
  should(id, `${field} has the type of the table.`, {
    reads: (body) => {
      const value = body[field];
      return value === undefined || !is(copyOf(value))
        ? body
        : Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
    },
  });

export const combinedTypes: readonly Fault[] = [
  lenient('inputs-of-any-kind', 'inputs', (value) => typeof value !== 'object'),
  lenient('extensions-of-any-kind', 'extensionIds', (value) => !Array.isArray(value)),
  should('cookies-of-any-kind', 'Cookie: required.', {
    refuses: (problem, _, field) => !(problem === 'wrong-type' && field === 'cookiesToAdd'),
  }),
  should('temp-files-without-a-name', 'name string (required).', {
    refuses: (problem, { body }, field) =>
      !(problem === 'wrong-type' && field === 'tempFiles' && Object.keys(fieldsOf(body.tempFiles)).length === 0),
  }),
];
