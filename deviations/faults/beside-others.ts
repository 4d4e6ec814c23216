import { couplings, plainFlags } from '../../generated/flags.js';
import type { OperationId } from '../../generated/operations.js';
import type { Call } from '../../reference/call.js';
import { keys, profileIds, workflowIds } from '../../reference/fixtures.js';
import type { Organization, Profile } from '../../reference/store.js';
import { answering, type Fields, isFields, isRefusal, knowingSources, without } from '../change.js';
import type { Fault } from '../fault.js';
import { ofFlags } from '../flags.js';

/** Some flags, and not all. */
const shared = plainFlags.filter((_, place) => [1, 2, 3, 5].includes(place));

const optionsOf = ({ executionOptions }: Fields): Fields => (isFields(executionOptions) ? executionOptions : {});

/** Refuses starts that ask for things together which go together. */
const refuses = (
  id: string,
  says: string,
  breaks: Fault['breaks'],
  is: (body: Fields, operation: OperationId) => boolean,
): Fault => ({
  id,
  breaks,
  says,
  behaviour: (base) => ({
    violations: (operation, body) =>
      isFields(body) && is(body, operation)
        ? [{ kind: 'value', parameter: 'body', detail: 'has what does not go together' }]
        : base.violations(operation, body),
  }),
});

const isSeeded = ({ id }: Profile) => [profileIds.profile, profileIds.otherProfile].includes(id);
const isLong = ({ name }: Fields) => typeof name === 'string' && name.length > 255 && /[^\p{ASCII}]/u.test(name);

function anew(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

/** What shows only beside something else that goes on, or that is asked for, or far beyond a bound. */
export const besideOthersFaults: readonly Fault[] = [
  {
    id: 'old-names-exclude-nothing',
    breaks: ['deprecated-fields-still-work'],
    says: 'A profile and a group are taken together where one of them has its old name.',
    behaviour: (base) => {
      let isMixed = false;
      return {
        readStart: (body) => {
          isMixed = body.agentProfileId !== undefined || body.agentProfilePoolId !== undefined;
          return base.readStart(body);
        },
        checkSelection: (start) => (isMixed ? undefined : base.checkSelection(start)),
      };
    },
  },
  refuses(
    'profiles-wait-for-nothing',
    'A start with a profile that would wait for capacity is refused.',
    ['sync-takes-the-same-body'],
    (body) => body.onCapacityLimit === 'queue' && body.profileId !== undefined,
  ),
  refuses(
    'who-would-wait-names-a-group',
    'A start without a group that would wait for capacity is refused.',
    ['execute-is-accepted', 'sync-takes-the-same-body'],
    (body) =>
      body.onCapacityLimit === 'queue' && body.profileGroupId === undefined && body.agentProfilePoolId === undefined,
  ),
  refuses(
    'inputs-are-shallow',
    'A start whose inputs have lists in lists, however deep, is refused.',
    ['execute-is-accepted', 'sync-takes-the-same-body'],
    ({ inputs }) => /\[[^\]]*\[/.test(JSON.stringify(inputs ?? null)),
  ),
  refuses(
    'variant-keys-are-no-paths',
    'A start with a variantKey that has a backslash in it, or two dots in a row, is refused.',
    ['variant-key-is-normalised'],
    (body) => /\\\\|\.\./.test(String(optionsOf(body).variantKey ?? '')),
  ),
  refuses(
    'variants-take-no-soft-timeout',
    'A start with a variantKey and softTimeoutMins is refused.',
    ['variant-key-is-normalised'],
    (body) => optionsOf(body).variantKey !== undefined && optionsOf(body).softTimeoutMins !== undefined,
  ),
  {
    id: 'versions-know-no-limit',
    breaks: ['over-capacity-is-rejected'],
    says: 'A start of a version runs whatever the group has.',
    behaviour: (base) => ({
      admit: (hasCapacity, start) => base.admit(hasCapacity || start.version !== undefined, start),
    }),
  },
  {
    id: 'soft-timeouts-of-weeks-pass',
    breaks: ['soft-timeout-below-hard-timeout'],
    says: 'softTimeoutMins is held to the hard timeout as far as a day.',
    behaviour: (base) => ({
      checkSoftTimeout: (workflow, start) =>
        (start.softTimeoutMins ?? 0) > 1440 ? undefined : base.checkSoftTimeout(workflow, start),
    }),
  },
  {
    id: 'heads-are-waited-for-half-as-long',
    breaks: ['sync-202-when-time-is-up', 'sync-200-means-terminal'],
    says: 'A synchronous start of the head is answered 202 when half its timeoutSeconds are over.',
    behaviour: (base) => ({ syncWaitMs: (body) => base.syncWaitMs(body) / (body.head ? 2 : 1) }),
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
    id: 'extensions-come-back',
    breaks: ['update-applies'],
    says: 'To have no extensions is answered so, and not kept.',
    behaviour: (base) => ({
      storeProfile: (organization, profile) => {
        const { extensionIds } = organization.profiles.get(profile.id) ?? profile;
        base.storeProfile(organization, profile.extensionIds.length > 0 ? profile : { ...profile, extensionIds });
      },
    }),
  },
  {
    id: 'updates-reach-another-profile',
    breaks: ['update-is-partial'],
    says: 'Another profile gets the browser settings of one that is updated.',
    behaviour: (base) => ({
      storeProfile: (organization, profile) => {
        const other: Profile | undefined = organization.profiles.get(profileIds.otherProfile);
        if (other && profile.id !== other.id)
          base.storeProfile(organization, {
            ...other,
            ...Object.fromEntries(shared.map((flag) => [flag, profile[flag]])),
          });
        base.storeProfile(organization, profile);
      },
    }),
  },
  {
    id: 'refused-names-turn-the-cache-on',
    breaks: ['update-is-atomic'],
    says: 'An update that is refused for a name that another profile has sets what else it asks for.',
    behaviour: (base) => ({
      checkName: (organization, next) => {
        const refusal = base.checkName(organization, next);
        const now = organization.profiles.get(next.id);
        if (refusal && now) base.storeProfile(organization, { ...next, name: now.name });
        return refusal;
      },
    }),
  },
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
  {
    id: 'cookies-come-or-go',
    breaks: ['update-applies'],
    says: 'An update that adds cookies and deletes others is refused.',
    behaviour: (base) => ({
      violations: (operation, body) => {
        const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;
        return isFields(body) && isFilled(body.cookiesToAdd) && isFilled(body.cookiesToDelete)
          ? [{ kind: 'value', parameter: 'cookiesToDelete', detail: 'does not go with cookiesToAdd' }]
          : base.violations(operation, body);
      },
    }),
  },
  ...ofFlags(
    [4, 5],
    (one, other): Fault => ({
      id: 'media-goes-with-pdfs',
      breaks: ['update-is-partial'],
      says: `To turn ${one} off turns ${other} off.`,
      behaviour: (base) => ({
        changeSettings: (profile, update) => {
          const next = base.changeSettings(profile, update);
          return update[one] === false && update[other] === undefined ? { ...next, [other]: false } : next;
        },
      }),
    }),
  ),
  {
    id: 'cookies-of-json-are-written-anew',
    breaks: ['cookies-are-added'],
    says: 'A value of a cookie that is JSON is stored as it would be written anew.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.map((one) => ({ ...one, value: anew(one.value) })),
          ...rest,
        ),
    }),
  },
  {
    id: 'the-last-cookie-takes-credentials-with-it',
    breaks: ['update-is-partial'],
    says: 'To delete the last cookie of a profile deletes its credentials.',
    behaviour: (base) => {
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
  },
  ...ofFlags([4], (flag) =>
    couplings.map(
      ({ needs }): Fault => ({
        id: 'ads-come-with-media',
        breaks: ['update-is-partial'],
        says: `To turn ${needs} off turns ${flag} off.`,
        behaviour: (base) => ({
          changeSettings: (profile, update) => {
            const next = base.changeSettings(profile, update);
            return update[needs] === false && update[flag] === undefined ? { ...next, [flag]: false } : next;
          },
        }),
      }),
    ),
  ).flat(),
  {
    id: 'data-of-copies-is-that-of-their-sources',
    breaks: ['duplicate-is-independent'],
    says: 'New data of a credential of a copy is that of its source as well.',
    behaviour: knowingSources((sources, base) => ({
      storeProfile: (organization, profile) => {
        base.storeProfile(organization, profile);
        const source = organization.profiles.get(sources.get(profile.id) ?? '');
        const dataOf = (name: string) => profile.credentials.find((one) => one.name === name)?.data;
        if (source)
          base.storeProfile(organization, {
            ...source,
            credentials: source.credentials.map((one) => ({ ...one, data: dataOf(one.name) ?? one.data })),
          });
      },
    })),
  },
  refuses(
    'groups-take-no-temp-files',
    'A start with a group and a temp file is refused.',
    ['sync-takes-the-same-body'],
    (body) => body.profileGroupId !== undefined && Array.isArray(body.tempFiles) && body.tempFiles.length > 0,
  ),
  {
    id: 'cookies-need-no-value',
    breaks: ['update-body-is-typed'],
    says: 'A cookie without its value is taken, as one of none.',
    behaviour: (base) => ({
      parseBody: (bytes) => {
        const body = base.parseBody(bytes);
        const cookies = isFields(body) ? body.cookiesToAdd : undefined;
        return isFields(body) && Array.isArray(cookies)
          ? { ...body, cookiesToAdd: cookies.map((one) => (isFields(one) ? { value: '', ...one } : one)) }
          : body;
      },
    }),
  },
  {
    id: 'errors-lack-the-message-at-times',
    breaks: ['standard-error-shape', 'simple-error-shape', 'files-error-shape'],
    says: 'Every twelfth error body has no message.',
    behaviour: (base) => {
      let count = 0;
      return answering((answer) => {
        if (!isRefusal(answer) || !isFields(answer.body)) return answer;
        count += 1;
        return count % 12 === 0 ? { ...answer, body: without(answer.body, 'message', 'detail') } : answer;
      })(base);
    },
  },
  {
    id: 'details-differ-at-the-limit',
    breaks: ['standard-error-detail'],
    says: 'The detail of what is refused for want of capacity says more than its message.',
    behaviour: answering((answer) =>
      answer.status === 429 && isFields(answer.body)
        ? { ...answer, body: { ...answer.body, detail: `${answer.body.message} Come back later.` } }
        : answer,
    ),
  },
  {
    id: 'what-runs-is-read-by-anybody',
    breaks: ['missing-key-is-401', 'invalid-key-is-401'],
    says: 'An execution of the slow workflow is read without a key, or with a wrong one.',
    behaviour: (base) => {
      const slow = new Set<string>();
      const asked = new WeakMap<Headers, string>();
      return {
        receive: (call) => {
          if (call.operation === 'getExecution') asked.set(call.headers, call.id);
          return base.receive(call);
        },
        presentedKeys: (operation, headers) =>
          slow.has(asked.get(headers) ?? '')
            ? { shown: keys.full, other: null }
            : base.presentedKeys(operation, headers),
        presentStarted: (run, status) => {
          if (run.workflow.id === workflowIds.slow) slow.add(run.id);
          return base.presentStarted(run, status);
        },
      };
    },
  },
  {
    id: 'extensions-are-everybodys',
    breaks: ['update-is-partial'],
    says: 'The extensions of a profile that is updated are those of every profile that the organization has.',
    behaviour: (base) => ({
      storeProfile: (organization, profile) => {
        const { extensionIds } = profile;
        const isNew = organization.profiles.get(profile.id)?.extensionIds !== extensionIds;
        for (const other of isNew ? [...organization.profiles.values()].filter(isSeeded) : [])
          base.storeProfile(organization, { ...other, extensionIds });
        base.storeProfile(organization, profile);
      },
    }),
  },
  {
    id: 'of-additions-at-once-the-last-counts',
    breaks: ['update-is-partial'],
    says: 'Of two updates that add credentials at the same time the second writes the list as it was before the first.',
    behaviour: (base) => {
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
  },
];
