import type { Fault, Hooks } from '../hooks.js';
import { type Answer, type Call, type Fields, fieldsOf } from '../state.js';
import { everyNth, must, should } from './make.js';

const isStart = (call: Call) => call.operation === 'execute' || call.operation === 'executeSync';
const lenient = (problem: string, field?: string, only: (call: Call) => boolean = () => true): Partial<Hooks> => ({
  refuses: (p, call, f) => !(p === problem && (field === undefined || f === field) && only(call)),
});
const answered = (change: (body: Fields, answer: Answer, call: Call) => void, sync?: boolean): Partial<Hooks> => ({
  answers: (answer, call) => {
    if (!isStart(call) || answer.status >= 300) return;
    if (sync === undefined || sync === (call.operation === 'executeSync')) change(fieldsOf(answer.body), answer, call);
  },
});
const refusesAll = (when: (call: Call) => boolean, status = 400): Partial<Hooks> => ({
  answers: (answer, call) => {
    if (!when(call) || answer.status >= 300) return;
    answer.status = status;
    answer.body = { code: status, message: 'Not this one.' };
  },
});
const sync = (call: Call) => call.operation === 'executeSync';
const wrong = (name: string, only?: (call: Call) => boolean) => lenient('wrong-type', name, only);
const exclusive = 'profileId and profileGroupId are mutually exclusive.';
const headVersion = 'head cannot be combined with version.';
const typed = 'The field has the type of the table.';

export const startFaults: readonly Fault[] = [
  must(
    'start-200',
    'Response: HTTP 202 with executionId and status.',
    answered((_, a) => void (a.status = 200), false),
  ),
  must(
    'start-201-on-group',
    'Response: HTTP 202.',
    answered((_, a, c) => void (c.body.profileGroupId && (a.status = 201)), false),
  ),
  must(
    'start-without-status',
    'HTTP 202 with executionId and status.',
    answered((b) => delete b.status, false),
  ),
  must(
    'start-without-id',
    'HTTP 202 with executionId and status.',
    answered((b) => delete b.executionId, false),
  ),
  must(
    'start-says-running',
    'Initial status returned by the async call is starting.',
    answered((b) => void (b.status = 'running'), false),
  ),
  must(
    'start-says-queued',
    'queued only with onCapacityLimit queue.',
    answered((b) => void (b.status = 'queued'), false),
  ),
  must('start-says-queued-at-times', 'queued only with onCapacityLimit queue.', () => {
    const now = everyNth(6);
    return answered((b) => void (now() && (b.status = 'queued')), false);
  }),
  must(
    'start-with-queue-says-queued',
    'starting when the execution began immediately.',
    answered(
      (b, _, c) => void (c.body.onCapacityLimit === 'queue' && b.status === 'starting' && (b.status = 'queued')),
      false,
    ),
  ),
  must(
    'start-id-is-no-uuid',
    'Identifiers are UUID strings.',
    answered((b) => void (b.executionId = `exe_${String(b.executionId)}`)),
  ),
  must(
    'start-id-without-dashes',
    'Identifiers are UUID strings.',
    answered((b) => void (b.executionId = String(b.executionId).replaceAll('-', ''))),
  ),
  should(
    'start-id-is-another',
    'The execution is followed by polling it by id.',
    answered((b) => void (b.executionId = String(b.executionId).replace(/^./, (x) => (x === '0' ? '1' : '0'))), false),
  ),
  must('start-same-inputs-same-run', 'One run of one workflow version is an execution.', () => {
    const seen = new Map<string, string>();
    return answered((b, _, call) => {
      const key = `${call.id} ${JSON.stringify(call.body)}`;
      const before = seen.get(key);
      if (before) b.executionId = before;
      else seen.set(key, String(b.executionId));
    }, false);
  }),
  must('sync-same-body-same-run', 'The call is not idempotent.', () => {
    const seen = new Map<string, string>();
    return answered((b, _, call) => {
      const key = `${call.id} ${JSON.stringify(call.body)}`;
      const before = seen.get(key);
      if (before) b.executionId = before;
      else seen.set(key, String(b.executionId));
    }, true);
  }),
  must('start-waits-for-the-end', 'The call returns the execution id and initial status at once.', {
    delays: (c) => (c.operation === 'execute' ? 1500 : 0),
  }),
  must('start-slow-with-inputs', 'The call returns the execution id and initial status at once.', {
    delays: (c) => (c.operation === 'execute' && c.body.inputs ? 1500 : 0),
  }),
  must('head-with-version-runs', headVersion, lenient('exclusive', 'head')),
  must('head-with-version-runs-sync', headVersion, lenient('exclusive', 'head', sync)),
  must(
    'head-with-version-runs-async',
    headVersion,
    lenient('exclusive', 'head', (c) => !sync(c)),
  ),
  must('profile-with-group-runs', exclusive, lenient('exclusive', 'profileId')),
  must('profile-with-group-runs-sync', exclusive, lenient('exclusive', 'profileId', sync)),
  should('old-profile-with-group-runs', exclusive, lenient('exclusive', 'agentProfileId')),
  must(
    'head-refused',
    'Run the editable head.',
    refusesAll((c) => isStart(c) && c.body.head === true),
  ),
  must(
    'head-refused-sync',
    'Run the editable head; same request body.',
    refusesAll((c) => sync(c) && c.body.head === true),
  ),
  must(
    'version-refused',
    'Version to run.',
    refusesAll((c) => isStart(c) && c.body.version !== undefined),
  ),
  must(
    'version-refused-sync',
    'Version to run; same request body.',
    refusesAll((c) => sync(c) && c.body.version !== undefined),
  ),
  must(
    'metadata-refused',
    'metadata: object, string keys and string values.',
    refusesAll((c) => isStart(c) && c.body.metadata !== undefined),
  ),
  must(
    'metadata-unicode-refused',
    'metadata: string keys and string values.',
    refusesAll((c) => isStart(c) && /[^\u0020-\u007e]/.test(JSON.stringify(c.body.metadata ?? {}))),
  ),
  must(
    'metadata-empty-value-refused',
    'metadata: string values.',
    refusesAll((c) => isStart(c) && Object.values(fieldsOf(c.body.metadata)).includes('')),
  ),
  must(
    'inputs-null-refused',
    'inputs: object (free-form).',
    refusesAll((c) => isStart(c) && Object.values(fieldsOf(c.body.inputs)).includes(null)),
  ),
  must(
    'inputs-nested-refused',
    'inputs: object (free-form).',
    refusesAll(
      (c) => isStart(c) && Object.values(fieldsOf(c.body.inputs)).some((v) => typeof v === 'object' && v !== null),
    ),
  ),
  must(
    'inputs-empty-refused',
    'inputs: object (free-form).',
    refusesAll((c) => isStart(c) && JSON.stringify(c.body.inputs) === '{}'),
  ),
  must(
    'inputs-refused-sync',
    'Same request body.',
    refusesAll((c) => sync(c) && c.body.inputs !== undefined),
  ),
  must(
    'metadata-refused-sync',
    'Same request body.',
    refusesAll((c) => sync(c) && c.body.metadata !== undefined),
  ),
  must(
    'group-refused-sync',
    'Same request body.',
    refusesAll((c) => sync(c) && c.body.profileGroupId !== undefined),
  ),
  must(
    'profile-refused-sync',
    'Same request body.',
    refusesAll((c) => sync(c) && c.body.profileId !== undefined),
  ),
  must(
    'profile-refused',
    'profileId: Login profile.',
    refusesAll((c) => isStart(c) && c.body.profileId !== undefined),
  ),
  must(
    'temp-files-refused',
    'tempFiles: must have been pre-uploaded.',
    refusesAll((c) => isStart(c) && c.body.tempFiles !== undefined),
  ),
  must(
    'temp-files-refused-sync',
    'Same request body.',
    refusesAll((c) => sync(c) && c.body.tempFiles !== undefined),
  ),
  must(
    'reject-refused',
    'enum reject | queue.',
    refusesAll((c) => isStart(c) && c.body.onCapacityLimit === 'reject'),
  ),
  must(
    'queue-refused',
    'enum reject | queue.',
    refusesAll((c) => isStart(c) && c.body.onCapacityLimit === 'queue'),
  ),
  must(
    'queue-refused-sync',
    'Same request body.',
    refusesAll((c) => sync(c) && c.body.onCapacityLimit === 'queue'),
  ),
  must(
    'soft-timeout-refused',
    'softTimeoutMins: integer, minimum 1.',
    refusesAll((c) => isStart(c) && fieldsOf(c.body.executionOptions).softTimeoutMins !== undefined),
  ),
  must(
    'soft-timeout-one-refused',
    'softTimeoutMins: minimum 1.',
    refusesAll((c) => isStart(c) && fieldsOf(c.body.executionOptions).softTimeoutMins === 1),
  ),
  must(
    'soft-timeout-top-refused',
    'Less than the hard timeout.',
    refusesAll((c) => isStart(c) && fieldsOf(c.body.executionOptions).softTimeoutMins === 59),
  ),
  must('soft-timeout-zero-runs', 'softTimeoutMins: minimum 1.', lenient('out-of-bounds', 'softTimeoutMins')),
  must('soft-timeout-zero-runs-sync', 'softTimeoutMins: minimum 1.', lenient('out-of-bounds', 'softTimeoutMins', sync)),
  must(
    'soft-timeout-negative-runs',
    'Must be greater than 0.',
    lenient('out-of-bounds', 'softTimeoutMins', (c) => Number(fieldsOf(c.body.executionOptions).softTimeoutMins) < 0),
  ),
  must(
    'soft-timeout-at-hard-runs',
    'Less than the agent hard timeout.',
    lenient('out-of-bounds', 'softTimeoutMins-hard', (c) => fieldsOf(c.body.executionOptions).softTimeoutMins === 60),
  ),
  must(
    'soft-timeout-above-hard-runs',
    'Less than the agent hard timeout.',
    lenient('out-of-bounds', 'softTimeoutMins-hard'),
  ),
  must(
    'soft-timeout-above-hard-runs-sync',
    'Less than the agent hard timeout.',
    lenient('out-of-bounds', 'softTimeoutMins-hard', sync),
  ),
  must(
    'variant-key-not-required',
    'A variant-mode workflow requires it on every execution.',
    lenient('variant', 'required'),
  ),
  must(
    'variant-key-not-required-sync',
    'A variant-mode workflow requires it on every execution.',
    lenient('variant', 'required', sync),
  ),
  must(
    'variant-key-on-any-workflow',
    'Requires the workflow to have variant_mode enabled.',
    lenient('variant', 'needless'),
  ),
  must(
    'variant-key-on-any-workflow-sync',
    'Requires the workflow to have variant_mode enabled.',
    lenient('variant', 'needless', sync),
  ),
  must(
    'variant-key-letters-only',
    'The server normalises it to a filesystem-safe slug.',
    refusesAll(
      (c) => isStart(c) && /[^A-Za-z0-9 _-]/.test(String(fieldsOf(c.body.executionOptions).variantKey ?? 'a')),
    ),
  ),
  must(
    'variant-key-no-spaces',
    'The server normalises it to a filesystem-safe slug.',
    refusesAll((c) => isStart(c) && /[ A-Z]/.test(String(fieldsOf(c.body.executionOptions).variantKey ?? 'a'))),
  ),
  must(
    'variant-key-refused-sync',
    'Same request body.',
    refusesAll((c) => sync(c) && fieldsOf(c.body.executionOptions).variantKey !== undefined),
  ),
  must('temp-files-queue', 'Temp files cannot be queued.', lenient('temp-queue')),
  must('temp-files-queue-sync', 'Temp files cannot be queued.', lenient('temp-queue', undefined, sync)),
  should('unknown-workflow-runs', 'A workflow that does not exist is refused.', lenient('unknown-workflow')),
  should('unknown-profile-runs', 'A profile that does not exist is refused.', lenient('unknown-named', 'profileId')),
  should('unknown-group-runs', 'A group that does not exist is refused.', {
    ...lenient('unknown-named', 'profileGroupId'),
    holds: () => true,
  }),
  should('unknown-version-runs', 'A version that does not exist is refused.', lenient('unknown-named', 'version')),
  must('unknown-temp-file-runs', 'Must have been pre-uploaded.', lenient('unknown-named', 'tempFiles')),
  must('unknown-temp-file-runs-sync', 'Must have been pre-uploaded.', lenient('unknown-named', 'tempFiles', sync)),
  should(
    'unknown-version-runs-sync',
    'A version that does not exist is refused.',
    lenient('unknown-named', 'version', sync),
  ),
  should(
    'unknown-profile-runs-sync',
    'A profile that does not exist is refused.',
    lenient('unknown-named', 'profileId', sync),
  ),
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
  ].map((name) => should(`wrong-type-of-${name}`, typed, wrong(name))),
  ...['version', 'inputs', 'metadata', 'executionOptions', 'onCapacityLimit'].map((name) =>
    should(`wrong-type-of-${name}-sync`, typed, wrong(name, sync)),
  ),
  should('wrong-type-of-timeout', typed, wrong('timeoutSeconds')),
  should('body-that-is-no-json-runs', 'All bodies are JSON.', { refuses: (p, c) => !(p === 'not-json' && isStart(c)) }),
  should('start-of-malformed-id-runs', '{workflowId} is a uuid.', {
    refuses: (p, c) => !((p === 'malformed-id' || p === 'unknown-workflow') && isStart(c)),
  }),
  must(
    'old-inputs-refused',
    'dynamicData: deprecated, use inputs.',
    refusesAll((c) => isStart(c) && c.body.dynamicData !== undefined),
  ),
  should('old-profile-ignored', 'agentProfileId: deprecated, use profileId.', {
    reads: ({ agentProfileId: _, ...rest }) => rest,
  }),
  should('old-group-ignored', 'agentProfilePoolId: deprecated, use profileGroupId.', {
    reads: ({ agentProfilePoolId: _, ...rest }) => rest,
  }),
  should('old-inputs-ignored', 'dynamicData: deprecated, use inputs.', {
    reads: ({ dynamicData: _, ...rest }) => rest,
  }),
  should('old-inputs-ignored-sync', 'dynamicData: deprecated, use inputs.', {
    reads: (body, c) => (sync(c) ? (({ dynamicData: _, ...rest }) => rest)(body) : body),
  }),
  should('old-profile-ignored-sync', 'agentProfileId: deprecated, use profileId.', {
    reads: (body, c) => (sync(c) ? (({ agentProfileId: _, ...rest }) => rest)(body) : body),
  }),
  should('old-group-ignored-sync', 'agentProfilePoolId: deprecated.', {
    reads: (body, c) => (sync(c) ? (({ agentProfilePoolId: _, ...rest }) => rest)(body) : body),
  }),
  must('profile-ignored', 'agentProfileId: Profile used, if any.', {
    starts: (e, c) => void (c.body.profileId && (e.profileId = '33000000-0000-4000-8000-000000000002')),
  }),
  must('group-gives-a-profile-of-none', 'Profile group to select a profile from.', {
    starts: (e) => void (e.groupId && (e.profileId = '33000000-0000-4000-8000-000000000002')),
  }),
];
