import type { Fault, Hooks } from '../hooks.js';
import { type Call, type Execution, type Fields, fieldsOf, isTerminal, listOf, type Status } from '../state.js';
import { everyNth, must, should } from './make.js';

const shows = (change: (view: Fields, e: Execution, call: Call) => void): Partial<Hooks> => ({ shows: change });
const sets = (
  field: string,
  value: (v: Fields, e: Execution) => Fields[string],
  which: (e: Execution) => boolean = () => true,
) =>
  shows((v, e) => {
    if (which(e)) v[field] = value(v, e);
  });
const drops = (field: string, which: (e: Execution) => boolean = () => true) =>
  shows((v, e) => void (which(e) && delete v[field]));
const required = 'Required field of an execution.';
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
  ...requiredFields.map((field) => must(`execution-without-${field}`, required, drops(field))),
  must('execution-without-comments-when-failed', required, drops('comments', state('failed'))),
  must('execution-without-labels-while-running', required, drops('humanLabels', state('running'))),
  must(
    'execution-without-agent-when-queued',
    required,
    drops('agentName', (e) => e.waited && e.profileId === undefined),
  ),
  must(
    'execution-without-agent-when-sync',
    required,
    drops('agentName', (e) => e.sync),
  ),
  must(
    'execution-of-another-id',
    'The execution read is the one asked for.',
    sets('id', () => '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9'),
  ),
  must(
    'execution-of-another-workflow',
    'workflowId: Workflow that was executed.',
    sets('workflowId', () => '11000000-0000-4000-8000-000000000002'),
  ),
  must(
    'execution-of-another-workflow-when-sync',
    'workflowId: Workflow that was executed.',
    sets(
      'workflowId',
      () => '11000000-0000-4000-8000-000000000002',
      (e) => e.sync,
    ),
  ),
  must(
    'execution-of-another-workflow-when-queued',
    'workflowId: Workflow that was executed.',
    sets(
      'workflowId',
      () => '11000000-0000-4000-8000-000000000002',
      (e) => e.waited,
    ),
  ),
  must(
    'execution-agent-is-a-name',
    'agentId: uuid.',
    sets('agentId', () => 'clerk'),
  ),
  must(
    'execution-rerun-is-text',
    'hasBeenRerun: boolean.',
    sets('hasBeenRerun', () => 'false'),
  ),
  must(
    'execution-all-rerun',
    'True when rerun at least once.',
    sets('hasBeenRerun', () => true),
  ),
  must(
    'execution-rerun-once-read',
    'True when rerun at least once.',
    sets('hasBeenRerun', (_, e) => e.reads > 1),
  ),
  must(
    'execution-created-in-seconds',
    'Timestamps are ISO 8601.',
    sets('createdAt', (v) => Math.floor(Date.parse(String(v.createdAt)) / 1000)),
  ),
  must(
    'execution-created-with-blank',
    'Timestamps are ISO 8601.',
    sets('createdAt', (v) => String(v.createdAt).replace('T', ' ').replace('Z', '')),
  ),
  must(
    'execution-created-http-date',
    'Timestamps are ISO 8601.',
    sets('createdAt', (v) => new Date(String(v.createdAt)).toUTCString()),
  ),
  must(
    'execution-created-date-only',
    'date-time strings.',
    sets('createdAt', (v) => String(v.createdAt).slice(0, 10)),
  ),
  should(
    'execution-created-drifts',
    'createdAt names one execution and does not change.',
    sets('createdAt', (v, e) => shiftTime(v.createdAt, e.reads * 1000)),
  ),
  should(
    'execution-agent-drifts',
    'agentId does not change.',
    sets('agentId', (v, e) => (e.reads > 1 ? '22000000-0000-4000-8000-000000000007' : v.agentId)),
  ),
  should(
    'execution-organization-drifts',
    'organizationId does not change.',
    sets('organizationId', (v, e) => (ended(e) ? '77000000-0000-4000-8000-000000000002' : v.organizationId)),
  ),
  must(
    'status-in-capitals',
    'Nine states.',
    sets('status', (v) => String(v.status).toUpperCase()),
  ),
  must(
    'status-succeeded',
    'Nine states.',
    sets('status', (v) => (v.status === 'completed' ? 'succeeded' : v.status)),
  ),
  must(
    'status-canceled',
    'Nine states.',
    sets('status', (v) => (v.status === 'cancelled' ? 'canceled' : v.status)),
  ),
  must(
    'status-hyphened',
    'Nine states.',
    sets('status', (v) => String(v.status).replace('_', '-')),
  ),
  must(
    'status-pending',
    'Nine states.',
    sets('status', (v) => (v.status === 'queued' ? 'pending' : v.status)),
  ),
  must(
    'duration-while-running',
    'duration: only for terminal executions.',
    sets('duration', () => 0, state('running')),
  ),
  must(
    'duration-when-paused',
    'duration: only for terminal executions.',
    sets(
      'duration',
      () => 1,
      (e) => ['paused', 'paused_by_agent', 'awaiting_confirmation'].includes(e.status),
    ),
  ),
  must(
    'duration-when-queued',
    'duration: only for terminal executions.',
    sets('duration', () => 0, state('queued')),
  ),
  must(
    'duration-in-ms',
    'duration: seconds.',
    sets('duration', (_, e) => (e.terminalAt ?? 0) - e.createdAt, ended),
  ),
  must(
    'duration-in-minutes',
    'duration: seconds.',
    sets('duration', (_, e) => Math.floor(((e.terminalAt ?? 0) - e.createdAt) / 60_000), ended),
  ),
  must(
    'duration-fraction',
    'duration: integer.',
    sets('duration', (_, e) => ((e.terminalAt ?? 0) - e.createdAt) / 1000, ended),
  ),
  must(
    'duration-negative',
    'duration: seconds.',
    sets('duration', () => -1, ended),
  ),
  should(
    'duration-grows',
    'What was recorded at the end does not change.',
    shows((v, e, c) => void (ended(e) && (v.duration = Math.round((c.now - e.createdAt) / 1000)))),
  ),
  must(
    'terminal-at-while-running',
    'terminalAt: when a terminal state was reached.',
    shows((v, e, c) => void (e.status === 'running' && (v.terminalAt = new Date(c.now).toISOString()))),
  ),
  must(
    'terminal-at-when-paused',
    'terminalAt: when a terminal state was reached.',
    shows((v, e, c) => void (e.status === 'paused' && (v.terminalAt = new Date(c.now).toISOString()))),
  ),
  must(
    'terminal-at-before-creation',
    'terminalAt: when a terminal state was reached.',
    sets('terminalAt', (v) => shiftTime(v.createdAt, -5000), ended),
  ),
  must(
    'terminal-at-is-creation',
    'terminalAt: when a terminal state was reached.',
    sets(
      'terminalAt',
      (v) => v.createdAt,
      (e) => ended(e) && e.workflow.steps.some(([ms]) => ms > 900),
    ),
  ),
  must(
    'terminal-at-in-the-future',
    'terminalAt: when a terminal state was reached.',
    sets('terminalAt', (v) => shiftTime(v.terminalAt, 3_600_000), ended),
  ),
  must(
    'terminal-at-hour-off',
    'terminalAt: when a terminal state was reached.',
    sets('terminalAt', (v) => shiftTime(v.terminalAt, -3_600_000), ended),
  ),
  should(
    'terminal-at-is-now',
    'What was recorded at the end does not change.',
    shows((v, e, c) => void (ended(e) && (v.terminalAt = new Date(c.now).toISOString()))),
  ),
  must('live-view-missing', 'Present if an environment is active and the execution is running.', drops('liveViewUrl')),
  should(
    'live-view-after-the-end',
    'Present if the execution is running.',
    sets('liveViewUrl', (_, e) => `https://live.example.com/${e.id}`, ended),
  ),
  should(
    'live-view-when-starting',
    'Present if the execution is running.',
    sets('liveViewUrl', (_, e) => `https://live.example.com/${e.id}`, state('starting')),
  ),
  should(
    'live-view-when-queued',
    'Present if the execution is running.',
    sets('liveViewUrl', (_, e) => `https://live.example.com/${e.id}`, state('queued')),
  ),
  must('recording-missing', 'Present if an environment was used and the execution is terminal.', drops('recordingUrl')),
  must(
    'recording-missing-when-failed',
    'Present if an environment was used and the execution is terminal.',
    drops('recordingUrl', state('failed')),
  ),
  must(
    'recording-missing-when-cancelled',
    'Present if an environment was used and the execution is terminal.',
    drops('recordingUrl', state('cancelled')),
  ),
  should(
    'recording-while-running',
    'Present if the execution is terminal.',
    sets('recordingUrl', (_, e) => `https://recordings.example.com/${e.id}`, state('running')),
  ),
  should(
    'recording-when-paused',
    'Present if the execution is terminal.',
    sets('recordingUrl', (_, e) => `https://recordings.example.com/${e.id}`, state('paused')),
  ),
  should(
    'old-live-view-differs',
    'browserLiveViewUrl: use liveViewUrl.',
    sets('browserLiveViewUrl', () => 'https://old.example.com/', state('running')),
  ),
  should(
    'old-recording-differs',
    'browserRecordingUrl: use recordingUrl.',
    sets('browserRecordingUrl', () => 'https://old.example.com/', ended),
  ),
  should('profile-not-shown', 'agentProfileId: Profile used, if any.', drops('agentProfileId')),
  should(
    'profile-not-shown-when-sync',
    'agentProfileId: Profile used.',
    drops('agentProfileId', (e) => e.sync),
  ),
  should(
    'profile-not-shown-of-group',
    'agentProfileId: Profile used.',
    drops('agentProfileId', (e) => e.groupId !== undefined),
  ),
  should(
    'profile-not-shown-after-queue',
    'agentProfileId: Profile used.',
    drops('agentProfileId', (e) => e.waited),
  ),
  must(
    'profile-shown-is-the-group',
    'agentProfileId: Profile used.',
    sets(
      'agentProfileId',
      (_, e) => e.groupId,
      (e) => e.groupId !== undefined,
    ),
  ),
  must(
    'profile-shown-without-one',
    'agentProfileId: Profile used, if any.',
    sets('agentProfileId', (v) => v.agentProfileId ?? '33000000-0000-4000-8000-000000000002'),
  ),
  should(
    'optional-null-profile',
    'An optional field is absent rather than null.',
    sets('agentProfileId', (v) => v.agentProfileId ?? null),
  ),
  should(
    'optional-null-terminal',
    'An optional field is absent rather than null.',
    sets('terminalAt', (v) => v.terminalAt ?? null),
  ),
  should(
    'optional-null-result',
    'An optional field is absent rather than null.',
    sets('executionResult', (v) => v.executionResult ?? null),
  ),
  must(
    'script-failures-empty',
    'scriptFailures: omitted when none occurred.',
    sets('scriptFailures', () => []),
  ),
  must(
    'script-failures-empty-at-the-end',
    'scriptFailures: omitted when none occurred.',
    sets('scriptFailures', () => [], ended),
  ),
  must(
    'script-failures-empty-when-failed',
    'scriptFailures: omitted when none occurred.',
    sets('scriptFailures', () => [], state('failed')),
  ),
  must(
    'result-outcome-success-in-capitals',
    'outcome: success or failure.',
    shows(
      (v) => void (v.executionResult && (v.executionResult = { ...fieldsOf(v.executionResult), outcome: 'SUCCESS' })),
    ),
  ),
  must(
    'result-outcome-partial',
    'outcome: success or failure.',
    shows(
      (v, e) =>
        void (
          e.status === 'failed' &&
          v.executionResult &&
          (v.executionResult = { ...fieldsOf(v.executionResult), outcome: 'error' })
        ),
    ),
  ),
  must(
    'result-of-another',
    'executionId of the result.',
    shows(
      (v) =>
        void (
          v.executionResult &&
          (v.executionResult = {
            ...fieldsOf(v.executionResult),
            executionId: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9',
          })
        ),
    ),
  ),
  must(
    'result-without-reasoning',
    'reasoning: required.',
    shows((v) => void delete fieldsOf(v.executionResult).reasoning),
  ),
  must(
    'result-without-result',
    'result: required.',
    shows((v) => void delete fieldsOf(v.executionResult).result),
  ),
  must(
    'result-without-created',
    'createdAt: required.',
    shows((v, e) => void (e.status === 'cancelled' && delete fieldsOf(v.executionResult).createdAt)),
  ),
  should(
    'result-changes',
    'What was recorded at the end does not change.',
    shows(
      (v, e) =>
        void (
          v.executionResult && (v.executionResult = { ...fieldsOf(v.executionResult), reasoning: `Read ${e.reads}.` })
        ),
    ),
  ),
  should(
    'result-id-changes',
    'What was recorded at the end does not change.',
    shows(
      (v, e) =>
        void (
          v.executionResult &&
          (v.executionResult = {
            ...fieldsOf(v.executionResult),
            id: `0b9f1c3e-7a51-4f0e-9d3c-${String(e.reads).padStart(12, '0')}`,
          })
        ),
    ),
  ),
  must(
    'trigger-without-api-key',
    'apiKey: present for source api.',
    shows((v) => void delete fieldsOf(v.triggerContext).apiKey),
  ),
  should(
    'trigger-of-a-user',
    'An execution started with a key has source api.',
    sets('triggerContext', () => ({ source: 'user' })),
  ),
  must(
    'trigger-without-source',
    'source: Discriminator.',
    shows((v) => void delete fieldsOf(v.triggerContext).source),
  ),
  must(
    'trigger-admin-is-text',
    'isAdmin: boolean.',
    sets('triggerContext', (v) => ({ ...fieldsOf(v.triggerContext), runner: { isAdmin: 'no' } })),
  ),
  must(
    'trigger-runner-id',
    'userId: uuid.',
    sets('triggerContext', (v) => ({ ...fieldsOf(v.triggerContext), runner: { userId: 'u1' } })),
  ),
  must(
    'trigger-without-api-key-when-sync',
    'apiKey: present for source api.',
    shows((v, e) => void (e.sync && delete fieldsOf(v.triggerContext).apiKey)),
  ),
  must(
    'comments-null',
    'comments: array.',
    sets('comments', () => null),
  ),
  must(
    'comments-without-user',
    'Comment: userId required.',
    shows((v) => void listOf(v.comments).forEach((one) => delete one.userId)),
  ),
  must(
    'comments-of-another',
    'Comment: executionId is that of its execution.',
    shows((v) => void listOf(v.comments).forEach((one) => (one.executionId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9'))),
  ),
  must(
    'labels-as-names',
    'Human label: fields.',
    sets('humanLabels', () => ['good']),
  ),
  must(
    'metadata-as-list',
    'metadata: object.',
    sets('metadata', (v) => Object.entries(fieldsOf(v.metadata)).map(([key, value]) => ({ key, value }))),
  ),
  must(
    'inputs-as-text',
    'inputs: object.',
    sets('inputs', (v) => JSON.stringify(v.inputs ?? {})),
  ),
  // Where runs go.
  should(
    'completed-runs-again',
    'A terminal state is not left.',
    shows((v, e) => void (e.status === 'completed' && e.reads > 2 && (v.status = 'running'))),
  ),
  should(
    'failed-becomes-completed',
    'A terminal state is not left.',
    shows((v, e) => void (e.status === 'failed' && e.reads > 2 && (v.status = 'completed'))),
  ),
  should('cancelled-becomes-failed', 'A terminal state is not left.', () => {
    const first = new Map<string, number>();
    return shows((v, e) => {
      if (e.status !== 'cancelled') return;
      const n = (first.get(e.id) ?? 0) + 1;
      first.set(e.id, n);
      if (n > 1) v.status = 'failed';
    });
  }),
  must('slow-never-ends', 'workflows.slow completes.', {
    steps: (s, e) => (s === 'completed' && e.workflow.steps.some(([ms]) => ms > 2000) ? undefined : s),
  }),
  must('fails-completes', 'The execution fails.', instead('failed', 'completed')),
  must('cancelled-completes', 'The execution is cancelled.', instead('cancelled', 'completed')),
  must('pauses-completes', 'The execution pauses.', instead('paused', 'completed')),
  must('awaiting-is-paused', 'The execution awaits confirmation.', instead('awaiting_confirmation', 'paused')),
  should('not-found-at-first', 'An accepted execution can be read by its id.', {
    answers: (answer, call) => {
      if (call.operation !== 'getExecution' || answer.status !== 200) return;
      const one = call.state.executions.get(call.id.toLowerCase());
      if (!one || call.now - one.createdAt > 100) return;
      answer.status = 404;
      answer.body = { code: 404, message: 'Not found.' };
    },
  }),
  should('forgotten-after-the-end', 'An accepted execution can be read by its id.', {
    answers: (answer, call) => {
      const one = call.state.executions.get(call.id.toLowerCase());
      if (call.operation !== 'getExecution' || one?.status !== 'failed' || one.reads < 2) return;
      answer.status = 404;
      answer.body = { code: 404, message: 'Not found.' };
    },
  }),
  should('reading-fails-at-times', 'No request is answered 5xx.', () => {
    const now = everyNth(25);
    return {
      answers: (answer, call) => {
        if (call.operation !== 'getExecution' || answer.status !== 200 || !now()) return;
        answer.status = 500;
        answer.body = { code: 500, message: 'Try again.' };
      },
    };
  }),
];

const syncStart = (call: Call) => call.operation === 'executeSync';
const answered = (change: (body: Fields, answer: { status: number }, call: Call) => void): Partial<Hooks> => ({
  answers: (answer, call) => {
    if (syncStart(call) && answer.status < 300) change(fieldsOf(answer.body), answer, call);
  },
});
const seconds = (call: Call) => Number(call.body.timeoutSeconds ?? 25);

export const syncFaults: readonly Fault[] = [
  must('sync-does-not-wait', 'Seconds to wait for the execution to finish.', { waits: () => 0 }),
  must('sync-waits-half', 'Seconds to wait before returning 202.', { waits: (ms) => ms / 2 }),
  must('sync-waits-in-ms', 'timeoutSeconds.', { waits: (ms) => ms / 1000 }),
  must('sync-waits-a-second-at-most', 'Seconds to wait before returning 202.', { waits: (ms) => Math.min(ms, 1000) }),
  must('sync-waits-three-seconds-at-most', 'Seconds to wait before returning 202.', {
    waits: (ms) => Math.min(ms, 3000),
  }),
  must('sync-waits-ten-seconds-at-most', 'Seconds to wait before returning 202.', {
    waits: (ms) => Math.min(ms, 10_000),
  }),
  must('sync-default-10', 'default 25.', { waits: (ms, c) => (c.body.timeoutSeconds === undefined ? 10_000 : ms) }),
  must('sync-default-3', 'default 25.', { waits: (ms, c) => (c.body.timeoutSeconds === undefined ? 3000 : ms) }),
  must('sync-default-1', 'default 25.', { waits: (ms, c) => (c.body.timeoutSeconds === undefined ? 1000 : ms) }),
  must('sync-ignores-timeout', 'The call waits up to timeoutSeconds.', { waits: () => 25_000 }),
  must('sync-waits-two-seconds-more', 'The call waits up to timeoutSeconds.', { waits: (ms) => ms + 2000 }),
  must('sync-waits-twice', 'The call waits up to timeoutSeconds.', { waits: (ms) => ms * 2 }),
  must('sync-holds-back', '200 when the execution completed within the wait.', {
    delays: (c) => (syncStart(c) ? 1200 : 0),
  }),
  must(
    'sync-always-200',
    '202: not finished in time, or paused.',
    answered((_, a) => void (a.status = 200)),
  ),
  must(
    'sync-always-202',
    '200: completed, failed or cancelled.',
    answered((_, a) => void (a.status = 202)),
  ),
  must(
    'sync-202-when-failed',
    '200: completed, failed or cancelled.',
    answered((b, a) => void (b.status === 'failed' && (a.status = 202))),
  ),
  must(
    'sync-202-when-cancelled',
    '200: completed, failed or cancelled.',
    answered((b, a) => void (b.status === 'cancelled' && (a.status = 202))),
  ),
  must(
    'sync-200-when-paused',
    '202: paused.',
    answered((b, a) => void (b.status === 'paused' && (a.status = 200))),
  ),
  must(
    'sync-200-when-awaiting',
    '202: awaiting confirmation.',
    answered((b, a) => void (b.status === 'awaiting_confirmation' && (a.status = 200))),
  ),
  must(
    'sync-200-when-running',
    '202: not finished in time.',
    answered((b, a) => void (b.status === 'running' && (a.status = 200))),
  ),
  must(
    'sync-error-when-failed',
    '200: failed.',
    answered((b, a) => void (b.status === 'failed' && (a.status = 422))),
  ),
  must(
    'sync-error-when-late',
    '202: not finished in time.',
    answered((_, a) => void (a.status === 202 && (a.status = 408))),
  ),
  must(
    'sync-204-when-late',
    '202 with a body.',
    answered((b, a) => void (a.status === 202 && b.status === 'running' && (a.status = 206))),
  ),
  must(
    'sync-says-completed-when-failed',
    'Terminal status.',
    answered((b) => void (b.status === 'failed' && (b.status = 'completed'))),
  ),
  must(
    'sync-says-completed-when-running',
    'Current status.',
    answered((b) => void (b.status === 'running' && (b.status = 'completed'))),
  ),
  must(
    'sync-says-starting-when-late',
    '202: status = current status.',
    answered((b, a) => void (a.status === 202 && (b.status = 'starting'))),
  ),
  must(
    'sync-says-running-when-paused',
    '202: status = current status.',
    answered((b) => void (b.status === 'paused' && (b.status = 'running'))),
  ),
  must(
    'sync-without-result',
    'executionResult: present when a result was recorded.',
    answered((b) => void delete b.executionResult),
  ),
  must(
    'sync-without-result-when-failed',
    'executionResult: present when a result was recorded.',
    answered((b) => void (b.status === 'failed' && delete b.executionResult)),
  ),
  must(
    'sync-without-result-when-cancelled',
    'executionResult: present when a result was recorded.',
    answered((b) => void (b.status === 'cancelled' && delete b.executionResult)),
  ),
  must(
    'sync-result-differs',
    'The result of the execution.',
    answered(
      (b) => void (b.executionResult && (b.executionResult = { ...fieldsOf(b.executionResult), result: 'other' })),
    ),
  ),
  must(
    'sync-result-of-another',
    'executionId of the result.',
    answered(
      (b) =>
        void (
          b.executionResult &&
          (b.executionResult = {
            ...fieldsOf(b.executionResult),
            executionId: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9',
          })
        ),
    ),
  ),
  must(
    'sync-result-bare',
    'Execution result: fields.',
    answered((b) => void (b.executionResult && (b.executionResult = { rows: 1 }))),
  ),
  must(
    'sync-result-while-running',
    'executionResult absent unless recorded.',
    answered(
      (b, a) =>
        void (
          a.status === 202 &&
          (b.executionResult = {
            id: '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9',
            executionId: b.executionId,
            outcome: 'failure',
            reasoning: 'Not yet.',
            result: null,
            createdAt: '2026-01-01T00:00:00Z',
          })
        ),
    ),
  ),
  must(
    'sync-result-null',
    'executionResult absent unless recorded.',
    answered((b) => void (b.executionResult ??= null)),
  ),
  must(
    'sync-result-null-when-late',
    'executionResult absent unless recorded.',
    answered((b, a) => void (a.status === 202 && (b.executionResult = null))),
  ),
  must(
    'sync-without-id',
    'executionId: required.',
    answered((b) => delete b.executionId),
  ),
  must(
    'sync-without-id-when-late',
    'executionId.',
    answered((b, a) => void (a.status === 202 && delete b.executionId)),
  ),
  must(
    'sync-id-named-id',
    'executionId: required.',
    answered((b) => {
      b.id = b.executionId;
      delete b.executionId;
    }),
  ),
  must('sync-stops-when-late', 'The execution keeps running after a 202.', () => {
    const late = new Set<string>();
    return {
      ...answered((b, a) => void (a.status === 202 && late.add(String(b.executionId)))),
      steps: (to, e) => (late.has(e.id) ? 'cancelled' : to),
    };
  }),
  must('sync-hangs-when-late', 'The execution keeps running after a 202.', () => {
    const late = new Set<string>();
    return {
      ...answered((b, a) => void (a.status === 202 && late.add(String(b.executionId)))),
      steps: (to, e) => (late.has(e.id) ? undefined : to),
    };
  }),
  must('timeout-0-runs', 'timeoutSeconds: minimum 1.', {
    refuses: (p, c, f) => !(p === 'out-of-bounds' && f === 'timeoutSeconds' && seconds(c) === 0),
  }),
  must('timeout-negative-runs', 'timeoutSeconds: minimum 1.', {
    refuses: (p, c, f) => !(p === 'out-of-bounds' && f === 'timeoutSeconds' && seconds(c) < 0),
  }),
  must('timeout-26-runs', 'timeoutSeconds: maximum 25.', {
    refuses: (p, c, f) => !(p === 'out-of-bounds' && f === 'timeoutSeconds' && seconds(c) > 25),
  }),
  must('timeout-26-runs-alone', 'timeoutSeconds: maximum 25.', {
    refuses: (p, c, f) => !(p === 'out-of-bounds' && f === 'timeoutSeconds' && seconds(c) === 26),
  }),
  must('timeout-60-runs', 'timeoutSeconds: maximum 25.', {
    refuses: (p, c, f) => !(p === 'out-of-bounds' && f === 'timeoutSeconds' && seconds(c) > 26),
  }),
  must('timeout-1-refused', 'timeoutSeconds: minimum 1.', {
    answers: (a, c) =>
      void (
        syncStart(c) &&
        c.body.timeoutSeconds === 1 &&
        a.status < 300 &&
        Object.assign(a, { status: 400, body: { code: 400, message: 'Too short.' } })
      ),
  }),
  must('timeout-25-refused', 'timeoutSeconds: maximum 25.', {
    answers: (a, c) =>
      void (
        syncStart(c) &&
        c.body.timeoutSeconds === 25 &&
        a.status < 300 &&
        Object.assign(a, { status: 400, body: { code: 400, message: 'Too long.' } })
      ),
  }),
  must('timeout-required', 'timeoutSeconds: default 25.', {
    answers: (a, c) =>
      void (
        syncStart(c) &&
        c.body.timeoutSeconds === undefined &&
        a.status < 300 &&
        Object.assign(a, { status: 400, body: { code: 400, message: 'How long?' } })
      ),
  }),
];

const lists = (
  change: (directories: Record<string, Fields[]>, view: Fields, e: Execution, call: Call) => void,
): Partial<Hooks> => ({
  lists: (view, e, call) => {
    const directories = Object.fromEntries(
      Object.entries(fieldsOf(view.directories)).map(([name, files]) => [name, listOf(files)]),
    );
    change(directories, view, e, call);
    if (view.directories !== undefined) view.directories = directories;
  },
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
  ...fileFields.map((field) =>
    must(
      `file-without-${field}`,
      'Execution file: all required.',
      each((f) => delete f[field]),
    ),
  ),
  must(
    'file-of-another-execution',
    'executionId of a file is that of its execution.',
    each((f) => void (f.executionId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9')),
  ),
  must(
    'file-of-another-workflow',
    'workflowId of a file is that of its execution.',
    each((f) => void (f.workflowId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9')),
  ),
  must(
    'file-of-another-agent',
    'agentId of a file is that of its execution.',
    each((f) => void (f.agentId = '0b9f1c3e-7a51-4f0e-9d3c-52f1a6b7c8d9')),
  ),
  must(
    'file-size-is-text',
    'fileSize: integer.',
    each((f) => void (f.fileSize = String(f.fileSize))),
  ),
  must(
    'file-size-negative',
    'fileSize: integer.',
    each((f) => void (f.fileSize === 0 && (f.fileSize = -1))),
  ),
  must(
    'file-size-fraction',
    'fileSize: integer.',
    each((f) => void (f.fileSize = Number(f.fileSize) / 1024)),
  ),
  should(
    'file-mime-null',
    'mimeType: optional.',
    each((f) => void (f.mimeType ??= null)),
  ),
  must(
    'file-in-wrong-directory',
    'Grouped by directory.',
    lists((d) => void (d.shared = d.shared?.concat(d.downloads?.splice(0) ?? []) ?? [])),
  ),
  must(
    'file-listed-twice',
    'All files of the execution, grouped by directory.',
    lists((d) => void d.downloads?.push(...structuredClone(d.downloads))),
  ),
  must(
    'file-listed-in-two',
    'All files of the execution, grouped by directory.',
    lists((d) => void d.uploads?.push(...structuredClone(d.downloads ?? []))),
  ),
  must(
    'files-never-listed',
    'Returns all files of the execution.',
    lists((d) => Object.values(d).forEach((files) => files.splice(0))),
  ),
  must(
    'files-first-only',
    'Returns all files of the execution.',
    lists((d) => Object.entries(d).forEach(([name, files]) => name !== 'downloads' && files.splice(0))),
  ),
  must(
    'files-gone-at-the-end',
    'Returns all files of the execution.',
    lists((d, _, e) => void (isTerminal(e.status) && Object.values(d).forEach((files) => files.splice(0)))),
  ),
  must('files-gone-on-second-reading', 'Returns all files of the execution.', () => {
    const seen = new Map<string, number>();
    return lists((d, _, e) => {
      const n = (seen.get(e.id) ?? 0) + (Object.values(d).flat().length > 0 ? 1 : 0);
      seen.set(e.id, n);
      if (n > 1) for (const files of Object.values(d)) files.splice(0);
    });
  }),
  must(
    'files-of-all-executions',
    'Returns all files of the execution.',
    lists((d, _, __, call) => {
      for (const [name, files] of Object.entries(d)) {
        files.splice(
          0,
          files.length,
          ...[...call.state.executions.values()].flatMap((one) => one.files).filter((f) => f.directory === name),
        );
      }
    }),
  ),
  should('file-ids-change', 'A file keeps its id.', () => {
    let n = 0;
    return each((f) => void (f.id = `0b9f1c3e-7a51-4f0e-9d3c-${String(++n).padStart(12, '0')}`));
  }),
  must(
    'files-without-tracing',
    'Six keys.',
    lists((d) => delete d.tracing),
  ),
  must(
    'files-without-empty-directories',
    'Six keys.',
    lists((d) => Object.keys(d).forEach((name) => d[name]?.length === 0 && delete d[name])),
  ),
  must(
    'files-without-empty-directories-of-some',
    'Six keys, each an array.',
    lists(
      (d, _, e) =>
        void (e.files.length > 0 && Object.keys(d).forEach((name) => d[name]?.length === 0 && delete d[name])),
    ),
  ),
  must('files-empty-is-null', 'Each an array.', {
    lists: (v) =>
      void (v.directories = Object.fromEntries(
        Object.entries(fieldsOf(v.directories)).map(([n, f]) => [n, listOf(f).length === 0 ? null : (f ?? null)]),
      )),
  }),
  must('files-without-directories', 'directories: object.', { lists: (v) => delete v.directories }),
  must('files-flat', 'directories: object.', {
    lists: (v) => void (v.directories = Object.values(fieldsOf(v.directories)).flatMap(listOf)),
  }),
  must('files-updated-as-number', 'lastUpdated: date-time.', { lists: (v) => void (v.lastUpdated = Date.now()) }),
  should('files-updated-null', 'lastUpdated: date-time.', { lists: (v) => void (v.lastUpdated = null) }),
  must('files-of-unknown-is-empty', '404 when the execution does not exist.', {
    answers: (a, c) =>
      void (
        c.operation === 'listExecutionFiles' &&
        a.status === 404 &&
        Object.assign(a, {
          status: 200,
          body: { directories: { debug: [], downloads: [], shared: [], tracing: [], uploads: [], workspace: [] } },
        })
      ),
  }),
  must('files-of-unknown-is-400', '404 when the execution does not exist.', {
    answers: (a, c) =>
      void (
        c.operation === 'listExecutionFiles' &&
        a.status === 404 &&
        Object.assign(a, { status: 400, body: { code: 400, message: 'Execution not found.' } })
      ),
  }),
  must('files-of-unknown-without-words', '404 with an explanation.', {
    answers: (a, c) =>
      void (
        c.operation === 'listExecutionFiles' &&
        a.status === 404 &&
        Object.assign(a, { body: { code: 404, message: '' } })
      ),
  }),
  must('files-of-unknown-without-body', '404 with an explanation.', {
    answers: (a, c) => {
      if (c.operation === 'listExecutionFiles' && a.status === 404) delete a.body;
    },
  }),
  must('files-while-running-404', 'Files are tracked during the execution.', {
    answers: (a, c) =>
      void (
        c.operation === 'listExecutionFiles' &&
        a.status === 200 &&
        !isTerminal(c.state.executions.get(c.id.toLowerCase())?.status ?? 'failed') &&
        Object.assign(a, { status: 404, body: { code: 404, message: 'Execution not found.' } })
      ),
  }),
];
