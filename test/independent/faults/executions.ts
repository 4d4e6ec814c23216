import type { Fault, Hooks } from '../hooks.js';
import { type Call, type Execution, type Fields, fieldsOf, isTerminal, listOf, type Status } from '../state.js';
import { everyNth, faultsOf, hook, implied, isSync, lenient, must, refusing, shows } from './make.js';

const sets = (
  field: string,
  value: (v: Fields, e: Execution) => Fields[string],
  which: (e: Execution) => boolean = () => true,
) =>
  shows((v, e) => {
    if (which(e)) v[field] = value(v, e);
  });
const drops = (field: string, which: (e: Execution) => boolean = () => true) =>
  shows((v, e) => which(e) && delete v[field]);
const instead = (from: Status, to: Status | undefined): Partial<Hooks> => ({ steps: (s) => (s === from ? to : s) });
const shiftTime = (text: unknown, ms: number) => new Date(Date.parse(String(text)) + ms).toISOString();
const ended = (e: Execution) => isTerminal(e.status);
const state = (status: Status) => (e: Execution) => e.status === status;
const requiredFields = [
  'agentId',
  'agentName',
  'organizationId',
  'workflowId',
  'createdAt',
  'hasBeenRerun',
  'comments',
  'humanLabels',
];

export const executionFaults: readonly Fault[] = [
  // Required field of an execution.
  ...requiredFields.map((field) => must(`execution-without-${field}`, drops(field))),
  ...faultsOf({
    'execution-without-comments-when-failed': drops('comments', state('failed')),
    'execution-without-labels-while-running': drops('humanLabels', state('running')),
    'execution-without-agent-when-queued': drops('agentName', (e) => e.waited && e.profileId === undefined),
    'execution-without-agent-when-sync': drops('agentName', (e) => e.sync),
    // The execution read is the one asked for.
    'execution-of-another-id': sets('id', () => '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9'),
    // workflowId: Workflow that was executed.
    'execution-of-another-workflow': sets('workflowId', () => '11000000-0000-4000-8000-000000000002'),
    'execution-of-another-workflow-when-sync': sets(
      'workflowId',
      () => '11000000-0000-4000-8000-000000000002',
      (e) => e.sync,
    ),
    'execution-of-another-workflow-when-queued': sets(
      'workflowId',
      () => '11000000-0000-4000-8000-000000000002',
      (e) => e.waited,
    ),
    // agentId: uuid.
    'execution-agent-is-a-name': sets('agentId', () => 'clerk'),
    // hasBeenRerun: boolean.
    'execution-rerun-is-text': sets('hasBeenRerun', () => 'false'),
    // True when rerun at least once.
    'execution-all-rerun': sets('hasBeenRerun', () => true),
    'execution-rerun-once-read': sets('hasBeenRerun', (_, e) => e.reads > 1),
    // Timestamps are ISO 8601.
    'execution-created-in-seconds': sets('createdAt', (v) => Math.floor(Date.parse(String(v.createdAt)) / 1000)),
    'execution-created-with-blank': sets('createdAt', (v) => String(v.createdAt).replace('T', ' ').replace('Z', '')),
    'execution-created-http-date': sets('createdAt', (v) => new Date(String(v.createdAt)).toUTCString()),
    // date-time strings.
    'execution-created-date-only': sets('createdAt', (v) => String(v.createdAt).slice(0, 10)),
    // createdAt names one execution and does not change.
    'execution-created-drifts': implied(sets('createdAt', (v, e) => shiftTime(v.createdAt, e.reads * 1000))),
    // agentId does not change.
    'execution-agent-drifts': implied(
      sets('agentId', (v, e) => (e.reads > 1 ? '22000000-0000-4000-8000-000000000007' : v.agentId)),
    ),
    // organizationId does not change.
    'execution-organization-drifts': implied(
      sets('organizationId', (v, e) => (ended(e) ? '77000000-0000-4000-8000-000000000002' : v.organizationId)),
    ),
    // Nine states.
    'status-in-capitals': sets('status', (v) => String(v.status).toUpperCase()),
    'status-succeeded': sets('status', (v) => (v.status === 'completed' ? 'succeeded' : v.status)),
    'status-canceled': sets('status', (v) => (v.status === 'cancelled' ? 'canceled' : v.status)),
    'status-hyphened': sets('status', (v) => String(v.status).replace('_', '-')),
    'status-pending': sets('status', (v) => (v.status === 'queued' ? 'pending' : v.status)),
    // duration: only for terminal executions.
    'duration-while-running': sets('duration', () => 0, state('running')),
    'duration-when-paused': sets(
      'duration',
      () => 1,
      (e) => !isTerminal(e.status) && !['queued', 'starting', 'running'].includes(e.status),
    ),
    'duration-when-queued': sets('duration', () => 0, state('queued')),
    // duration: seconds.
    'duration-in-ms': sets('duration', (_, e) => (e.terminalAt ?? 0) - e.createdAt, ended),
    'duration-in-minutes': sets('duration', (_, e) => Math.floor(((e.terminalAt ?? 0) - e.createdAt) / 60_000), ended),
    // duration: integer.
    'duration-fraction': sets('duration', (_, e) => ((e.terminalAt ?? 0) - e.createdAt) / 1000, ended),
    // duration: seconds.
    'duration-negative': sets('duration', () => -1, ended),
    // What was recorded at the end does not change.
    'duration-grows': implied(shows((v, e, c) => ended(e) && (v.duration = Math.round((c.now - e.createdAt) / 1000)))),
    // terminalAt: when a terminal state was reached.
    'terminal-at-while-running': shows(
      (v, e, c) => e.status === 'running' && (v.terminalAt = new Date(c.now).toISOString()),
    ),
    'terminal-at-when-paused': shows(
      (v, e, c) => e.status === 'paused' && (v.terminalAt = new Date(c.now).toISOString()),
    ),
    'terminal-at-before-creation': sets('terminalAt', (v) => shiftTime(v.createdAt, -5000), ended),
    'terminal-at-is-creation': sets(
      'terminalAt',
      (v) => v.createdAt,
      (e) => ended(e) && e.workflow.steps.some(([ms]) => ms > 900),
    ),
    'terminal-at-in-the-future': sets('terminalAt', (v) => shiftTime(v.terminalAt, 3_600_000), ended),
    'terminal-at-hour-off': sets('terminalAt', (v) => shiftTime(v.terminalAt, -3_600_000), ended),
    // What was recorded at the end does not change.
    'terminal-at-is-now': implied(shows((v, e, c) => ended(e) && (v.terminalAt = new Date(c.now).toISOString()))),
    // Present if an environment is active and the execution is running.
    'live-view-missing': drops('liveViewUrl'),
    // Present if the execution is running.
    'live-view-after-the-end': implied(sets('liveViewUrl', (_, e) => `https://live.example.com/${e.id}`, ended)),
    'live-view-when-starting': implied(
      sets('liveViewUrl', (_, e) => `https://live.example.com/${e.id}`, state('starting')),
    ),
    'live-view-when-queued': implied(
      sets('liveViewUrl', (_, e) => `https://live.example.com/${e.id}`, state('queued')),
    ),
    // Present if an environment was used and the execution is terminal.
    'recording-missing': drops('recordingUrl'),
    'recording-missing-when-failed': drops('recordingUrl', state('failed')),
    'recording-missing-when-cancelled': drops('recordingUrl', state('cancelled')),
    // Present if the execution is terminal.
    'recording-while-running': implied(
      sets('recordingUrl', (_, e) => `https://recordings.example.com/${e.id}`, state('running')),
    ),
    'recording-when-paused': implied(
      sets('recordingUrl', (_, e) => `https://recordings.example.com/${e.id}`, state('paused')),
    ),
    // browserLiveViewUrl: use liveViewUrl.
    'old-live-view-differs': implied(sets('browserLiveViewUrl', () => 'https://old.example.com/', state('running'))),
    // browserRecordingUrl: use recordingUrl.
    'old-recording-differs': implied(sets('browserRecordingUrl', () => 'https://old.example.com/', ended)),
    // agentProfileId: Profile used, if any.
    'profile-not-shown': implied(drops('agentProfileId')),
    // agentProfileId: Profile used.
    'profile-not-shown-when-sync': implied(drops('agentProfileId', (e) => e.sync)),
    'profile-not-shown-of-group': implied(drops('agentProfileId', (e) => e.groupId !== undefined)),
    'profile-not-shown-after-queue': implied(drops('agentProfileId', (e) => e.waited)),
    'profile-shown-is-the-group': sets(
      'agentProfileId',
      (_, e) => e.groupId,
      (e) => e.groupId !== undefined,
    ),
    // agentProfileId: Profile used, if any.
    'profile-shown-without-one': sets(
      'agentProfileId',
      (v) => v.agentProfileId ?? '33000000-0000-4000-8000-000000000002',
    ),
    // An optional field is absent rather than null.
    'optional-null-profile': implied(sets('agentProfileId', (v) => v.agentProfileId ?? null)),
    'optional-null-terminal': implied(sets('terminalAt', (v) => v.terminalAt ?? null)),
    'optional-null-result': implied(sets('executionResult', (v) => v.executionResult ?? null)),
    // scriptFailures: omitted when none occurred.
    'script-failures-empty': sets('scriptFailures', () => []),
    'script-failures-empty-at-the-end': sets('scriptFailures', () => [], ended),
    'script-failures-empty-when-failed': sets('scriptFailures', () => [], state('failed')),
    // outcome: success or failure.
    'result-outcome-success-in-capitals': shows(
      (v) => v.executionResult && (v.executionResult = { ...fieldsOf(v.executionResult), outcome: 'SUCCESS' }),
    ),
    'result-outcome-partial': shows(
      (v, e) =>
        e.status === 'failed' &&
        v.executionResult &&
        (v.executionResult = { ...fieldsOf(v.executionResult), outcome: 'error' }),
    ),
    // executionId of the result.
    'result-of-another': shows(
      (v) =>
        v.executionResult &&
        (v.executionResult = {
          ...fieldsOf(v.executionResult),
          executionId: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9',
        }),
    ),
    // reasoning: required.
    'result-without-reasoning': shows((v) => delete fieldsOf(v.executionResult).reasoning),
    // result: required.
    'result-without-result': shows((v) => delete fieldsOf(v.executionResult).result),
    // createdAt: required.
    'result-without-created': shows((v, e) => e.status === 'cancelled' && delete fieldsOf(v.executionResult).createdAt),
    // What was recorded at the end does not change.
    'result-changes': implied(
      shows(
        (v, e) =>
          v.executionResult && (v.executionResult = { ...fieldsOf(v.executionResult), reasoning: `Read ${e.reads}.` }),
      ),
    ),
    'result-id-changes': implied(
      shows(
        (v, e) =>
          v.executionResult &&
          (v.executionResult = {
            ...fieldsOf(v.executionResult),
            id: `0b9f1c3e-7a51-4f0e-9d3c-${String(e.reads).padStart(12, '0')}`,
          }),
      ),
    ),
    // apiKey: present for source api.
    'trigger-without-api-key': shows((v) => delete fieldsOf(v.triggerContext).apiKey),
    // An execution started with a key has source api.
    'trigger-of-a-user': implied(sets('triggerContext', () => ({ source: 'user' }))),
    // source: Discriminator.
    'trigger-without-source': shows((v) => delete fieldsOf(v.triggerContext).source),
    // isAdmin: boolean.
    'trigger-admin-is-text': sets('triggerContext', (v) => ({
      ...fieldsOf(v.triggerContext),
      runner: { isAdmin: 'no' },
    })),
    // userId: uuid.
    'trigger-runner-id': sets('triggerContext', (v) => ({ ...fieldsOf(v.triggerContext), runner: { userId: 'u1' } })),
    // apiKey: present for source api.
    'trigger-without-api-key-when-sync': shows((v, e) => e.sync && delete fieldsOf(v.triggerContext).apiKey),
    // comments: array.
    'comments-null': sets('comments', () => null),
    // Comment: userId required.
    'comments-without-user': shows((v) => listOf(v.comments).forEach((one) => delete one.userId)),
    // Comment: executionId is that of its execution.
    'comments-of-another': shows((v) =>
      listOf(v.comments).forEach((one) => (one.executionId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9')),
    ),
    // Human label: fields.
    'labels-as-names': sets('humanLabels', () => ['good']),
    // metadata: object.
    'metadata-as-list': sets('metadata', (v) =>
      Object.entries(fieldsOf(v.metadata)).map(([key, value]) => ({ key, value })),
    ),
    // inputs: object.
    'inputs-as-text': sets('inputs', (v) => JSON.stringify(v.inputs ?? {})),
    // Where runs go.
    // A terminal state is not left.
    'completed-runs-again': implied(shows((v, e) => e.status === 'completed' && e.reads > 2 && (v.status = 'running'))),
    'failed-becomes-completed': implied(
      shows((v, e) => e.status === 'failed' && e.reads > 2 && (v.status = 'completed')),
    ),
    'cancelled-becomes-failed': implied(() => {
      const first = new Map<string, number>();
      return shows((v, e) => {
        if (e.status !== 'cancelled') return;
        const n = (first.get(e.id) ?? 0) + 1;
        first.set(e.id, n);
        if (n > 1) v.status = 'failed';
      });
    }),
    // workflows.slow completes.
    'slow-never-ends': {
      steps: (s, e) => (s === 'completed' && e.workflow.steps.some(([ms]) => ms > 2000) ? undefined : s),
    },
    // The execution fails.
    'fails-completes': instead('failed', 'completed'),
    // The execution is cancelled.
    'cancelled-completes': instead('cancelled', 'completed'),
    // The execution pauses.
    'pauses-completes': instead('paused', 'completed'),
    // The execution awaits confirmation.
    'awaiting-is-paused': instead('awaiting_confirmation', 'paused'),
    // An accepted execution can be read by its id.
    'not-found-at-first': implied(
      hook('answers', (answer, call) => {
        if (call.operation !== 'getExecution' || answer.status !== 200) return;
        const one = call.state.executions.get(call.id.toLowerCase());
        if (!one || call.now - one.createdAt > 100) return;
        answer.status = 404;
        answer.body = { code: 404, message: 'Not found.' };
      }),
    ),
    'forgotten-after-the-end': implied(
      hook('answers', (answer, call) => {
        const one = call.state.executions.get(call.id.toLowerCase());
        if (call.operation !== 'getExecution' || one?.status !== 'failed' || one.reads < 2) return;
        answer.status = 404;
        answer.body = { code: 404, message: 'Not found.' };
      }),
    ),
    // No request is answered 5xx.
    'reading-fails-at-times': implied(() => {
      const now = everyNth(25);
      return hook('answers', (answer, call) => {
        if (call.operation !== 'getExecution' || answer.status !== 200 || !now()) return;
        answer.status = 500;
        answer.body = { code: 500, message: 'Try again.' };
      });
    }),
  }),
];

const answered = (change: (body: Fields, answer: { status: number }, call: Call) => void): Partial<Hooks> =>
  hook('answers', (answer, call) => {
    if (isSync(call) && answer.status < 300) change(fieldsOf(answer.body), answer, call);
  });
const seconds = (call: Call) => Number(call.body.timeoutSeconds ?? 25);

export const syncFaults: readonly Fault[] = [
  ...faultsOf({
    // Seconds to wait for the execution to finish.
    'sync-does-not-wait': { waits: () => 0 },
    // Seconds to wait before returning 202.
    'sync-waits-half': { waits: (ms) => ms / 2 },
    // timeoutSeconds.
    'sync-waits-in-ms': { waits: (ms) => ms / 1000 },
    // Seconds to wait before returning 202.
    'sync-waits-a-second-at-most': { waits: (ms) => Math.min(ms, 1000) },
    'sync-waits-three-seconds-at-most': { waits: (ms) => Math.min(ms, 3000) },
    'sync-waits-ten-seconds-at-most': { waits: (ms) => Math.min(ms, 10_000) },
    // default 25.
    'sync-default-10': { waits: (ms, c) => (c.body.timeoutSeconds === undefined ? 10_000 : ms) },
    'sync-default-3': { waits: (ms, c) => (c.body.timeoutSeconds === undefined ? 3000 : ms) },
    'sync-default-1': { waits: (ms, c) => (c.body.timeoutSeconds === undefined ? 1000 : ms) },
    // The call waits up to timeoutSeconds.
    'sync-ignores-timeout': { waits: () => 25_000 },
    'sync-waits-two-seconds-more': { waits: (ms) => ms + 2000 },
    'sync-waits-twice': { waits: (ms) => ms * 2 },
    // 200 when the execution completed within the wait.
    'sync-holds-back': { delays: (c) => (isSync(c) ? 1200 : 0) },
    // 202: not finished in time, or paused.
    'sync-always-200': answered((_, a) => (a.status = 200)),
    // 200: completed, failed or cancelled.
    'sync-always-202': answered((_, a) => (a.status = 202)),
    'sync-202-when-failed': answered((b, a) => b.status === 'failed' && (a.status = 202)),
    'sync-202-when-cancelled': answered((b, a) => b.status === 'cancelled' && (a.status = 202)),
    // 202: paused.
    'sync-200-when-paused': answered((b, a) => b.status === 'paused' && (a.status = 200)),
    // 202: awaiting confirmation.
    'sync-200-when-awaiting': answered((b, a) => b.status === 'awaiting_confirmation' && (a.status = 200)),
    // 202: not finished in time.
    'sync-200-when-running': answered((b, a) => b.status === 'running' && (a.status = 200)),
    // 200: failed.
    'sync-error-when-failed': answered((b, a) => b.status === 'failed' && (a.status = 422)),
    // 202: not finished in time.
    'sync-error-when-late': answered((_, a) => a.status === 202 && (a.status = 408)),
    // 202 with a body.
    'sync-204-when-late': answered((b, a) => a.status === 202 && b.status === 'running' && (a.status = 206)),
    // Terminal status.
    'sync-says-completed-when-failed': answered((b) => b.status === 'failed' && (b.status = 'completed')),
    // Current status.
    'sync-says-completed-when-running': answered((b) => b.status === 'running' && (b.status = 'completed')),
    // 202: status = current status.
    'sync-says-starting-when-late': answered((b, a) => a.status === 202 && (b.status = 'starting')),
    'sync-says-running-when-paused': answered((b) => b.status === 'paused' && (b.status = 'running')),
    // executionResult: present when a result was recorded.
    'sync-without-result': answered((b) => delete b.executionResult),
    'sync-without-result-when-failed': answered((b) => b.status === 'failed' && delete b.executionResult),
    'sync-without-result-when-cancelled': answered((b) => b.status === 'cancelled' && delete b.executionResult),
    // The result of the execution.
    'sync-result-differs': answered(
      (b) => b.executionResult && (b.executionResult = { ...fieldsOf(b.executionResult), result: 'other' }),
    ),
    // executionId of the result.
    'sync-result-of-another': answered(
      (b) =>
        b.executionResult &&
        (b.executionResult = {
          ...fieldsOf(b.executionResult),
          executionId: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9',
        }),
    ),
    // Execution result: fields.
    'sync-result-bare': answered((b) => b.executionResult && (b.executionResult = { rows: 1 })),
    // executionResult absent unless recorded.
    'sync-result-while-running': answered(
      (b, a) =>
        a.status === 202 &&
        (b.executionResult = {
          id: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9',
          executionId: b.executionId,
          outcome: 'failure',
          reasoning: 'Not yet.',
          result: null,
          createdAt: '2026-01-01T00:00:00Z',
        }),
    ),
    'sync-result-null': answered((b) => (b.executionResult ??= null)),
    'sync-result-null-when-late': answered((b, a) => a.status === 202 && (b.executionResult = null)),
    // executionId: required.
    'sync-without-id': answered((b) => delete b.executionId),
    // executionId.
    'sync-without-id-when-late': answered((b, a) => a.status === 202 && delete b.executionId),
    // executionId: required.
    'sync-id-named-id': answered((b) => {
      b.id = b.executionId;
      delete b.executionId;
    }),
    // The execution keeps running after a 202.
    'sync-stops-when-late': () => {
      const late = new Set<string>();
      return {
        ...answered((b, a) => a.status === 202 && late.add(String(b.executionId))),
        steps: (to, e) => (late.has(e.id) ? 'cancelled' : to),
      };
    },
    'sync-hangs-when-late': () => {
      const late = new Set<string>();
      return {
        ...answered((b, a) => a.status === 202 && late.add(String(b.executionId))),
        steps: (to, e) => (late.has(e.id) ? undefined : to),
      };
    },
    // timeoutSeconds: minimum 1.
    'timeout-0-runs': lenient('out-of-bounds', 'timeoutSeconds', (c) => seconds(c) === 0),
    'timeout-negative-runs': lenient('out-of-bounds', 'timeoutSeconds', (c) => seconds(c) < 0),
    // timeoutSeconds: maximum 25.
    'timeout-26-runs': lenient('out-of-bounds', 'timeoutSeconds', (c) => seconds(c) > 25),
    'timeout-26-runs-alone': lenient('out-of-bounds', 'timeoutSeconds', (c) => seconds(c) === 26),
    'timeout-60-runs': lenient('out-of-bounds', 'timeoutSeconds', (c) => seconds(c) > 26),
    // timeoutSeconds: minimum 1.
    'timeout-1-refused': refusing(
      400,
      'Too short.',
      (c, a) => isSync(c) && c.body.timeoutSeconds === 1 && a.status < 300,
    ),
    // timeoutSeconds: maximum 25.
    'timeout-25-refused': refusing(
      400,
      'Too long.',
      (c, a) => isSync(c) && c.body.timeoutSeconds === 25 && a.status < 300,
    ),
    // timeoutSeconds: default 25.
    'timeout-required': refusing(
      400,
      'How long?',
      (c, a) => isSync(c) && c.body.timeoutSeconds === undefined && a.status < 300,
    ),
  }),
];

const lists = (
  change: (directories: Record<string, Fields[]>, view: Fields, e: Execution, call: Call) => void,
): Partial<Hooks> =>
  hook('lists', (view, e, call) => {
    const directories = Object.fromEntries(
      Object.entries(fieldsOf(view.directories)).map(([name, files]) => [name, listOf(files)]),
    );
    change(directories, view, e, call);
    if (view.directories !== undefined) view.directories = directories;
  });
const each = (change: (file: Fields, e: Execution) => void) =>
  lists((d, _, e) => {
    for (const file of Object.values(d).flat()) change(file, e);
  });
const fileFields = [
  'id',
  'agentId',
  'createdAt',
  'updatedAt',
  'createdBy',
  'directory',
  'downloadUrl',
  'fileName',
  'filePath',
  'fileSize',
];

export const fileFaults: readonly Fault[] = [
  // Execution file: all required.
  ...fileFields.map((field) =>
    must(
      `file-without-${field}`,
      each((f) => delete f[field]),
    ),
  ),
  ...faultsOf({
    // executionId of a file is that of its execution.
    'file-of-another-execution': each((f) => (f.executionId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9')),
    // workflowId of a file is that of its execution.
    'file-of-another-workflow': each((f) => (f.workflowId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9')),
    // agentId of a file is that of its execution.
    'file-of-another-agent': each((f) => (f.agentId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9')),
    // fileSize: integer.
    'file-size-is-text': each((f) => (f.fileSize = String(f.fileSize))),
    'file-size-negative': each((f) => f.fileSize === 0 && (f.fileSize = -1)),
    'file-size-fraction': each((f) => (f.fileSize = Number(f.fileSize) / 1024)),
    // mimeType: optional.
    'file-mime-null': implied(each((f) => (f.mimeType ??= null))),
    // Grouped by directory.
    'file-in-wrong-directory': lists((d) => (d.shared = d.shared?.concat(d.downloads?.splice(0) ?? []) ?? [])),
    // All files of the execution, grouped by directory.
    'file-listed-twice': lists((d) => d.downloads?.push(...structuredClone(d.downloads))),
    'file-listed-in-two': lists((d) => d.uploads?.push(...structuredClone(d.downloads ?? []))),
    // Returns all files of the execution.
    'files-never-listed': lists((d) => Object.values(d).forEach((files) => files.splice(0))),
    'files-first-only': lists((d) =>
      Object.entries(d).forEach(([name, files]) => name !== 'downloads' && files.splice(0)),
    ),
    'files-gone-at-the-end': lists(
      (d, _, e) => isTerminal(e.status) && Object.values(d).forEach((files) => files.splice(0)),
    ),
    'files-gone-on-second-reading': () => {
      const seen = new Map<string, number>();
      return lists((d, _, e) => {
        const n = (seen.get(e.id) ?? 0) + (Object.values(d).flat().length > 0 ? 1 : 0);
        seen.set(e.id, n);
        if (n > 1) for (const files of Object.values(d)) files.splice(0);
      });
    },
    'files-of-all-executions': lists((d, _, __, call) => {
      for (const [name, files] of Object.entries(d)) {
        files.splice(
          0,
          files.length,
          ...[...call.state.executions.values()].flatMap((one) => one.files).filter((f) => f.directory === name),
        );
      }
    }),
    // A file keeps its id.
    'file-ids-change': implied(() => {
      let n = 0;
      return each((f) => (f.id = `0b9f1c3e-7a51-4f0e-9d3c-${String(++n).padStart(12, '0')}`));
    }),
    // Six keys.
    'files-without-tracing': lists((d) => delete d.tracing),
    'files-without-empty-directories': lists((d) =>
      Object.keys(d).forEach((name) => d[name]?.length === 0 && delete d[name]),
    ),
    // Six keys, each an array.
    'files-without-empty-directories-of-some': lists(
      (d, _, e) => e.files.length > 0 && Object.keys(d).forEach((name) => d[name]?.length === 0 && delete d[name]),
    ),
    // Each an array.
    'files-empty-is-null': {
      lists: (v) =>
        (v.directories = Object.fromEntries(
          Object.entries(fieldsOf(v.directories)).map(([n, f]) => [n, listOf(f).length === 0 ? null : (f ?? null)]),
        )),
    },
    // directories: object.
    'files-without-directories': { lists: (v) => delete v.directories },
    'files-flat': { lists: (v) => (v.directories = Object.values(fieldsOf(v.directories)).flatMap(listOf)) },
    // lastUpdated: date-time.
    'files-updated-as-number': { lists: (v) => (v.lastUpdated = Date.now()) },
    'files-updated-null': implied({ lists: (v) => (v.lastUpdated = null) }),
    // 404 when the execution does not exist.
    'files-of-unknown-is-empty': {
      answers: (a, c) =>
        c.operation === 'listExecutionFiles' &&
        a.status === 404 &&
        Object.assign(a, {
          status: 200,
          body: { directories: { debug: [], downloads: [], shared: [], tracing: [], uploads: [], workspace: [] } },
        }),
    },
    'files-of-unknown-is-400': refusing(
      400,
      'Execution not found.',
      (c, a) => c.operation === 'listExecutionFiles' && a.status === 404,
    ),
    // 404 with an explanation.
    'files-of-unknown-without-words': {
      answers: (a, c) =>
        c.operation === 'listExecutionFiles' &&
        a.status === 404 &&
        Object.assign(a, { body: { code: 404, message: '' } }),
    },
    'files-of-unknown-without-body': hook('answers', (a, c) => {
      if (c.operation === 'listExecutionFiles' && a.status === 404) delete a.body;
    }),
    // Files are tracked during the execution.
    'files-while-running-404': refusing(
      404,
      'Execution not found.',
      (c, a) =>
        c.operation === 'listExecutionFiles' &&
        a.status === 200 &&
        !isTerminal(c.state.executions.get(c.id.toLowerCase())?.status ?? 'failed'),
    ),
  }),
];
