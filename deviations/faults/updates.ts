import { couplings, idSettings, words } from '../../generated/flags.js';
import type { AgentProfileUpdate } from '../../generated/types.js';
import type { Profile } from '../../reference/store.js';
import { ignoring, isFields } from '../change.js';
import type { Fault } from '../fault.js';
import { ofFlags } from '../flags.js';

const isText = (value: unknown): value is string => typeof value === 'string';
const isUuid = (value: unknown) => isText(value) && /^[\da-f-]{36}$/i.test(value);
const uuids = (value: unknown) => Array.isArray(value) && value.every(isUuid);
const having = (field: string) => (value: unknown) =>
  Array.isArray(value) && value.every((item) => isFields(item) && field in item);

/** An update is taken as if a field that is not of its type had not been sent. */
const ignores = (
  slug: string,
  field: keyof AgentProfileUpdate,
  is: (value: unknown) => boolean,
  ...also: Fault['breaks'][number][]
): Fault => ({
  id: `updates-ignore-${slug}`,
  breaks: ['update-body-is-typed', ...also],
  says: `An update whose ${field} is not of its type is taken without it.`,
  behaviour: ignoring(field, is),
});

const length = (value: unknown) => (isText(value) ? [...value].length : undefined);

const outside = (field: 'name' | 'description', chars: number): Fault => ({
  id: `${field}-of-${chars}-is-taken`,
  breaks: [`profile-${field}-length`],
  says: `An update with a ${field} of ${chars} characters is taken without it.`,
  behaviour: ignoring(field, (value) => length(value) !== chars),
});

const within = (field: 'name' | 'description', chars: number, ...also: Fault['breaks'][number][]): Fault => ({
  id: `${field}-of-${chars}-is-refused`,
  breaks: [`profile-${field}-length`, ...also],
  says: `A ${field} of ${chars} characters is refused.`,
  behaviour: (base) => ({
    violations: (operation, body) =>
      operation === 'updateProfile' && isFields(body) && length(body[field]) === chars
        ? [{ kind: 'value', parameter: field, detail: 'is out of bounds' }]
        : base.violations(operation, body),
  }),
});

const dayOf = (time: string): string => new Date(time).toISOString().replace(/T.*/, 'T00:00:00.000Z');

function rewritten(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data));
  } catch {
    return data;
  }
}

/** What an update may ask for. */
export const updateFaults: readonly Fault[] = [
  outside('name', 0),
  outside('name', 256),
  outside('description', 1001),
  within('name', 1),
  within('name', 255),
  within('description', 1000, 'update-applies'),
  ignores('names-of-numbers', 'name', isText),
  ignores('descriptions-of-numbers', 'description', isText),
  ...ofFlags([1], (flag): Fault => ignores('flags-of-words', flag, (value) => typeof value === 'boolean')),
  ignores('extensions-of-any-kind', 'extensionIds', uuids),
  ignores('extensions-behind-the-first', 'extensionIds', (value) => !uuids([value].flat().slice(0, 1)) || uuids(value)),
  ...words.map(({ field, word }) => ignores('proxy-types-of-any-kind', field, (value) => value === word)),
  ...idSettings.map((field) => ignores('presets-of-any-kind', field, isUuid)),
  ignores('prefixes-of-numbers', 'inboxEmailPrefix', isText),
  ignores('cookies-in-no-list', 'cookiesToAdd', Array.isArray),
  ignores('nameless-credentials', 'credentialsToUpdate', having('name')),
  ...ofFlags(
    [2],
    (flag): Fault => ({
      id: 'updates-refuse-flags',
      breaks: ['update-applies'],
      says: `An update that sends ${flag} is refused.`,
      behaviour: (base) => ({
        violations: (operation, body) =>
          operation === 'updateProfile' && isFields(body) && flag in body
            ? [{ kind: 'value', parameter: flag, detail: 'cannot be changed' }]
            : base.violations(operation, body),
      }),
    }),
  ),
  ignores('incomplete-cookies', 'cookiesToAdd', having('domain')),
  ignores('cookies-without-a-key', 'cookiesToAdd', having('key')),
  ignores(
    'cookies-behind-the-first',
    'cookiesToAdd',
    (value) => !having('key')([value].flat().slice(0, 1)) || having('key')(value),
  ),
  ignores(
    'cookies-with-words-for-flags',
    'cookiesToAdd',
    (value) =>
      !Array.isArray(value) ||
      value.every((item) => !isFields(item) || ['boolean', 'undefined'].includes(typeof item.httpOnly)),
  ),
  ignores('cookie-ids-of-any-kind', 'cookiesToDelete', uuids),
  ignores('incomplete-credentials', 'credentialsToAdd', having('data')),
  ignores('credentials-without-a-name', 'credentialsToAdd', having('name')),
  ...ofFlags([1], (flag): Fault => ignores('flags-of-numbers', flag, (value) => typeof value !== 'number')),
  ignores('credential-ids-of-any-kind', 'credentialsToDelete', uuids),
  {
    id: 'names-may-repeat',
    breaks: ['profile-name-is-unique'],
    says: 'A profile may take the name of another one.',
    behaviour: () => ({ checkName: () => undefined }),
  },
  {
    id: 'names-may-repeat-beside-more',
    breaks: ['profile-name-is-unique', 'cookies-are-deleted'],
    says: 'A profile may take the name of another one, with a description.',
    behaviour: (base) => ({
      checkName: (organization, next) =>
        organization.profiles.get(next.id)?.description === next.description
          ? base.checkName(organization, next)
          : undefined,
    }),
  },
  ...couplings.map(
    ({ rule, flag, needs }): Fault => ({
      id: 'popups-are-blocked-without-adblock',
      breaks: [rule, 'response-matches-schema'],
      says: `${flag} may be on while ${needs} is off.`,
      behaviour: () => ({ changeCoupledFlags: (profile) => profile }),
    }),
  ),
  ...couplings.map(
    ({ rule, flag, needs }): Fault => ({
      id: 'adblock-goes-off-alone',
      breaks: [rule, 'response-matches-schema'],
      says: `${needs} may be turned off under ${flag} that is on.`,
      behaviour: (base) => {
        let wasOn = false;
        return {
          changeSettings: (profile, update) => {
            wasOn = profile[flag];
            return base.changeSettings(profile, update);
          },
          changeCoupledFlags: (profile) => (wasOn ? profile : base.changeCoupledFlags(profile)),
        };
      },
    }),
  ),
  {
    id: 'names-lose-slashes',
    breaks: ['update-applies'],
    says: 'Slashes and colons in a name become hyphens.',
    behaviour: (base) => ({
      changeSettings: (profile, update) =>
        base.changeSettings(profile, { ...update, ...(update.name && { name: update.name.replace(/[/:]/g, '-') }) }),
    }),
  },
  ...couplings.map(
    ({ flag, needs }): Fault => ({
      id: 'popups-stay-blocked-under-adblock',
      breaks: ['update-applies'],
      says: `${flag} cannot be turned off while ${needs} is on.`,
      behaviour: (base) => ({
        changeSettings: (profile, update) => {
          const changed = base.changeSettings(profile, update);
          return { ...changed, [flag]: (profile[flag] && changed[needs]) || changed[flag] };
        },
      }),
    }),
  ),
  {
    id: 'prefixes-end-at-a-plus',
    breaks: ['inbox-custom-prefix', 'update-applies'],
    says: 'Of an inboxEmailPrefix what follows a plus is lost.',
    behaviour: (base) => ({
      changeInbox: (profile, update) =>
        base.changeInbox(profile, {
          ...update,
          ...(isText(update.inboxEmailPrefix) && { inboxEmailPrefix: update.inboxEmailPrefix.split('+')[0] }),
        }),
    }),
  },
  {
    id: 'third-credentials-are-lost',
    breaks: ['credentials-are-added'],
    says: 'Of several credentials that are added together the third is lost.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) =>
        base.addCredentials(
          credentials,
          added.filter((_, place) => place !== 2),
          ...rest,
        ),
    }),
  },
  {
    id: 'cookies-expire-at-midnight',
    breaks: ['cookies-are-added'],
    says: 'Of the expiry of a cookie the day is kept.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.map(({ expiry, ...cookie }) => ({ ...cookie, ...(expiry && { expiry: dayOf(expiry) }) })),
          ...rest,
        ),
    }),
  },
  {
    id: 'credentials-of-json-are-written-anew',
    breaks: ['credentials-are-added'],
    says: 'Data of credentials that is JSON is parsed, and written as JSON again.',
    behaviour: (base) => ({
      addCredentials: (credentials, added, ...rest) =>
        base.addCredentials(
          credentials,
          added.map(({ data, ...credential }) => ({ ...credential, data: rewritten(data) })),
          ...rest,
        ),
    }),
  },
  {
    id: 'first-credentials-never-change',
    breaks: ['credentials-update-ignores-case'],
    says: 'The first credential of a profile is not found by its name.',
    behaviour: (base) => ({
      updateCredentials: ([first, ...others], updates) =>
        first ? [first, ...base.updateCredentials(others, updates)] : [],
    }),
  },
  {
    id: 'profiles-in-use-stay-as-they-are',
    breaks: ['update-applies'],
    says: 'An update of a profile that an execution uses is answered, and not kept.',
    behaviour: (base) => ({
      storeProfile: (organization, profile) => {
        if (!organization.profilesInUse.get(profile.id)) base.storeProfile(organization, profile);
      },
    }),
  },
  {
    id: 'runs-bring-their-profile-back',
    breaks: ['update-is-partial'],
    says: 'At the end of an execution its profile becomes what it was when that began.',
    behaviour: (base) => {
      const before = new Map<string, Profile>();
      return {
        presentStarted: (run, status) => {
          const profile = run.profile && run.organization.profiles.get(run.profile.id);
          if (profile) before.set(run.id, profile);
          return base.presentStarted(run, status);
        },
        resultOf: (run, ...rest) => {
          const profile = before.get(run.id);
          if (profile) base.storeProfile(run.organization, profile);
          return base.resultOf(run, ...rest);
        },
      };
    },
  },
  {
    id: 'blanks-in-names-are-joined',
    breaks: ['update-applies'],
    says: 'Of several blanks in a name one is kept.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        const next = base.changeSettings(profile, update);
        return { ...next, name: next.name.replaceAll(/ +/g, ' ') };
      },
    }),
  },
  {
    id: 'descriptions-are-unescaped',
    breaks: ['update-applies'],
    says: 'What looks like an escape of a URL in a description is the character that it stands for.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        const next = base.changeSettings(profile, update);
        const unescaped = next.description.replaceAll(/(?:%[\da-f]{2})+/gi, (text) => decodeURIComponent(text));
        return update.description === undefined ? next : { ...next, description: unescaped };
      },
    }),
  },
  ...couplings.map(
    ({ flag, needs }): Fault => ({
      id: 'adblock-goes-with-popups',
      breaks: ['update-is-partial'],
      says: `To turn ${flag} off turns ${needs} off.`,
      behaviour: (base) => ({
        changeSettings: (profile, update) => {
          const next = base.changeSettings(profile, update);
          const goes = update[flag] === false && update[needs] === undefined;
          return goes ? { ...next, [needs]: false } : next;
        },
      }),
    }),
  ),
  {
    id: 'refused-names-leave-their-cookies',
    breaks: ['update-is-atomic'],
    says: 'An update that is refused for the name of another profile adds its cookies.',
    behaviour: (base) => ({
      checkName: (organization, next) => {
        const refusal = base.checkName(organization, next);
        const before = organization.profiles.get(next.id);
        if (refusal && before) base.storeProfile(organization, { ...before, cookies: next.cookies });
        return refusal;
      },
    }),
  },
];
