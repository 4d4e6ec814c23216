import type { AgentProfile, AgentProfileUpdate } from '../../generated/types.js';
import { refuseParameter } from '../errors.js';
import type { Profile } from '../store.js';
import { ignoring, isFields, without } from './change.js';
import type { Fault } from './fault.js';

/** Shows profiles otherwise, also in shapes that the contract rules out. */
export const showingProfiles =
  (change: (shown: AgentProfile, profile: Profile) => object): Fault['behaviour'] =>
  (base) => ({
    presentProfile: (profile, inboxEmail) => change(base.presentProfile(profile, inboxEmail), profile) as AgentProfile,
  });

const flags = [
  'adblockActive',
  'allow3rdCookies',
  'cachePersistence',
  'extraStealth',
  'forcePopupsAsTabsActive',
  'mediaBlockerActive',
  'pdfViewerActive',
  'popupBlockerActive',
] as const;

/** An update leaves a field as it is, though it is sent. */
const drops = (field: keyof AgentProfileUpdate, ...also: Fault['breaks'][number][]): Fault => ({
  id: `updates-drop-${field}`,
  breaks: ['update-applies', ...also],
  says: `An update that sends ${field} is taken without it.`,
  behaviour: (base) => ({
    changeSettings: (profile, { [field]: _, ...update }) => base.changeSettings(profile, update),
    changeInbox: (profile, { [field]: _, ...update }) => base.changeInbox(profile, update),
  }),
});

/** An update changes what it does not send. */
const resets = (field: keyof Profile, to: unknown): Fault => ({
  id: `updates-reset-${field}`,
  breaks: ['update-is-partial'],
  says: `An update that does not send ${field} resets it.`,
  behaviour: (base) => ({
    changeSettings: (profile, update) => base.changeSettings({ ...profile, [field]: to }, update),
  }),
});

const text = (value: unknown) => typeof value === 'string';
const uuids = (value: unknown) => Array.isArray(value) && value.every((item) => /^[\da-f-]{36}$/i.test(String(item)));
const having = (field: string) => (value: unknown) =>
  Array.isArray(value) && value.every((item) => isFields(item) && field in item);

const mistyped: readonly (readonly [slug: string, field: keyof AgentProfileUpdate, is: (value: unknown) => boolean])[] =
  [
    ['names-of-numbers', 'name', text],
    ['descriptions-of-numbers', 'description', text],
    ['flags-of-words', 'cachePersistence', (value) => typeof value === 'boolean'],
    ['extensions-of-any-kind', 'extensionIds', uuids],
    ['proxy-types-of-any-kind', 'proxyType', (value) => value === 'basic'],
    ['presets-of-any-kind', 'proxyGatewayPresetId', (value) => uuids([value])],
    ['incomplete-cookies', 'cookiesToAdd', having('domain')],
    ['cookie-ids-of-any-kind', 'cookiesToDelete', uuids],
    ['incomplete-credentials', 'credentialsToAdd', having('data')],
    ['credential-ids-of-any-kind', 'credentialsToDelete', uuids],
  ];

const length = (value: unknown) => (text(value) ? [...(value as string)].length : 1);
const bounds: readonly (readonly [
  id: string,
  rule: Fault['breaks'][number],
  field: 'name' | 'description',
  length: number,
])[] = [
  ['empty-names-are-none', 'profile-name-length', 'name', 0],
  ['names-of-256-are-none', 'profile-name-length', 'name', 256],
  ['descriptions-of-1001-are-none', 'profile-description-length', 'description', 1001],
];
const refused: typeof bounds = [
  ['names-of-1-are-refused', 'profile-name-length', 'name', 1],
  ['names-of-255-are-refused', 'profile-name-length', 'name', 255],
  ['descriptions-of-1000-are-refused', 'profile-description-length', 'description', 1000],
];

/** What an update takes, and what becomes of it. */
export const profileFaults: readonly Fault[] = [
  ...(['name', 'description', 'extensionIds', 'inboxEmailPrefix'] as const).map((field) =>
    drops(field, ...(field === 'inboxEmailPrefix' ? (['inbox-custom-prefix'] as const) : [])),
  ),
  ...flags.map((field) => drops(field)),
  resets('description', ''),
  resets('cachePersistence', false),
  resets('pdfViewerActive', true),
  resets('extensionIds', []),
  resets('cookies', []),
  resets('credentials', []),
  resets('inboxEmailPrefix', undefined),
  resets('stickyIP', true),
  {
    id: 'updates-are-not-stored',
    breaks: ['update-applies'],
    says: 'An update is answered as done, and gone with the next one.',
    behaviour: () => ({ storeProfile: () => {} }),
  },
  {
    id: 'names-are-cut',
    breaks: ['update-applies'],
    says: 'A name is cut to 200 characters.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => {
        const next = base.changeSettings(profile, update);
        return { ...next, name: next.name.slice(0, 200) };
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
    id: 'updates-change-the-id',
    breaks: ['update-keeps-identity'],
    says: 'The id in the answer to an update is not that of the profile.',
    behaviour: showingProfiles((shown) => ({ ...shown, id: shown.organizationId })),
  },
  {
    id: 'updates-change-the-organization',
    breaks: ['update-keeps-identity'],
    says: 'A profile that is renamed is shown in another organization.',
    behaviour: showingProfiles((shown, { id, name }) =>
      name.startsWith('conformance') ? { ...shown, organizationId: id } : shown,
    ),
  },
  {
    id: 'updates-change-created-at',
    breaks: ['update-keeps-identity'],
    says: 'createdAt of a profile is when it was last updated.',
    behaviour: showingProfiles((shown) => ({ ...shown, createdAt: shown.updatedAt })),
  },
  {
    id: 'updated-at-stands-still',
    breaks: ['update-keeps-identity'],
    says: 'updatedAt does not move.',
    behaviour: () => ({ touch: (profile) => profile }),
  },
  {
    id: 'updated-at-goes-back',
    breaks: ['update-keeps-identity'],
    says: 'updatedAt is a minute earlier with each update.',
    behaviour: () => ({ touch: (profile) => ({ ...profile, updatedAt: profile.updatedAt - 60_000 }) }),
  },
  ...bounds.map(
    ([id, rule, field, chars]): Fault => ({
      id,
      breaks: [rule],
      says: `A ${field} of ${chars} characters is taken as if it had not been sent.`,
      behaviour: ignoring(field, (value) => length(value) !== chars),
    }),
  ),
  ...refused.map(
    ([id, rule, field, chars]): Fault => ({
      id,
      breaks: [rule],
      says: `A ${field} of ${chars} characters is refused.`,
      behaviour: (base) => ({
        violations: (operation, body) =>
          operation === 'updateProfile' && isFields(body) && text(body[field]) && length(body[field]) === chars
            ? [{ kind: 'value', parameter: field, detail: 'is out of bounds' }]
            : base.violations(operation, body),
      }),
    }),
  ),
  {
    id: 'names-may-repeat',
    breaks: ['profile-name-is-unique'],
    says: 'A profile may take the name of another one.',
    behaviour: () => ({ checkName: () => undefined }),
  },
  {
    id: 'popups-are-blocked-without-adblock',
    breaks: ['popup-blocker-requires-adblock', 'response-matches-schema'],
    says: 'The popup blocker may be on while adblock is off.',
    behaviour: () => ({ changePopupBlocker: (profile) => profile }),
  },
  {
    id: 'adblock-goes-off-alone',
    breaks: ['popup-blocker-requires-adblock', 'response-matches-schema'],
    says: 'Adblock may be turned off under a popup blocker that is on.',
    behaviour: (base) => {
      const on = new Set<string>();
      return {
        changeSettings: (profile, update) => {
          if (profile.popupBlockerActive) on.add(profile.id);
          else on.delete(profile.id);
          return base.changeSettings(profile, update);
        },
        changePopupBlocker: (profile) => (on.has(profile.id) ? profile : base.changePopupBlocker(profile)),
      };
    },
  },
  ...mistyped.map(
    ([slug, field, is]): Fault => ({
      id: `updates-ignore-${slug}`,
      breaks: ['update-body-is-typed'],
      says: `An update whose ${field} is not of its type is taken without it.`,
      behaviour: ignoring(field, is),
    }),
  ),
  {
    id: 'proxy-password-is-shown',
    breaks: ['proxy-password-is-hidden', 'response-matches-schema'],
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
];
