import { couplings } from '../../../generated/flags.js';
import {
  bodyOf,
  type Fields,
  ignoring,
  isFields,
  isSeeded,
  overlooking,
  reachingAbroad,
  refusing,
  showingProfiles,
  without,
} from '../../change.js';
import type { Fault } from '../../fault.js';

const isLong = ({ name }: Fields) => typeof name === 'string' && name.length > 255 && /[^\p{ASCII}]/u.test(name);

const length = (value: unknown) => (typeof value === 'string' ? [...value].length : undefined);

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
  behaviour: refusing(field, (body, operation) => operation === 'updateProfile' && length(body[field]) === chars),
});

/** Faults in single fields of a profile. */
export const fieldFaults: readonly Fault[] = [
  {
    id: 'copies-are-answered-as-of-long-ago',
    breaks: ['update-keeps-identity'],
    says: 'The answer to a duplicate has another createdAt than the copy.',
    behaviour: bodyOf('duplicateProfile', (copy) => ({ ...copy, createdAt: '2001-01-01T00:00:00Z' })),
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
    id: 'names-abroad-are-not-unique',
    breaks: ['profile-name-is-unique'],
    says: 'In another organization a profile may have the name of another one.',
    behaviour: reachingAbroad((base) => ({
      checkName: (organization, profile) =>
        profile.organizationId === organization.id ? base.checkName(organization, profile) : undefined,
    })),
  },
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
  {
    id: 'long-names-of-other-letters-pass',
    breaks: ['profile-name-length'],
    says: 'A name of any length is taken that has more letters than those of ASCII.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        base.violations(operation, isFields(body) && isLong(body) ? without(body, 'name') : body),
    }),
  },
  {
    id: 'far-too-long-names-are-taken',
    breaks: ['profile-name-length'],
    says: 'A name that is far too long is taken beside a description.',
    behaviour: overlooking(
      ({ name, description }, operation) =>
        operation === 'updateProfile' && String(name).length > 300 && description !== undefined,
    ),
  },
  outside('name', 0),
  outside('name', 256),
  within('name', 1),
  within('name', 255),
  {
    id: 'too-long-descriptions-are-taken-with-a-name',
    breaks: ['profile-description-length'],
    says: 'A description that is too long is taken beside a name.',
    behaviour: overlooking(
      ({ name, description }, operation) =>
        operation === 'updateProfile' && String(description).length > 1000 && name !== undefined && name !== '',
    ),
  },
  {
    id: 'far-too-long-descriptions-are-taken',
    breaks: ['profile-description-length'],
    says: 'A description that is far too long is taken.',
    behaviour: overlooking(
      ({ description }, operation) => operation === 'updateProfile' && String(description).length > 1200,
    ),
  },
  {
    id: 'descriptions-are-counted-in-bytes',
    breaks: ['profile-description-length', 'update-applies'],
    says: 'A description of more than 1000 bytes is refused.',
    behaviour: refusing(
      'description',
      (body, operation) =>
        operation === 'updateProfile' &&
        typeof body.description === 'string' &&
        new TextEncoder().encode(body.description).length > 1000,
    ),
  },
  outside('description', 1001),
  within('description', 1000, 'update-applies'),
  ...couplings.map(
    ({ rule, flag, needs }): Fault => ({
      id: 'copies-block-popups-without-adblock',
      breaks: [rule, 'response-matches-schema'],
      says: `A copy may have ${flag} without ${needs}.`,
      behaviour: (base) => ({
        changeCoupledFlags: (profile) => (isSeeded(profile) ? base.changeCoupledFlags(profile) : profile),
      }),
    }),
  ),
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
    id: 'updates-drop-inboxEmailPrefix',
    // The prefix itself need not be shown, so the rule on the inbox address applies.
    breaks: ['inbox-custom-prefix'],
    says: 'An update that sends inboxEmailPrefix is taken without it.',
    behaviour: (base) => ({
      changeInbox: (profile, { inboxEmailPrefix: _, ...update }) => base.changeInbox(profile, update),
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
  {
    id: 'prefixes-end-at-a-plus',
    breaks: ['inbox-custom-prefix', 'update-applies'],
    says: 'Of an inboxEmailPrefix what follows a plus is lost.',
    behaviour: (base) => ({
      changeInbox: (profile, update) =>
        base.changeInbox(profile, {
          ...update,
          ...(typeof update.inboxEmailPrefix === 'string' && {
            inboxEmailPrefix: update.inboxEmailPrefix.split('+')[0],
          }),
        }),
    }),
  },
];
