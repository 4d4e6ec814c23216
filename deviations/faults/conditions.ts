import { couplings } from '../../generated/flags.js';
import type { OperationId } from '../../generated/operations.js';
import type { RunFile } from '../../reference/store.js';
import { type Fields, isFields } from '../change.js';
import type { Fault } from '../fault.js';

/** A start that must be refused passes where the rest of it is so. */
const passes = (
  id: string,
  rule: Fault['breaks'][number],
  says: string,
  is: (body: Fields, operation: OperationId) => boolean,
): Fault => ({
  id,
  breaks: [rule],
  says,
  behaviour: (base) => ({
    violations: (operation, body) => (isFields(body) && is(body, operation) ? [] : base.violations(operation, body)),
  }),
});

const isBoth = (body: Fields) => body.head === true && body.version !== undefined;
const names = (body: Fields, ...fields: readonly string[]) => fields.some((field) => body[field] !== undefined);
const softTimeout = ({ executionOptions }: Fields): unknown =>
  isFields(executionOptions) ? executionOptions.softTimeoutMins : undefined;
const isBare = (body: Fields) => !names(body, 'inputs', 'metadata', 'profileId', 'profileGroupId');

type Base = Parameters<Fault['behaviour']>[0];

/** Refuses an update for what `from` refuses, and sets its description all the same. */
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

/** What is looked at only beside something else, or only without it; and what one leaves to the next that is like it. */
export const conditionFaults: readonly Fault[] = [
  passes(
    'head-with-version-passes-beside-temp-files',
    'head-excludes-version',
    'head and version together are taken with a temp file.',
    (body) => isBoth(body) && Array.isArray(body.tempFiles) && body.tempFiles.length > 0,
  ),
  passes(
    'head-with-version-passes-alone',
    'head-excludes-version',
    'head and version together are taken with neither inputs, metadata nor a profile.',
    (body) => isBoth(body) && isBare(body),
  ),
  {
    id: 'profile-with-group-passes-without-options',
    breaks: ['profile-excludes-group'],
    says: 'A profile and a group together are taken without options.',
    behaviour: (base) => ({
      violations: (operation, body) =>
        isFields(body) && names(body, 'profileId') && names(body, 'profileGroupId') && !names(body, 'executionOptions')
          ? []
          : base.violations(operation, body),
      checkSelection: (start) => (start.softTimeoutMins === undefined ? undefined : base.checkSelection(start)),
    }),
  },
  passes(
    'soft-timeouts-pass-alone',
    'soft-timeout-minimum',
    'softTimeoutMins 0 is taken with neither inputs, metadata nor a profile.',
    (body) => softTimeout(body) === 0 && isBare(body),
  ),
  passes(
    'waits-pass-alone',
    'sync-timeout-range',
    'timeoutSeconds 26 is taken with neither inputs, metadata nor a profile.',
    (body) => body.timeoutSeconds === 26 && isBare(body),
  ),
  {
    id: 'variant-keys-pass-alone',
    breaks: ['variant-key-needs-variant-mode'],
    says: 'A variantKey is taken without variant mode where there are no inputs.',
    behaviour: (base) => ({
      checkVariantKey: (workflow, start) =>
        !workflow.variantMode && start.inputs === undefined ? undefined : base.checkVariantKey(workflow, start),
    }),
  },
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
  {
    id: 'cookies-of-a-value-are-one',
    breaks: ['cookies-are-added'],
    says: 'Of cookies with one value that are added together only the first is.',
    behaviour: (base) => ({
      addCookies: (cookies, added, ...rest) =>
        base.addCookies(
          cookies,
          added.filter(({ value }, place) => !added.slice(0, place).some((one) => one.value === value)),
          ...rest,
        ),
    }),
  },
  {
    id: 'copies-cut-data',
    breaks: ['duplicate-copies-credentials'],
    says: 'The data of a credential of a copy has no more than 255 characters.',
    behaviour: (base) => ({
      copyProfile: (...of) => {
        const copy = base.copyProfile(...of);
        return { ...copy, credentials: copy.credentials.map((one) => ({ ...one, data: one.data.slice(0, 255) })) };
      },
    }),
  },
  {
    id: 'uploads-stay-with-the-profile',
    breaks: ['files-are-listed-once'],
    says: 'A run without temp files has those of the run before it that used the same profile.',
    behaviour: (base) => {
      const last = new Map<string, readonly RunFile[]>();
      return {
        filesOf: (run, ...rest) => {
          const own = base.filesOf(run, ...rest);
          if (!run.profile) return own;
          if (own.length === 0)
            return (last.get(run.profile.id) ?? []).filter(({ directory }) => directory === 'uploads');
          last.set(run.profile.id, own);
          return own;
        },
      };
    },
  },
];
