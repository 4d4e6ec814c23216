/** Faults that show beside something else alone: fields together, a value of another kind, a bound on a copy, what is next door. */
import type { Fault, Hooks } from '../hooks.js';
import { type Call, copyOf, type Fields, fieldsOf, type Value } from '../state.js';
import { copies, faultsOf, hook, implied, isStart, lenient, should } from './make.js';

const isNone = (value: Value | undefined) =>
  value !== undefined && value !== null && Object.keys(Object(value)).length === 0;
const profileOf = (call: Call) => call.state.profiles.get(call.id.toLowerCase());
const idsIn = (value: Value | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Refuses starts that ask for what they may. */
const refuses = (is: (body: Fields, call: Call) => unknown): Partial<Hooks> =>
  hook('answers', (answer, call) => {
    if (isStart(call) && answer.status < 300 && is(call.body, call))
      Object.assign(answer, { status: 400, body: { code: 400, message: 'Not this one.' } });
  });

export const combinedStarts: readonly Fault[] = [
  ...faultsOf({
    // Request body fields (all optional as shaped).
    'empty-body-refused': refuses((body, call) => call.operation === 'execute' && call.hasBody && isNone(body)),
    'head-false-refused': refuses(({ head }) => head === false),
    'options-empty-refused': refuses(({ executionOptions }) => isNone(executionOptions)),
    'temp-files-empty-refused': refuses(({ tempFiles }) => isNone(tempFiles)),
    'reject-without-group-refused': refuses(
      (body) => body.onCapacityLimit === 'reject' && body.profileGroupId === undefined,
    ),
    'version-with-group-refused': refuses(({ version, profileGroupId }) => version !== undefined && profileGroupId),
    'version-with-queue-refused': refuses(
      ({ version, onCapacityLimit }) => version !== undefined && onCapacityLimit === 'queue',
    ),
    'head-with-profile-refused': refuses(({ head, profileId }) => head === true && profileId),
    'temp-file-with-profile-refused': refuses(({ tempFiles, profileId }) => tempFiles && profileId),
    'metadata-with-temp-files-refused': refuses(
      ({ metadata, tempFiles }) => metadata && !isNone(tempFiles) && tempFiles,
    ),
    // agentProfileId: use profileId.
    'old-profile-with-version-refused': implied(
      refuses(({ agentProfileId, version }) => agentProfileId && version !== undefined),
    ),
    // Less than the hard timeout.
    'soft-timeout-of-the-head-has-no-top': lenient(
      'out-of-bounds',
      'softTimeoutMins-hard',
      ({ body }) => body.head === true,
    ),
  }),
];

export const combinedCapacity: readonly Fault[] = [
  ...faultsOf({
    // Every profile in the pool in use: the request fails.
    'group-has-no-limit-for-the-head': { holds: (free, { body }) => free || body.head === true },
  }),
];

export const combinedRecords: readonly Fault[] = [
  ...faultsOf({
    // Input variables used.
    'inputs-of-the-start-before-when-none-given': () => {
      let last: Fields | undefined;
      return hook('starts', (execution) => {
        if (execution.inputs) last = execution.inputs;
        else if (last) execution.inputs = last;
      });
    },
    // agentProfileName.
    'profile-name-is-its-id': implied({
      shows: (view) => view.agentProfileName !== undefined && (view.agentProfileName = view.agentProfileId),
    }),
    'profile-name-of-another': implied({
      shows: (view) => view.agentProfileName !== undefined && (view.agentProfileName = 'Profile 2'),
    }),
  }),
];

export const combinedSettings: readonly Fault[] = [
  ...faultsOf({
    // Length 1 to 255.
    'name-256-on-copy': lenient('out-of-bounds', 'name', (call) => profileOf(call)?.copyOf),
    'name-256-beside-description': lenient('out-of-bounds', 'name', ({ body }) => body.description !== undefined),
    'name-300-taken': lenient('out-of-bounds', 'name', ({ body }) => [...String(body.name)].length > 300),
    // Maximum length 1000.
    'description-1001-on-copy': lenient('out-of-bounds', 'description', (call) => profileOf(call)?.copyOf),
    // Requires adblock to be active.
    'popup-never-without-adblock-in-the-same': hook('answers', (answer, { operation, body }) => {
      if (operation !== 'updateProfile' || answer.status !== 200) return;
      if (body.popupBlockerActive === true && body.adblockActive === undefined)
        Object.assign(answer, { status: 400, body: { code: 400, message: 'Adblock is needed.' } });
    }),
    // A refused update changes nothing.
    'refused-popup-turns-adblock-on': implied({
      refused: ({ settings }, { body }) => body.popupBlockerActive === true && (settings.adblockActive = true),
    }),
  }),
];

const unscoped = (kind: 'cookies' | 'credentials'): Partial<Hooks> =>
  hook('updates', (_, __, { body, state }) => {
    const gone = idsIn(body[`${kind}ToDelete`]);
    for (const one of state.profiles.values()) one[kind] = one[kind].filter(({ id }) => !gone.includes(String(id)));
  });

export const combinedSets: readonly Fault[] = [
  ...faultsOf({
    // Cookie ids to remove.
    'cookies-deleted-wherever-they-are': implied(unscoped('cookies')),
    // Credential ids to remove.
    'credentials-deleted-wherever-they-are': implied(unscoped('credentials')),
    // Cookie ids to remove.
    'unknown-cookie-deletes-all': hook('updates', (profile, before, { body }) => {
      const asked = idsIn(body.cookiesToDelete).length > 0 && body.cookiesToAdd === undefined;
      if (asked && profile.cookies.length === before.cookies.length) profile.cookies = [];
    }),
  }),
];

export const combinedCopies: readonly Fault[] = [
  ...faultsOf({
    // With all settings.
    'copy-description-cut-at-255': copies(({ settings }) => {
      settings.description = [...String(settings.description)].slice(0, 255).join('');
    }),
    // With all cookies.
    'copy-without-blank-cookies': copies((copy) => {
      copy.cookies = copy.cookies.filter(({ value }) => value !== '');
    }),
    // Duplicates a profile.
    'copying-a-copy-takes-its-credentials': implied(
      copies((_, source) => source.copyOf !== undefined && (source.credentials = [])),
    ),
    // createdAt.
    'copy-answered-with-another-created-at': implied({
      profile: (view, _, { operation }) =>
        operation === 'duplicateProfile' && (view.createdAt = new Date(0).toISOString()),
    }),
  }),
];

const deletedThough = (status: number): Partial<Hooks> => ({
  answers: (answer, { operation, id, state }) =>
    operation === 'deletePool' && answer.status === status && state.groups.delete(id),
});

export const combinedKeys: readonly Fault[] = [
  ...faultsOf({
    // A missing or invalid key yields 401.
    'pool-goes-though-401': deletedThough(401),
    // Insufficient permission yields 403.
    'pool-goes-though-403': deletedThough(403),
    // A missing key yields 401.
    'any-token-lets-in': {
      entry: (entry, { headers }) => (entry === 'missing' && headers.has('authorization') ? 'ok' : entry),
    },
  }),
];

/** Takes values of another kind for a field, as if it had not been sent. */
const ignoring = (id: string, field: string, is: (value: Value) => boolean): Fault =>
  should(
    id,
    hook('reads', (body) => {
      const value = body[field];
      return value === undefined || !is(copyOf(value))
        ? body
        : Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
    }),
  );

export const combinedTypes: readonly Fault[] = [
  ignoring('inputs-of-any-kind', 'inputs', (value) => typeof value !== 'object'),
  ignoring('extensions-of-any-kind', 'extensionIds', (value) => !Array.isArray(value)),
  ...faultsOf({
    // Cookie: required.
    'cookies-of-any-kind': implied(lenient('wrong-type', 'cookiesToAdd')),
    // name string (required).
    'temp-files-without-a-name': implied(
      lenient('wrong-type', 'tempFiles', ({ body }) => Object.keys(fieldsOf(body.tempFiles)).length === 0),
    ),
  }),
];
