import { couplings, derivedFlags, plainFlags } from '../../generated/flags.js';
import type { AgentProfile, AgentProfileUpdate } from '../../generated/types.js';
import { refuseParameter } from '../../reference/errors.js';
import type { Profile } from '../../reference/store.js';
import { bodyOf, isFields, without } from '../change.js';
import type { Fault } from '../fault.js';
import { ofFlags } from '../flags.js';

/** Shows profiles otherwise, also in shapes that the contract rules out. */
const showingProfiles =
  (change: (shown: AgentProfile, profile: Profile) => object): Fault['behaviour'] =>
  (base) => ({
    presentProfile: (profile, inboxEmail) => change(base.presentProfile(profile, inboxEmail), profile) as AgentProfile,
  });

const flags = [...plainFlags, ...couplings.flatMap(({ flag, needs }) => [needs, flag])];

/** An update leaves a field as it is, though it is sent. */
const drops = (field: keyof AgentProfileUpdate, ...also: Fault['breaks'][number][]): Fault => ({
  id: `updates-drop-${field}`,
  // A prefix may be taken and not shown: its rule is the one of the inbox.
  breaks: field === 'inboxEmailPrefix' ? ['inbox-custom-prefix'] : ['update-applies', ...also],
  says: `An update that sends ${field} is taken without it.`,
  behaviour: (base) => ({
    changeSettings: (profile, { [field]: _, ...update }) => base.changeSettings(profile, update),
    changeInbox: (profile, { [field]: _, ...update }) => base.changeInbox(profile, update),
  }),
});

/** An update changes what it does not send. */
const resets = (field: keyof Profile, to: unknown, ...also: Fault['breaks'][number][]): Fault => ({
  id: `updates-reset-${field}`,
  breaks: ['update-is-partial', ...also],
  says: `An update that does not send ${field} resets it.`,
  behaviour: (base) => ({
    changeSettings: (profile, update) => {
      const isSent = Object.keys(update).some((name) => name.startsWith(field));
      return base.changeSettings(isSent ? profile : { ...profile, [field]: to }, update);
    },
  }),
});

/** Whether nothing is wrong with credentials but what they lack. */
const isOfTexts = (body: unknown): boolean =>
  isFields(body) &&
  Array.isArray(body.credentialsToAdd) &&
  body.credentialsToAdd.every((one) => isFields(one) && Object.values(one).every((value) => typeof value === 'string'));

/** What becomes of an update, and how profiles are shown. */
export const profileFaults: readonly Fault[] = [
  drops('name'),
  drops('description'),
  drops('extensionIds'),
  drops('inboxEmailPrefix', 'inbox-custom-prefix'),
  ...flags.map((field) => drops(field)),
  resets('description', ''),
  ...ofFlags([1], (flag) => resets(flag, false)),
  ...ofFlags([5], (flag) => resets(flag, true)),
  resets('extensionIds', []),
  resets('cookies', [], 'cookies-are-added', 'duplicate-is-independent'),
  resets('credentials', [], 'duplicate-is-independent'),
  ...derivedFlags.map(({ flag }) => resets(flag, true)),
  {
    id: 'updates-are-not-stored',
    breaks: [
      'update-applies',
      'update-is-partial',
      'update-keeps-identity',
      'cookies-are-added',
      'cookies-are-deleted',
      'credentials-are-added',
      'credentials-are-deleted',
      'credentials-update-ignores-case',
      'duplicate-copies-settings',
      'duplicate-copies-cookies',
      'duplicate-copies-credentials',
    ],
    says: 'Every update is answered as done, and gone with the next one.',
    behaviour: () => ({ storeProfile: () => {} }),
  },
  {
    id: 'descriptions-are-not-stored',
    breaks: ['update-applies', 'update-is-partial'],
    says: 'A description is answered as sent, and the old one is there with the next update.',
    behaviour: (base) => ({
      storeProfile: (organization, profile) => {
        const { description } = organization.profiles.get(profile.id) ?? profile;
        base.storeProfile(organization, { ...profile, description });
      },
    }),
  },
  ...ofFlags(
    [2],
    (flag): Fault => ({
      id: 'every-second-flag-is-not-stored',
      breaks: ['update-applies'],
      says: `Every second time ${flag} is answered as sent, and as it was with the next update.`,
      behaviour: (base) => {
        let changes = 0;
        return {
          storeProfile: (organization, profile) => {
            const { [flag]: was } = organization.profiles.get(profile.id) ?? profile;
            if (was !== profile[flag]) changes += 1;
            base.storeProfile(organization, { ...profile, [flag]: changes % 2 === 0 ? was : profile[flag] });
          },
        };
      },
    }),
  ),
  {
    id: 'inbox-prefix-is-not-stored',
    breaks: ['update-applies'],
    says: 'inboxEmailPrefix is gone with the next update.',
    behaviour: (base) => ({
      storeProfile: (organization, profile) =>
        base.storeProfile(organization, { ...profile, inboxEmailPrefix: undefined }),
    }),
  },
  {
    id: 'descriptions-are-escaped',
    breaks: ['update-applies'],
    says: 'A description comes back as HTML.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        const next = base.changeSettings(profile, update);
        return { ...next, description: next.description.replaceAll('<', '&lt;') };
      },
    }),
  },
  {
    id: 'descriptions-lose-accents',
    breaks: ['update-applies'],
    says: 'Letters beyond ASCII are question marks in a description.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        const next = base.changeSettings(profile, update);
        return { ...next, description: next.description.replaceAll(/[^ -~]/g, '?') };
      },
    }),
  },
  {
    id: 'names-are-cut',
    breaks: ['update-applies'],
    says: 'A name is cut to 200 characters.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        const next = base.changeSettings(profile, update);
        return update.name === undefined ? next : { ...next, name: next.name.slice(0, 200) };
      },
    }),
  },
  {
    id: 'refused-updates-are-done-in-part',
    breaks: ['update-is-atomic'],
    says: 'An update that is refused for its name changes the rest.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        base
          .violations(operation, body)
          .filter(({ parameter }) => operation !== 'updateProfile' || parameter !== 'name'),
      checkName: (organization, next) => {
        const refusal =
          typeof next.name !== 'string' || next.name === '' || next.name.length > 255
            ? refuseParameter(400, 'name', 'must have 1 to 255 characters')
            : base.checkName(organization, next);
        const before = organization.profiles.get(next.id);
        if (refusal && before) base.storeProfile(organization, { ...next, name: before.name });
        return refusal;
      },
    }),
  },
  {
    id: 'updates-refused-for-credentials-are-done-in-part',
    breaks: ['update-is-atomic'],
    says: 'An update that is refused for a credential without data changes the description.',
    behaviour: (base) => {
      let isIncomplete = false;
      return {
        violations: (operation, body) =>
          base
            .violations(operation, body)
            .filter(
              ({ parameter }) =>
                operation !== 'updateProfile' || !parameter.startsWith('credentialsToAdd') || !isOfTexts(body),
            ),
        changeSettings: (profile, update) => {
          isIncomplete = [update.credentialsToAdd ?? []].flat().some((one) => !('data' in one && 'name' in one));
          return base.changeSettings(profile, update);
        },
        checkName: (organization, next) => {
          const before = organization.profiles.get(next.id);
          if (!isIncomplete || !before) return base.checkName(organization, next);
          base.storeProfile(organization, { ...before, description: next.description });
          return refuseParameter(400, 'credentialsToAdd', 'must have a name and data');
        },
      };
    },
  },
  {
    id: 'refused-names-are-stored',
    breaks: ['update-is-atomic', 'profile-name-is-unique'],
    says: 'A name that is refused because another profile has it is stored all the same.',
    behaviour: (base) => ({
      checkName: (organization, next) => {
        const refusal = base.checkName(organization, next);
        if (!refusal || organization.profiles.get(next.id)?.name === next.name) return undefined;
        base.storeProfile(organization, next);
        return refusal;
      },
    }),
  },
  {
    id: 'updates-change-the-id',
    breaks: ['update-keeps-identity'],
    says: 'The id in the answer to an update is not that of the profile.',
    behaviour: bodyOf('updateProfile', (body) => ({ ...body, id: body.organizationId })),
  },
  {
    id: 'updates-change-the-organization',
    breaks: ['update-keeps-identity'],
    says: 'A profile without a description is shown in another organization.',
    behaviour: bodyOf('updateProfile', (body) =>
      body.description === '' ? { ...body, organizationId: body.id } : body,
    ),
  },
  {
    id: 'updates-change-created-at',
    breaks: ['update-keeps-identity'],
    says: 'createdAt of a profile is when it was last updated.',
    behaviour: showingProfiles((shown) => ({ ...shown, createdAt: shown.updatedAt })),
  },
  {
    id: 'updated-at-goes-back',
    breaks: ['update-keeps-identity'],
    says: 'updatedAt is a minute earlier with each update.',
    behaviour: () => ({ touch: (profile) => ({ ...profile, updatedAt: profile.updatedAt - 60_000 }) }),
  },
  {
    id: 'proxy-password-is-shown',
    breaks: ['proxy-password-is-hidden'],
    says: 'customProxy shows the password.',
    behaviour: showingProfiles((shown, { customProxy }) => (customProxy ? { ...shown, customProxy } : shown)),
  },
  {
    id: 'proxy-password-is-called-secret',
    breaks: ['proxy-password-is-hidden'],
    says: 'customProxy shows the password under another name.',
    behaviour: showingProfiles((shown, { customProxy }) =>
      customProxy
        ? { ...shown, customProxy: { ...without(customProxy, 'password'), auth: customProxy.password } }
        : shown,
    ),
  },
  {
    id: 'proxy-password-is-in-its-address',
    breaks: ['proxy-password-is-hidden'],
    says: 'The address of customProxy has user and password in it.',
    behaviour: showingProfiles((shown, { customProxy }) => {
      const { server, username, password } = customProxy ?? {};
      if (password === undefined) return shown;
      const secret = encodeURIComponent(String(password));
      return { ...shown, customProxy: { server: `http://${username}:${secret}@${server}`, username } };
    }),
  },
  {
    id: 'proxy-password-is-in-its-header',
    breaks: ['proxy-password-is-hidden'],
    says: 'customProxy has the header in it that is sent to the proxy.',
    behaviour: showingProfiles((shown, { customProxy }) => {
      const { username, password, ...rest } = customProxy ?? {};
      if (password === undefined) return shown;
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      return { ...shown, customProxy: { ...rest, username, headers: { authorization } } };
    }),
  },
  {
    id: 'proxy-is-shown-in-the-open',
    breaks: ['proxy-password-is-hidden'],
    says: 'What belongs into customProxy, the password with it, stands beside it.',
    behaviour: showingProfiles((shown, { customProxy }) => ({ ...shown, ...customProxy })),
  },
  {
    id: 'inbox-is-the-whole-id',
    breaks: ['inbox-default-prefix'],
    says: 'Without a prefix the inbox is the whole id.',
    behaviour: (base) => ({
      inboxOf: (profile) => base.inboxOf({ ...profile, inboxEmailPrefix: profile.inboxEmailPrefix ?? profile.id }),
    }),
  },
  {
    id: 'inbox-is-the-end-of-the-id',
    breaks: ['inbox-default-prefix'],
    says: 'Without a prefix the inbox is the last 8 characters of the id.',
    behaviour: (base) => ({
      inboxOf: (profile) =>
        base.inboxOf({ ...profile, inboxEmailPrefix: profile.inboxEmailPrefix ?? profile.id.slice(-8) }),
    }),
  },
  {
    id: 'inbox-keeps-its-prefix',
    breaks: ['inbox-custom-prefix'],
    says: 'The inbox does not follow inboxEmailPrefix.',
    behaviour: (base) => ({ inboxOf: (profile) => base.inboxOf({ ...profile, inboxEmailPrefix: undefined }) }),
  },
  {
    id: 'inbox-changes-its-domain',
    breaks: ['inbox-custom-prefix'],
    says: 'An inbox with a prefix of its own is at another domain.',
    behaviour: (base) => ({
      inboxOf: (profile) =>
        profile.inboxEmailPrefix ? `${profile.inboxEmailPrefix}@custom.example.com` : base.inboxOf(profile),
    }),
  },
  ...ofFlags(
    [4, 2],
    (one, other): Fault => ({
      id: 'flags-go-together',
      breaks: ['update-is-partial'],
      says: `An update that sets ${one} sets ${other} as well.`,
      behaviour: (base) => ({
        changeSettings: (profile, update) => {
          const next = base.changeSettings(profile, update);
          return update[one] === undefined || update[other] !== undefined ? next : { ...next, [other]: update[one] };
        },
      }),
    }),
  ),
  {
    id: 'own-names-are-taken',
    breaks: ['update-applies'],
    says: 'An update that sends the name that the profile has is refused.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        if (update.name === profile.name) throw refuseParameter(400, 'name', 'is taken');
        return base.changeSettings(profile, update);
      },
    }),
  },
  {
    id: 'descriptions-like-numbers-are-numbers',
    breaks: ['update-applies'],
    says: 'A description that looks like a number comes back as one would be written.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        const next = base.changeSettings(profile, update);
        const number = Number(next.description);
        return next.description === '' || Object.is(number, Number.NaN) ? next : { ...next, description: `${number}` };
      },
    }),
  },
  {
    id: 'names-are-cut-by-bytes',
    breaks: ['update-applies'],
    says: 'A name is cut to 255 bytes.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        const next = base.changeSettings(profile, update);
        const bytes = new TextEncoder().encode(next.name).slice(0, 255);
        return { ...next, name: new TextDecoder().decode(bytes, { stream: true }) };
      },
    }),
  },
  {
    id: 'descriptions-are-counted-in-bytes',
    breaks: ['profile-description-length', 'update-applies'],
    says: 'A description of more than 1000 bytes is refused.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        operation === 'updateProfile' &&
        isFields(body) &&
        typeof body.description === 'string' &&
        new TextEncoder().encode(body.description).length > 1000
          ? [{ kind: 'value', parameter: 'description', detail: 'must have 1000 or fewer bytes' }]
          : base.violations(operation, body),
    }),
  },
  {
    id: 'names-of-one-character-are-answered-and-not-kept',
    breaks: ['update-applies'],
    says: 'A name of one character is answered, and is gone with the next update.',
    behaviour: (base) => {
      const before = new Map<string, string>();
      return {
        changeSettings: (profile, update) => {
          const name = before.get(profile.id) ?? profile.name;
          before.delete(profile.id);
          if (update.name && [...update.name].length === 1) before.set(profile.id, name);
          return base.changeSettings({ ...profile, name }, update);
        },
      };
    },
  },
  {
    id: 'proxy-password-is-in-an-address-beside-it',
    breaks: ['proxy-password-is-hidden'],
    says: 'Beside customProxy there is the address of the proxy, with the password in it.',
    behaviour: showingProfiles((shown, { customProxy }) =>
      customProxy
        ? { ...shown, proxyUrl: `http://${encodeURIComponent(String(customProxy.password))}@${customProxy.server}` }
        : shown,
    ),
  },
  {
    id: 'proxy-password-is-in-copies',
    breaks: ['proxy-password-is-hidden', 'duplicate-copies-settings'],
    says: 'The answer to a duplicate has the password in the address of the proxy.',
    behaviour: (base) => ({
      copyProfile: (source, ...rest) => {
        const { customProxy, ...copy } = base.copyProfile(source, ...rest);
        const { server, password } = customProxy ?? {};
        return { ...copy, customProxy: customProxy && { ...customProxy, server: `http://:${password}@${server}` } };
      },
    }),
  },
];
