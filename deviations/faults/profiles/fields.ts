import { couplings } from '../../../generated/flags.js';
import {
  bodyOf,
  changing,
  type Fields,
  giving,
  isFields,
  isSeeded,
  overlooking,
  reachingAbroad,
  refusing,
  showingProfiles,
  without,
} from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

const isLong = ({ name }: Fields) => typeof name === 'string' && name.length > 255 && /[^\p{ASCII}]/u.test(name);

/** Refuses updates with a text of so many characters. */
const refusingChars = (field: 'name' | 'description', chars: number): Fault['behaviour'] =>
  refusing(field, ({ [field]: value }, operation) => {
    const length = typeof value === 'string' ? [...value].length : undefined;
    return operation === 'updateProfile' && length === chars;
  });

/** Faults in single fields of a profile. */
export const fieldFaults: readonly Fault[] = [
  ...breaking('update-keeps-identity', {
    'copies-are-answered-as-of-long-ago': bodyOf('duplicateProfile', (copy) => ({
      ...copy,
      createdAt: '2001-01-01T00:00:00Z',
    })),
    'updates-change-the-id': bodyOf('updateProfile', (body) => ({ ...body, id: body.organizationId })),
    'updates-change-the-organization': bodyOf('updateProfile', (body) =>
      body.description === '' ? { ...body, organizationId: body.id } : body,
    ),
    'updated-at-goes-back': () => ({ touch: (profile) => ({ ...profile, updatedAt: profile.updatedAt - 60_000 }) }),
    'updates-are-dated-in-another-zone': () => ({
      touch: (profile, now) => ({ ...profile, updatedAt: now - 5 * 3_600_000 }),
    }),
  }),
  ...breaking('profile-name-is-unique', {
    'names-abroad-are-not-unique': reachingAbroad((base) => ({
      checkName: (organization, profile) =>
        profile.organizationId === organization.id ? base.checkName(organization, profile) : undefined,
    })),
    'names-may-repeat-beside-more': [
      (base) => ({
        checkName: (organization, next) =>
          organization.profiles.get(next.id)?.description === next.description
            ? base.checkName(organization, next)
            : undefined,
      }),
      'cookies-are-deleted',
      'credentials-are-deleted',
      'credentials-update-ignores-case',
    ],
  }),
  ...breaking('profile-name-length', {
    'name-of-1-is-refused': refusingChars('name', 1),
    'name-of-255-is-refused': refusingChars('name', 255),
    'long-names-of-other-letters-pass': giving('violations', (body) =>
      isFields(body) && isLong(body) ? without(body, 'name') : body,
    ),
    'far-too-long-names-are-taken': overlooking(
      ({ name, description }, operation) =>
        operation === 'updateProfile' && String(name).length > 300 && description !== undefined,
    ),
  }),
  ...breaking('profile-description-length', {
    'description-of-1000-is-refused': [refusingChars('description', 1000), 'update-applies'],
    'too-long-descriptions-are-taken-with-a-name': overlooking(
      ({ name, description }, operation) =>
        operation === 'updateProfile' && String(description).length > 1000 && name !== undefined && name !== '',
    ),
    'far-too-long-descriptions-are-taken': overlooking(
      ({ description }, operation) => operation === 'updateProfile' && String(description).length > 1200,
    ),
    'descriptions-are-counted-in-bytes': [
      refusing(
        'description',
        (body, operation) =>
          operation === 'updateProfile' &&
          typeof body.description === 'string' &&
          new TextEncoder().encode(body.description).length > 1000,
      ),
      'update-applies',
    ],
  }),
  ...couplings.flatMap(({ rule, flag }) =>
    breaking(rule, {
      'copies-block-popups-without-adblock': [
        (base) => ({
          changeCoupledFlags: (profile) => (isSeeded(profile) ? base.changeCoupledFlags(profile) : profile),
        }),
        'response-matches-schema',
      ],
      'popups-are-blocked-without-adblock': [
        () => ({ changeCoupledFlags: (profile) => profile }),
        'response-matches-schema',
      ],
      'adblock-goes-off-alone': [
        (base) => {
          let wasOn = false;
          return {
            changeSettings: (profile, update) => {
              wasOn = profile[flag];
              return base.changeSettings(profile, update);
            },
            changeCoupledFlags: (profile) => (wasOn ? profile : base.changeCoupledFlags(profile)),
          };
        },
        'response-matches-schema',
      ],
    }),
  ),
  ...breaking('proxy-password-is-hidden', {
    'proxy-password-is-shown': showingProfiles((shown, { customProxy }) =>
      customProxy ? { ...shown, customProxy } : shown,
    ),
    'proxy-password-is-in-its-address': showingProfiles((shown, { customProxy }) => {
      const { server, username, password } = customProxy ?? {};
      if (password === undefined) return shown;
      const secret = encodeURIComponent(String(password));
      return { ...shown, customProxy: { server: `http://${username}:${secret}@${server}`, username } };
    }),
    'first-proxy-password-is-in-its-address': showingProfiles((shown, { customProxy }) => {
      const { server, username, password } = customProxy ?? {};
      return password === 'not-a-real-password'
        ? { ...shown, customProxy: { server: `http://${username}:${password}@${server}`, username } }
        : shown;
    }),
    'proxy-password-is-in-copies': [
      changing('copyProfile', ({ customProxy, ...copy }) => {
        const { server, password } = customProxy ?? {};
        return { ...copy, customProxy: customProxy && { ...customProxy, server: `http://:${password}@${server}` } };
      }),
      'duplicate-copies-settings',
    ],
  }),
  ...breaking('inbox-default-prefix', {
    'inbox-is-the-whole-id': (base) => ({
      inboxOf: (profile) => base.inboxOf({ ...profile, inboxEmailPrefix: profile.inboxEmailPrefix ?? profile.id }),
    }),
    'inbox-is-the-end-of-the-id': (base) => ({
      inboxOf: (profile) =>
        base.inboxOf({ ...profile, inboxEmailPrefix: profile.inboxEmailPrefix ?? profile.id.slice(-8) }),
    }),
  }),
  ...breaking('inbox-custom-prefix', {
    'updates-drop-inboxEmailPrefix-beside-others': [
      giving('changeInbox', (update) => {
        const { inboxEmailPrefix: _, ...others } = update;
        return Object.keys(others).length > 0 ? others : update;
      }),
      'update-applies',
    ],
    'prefixes-end-at-a-plus': [
      giving('changeInbox', (update) => ({
        ...update,
        ...(typeof update.inboxEmailPrefix === 'string' && {
          inboxEmailPrefix: update.inboxEmailPrefix.split('+')[0],
        }),
      })),
      'update-applies',
    ],
  }),
];
