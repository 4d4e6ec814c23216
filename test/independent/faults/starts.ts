import type { Fault, Hooks } from '../hooks.js';
import { type Answer, type Call, type Fields, fieldsOf } from '../state.js';
import { everyNth, faultsOf, hook, implied, isStart, isSync, lenient, should } from './make.js';

const answered = (change: (body: Fields, answer: Answer, call: Call) => void, sync?: boolean): Partial<Hooks> =>
  hook('answers', (answer, call) => {
    if (!isStart(call) || answer.status >= 300) return;
    if (sync === undefined || sync === (call.operation === 'executeSync')) change(fieldsOf(answer.body), answer, call);
  });
const refusesAll = (when: (call: Call) => boolean, status = 400): Partial<Hooks> =>
  hook('answers', (answer, call) => {
    if (!when(call) || answer.status >= 300) return;
    answer.status = status;
    answer.body = { code: status, message: 'Not this one.' };
  });
const wrong = (name: string, only?: (call: Call) => boolean) => lenient('wrong-type', name, only);

/** The run of an earlier start with the same body. */
const sameRun = (sync: boolean) => {
  const seen = new Map<string, string>();
  return answered((b, _, call) => {
    const key = `${call.id} ${JSON.stringify(call.body)}`;
    const before = seen.get(key);
    if (before) b.executionId = before;
    else seen.set(key, String(b.executionId));
  }, sync);
};

export const startFaults: readonly Fault[] = [
  ...faultsOf({
    // Response: HTTP 202 with executionId and status.
    'start-200': answered((_, a) => (a.status = 200), false),
    // Response: HTTP 202.
    'start-201-on-group': answered((_, a, c) => c.body.profileGroupId && (a.status = 201), false),
    // HTTP 202 with executionId and status.
    'start-without-status': answered((b) => delete b.status, false),
    'start-without-id': answered((b) => delete b.executionId, false),
    // Initial status returned by the async call is starting.
    'start-says-running': answered((b) => (b.status = 'running'), false),
    // queued only with onCapacityLimit queue.
    'start-says-queued': answered((b) => (b.status = 'queued'), false),
    'start-says-queued-at-times': () => {
      const now = everyNth(6);
      return answered((b) => now() && (b.status = 'queued'), false);
    },
    // starting when the execution began immediately.
    'start-with-queue-says-queued': answered(
      (b, _, c) => c.body.onCapacityLimit === 'queue' && b.status === 'starting' && (b.status = 'queued'),
      false,
    ),
    // Identifiers are UUID strings.
    'start-id-is-no-uuid': answered((b) => (b.executionId = `exe_${String(b.executionId)}`)),
    'start-id-without-dashes': answered((b) => (b.executionId = String(b.executionId).replaceAll('-', ''))),
    // The execution is followed by polling it by id.
    'start-id-is-another': implied(
      answered((b) => (b.executionId = String(b.executionId).replace(/^./, (x) => (x === '0' ? '1' : '0'))), false),
    ),
    // One run of one workflow version is an execution.
    'start-same-inputs-same-run': () => sameRun(false),
    // The call is not idempotent.
    'sync-same-body-same-run': () => sameRun(true),
    // The call returns the execution id and initial status at once.
    'start-waits-for-the-end': { delays: (c) => (c.operation === 'execute' ? 1500 : 0) },
    'start-slow-with-inputs': { delays: (c) => (c.operation === 'execute' && c.body.inputs ? 1500 : 0) },
    // head cannot be combined with version.
    'head-with-version-runs': lenient('exclusive', 'head'),
    'head-with-version-runs-sync': lenient('exclusive', 'head', isSync),
    'head-with-version-runs-async': lenient('exclusive', 'head', (c) => !isSync(c)),
    // profileId and profileGroupId are mutually exclusive.
    'profile-with-group-runs': lenient('exclusive', 'profileId'),
    'profile-with-group-runs-sync': lenient('exclusive', 'profileId', isSync),
    'old-profile-with-group-runs': implied(lenient('exclusive', 'agentProfileId')),
    // Run the editable head.
    'head-refused': refusesAll((c) => isStart(c) && c.body.head === true),
    // Run the editable head; same request body.
    'head-refused-sync': refusesAll((c) => isSync(c) && c.body.head === true),
    // Version to run.
    'version-refused': refusesAll((c) => isStart(c) && c.body.version !== undefined),
    // Version to run; same request body.
    'version-refused-sync': refusesAll((c) => isSync(c) && c.body.version !== undefined),
    // metadata: object, string keys and string values.
    'metadata-refused': refusesAll((c) => isStart(c) && c.body.metadata !== undefined),
    // metadata: string keys and string values.
    'metadata-unicode-refused': refusesAll(
      (c) => isStart(c) && /[^\u0020-\u007e]/.test(JSON.stringify(c.body.metadata ?? {})),
    ),
    // metadata: string values.
    'metadata-empty-value-refused': refusesAll(
      (c) => isStart(c) && Object.values(fieldsOf(c.body.metadata)).includes(''),
    ),
    // inputs: object (free-form).
    'inputs-null-refused': refusesAll((c) => isStart(c) && Object.values(fieldsOf(c.body.inputs)).includes(null)),
    'inputs-nested-refused': refusesAll(
      (c) => isStart(c) && Object.values(fieldsOf(c.body.inputs)).some((v) => typeof v === 'object' && v !== null),
    ),
    'inputs-empty-refused': refusesAll((c) => isStart(c) && JSON.stringify(c.body.inputs) === '{}'),
    // Same request body.
    'inputs-refused-sync': refusesAll((c) => isSync(c) && c.body.inputs !== undefined),
    'metadata-refused-sync': refusesAll((c) => isSync(c) && c.body.metadata !== undefined),
    'group-refused-sync': refusesAll((c) => isSync(c) && c.body.profileGroupId !== undefined),
    'profile-refused-sync': refusesAll((c) => isSync(c) && c.body.profileId !== undefined),
    // profileId: Login profile.
    'profile-refused': refusesAll((c) => isStart(c) && c.body.profileId !== undefined),
    // tempFiles: must have been pre-uploaded.
    'temp-files-refused': refusesAll((c) => isStart(c) && c.body.tempFiles !== undefined),
    // Same request body.
    'temp-files-refused-sync': refusesAll((c) => isSync(c) && c.body.tempFiles !== undefined),
    // enum reject | queue.
    'reject-refused': refusesAll((c) => isStart(c) && c.body.onCapacityLimit === 'reject'),
    'queue-refused': refusesAll((c) => isStart(c) && c.body.onCapacityLimit === 'queue'),
    // Same request body.
    'queue-refused-sync': refusesAll((c) => isSync(c) && c.body.onCapacityLimit === 'queue'),
    // softTimeoutMins: integer, minimum 1.
    'soft-timeout-refused': refusesAll(
      (c) => isStart(c) && fieldsOf(c.body.executionOptions).softTimeoutMins !== undefined,
    ),
    // softTimeoutMins: minimum 1.
    'soft-timeout-one-refused': refusesAll(
      (c) => isStart(c) && fieldsOf(c.body.executionOptions).softTimeoutMins === 1,
    ),
    // Less than the hard timeout.
    'soft-timeout-top-refused': refusesAll(
      (c) => isStart(c) && fieldsOf(c.body.executionOptions).softTimeoutMins === 59,
    ),
    // softTimeoutMins: minimum 1.
    'soft-timeout-zero-runs': lenient('out-of-bounds', 'softTimeoutMins'),
    'soft-timeout-zero-runs-sync': lenient('out-of-bounds', 'softTimeoutMins', isSync),
    // Must be greater than 0.
    'soft-timeout-negative-runs': lenient(
      'out-of-bounds',
      'softTimeoutMins',
      (c) => Number(fieldsOf(c.body.executionOptions).softTimeoutMins) < 0,
    ),
    // Less than the agent hard timeout.
    'soft-timeout-at-hard-runs': lenient(
      'out-of-bounds',
      'softTimeoutMins-hard',
      (c) => fieldsOf(c.body.executionOptions).softTimeoutMins === 60,
    ),
    'soft-timeout-above-hard-runs': lenient('out-of-bounds', 'softTimeoutMins-hard'),
    'soft-timeout-above-hard-runs-sync': lenient('out-of-bounds', 'softTimeoutMins-hard', isSync),
    // A variant-mode workflow requires it on every execution.
    'variant-key-not-required': lenient('variant', 'required'),
    'variant-key-not-required-sync': lenient('variant', 'required', isSync),
    // Requires the workflow to have variant_mode enabled.
    'variant-key-on-any-workflow': lenient('variant', 'needless'),
    'variant-key-on-any-workflow-sync': lenient('variant', 'needless', isSync),
    // The server normalises it to a filesystem-safe slug.
    'variant-key-letters-only': refusesAll(
      (c) => isStart(c) && /[^A-Za-z0-9 _-]/.test(String(fieldsOf(c.body.executionOptions).variantKey ?? 'a')),
    ),
    'variant-key-no-spaces': refusesAll(
      (c) => isStart(c) && /[ A-Z]/.test(String(fieldsOf(c.body.executionOptions).variantKey ?? 'a')),
    ),
    // Same request body.
    'variant-key-refused-sync': refusesAll(
      (c) => isSync(c) && fieldsOf(c.body.executionOptions).variantKey !== undefined,
    ),
    // Temp files cannot be queued.
    'temp-files-queue': lenient('temp-queue'),
    'temp-files-queue-sync': lenient('temp-queue', undefined, isSync),
    // A workflow that does not exist is refused.
    'unknown-workflow-runs': implied(lenient('unknown-workflow')),
    // A profile that does not exist is refused.
    'unknown-profile-runs': implied(lenient('unknown-named', 'profileId')),
    // A group that does not exist is refused.
    'unknown-group-runs': implied({
      ...lenient('unknown-named', 'profileGroupId'),
      holds: () => true,
    }),
    // A version that does not exist is refused.
    'unknown-version-runs': implied(lenient('unknown-named', 'version')),
    // Must have been pre-uploaded.
    'unknown-temp-file-runs': lenient('unknown-named', 'tempFiles'),
    'unknown-temp-file-runs-sync': lenient('unknown-named', 'tempFiles', isSync),
    // A version that does not exist is refused.
    'unknown-version-runs-sync': implied(lenient('unknown-named', 'version', isSync)),
    // A profile that does not exist is refused.
    'unknown-profile-runs-sync': implied(lenient('unknown-named', 'profileId', isSync)),
  }),
  // The field has the type of the table.
  ...[
    'version',
    'head',
    'inputs',
    'metadata',
    'executionOptions',
    'profileId',
    'profileGroupId',
    'onCapacityLimit',
    'tempFiles',
  ].map((name) => should(`wrong-type-of-${name}`, wrong(name))),
  ...['version', 'inputs', 'metadata', 'executionOptions', 'onCapacityLimit'].map((name) =>
    should(`wrong-type-of-${name}-sync`, wrong(name, isSync)),
  ),
  ...faultsOf({
    'wrong-type-of-timeout': implied(wrong('timeoutSeconds')),
    // All bodies are JSON.
    'body-that-is-no-json-runs': implied(lenient('not-json', undefined, isStart)),
    // {workflowId} is a uuid.
    'start-of-malformed-id-runs': implied({
      refuses: (p, c) => !((p === 'malformed-id' || p === 'unknown-workflow') && isStart(c)),
    }),
    // dynamicData: deprecated, use inputs.
    'old-inputs-refused': refusesAll((c) => isStart(c) && c.body.dynamicData !== undefined),
    // agentProfileId: deprecated, use profileId.
    'old-profile-ignored': implied({ reads: ({ agentProfileId: _, ...rest }) => rest }),
    // agentProfilePoolId: deprecated, use profileGroupId.
    'old-group-ignored': implied({ reads: ({ agentProfilePoolId: _, ...rest }) => rest }),
    // dynamicData: deprecated, use inputs.
    'old-inputs-ignored': implied({ reads: ({ dynamicData: _, ...rest }) => rest }),
    'old-inputs-ignored-sync': implied({
      reads: (body, c) => (isSync(c) ? (({ dynamicData: _, ...rest }) => rest)(body) : body),
    }),
    // agentProfileId: deprecated, use profileId.
    'old-profile-ignored-sync': implied({
      reads: (body, c) => (isSync(c) ? (({ agentProfileId: _, ...rest }) => rest)(body) : body),
    }),
    // agentProfilePoolId: deprecated.
    'old-group-ignored-sync': implied({
      reads: (body, c) => (isSync(c) ? (({ agentProfilePoolId: _, ...rest }) => rest)(body) : body),
    }),
    // agentProfileId: Profile used, if any.
    'profile-ignored': {
      starts: (e, c) => c.body.profileId && (e.profileId = '33000000-0000-4000-8000-000000000002'),
    },
    // Profile group to select a profile from.
    'group-gives-a-profile-of-none': {
      starts: (e) => e.groupId && (e.profileId = '33000000-0000-4000-8000-000000000002'),
    },
  }),
];
