/** Faults by which an update does not do what it asks for. */

import { couplings, plainFlags } from '../../../generated/flags.js';
import type { AgentProfileUpdate } from '../../../generated/types.js';
import { refuseParameter } from '../../../reference/errors.js';
import type { Profile } from '../../../reference/store.js';
import { changing, failing, giving, isFields, reachingAbroad, refusing } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';
import { ofFlags } from '../../flags.js';

const nameTaken = () => refuseParameter(400, 'name', 'is the name of another profile');

/** Updates ignore a field. */
const drops = (field: keyof AgentProfileUpdate) =>
  breaking('update-applies', {
    [`updates-drop-${field}`]: giving('changeSettings', ({ [field]: _, ...update }) => update),
  });

export const appliesFaults: readonly Fault[] = [
  ...breaking('update-applies', {
    'extensions-come-back': giving('storeProfile', (profile, organization) => {
      const { extensionIds } = organization.profiles.get(profile.id) ?? profile;
      return profile.extensionIds.length > 0 ? profile : { ...profile, extensionIds };
    }),
    'cookies-come-or-go': (base) => ({
      violations: (operation, body) => {
        const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;
        return isFields(body) && isFilled(body.cookiesToAdd) && isFilled(body.cookiesToDelete)
          ? [{ kind: 'value', parameter: 'cookiesToDelete', detail: 'does not go with cookiesToAdd' }]
          : base.violations(operation, body);
      },
    }),
    'names-are-unique-everywhere': reachingAbroad((base) => {
      const all = new Map<string, string>();
      const store = ({ id, name }: Profile) => all.set(id, name);
      return {
        storeCopy: (organization, copy, ...rest) => {
          store(copy);
          base.storeCopy(organization, copy, ...rest);
        },
        storeProfile: (organization, profile) => {
          store(profile);
          base.storeProfile(organization, profile);
        },
        checkName: (organization, profile) =>
          all.get(profile.id) !== profile.name &&
          [...all].some(([id, name]) => id !== profile.id && name === profile.name)
            ? nameTaken()
            : base.checkName(organization, profile),
      };
    }),
    'updates-are-not-stored': [
      () => ({ storeProfile: () => {} }),
      'update-keeps-identity',
      'cookies-are-added',
      'cookies-are-deleted',
      'credentials-are-added',
      'credentials-are-deleted',
      'credentials-update-ignores-case',
    ],
    'descriptions-are-not-stored': giving('storeProfile', (profile, organization) => {
      const { description } = organization.profiles.get(profile.id) ?? profile;
      return { ...profile, description };
    }),
    'inbox-prefix-is-not-stored': giving('storeProfile', (profile) => ({ ...profile, inboxEmailPrefix: undefined })),
    'descriptions-are-escaped': changing('changeSettings', (next) => ({
      ...next,
      description: next.description.replaceAll('<', '&lt;'),
    })),
    'descriptions-lose-accents': changing('changeSettings', (next) => ({
      ...next,
      description: next.description.replaceAll(/[^ -~]/g, '?'),
    })),
    'names-are-cut': changing('changeSettings', (next, _profile, update) =>
      update.name === undefined ? next : { ...next, name: next.name.slice(0, 200) },
    ),
    'own-names-beside-more-are-taken': failing(
      'changeSettings',
      (profile, update) =>
        update.name === profile.name && Object.keys(update).length > 1 && refuseParameter(400, 'name', 'is taken'),
    ),
    'descriptions-like-numbers-are-numbers': changing('changeSettings', (next) => {
      const number = Number(next.description);
      return next.description === '' || Object.is(number, Number.NaN) ? next : { ...next, description: `${number}` };
    }),
    'names-are-cut-by-bytes': changing('changeSettings', (next) => {
      const bytes = new TextEncoder().encode(next.name).slice(0, 255);
      return { ...next, name: new TextDecoder().decode(bytes, { stream: true }) };
    }),
    'names-of-one-character-are-answered-and-not-kept': (base) => {
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
    'names-lose-slashes': giving('changeSettings', (update) => ({
      ...update,
      ...(update.name && { name: update.name.replace(/[/:]/g, '-') }),
    })),
    'profiles-in-use-stay-as-they-are': (base) => ({
      storeProfile: (organization, profile) => {
        if (!organization.profilesInUse.get(profile.id)) base.storeProfile(organization, profile);
      },
    }),
    ...ofFlags(
      [2],
      (flag): Readonly<Record<string, Fault['behaviour']>> => ({
        'every-second-flag-is-not-stored': (base) => {
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
    'blanks-in-names-are-joined': changing('changeSettings', (next) => ({
      ...next,
      name: next.name.replaceAll(/ +/g, ' '),
    })),
  }),
  ...[
    'name' as const,
    'description' as const,
    'extensionIds' as const,
    ...plainFlags,
    ...couplings.flatMap(({ flag, needs }) => [needs, flag]),
  ].flatMap(drops),
  ...couplings.flatMap(({ flag, needs }) =>
    breaking('update-applies', {
      'adblock-is-not-enough': refusing(
        flag,
        (body, operation) => operation === 'updateProfile' && body[flag] === true && body[needs] === undefined,
      ),
      'popups-stay-blocked-under-adblock': changing('changeSettings', (changed, profile) => ({
        ...changed,
        [flag]: (profile[flag] && changed[needs]) || changed[flag],
      })),
    }),
  ),
];
