/** Unusual courses of runs, and ways to show them. */

import { isTerminal } from '../../generated/lifecycle.js';
import type { ExecutionStatus } from '../../generated/types.js';
import { workflowIds } from '../../reference/fixtures.js';
import type { Step } from '../../reference/scenarios.js';
import { isFields, longRuns, showing, type Way, without } from '../change.js';
import { behaving, behind, type Surroundings, type Variation } from '../variation.js';

const masked = (value: unknown): unknown => {
  if (typeof value === 'string') return '••••••';
  if (Array.isArray(value)) return value.map(masked);
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, masked(one)])) : value;
};

/** The required fields of an execution, and those that appear at its end. */
const shownAnyway = new Set(
  'id agentId agentName organizationId workflowId status createdAt hasBeenRerun comments humanLabels terminalAt duration'.split(
    ' ',
  ),
);

/** The rules on showing what a start gave. */
const ofItsStart = [
  'inputs-are-shown',
  'metadata-is-shown',
  'used-profile-is-shown',
  'group-profile-is-recorded',
] as const;

const endingAs = (status: ExecutionStatus, steps: readonly Step[]): readonly Step[] => [
  ...steps.slice(0, -1),
  { status },
];

/** The third run of a workflow ends differently from all others. */
const oneRun =
  (workflow: 'completes' | 'slow', end: ExecutionStatus): Way =>
  (base) => {
    let runs = 0;
    return {
      stepsOf: (run) => {
        if (run.workflow.id === workflowIds[workflow]) runs += 1;
        return runs === 3 && run.workflow.id === workflowIds[workflow]
          ? endingAs(end, base.stepsOf(run))
          : base.stepsOf(run);
      },
    };
  };

/** Changes every text that callers gave, wherever it is shown. */
const texts = (change: (text: string) => string): Way => {
  const within = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(within);
    return isFields(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner)]))
      : value;
  };
  return (base) => ({
    ...showing((one) => ({
      ...one,
      ...(one.inputs && { inputs: within(one.inputs) }),
      ...(one.metadata && { metadata: within(one.metadata) }),
    }))(base),
    presentProfile: (...args) => {
      const shown = base.presentProfile(...args);
      return { ...shown, description: change(shown.description) };
    },
  });
};

/** Leaves fields out of readings of an execution for so many milliseconds after they were first to be shown. */
const shownLate =
  (ms: number, fields: readonly string[]): NonNullable<Surroundings['gateway']> =>
  (service, clock) => {
    const since = new Map<string, number>();
    return async (request) => {
      const answer = await service(request);
      const body: unknown = request.method === 'GET' && answer.ok ? await answer.clone().json() : undefined;
      if (!isFields(body) || typeof body.id !== 'string') return answer;
      const isLate = (field: string) => {
        const from = since.get(`${body.id} ${field}`) ?? clock.now();
        if (field in body) since.set(`${body.id} ${field}`, from);
        return clock.now() - from < ms;
      };
      return Response.json(without(body, ...fields.filter(isLate)));
    };
  };

export const executionVariations: readonly Variation[] = [
  ...behaving({
    'more-inputs': showing((one) => ({ ...one, inputs: { region: 'eu', ...one.inputs } })),
    'executions-show-what-is-required': [
      showing((one) => Object.fromEntries(Object.entries(one).filter(([name]) => shownAnyway.has(name)))),
      { warns: ofItsStart, untested: 'any' },
    ],
    'null-for-nothing': [
      showing((one) => ({
        agentProfileId: null,
        agentProfileName: null,
        liveViewUrl: null,
        recordingUrl: null,
        duration: null,
        terminalAt: null,
        parentExecutionId: null,
        scriptFailures: null,
        triggerContext: null,
        executionResult: null,
        ...one,
      })),
      { warns: ['optional-fields-are-not-null'] },
    ],
    'masked-inputs': showing((one) => (one.inputs ? { ...one, inputs: masked(one.inputs) } : one)),
    'used-inputs-only': [
      showing((one) => {
        const [first] = Object.entries(one.inputs ?? {});
        return first ? { ...one, inputs: Object.fromEntries([first]) } : one;
      }),
      { warns: ['inputs-are-shown'] },
    ],
    'started-by-an-integration': [
      showing((one) => ('triggerContext' in one ? { ...one, triggerContext: { source: 'integration' } } : one)),
      { warns: ['trigger-is-api'], untested: ['trigger-names-its-key'] },
    ],
    'no-live-views': [
      showing((one) => ({
        ...without(one, 'liveViewUrl', 'browserLiveViewUrl', 'recordingUrl', 'browserRecordingUrl'),
        ...(one.status === 'running' && { liveViewUrl: '' }),
      })),
      { untested: ['recording-is-shown', 'deprecated-urls-agree'] },
    ],
    'runs-of-no-time': [(base) => ({ stepsOf: (run) => base.stepsOf(run).slice(-1) }), { untested: 'any' }],
    'one-run-fails': oneRun('completes', 'cancelled'),
    'one-slow-run-fails': oneRun('slow', 'failed'),
    'runs-fail-at-times': (base) => {
      let runs = 0;
      return {
        stepsOf: (run) => {
          runs += 1;
          return runs % 14 === 0 ? endingAs('failed', base.stepsOf(run)) : base.stepsOf(run);
        },
      };
    },
    'long-runs': [
      longRuns,
      {
        // Other variations may make runs even slower; they must still end in time.
        declared: { pace: { patienceSeconds: 180 } },
      },
    ],
    'soft-timeouts-by-default': showing((one, { start }) =>
      start.head ? one : { ...one, executionOptions: { softTimeoutMins: 59, ...one.executionOptions } },
    ),
    'commented-runs': showing((one) => {
      const comment = (digit: string, content: string) => ({
        id: one.id.replace(/^./, digit),
        executionId: one.id,
        content,
        public: false,
        userId: one.agentId,
        createdAt: one.createdAt,
      });
      const last = isTerminal(one.status) ? [comment('8', 'Over.')] : [];
      return { ...one, comments: [...one.comments, comment('7', ''), ...last], humanLabels: [{}] };
    }),
    'failures-on-the-way': showing((one) =>
      one.status === 'running' || isTerminal(one.status)
        ? { ...one, scriptFailures: [{ occurredAt: one.createdAt }, ...(one.scriptFailures ?? [])] }
        : one,
    ),
    'back-to-starting': (base) => ({
      stepsOf: (run) =>
        base
          .stepsOf(run)
          .flatMap((step) =>
            step.status === 'running' && step.ms !== undefined
              ? (['running', 'starting', 'running'] as const).map((status) => ({ status, ms: (step.ms ?? 0) / 3 }))
              : [step],
          ),
    }),
    'texts-trimmed': texts((text) => text.trim()),
    'texts-decomposed': texts((text) => text.normalize('NFD')),
    'signed-urls': (base) => {
      let count = 0;
      const sign = (url: string) => {
        count += 1;
        return `${url}?signature=${count}`;
      };
      return showing((one) => ({
        ...one,
        ...(one.liveViewUrl && { liveViewUrl: sign(one.liveViewUrl) }),
        ...(one.recordingUrl && { recordingUrl: sign(one.recordingUrl) }),
        ...(one.browserLiveViewUrl && { browserLiveViewUrl: sign(one.browserLiveViewUrl) }),
        ...(one.browserRecordingUrl && { browserRecordingUrl: sign(one.browserRecordingUrl) }),
      }))(base);
    },
  }),
  ...behind({
    'late-recordings': shownLate(300, ['recordingUrl', 'browserRecordingUrl', 'duration']),
    'new-names-late': shownLate(300, ['liveViewUrl', 'recordingUrl']),
    'optional-fields-late': shownLate(10_000, [
      'agentProfileId',
      'agentProfileName',
      'duration',
      'executionOptions',
      'executionResult',
      'inputs',
      'metadata',
      'terminalAt',
      'triggerContext',
    ]),
  }),
];
