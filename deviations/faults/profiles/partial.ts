/** Faults by which an update changes something else, or changes something although it is refused. */

import { type CoupledFlag, couplings, derivedFlags, type PlainFlag } from '../../../generated/flags.js';
import { refuseParameter } from '../../../reference/errors.js';
import type { Organization, Profile } from '../../../reference/store.js';
import { type Base, changing, isFields } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';
import { ofFlags } from '../../flags.js';

/** Updates that `from` refuses change the description nevertheless. */
const keepingDescription =
  (from: (base: Base, defer: <T>(work: () => T, otherwise: T) => T) => Partial<Base>): Fault['behaviour'] =>
  (base) => {
    let refused: unknown;
    return {
      ...from(base, (work, otherwise) => {
        try {
          return work();
        } catch (error) {
          refused = error;
          return otherwise;
        }
      }),
      checkName: (organization, next) => {
        const [before, error] = [organization.profiles.get(next.id), refused];
        refused = undefined;
        if (error === undefined || !before) return base.checkName(organization, next);
        base.storeProfile(organization, { ...before, description: next.description });
        throw error;
      },
    };
  };

/** Updates that are refused for the name of another profile are stored in part. */
const storingRefused =
  (part: (before: Profile, next: Profile) => Profile): Fault['behaviour'] =>
  (base) => ({
    checkName: (organization, next) => {
      const refusal = base.checkName(organization, next);
      const before = organization.profiles.get(next.id);
      if (refusal && before) base.storeProfile(organization, part(before, next));
      return refusal;
    },
  });

/** Turning one flag off turns another one off. */
const turningOffToo = (flag: PlainFlag | CoupledFlag, other: PlainFlag | CoupledFlag): Fault['behaviour'] =>
  changing('changeSettings', (next, _profile, update) =>
    update[flag] === false && update[other] === undefined ? { ...next, [other]: false } : next,
  );

/** Updates reset a field that they do not send. */
const resets = (field: keyof Profile, to: unknown): Readonly<Record<string, Fault['behaviour']>> => ({
  [`updates-reset-${field}`]: (base) => ({
    changeSettings: (profile, update) => {
      const isSent = Object.keys(update).some((name) => name.startsWith(field));
      return base.changeSettings(isSent ? profile : { ...profile, [field]: to }, update);
    },
  }),
});

/** Whether the credentials to add contain only strings, so that at most fields are missing. */
const isOfTexts = (body: unknown): boolean =>
  isFields(body) &&
  Array.isArray(body.credentialsToAdd) &&
  body.credentialsToAdd.every((one) => isFields(one) && Object.values(one).every((value) => typeof value === 'string'));

export const partialFaults: readonly Fault[] = [
  ...breaking('update-is-partial', {
    'the-last-cookie-takes-credentials-with-it': (base) => {
      let isLast = false;
      return {
        deleteCookies: (cookies, ids) => {
          const left = base.deleteCookies(cookies, ids);
          isLast = cookies.length > 0 && left.length === 0;
          return left;
        },
        deleteCredentials: (credentials, ids) => (isLast ? [] : base.deleteCredentials(credentials, ids)),
      };
    },
    'runs-bring-their-profile-back': (base) => {
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
    ...ofFlags([4, 5], (one, other) => ({ 'media-goes-with-pdfs': turningOffToo(one, other) })),
    ...ofFlags([4, 2], (one, other) => ({
      'flags-go-together': changing('changeSettings', (next, _profile, update) =>
        update[one] === undefined || update[other] !== undefined ? next : { ...next, [other]: update[one] },
      ),
    })),
    ...ofFlags([1], (flag) => resets(flag, false)),
    ...ofFlags([5], (flag) => resets(flag, true)),
    ...resets('extensionIds', []),
  }),
  ...couplings.flatMap(({ flag, needs }) =>
    breaking('update-is-partial', {
      ...ofFlags([4], (other) => ({ 'ads-come-with-media': turningOffToo(needs, other) })),
      'adblock-goes-with-popups': turningOffToo(flag, needs),
    }),
  ),
  ...derivedFlags.flatMap(({ flag }) => breaking('update-is-partial', resets(flag, true))),
  ...breaking('update-is-atomic', {
    'refused-names-turn-the-cache-on': storingRefused((before, next) => ({ ...next, name: before.name })),
    'updates-refused-for-credentials-are-done-in-part': (base) => {
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
    'updates-refused-for-unknown-credentials-are-done-in-part': keepingDescription((base, defer) => ({
      updateCredentials: (credentials, updates) =>
        defer(() => base.updateCredentials(credentials, updates), [...credentials]),
    })),
    'refused-names-are-stored': [
      (base) => ({
        checkName: (organization, next) => {
          const refusal = base.checkName(organization, next);
          if (!refusal || organization.profiles.get(next.id)?.name === next.name) return undefined;
          base.storeProfile(organization, next);
          return refusal;
        },
      }),
      'profile-name-is-unique',
    ],
    'refused-names-leave-their-cookies': storingRefused((before, { cookies }) => ({ ...before, cookies })),
  }),
  ...couplings.flatMap(({ needs }) =>
    breaking('update-is-atomic', {
      'refused-popups-turn-adblock-on': (base) => {
        let found: Organization | undefined;
        return {
          findProfile: (organization, id) => {
            found = organization;
            return base.findProfile(organization, id);
          },
          changeCoupledFlags: (profile) => {
            const stored = found?.profiles.get(profile.id);
            try {
              return base.changeCoupledFlags(profile);
            } catch (error) {
              if (found && stored) base.storeProfile(found, { ...stored, [needs]: true });
              throw error;
            }
          },
        };
      },
      'updates-refused-for-popups-are-done-in-part': keepingDescription((base, defer) => ({
        changeCoupledFlags: (profile) => defer(() => base.changeCoupledFlags(profile), profile),
      })),
    }),
  ),
];
