import { samples } from '../../generated/samples.js';
import type { Deviation } from '../../reference/deviation.js';
import { Refusal, refuseParameter } from '../../reference/errors.js';
import { profileIds } from '../../reference/fixtures.js';
import { answering, isFields, reachingAbroad, refusing, without } from '../change.js';
import type { Variation } from '../variation.js';

/** Refuses a list of cookies that is empty, before it looks at the key. */
const nothingToAdd: Deviation = {
  id: 'nothing-to-add',
  says: 'No cookies to add are refused.',
  behaviour: refusing('cookiesToAdd', (body) => Array.isArray(body.cookiesToAdd) && body.cookiesToAdd.length === 0),
};

const needsName: Deviation = {
  id: 'updates-need-a-name',
  says: 'An update without a name is refused.',
  behaviour: refusing('name', (body, operation) => operation === 'updateProfile' && !('name' in body)),
};

/** As long as a copy takes; the next request comes later. */
const copyingMs = 10;

/** How many cookies and credentials a profile may have. */
const mostItems = 30;

/** As far as what a service reads may be behind what it wrote. */
const freeAfterMs = 1500;

/** Refuses to delete what is not there. */
const nothingToDelete: Deviation = {
  id: 'nothing-to-delete',
  says: 'An unknown id among cookies to delete is refused.',
  behaviour: (base) => ({
    deleteCookies: (cookies, ids) => {
      const known = cookies.map((cookie) => cookie.id);
      if (ids.some((id) => !known.includes(id.toLowerCase()))) throw new Refusal(404, 'There is no such cookie.');
      return base.deleteCookies(cookies, ids);
    },
  }),
};

const reversed = <T>(items: readonly T[]): T[] => [...items].reverse();

export const profileVariations: readonly Variation[] = [
  {
    id: 'other-orders',
    says: 'Cookies, credentials and extensions are listed the other way round.',
    behaviour: (base) => ({
      presentProfile: (...args) => {
        const shown = base.presentProfile(...args);
        return {
          ...shown,
          cookies: reversed(shown.cookies),
          credentials: reversed(shown.credentials),
          extensionIds: reversed(shown.extensionIds),
        };
      },
    }),
  },
  {
    id: 'no-item-ids',
    says: 'Cookies and credentials have no ids.',
    behaviour: (base) => ({
      presentProfile: (...args) => {
        const shown = base.presentProfile(...args);
        const plain = <T extends object>(items: readonly T[]) =>
          items.map((item) => without(item, 'id') as unknown as T);
        return { ...shown, cookies: plain(shown.cookies), credentials: plain(shown.credentials) };
      },
    }),
  },
  {
    id: 'names-alike',
    says: 'Names that differ in case only are not unique.',
    behaviour: (base) => ({
      checkName: (organization, profile) =>
        [...organization.profiles.values()].some(
          ({ id, name }) => id !== profile.id && name.toLowerCase() === profile.name.toLowerCase(),
        )
          ? refuseParameter(400, 'name', 'is too much like another one')
          : base.checkName(organization, profile),
    }),
  },
  {
    id: 'names-put-right',
    says: 'An update to a name that another profile has gets a numbered one.',
    behaviour: () => ({
      checkName: ({ profiles }, profile) => {
        const isTaken = (name: string) =>
          [...profiles.values()].some((one) => one.name === name && one.id !== profile.id);
        const asked = [...profile.name].slice(0, 245).join('');
        let { name } = profile;
        for (let number = 2; isTaken(name); number += 1) name = `${asked} (${number})`;
        Object.assign(profile, { name });
        return undefined;
      },
    }),
  },
  {
    id: 'no-idle-updates',
    says: 'An update that asks for nothing is refused, also one with an empty list, whoever sends it.',
    options: { choices: 'auth-before-validation=no,empty-update=refused', faults: [nothingToAdd] },
  },
  {
    id: 'no-updates-of-nothing',
    says: 'An update that asks for nothing is refused, also one with an empty list, or with an id that nothing has.',
    options: { choices: 'empty-update=refused', faults: [nothingToAdd, nothingToDelete] },
  },
  needsName,
  {
    id: 'updates-need-a-name-before-a-key',
    says: 'An update without a name is refused, also one without a key.',
    options: { choices: 'auth-before-validation=no', faults: [needsName] },
  },
  {
    id: 'browsers-keep-cookies',
    says: 'Cookies that browsers met are in the profile a while after they did, and renewed now and then.',
    behaviour: (base) => {
      let shown = 0;
      return {
        presentProfile: (...args) => {
          const profile = base.presentProfile(...args);
          shown += 1;
          const met = { ...samples.Cookie.minimal, domain: 'met.example', key: 'met', name: 'met' };
          return shown < 4
            ? profile
            : { ...profile, cookies: [...profile.cookies, { ...met, value: shown < 8 ? 'once' : 'again' }] };
        },
      };
    },
  },
  {
    id: 'browser-at-work',
    says: 'A browser renews a cookie of the profile between any two answers, under a new id.',
    behaviour: (base) => {
      let shown = 0;
      return {
        presentProfile: (...args) => {
          const profile = base.presentProfile(...args);
          if (profile.id !== profileIds.profile) return profile;
          shown += 1;
          const id = `00000000-0000-4000-8000-${String(shown).padStart(12, '0')}`;
          const met = { ...samples.Cookie.minimal, id, domain: 'met.example', key: 'met', name: 'met' };
          return { ...profile, cookies: [...profile.cookies, { ...met, value: `seen ${shown} times` }] };
        },
      };
    },
  },
  {
    id: 'prefixes-shown-to-who-sets-them',
    says: 'inboxEmailPrefix is in the answer to the request that sets it, and in no other.',
    behaviour: answering((answer, { body: asked }) =>
      isFields(answer.body) && !(isFields(asked) && 'inboxEmailPrefix' in asked)
        ? { ...answer, body: without(answer.body, 'inboxEmailPrefix') }
        : answer,
    ),
  },
  {
    id: 'masked-cookies',
    says: 'Values of cookies are masked.',
    behaviour: (base) => ({
      presentProfile: (...args) => {
        const profile = base.presentProfile(...args);
        return { ...profile, cookies: profile.cookies.map((cookie) => ({ ...cookie, value: '••••••' })) };
      },
    }),
  },
  {
    id: 'encrypted-credentials',
    says: 'Data of credentials is shown encrypted, otherwise each time.',
    behaviour: (base) => {
      let shown = 0;
      return {
        presentProfile: (...args) => {
          const profile = base.presentProfile(...args);
          const encrypted = () => `vault:v1:${(shown++).toString(36)}`;
          return { ...profile, credentials: profile.credentials.map((one) => ({ ...one, data: encrypted() })) };
        },
      };
    },
  },
  {
    id: 'own-inboxes',
    says: 'Each organization has inboxes at a domain of its own.',
    behaviour: (base) => ({
      inboxOf: (profile) => base.inboxOf(profile).replace('inbox', profile.organizationId.slice(0, 8)),
    }),
  },
  {
    id: 'profiles-for-one',
    says: 'A profile that an execution uses is refused to another one.',
    behaviour: (base) => ({
      selectProfile: (organization, id) => {
        if (organization.profilesInUse.has(id)) throw new Refusal(409, `The profile ${id} is in use.`);
        return base.selectProfile(organization, id);
      },
    }),
  },
  {
    id: 'thirty-in-a-list',
    says: 'A profile has at most thirty cookies and thirty credentials: an update that adds more is refused.',
    behaviour: (base) => ({
      checkName: (organization, profile) =>
        profile.cookies.length > mostItems || profile.credentials.length > mostItems
          ? refuseParameter(400, 'cookiesToAdd', 'are too many')
          : base.checkName(organization, profile),
    }),
  },
  {
    id: 'keys-reach-abroad',
    says: 'What a key copied into another organization it may update there, and copy again.',
    behaviour: reachingAbroad(() => ({})),
  },
  {
    id: 'no-second-name-abroad',
    says: 'A copy keeps its name in another organization, and is refused where the name is taken there.',
    behaviour: reachingAbroad((base) => ({
      copyProfile: (source, name, organization, ...rest) => {
        if (name !== source.name && organization.id !== source.organizationId)
          throw new Refusal(400, `The organization has a profile ${source.name}.`);
        return base.copyProfile(source, name, organization, ...rest);
      },
    })),
  },
  {
    id: 'names-free-again-later',
    says: 'A name that a profile had is free a while after that.',
    behaviour: (base) => {
      const left = new Map<string, number>();
      return {
        checkName: (organization, profile) => {
          const before = organization.profiles.get(profile.id)?.name;
          if (before === profile.name) return undefined;
          if (profile.updatedAt - (left.get(profile.name) ?? 0) < freeAfterMs)
            return refuseParameter(400, 'name', 'is the name of another profile');
          if (before !== undefined) left.set(before, profile.updatedAt);
          return base.checkName(organization, profile);
        },
      };
    },
  },
  {
    id: 'one-copy-at-a-time',
    says: 'While a profile is being copied it is not copied again.',
    behaviour: (base) => {
      const made = new Map<string, number>();
      return {
        copyProfile: (source, name, organization, newId, now) => {
          if (now - (made.get(source.id) ?? 0) < copyingMs) throw new Refusal(400, 'The profile is being copied.');
          made.set(source.id, now);
          return base.copyProfile(source, name, organization, newId, now);
        },
      };
    },
  },
  {
    id: 'default-prefixes-are-shown',
    says: 'A profile without a prefix of its own shows the default one.',
    behaviour: (base) => ({
      presentProfile: (...args) => {
        const shown = base.presentProfile(...args);
        return { ...shown, inboxEmailPrefix: shown.inboxEmailPrefix ?? shown.id.slice(0, 8) };
      },
    }),
  },
  {
    id: 'cookies-take-the-place-of-others',
    says: 'A cookie that is added takes the place of one of its name and domain.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies.filter((one) => !added.some(({ name, domain }) => name === one.name && domain === one.domain)),
          added,
          ...rest,
        ),
    }),
  },
  {
    id: 'credentials-as-they-are-called',
    says: 'A credential that is updated takes the capitals of the name that it was called by.',
    behaviour: (base) => ({
      updateCredentials: (credentials, updates, ...rest) =>
        base.updateCredentials(credentials, updates, ...rest).map((one) => {
          const update = updates.find(({ name }) => name.toLowerCase() === one.name.toLowerCase());
          return update ? { ...one, name: update.name } : one;
        }),
    }),
  },
  {
    id: 'copies-as-old-as-their-source',
    says: 'A copy has the times of its source, and a name that tells nothing.',
    behaviour: (base) => {
      let copies = 0;
      return {
        copyName: () => {
          copies += 1;
          return `Profile ${copies}`;
        },
        copyProfile: (source, ...rest) => ({
          ...base.copyProfile(source, ...rest),
          createdAt: source.createdAt,
          updatedAt: source.updatedAt,
        }),
      };
    },
  },
  {
    id: 'extensions-of-one-organization',
    says: 'A copy in another organization has no extensions, which are those of an organization.',
    behaviour: (base) => ({
      copyProfile: (source, name, organization, ...rest) => {
        const copy = base.copyProfile(source, name, organization, ...rest);
        return organization.id === source.organizationId ? copy : { ...copy, extensionIds: [] };
      },
    }),
  },
];
