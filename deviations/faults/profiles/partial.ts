/** Faults by which an update changes something else, or changes something although it is refused. */

import { couplings, derivedFlags } from '../../../generated/flags.js';
import type { Call } from '../../../reference/call.js';
import { refuseParameter } from '../../../reference/errors.js';
import type { Organization, Profile } from '../../../reference/store.js';
import { type Base, changing, isFields, isRefusal } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';
import { ofFlags } from '../../flags.js';

/** Updates that `from` refuses change the description nevertheless. */
const keepsDescription = (
  id: string,
  why: string,
  from: (base: Base, defer: <T>(work: () => T, otherwise: T) => T) => Partial<Base>,
): Fault => ({
  id,
  breaks: ['update-is-atomic'],
  says: `An update that is refused for ${why} changes the description.`,
  behaviour: (base) => {
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
  },
});

/** Updates reset a field that they do not send. */
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

/** Whether the credentials to add contain only strings, so that at most fields are missing. */
const isOfTexts = (body: unknown): boolean =>
  isFields(body) &&
  Array.isArray(body.credentialsToAdd) &&
  body.credentialsToAdd.every((one) => isFields(one) && Object.values(one).every((value) => typeof value === 'string'));

export const partialFaults: readonly Fault[] = [
  ...breaking('update-is-partial', {
    'the-last-cookie-takes-credentials-with-it': [
      'To delete the last cookie of a profile deletes its credentials.',
      (base) => {
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
    ],
    'of-additions-at-once-the-last-counts': [
      'Of two updates that add credentials at the same time the second writes the list as it was before the first.',
      (base) => {
        let organization: Organization | undefined;
        const found = new WeakMap<Call, Profile | undefined>();
        return {
          receive: (call) => {
            const received = base.receive(call);
            if (received.operation === 'updateProfile') found.set(received, organization?.profiles.get(received.id));
            return received;
          },
          findProfile: (of, id) => {
            organization = of;
            return base.findProfile(of, id);
          },
          answer: (call, answer) => {
            const [was, now] = [found.get(call), organization?.profiles.get(call.id)];
            const { credentialsToAdd: added, ...others } = isFields(call.body) ? call.body : {};
            const isAlone = Array.isArray(added) && Object.keys(others).length === 0;
            if (!organization || !was || !now || !isAlone || isRefusal(answer)) return base.answer(call, answer);
            const credentials = [...was.credentials, ...now.credentials.slice(-added.length)];
            organization.profiles.set(now.id, { ...now, credentials });
            return base.answer(call, { ...answer, body: { ...Object(answer.body), credentials } });
          },
        };
      },
    ],
    'runs-bring-their-profile-back': [
      'At the end of an execution its profile becomes what it was when that began.',
      (base) => {
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
    ],
  }),
  ...ofFlags(
    [4, 5],
    (one, other): Fault => ({
      id: 'media-goes-with-pdfs',
      breaks: ['update-is-partial'],
      says: `To turn ${one} off turns ${other} off.`,
      behaviour: changing('changeSettings', (next, _profile, update) =>
        update[one] === false && update[other] === undefined ? { ...next, [other]: false } : next,
      ),
    }),
  ),
  ...ofFlags([4], (flag) =>
    couplings.map(
      ({ needs }): Fault => ({
        id: 'ads-come-with-media',
        breaks: ['update-is-partial'],
        says: `To turn ${needs} off turns ${flag} off.`,
        behaviour: changing('changeSettings', (next, _profile, update) =>
          update[needs] === false && update[flag] === undefined ? { ...next, [flag]: false } : next,
        ),
      }),
    ),
  ).flat(),
  resets('description', ''),
  ...ofFlags([1], (flag) => resets(flag, false)),
  ...ofFlags([5], (flag) => resets(flag, true)),
  resets('extensionIds', []),
  resets('cookies', []),
  resets('credentials', []),
  ...derivedFlags.map(({ flag }) => resets(flag, true)),
  ...ofFlags(
    [4, 2],
    (one, other): Fault => ({
      id: 'flags-go-together',
      breaks: ['update-is-partial'],
      says: `An update that sets ${one} sets ${other} as well.`,
      behaviour: changing('changeSettings', (next, _profile, update) =>
        update[one] === undefined || update[other] !== undefined ? next : { ...next, [other]: update[one] },
      ),
    }),
  ),
  ...couplings.map(
    ({ flag, needs }): Fault => ({
      id: 'adblock-goes-with-popups',
      breaks: ['update-is-partial'],
      says: `To turn ${flag} off turns ${needs} off.`,
      behaviour: changing('changeSettings', (next, _profile, update) => {
        const goes = update[flag] === false && update[needs] === undefined;
        return goes ? { ...next, [needs]: false } : next;
      }),
    }),
  ),
  ...breaking('update-is-atomic', {
    'refused-names-turn-the-cache-on': [
      'An update that is refused for a name that another profile has sets what else it asks for.',
      (base) => ({
        checkName: (organization, next) => {
          const refusal = base.checkName(organization, next);
          const now = organization.profiles.get(next.id);
          if (refusal && now) base.storeProfile(organization, { ...next, name: now.name });
          return refusal;
        },
      }),
    ],
    'refused-updates-are-done-in-part': [
      'An update that is refused for its name changes the rest.',
      (base) => ({
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
    ],
    'updates-refused-for-credentials-are-done-in-part': [
      'An update that is refused for a credential without data changes the description.',
      (base) => {
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
    ],
    'refused-names-are-stored': [
      'A name that is refused because another profile has it is stored all the same.',
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
    'refused-names-leave-their-cookies': [
      'An update that is refused for the name of another profile adds its cookies.',
      (base) => ({
        checkName: (organization, next) => {
          const refusal = base.checkName(organization, next);
          const before = organization.profiles.get(next.id);
          if (refusal && before) base.storeProfile(organization, { ...before, cookies: next.cookies });
          return refusal;
        },
      }),
    ],
  }),
  ...couplings.map(
    ({ needs }): Fault => ({
      id: 'refused-popups-turn-adblock-on',
      breaks: ['update-is-atomic'],
      says: `An update that is refused for want of ${needs} turns it on.`,
      behaviour: (base) => {
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
    }),
  ),
  ...couplings.map(({ needs }) =>
    keepsDescription('updates-refused-for-popups-are-done-in-part', `want of ${needs}`, (base, defer) => ({
      changeCoupledFlags: (profile) => defer(() => base.changeCoupledFlags(profile), profile),
    })),
  ),
  keepsDescription(
    'updates-refused-for-unknown-credentials-are-done-in-part',
    'data of a credential that is not there',
    (base, defer) => ({
      updateCredentials: (credentials, updates) =>
        defer(() => base.updateCredentials(credentials, updates), [...credentials]),
    }),
  ),
];
