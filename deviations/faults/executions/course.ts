/** Faults in the course of runs, and in how it is shown. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Execution, ExecutionFiles, ExecutionStatus } from '../../../generated/types.js';
import { iso } from '../../../reference/clock.js';
import { workflowIds } from '../../../reference/fixtures.js';
import type { ScenarioName, Step } from '../../../reference/scenarios.js';
import { changing, directories, eachFile, ended, everyTime, longRuns, showing, without } from '../../change.js';
import { breaking, type Fault } from '../../fault.js';

const earlier = ({ createdAt }: Execution): string => iso(Date.parse(createdAt) - 3_600_000);

/** Changes listings with a clock that is set back by one more minute each time. */
const olderEachTime =
  (change: (listing: ExecutionFiles, ms: number) => object): Fault['behaviour'] =>
  (base) => {
    let ms = 0;
    return {
      presentFiles: (...args) => {
        ms += 60_000;
        return change(base.presentFiles(...args), ms) as ExecutionFiles;
      },
    };
  };

const goesOn = ({ status }: Execution) => !isTerminal(status);

/** Shows fields in a state in which they may not be present. */
const early = (more: (one: Execution) => object): Fault['behaviour'] =>
  showing((one) => (goesOn(one) ? { ...one, ...more(one) } : one));

/** No run of the service usually takes longer. */
const longestMs = 2000;

/** Changes the course of a workflow's runs; the target file declares that they end within `longestMs`. */
const going = (role: ScenarioName, how: string, change: (steps: readonly Step[]) => readonly Step[]): Fault => ({
  id: `${role}-${how}`,
  breaks: ['execution-progresses'],
  declared: { takes: { [role]: longestMs } },
  behaviour: changing('stepsOf', (steps, run) => (run.workflow.id === workflowIds[role] ? change(steps) : steps)),
});

const endingIn = (status: ExecutionStatus) => (steps: readonly Step[]) => [...steps.slice(0, -1), { status }];
const stuckIn = (status: ExecutionStatus) => (): readonly Step[] => [{ status: 'starting', ms: 100 }, { status }];

/** The runs of a workflow leave their end after so many milliseconds. The first end is not shown. */
const leaving =
  (role: ScenarioName, ms: number, then: (last: Step) => readonly Step[]): Fault['behaviour'] =>
  (base) => ({
    mayMove: () => true,
    presentExecution: ({ terminalAt, ...run }) =>
      base.presentExecution({ ...run, ...(terminalAt && isTerminal(run.status) && { terminalAt }) }),
    stepsOf: (run) => {
      const steps = base.stepsOf(run);
      const last = steps.at(-1);
      if (!last || run.workflow.id !== workflowIds[role]) return steps;
      return [...steps.slice(0, -1), { ...last, ms }, ...then(last)];
    },
  });

export const courseFaults: readonly Fault[] = [
  ...breaking('execution-progresses', {
    'queued-executions-fail': (base) => ({
      stepsOf: (run) => (run.status === 'queued' ? [{ status: 'failed' }] : base.stepsOf(run)),
    }),
    'runs-of-one-workflow-end-each-other': [
      (base) => ({
        stepsOf: (run) => {
          const others = [...run.organization.runs.values()].filter(
            (one) => one !== run && one.workflow === run.workflow,
          );
          for (const one of run.workflow.id === workflowIds.slow ? others : [])
            if (!isTerminal(one.status)) Object.assign(one, { status: 'cancelled', terminalAt: run.createdAt });
          return base.stepsOf(run);
        },
      }),
      'sync-returns-when-done',
    ],
  }),
  going('fails', 'completes', endingIn('completed')),
  going('cancelled', 'fails', endingIn('failed')),
  going('pauses', 'hangs', stuckIn('running')),
  going('awaitsConfirmation', 'is-paused', stuckIn('paused')),
  going('pausesByAgent', 'hangs', stuckIn('running')),
  ...breaking('terminal-is-final', {
    'completed-runs-run-again': leaving('completes', 300, (last) => [{ status: 'running', ms: 10_000 }, last]),
    'completed-is-left-after-1000-ms': leaving('completes', 1000, () => [{ status: 'failed' }]),
    'failed-is-left-after-3000-ms': leaving('fails', 3000, (last) => [{ status: 'running', ms: 500 }, last]),
    'cancelled-is-left-after-3500-ms': leaving('cancelled', 3500, (last) => [{ status: 'running', ms: 500 }, last]),
    'failed-turns-into-completed': everyTime((one, reading) =>
      one.status === 'failed' && reading > 1 ? { ...one, status: 'completed' } : one,
    ),
    'cancelled-turns-into-completed': everyTime((one, reading) =>
      one.status === 'cancelled' && reading > 1 ? { ...one, status: 'completed' } : one,
    ),
  }),
  ...breaking('terminal-record-is-fixed', {
    'terminal-at-moves': [
      everyTime((one, reading) =>
        one.terminalAt ? { ...one, terminalAt: iso(Date.parse(one.terminalAt) + 1000 * (reading - 1)) } : one,
      ),
      'terminal-at-only-when-terminal',
    ],
    'results-change': everyTime((one, reading) =>
      one.executionResult && reading > 1
        ? { ...one, executionResult: { ...one.executionResult, reasoning: `Reading ${reading}.` } }
        : one,
    ),
    'results-are-dropped': everyTime((one, reading) => (reading > 1 ? without(one, 'executionResult') : one)),
    'script-failures-are-dropped': everyTime((one, reading) => (reading > 1 ? without(one, 'scriptFailures') : one)),
    'script-failures-are-those-of-the-last-second': showing((one, { workflow }) =>
      workflow.id === workflowIds.fails && (one.status === 'running' || ended(one))
        ? {
            ...one,
            scriptFailures: (goesOn(one) ? ['first', 'second'] : ['third']).map((error) => ({
              occurredAt: one.createdAt,
              error,
            })),
          }
        : one,
    ),
  }),
  ...breaking('status-is-current', {
    'ends-are-read-late': [
      everyTime((one, reading) =>
        one.status === 'failed' && reading < 41
          ? without(
              { ...one, status: 'running' },
              'terminalAt',
              'duration',
              'executionResult',
              'recordingUrl',
              'browserRecordingUrl',
              'scriptFailures',
            )
          : one,
      ),
      'sync-200-means-terminal',
      'execution-progresses?',
      'queue-is-oldest-first?',
      'over-capacity-is-rejected?',
    ],
  }),
  ...breaking('duration-only-when-terminal', {
    'duration-while-running': [early(() => ({ duration: 0 })), 'response-matches-schema'],
  }),
  ...breaking('recording-only-when-terminal', {
    'recording-while-running': early(({ id }) => ({ recordingUrl: `https://recordings.example.com/${id}` })),
  }),
  ...breaking('live-view-is-shown', {
    'only-old-urls-are-shown': [showing((one) => without(one, 'liveViewUrl', 'recordingUrl')), 'deprecated-urls-agree'],
    'live-views-of-profiles-have-their-old-name': [
      showing((one, { profile }) => (profile ? without(one, 'liveViewUrl') : one)),
      'deprecated-urls-agree',
    ],
  }),
  ...breaking('recording-is-shown', {
    'recordings-are-lost': showing((one) => without(one, 'recordingUrl', 'browserRecordingUrl')),
  }),
  ...(['completed', 'failed', 'cancelled'] as const).map(
    (status): Fault => ({
      id: `live-view-when-${status}`,
      breaks: ['live-view-never-when-terminal'],
      behaviour: showing((one) =>
        one.status === status ? { ...one, liveViewUrl: `https://live.example.com/${one.id}` } : one,
      ),
    }),
  ),
  ...breaking('live-view-not-before-start', {
    'queued-executions-show-a-live-view': showing((one) =>
      one.status === 'queued' ? { ...one, liveViewUrl: `https://live.example.com/${one.id}` } : one,
    ),
    'live-view-while-starting': showing((one) =>
      one.status === 'starting' ? { ...one, liveViewUrl: `https://live.example.com/${one.id}` } : one,
    ),
  }),
  ...breaking('terminal-at-only-when-terminal', {
    'terminal-at-in-another-zone': showing(({ terminalAt, ...one }) =>
      terminalAt === undefined ? one : { ...one, terminalAt: iso(Date.parse(terminalAt) + 7_200_000) },
    ),
    'terminal-at-before-created-at': [
      showing((one) => (one.terminalAt ? { ...one, terminalAt: iso(Date.parse(one.createdAt) - 60_000) } : one)),
      'duration-is-in-seconds',
      'sync-200-means-terminal',
    ],
    'terminal-at-is-created-at': [
      showing((one) => (one.terminalAt ? { ...one, terminalAt: one.createdAt } : one)),
      'duration-is-in-seconds',
    ],
  }),
  ...breaking('duration-is-in-seconds', {
    'duration-in-milliseconds': showing((one, { startedAt = 0, terminalAt = 0 }) =>
      one.duration === undefined ? one : { ...one, duration: terminalAt - startedAt },
    ),
    'duration-is-nought': showing((one) => ('duration' in one ? { ...one, duration: 0 } : one)),
    'duration-in-minutes': (base) => ({
      ...longRuns(base),
      ...showing((one) => ('duration' in one ? { ...one, duration: Math.round(Number(one.duration) / 60) } : one))(
        base,
      ),
    }),
  }),
  ...breaking('times-are-in-order', {
    'script-failures-occur-before-the-start': showing((one) =>
      one.scriptFailures
        ? { ...one, scriptFailures: one.scriptFailures.map((failure) => ({ ...failure, occurredAt: earlier(one) })) }
        : one,
    ),
    'results-are-of-next-year': (base) => ({
      resultOf: (run, id, now) => base.resultOf(run, id, now + 365 * 86_400_000),
    }),
    'comments-are-edited-before-the-start': showing((one) => ({
      ...one,
      comments: one.comments.map((comment) => ({ ...comment, updatedAt: earlier(one) })),
    })),
    'files-are-of-next-year': directories((lists) =>
      eachFile((file) => ({ ...file, updatedAt: iso(Date.parse(file.updatedAt) + 365 * 86_400_000) }))(lists),
    ),
    'files-grow-older': olderEachTime((listing, ms) => ({
      ...listing,
      directories: eachFile((file) => ({ ...file, createdAt: iso(Date.parse(file.createdAt) - ms) }))(
        listing.directories,
      ),
    })),
  }),
];
