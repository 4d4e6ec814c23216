/** Faults in the course of runs, and in how it is shown. */

import { isTerminal } from '../../../generated/lifecycle.js';
import type { Execution, ExecutionFiles, ExecutionStatus } from '../../../generated/types.js';
import { iso } from '../../../reference/clock.js';
import { workflowIds } from '../../../reference/fixtures.js';
import type { ScenarioName, Step } from '../../../reference/scenarios.js';
import { directories, eachFile, ended, everyTime, longRuns, showing, without } from '../../change.js';
import type { Fault } from '../../fault.js';

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
const early = (id: string, rule: Fault['breaks'][number], says: string, more: (one: Execution) => object): Fault => ({
  id,
  // For recordings, that is implied only, and not part of the schema.
  breaks: rule === 'recording-only-when-terminal' ? [rule] : [rule, 'response-matches-schema'],
  says,
  behaviour: showing((one) => (goesOn(one) ? { ...one, ...more(one) } : one)),
});

/** No run of the service usually takes longer. */
const longestMs = 2000;

/** Changes the course of a workflow's runs; the target file declares that they end within `longestMs`. */
const going = (
  role: ScenarioName,
  how: string,
  says: string,
  change: (steps: readonly Step[]) => readonly Step[],
  ...also: Fault['breaks'][number][]
): Fault => ({
  id: `${role}-${how}`,
  breaks: ['execution-progresses', ...also],
  says,
  declared: { takes: { [role]: longestMs } },
  behaviour: (base) => ({
    stepsOf: (run) => {
      const steps = base.stepsOf(run);
      return run.workflow.id === workflowIds[role] ? change(steps) : steps;
    },
  }),
});

const endingIn = (status: ExecutionStatus) => (steps: readonly Step[]) => [...steps.slice(0, -1), { status }];
const stuckIn = (status: ExecutionStatus) => (): readonly Step[] => [{ status: 'starting', ms: 100 }, { status }];

export const courseFaults: readonly Fault[] = [
  {
    id: 'queued-executions-fail',
    breaks: ['execution-progresses'],
    says: 'A queued execution fails when its turn comes.',
    behaviour: (base) => ({
      stepsOf: (run) => (run.status === 'queued' ? [{ status: 'failed' }] : base.stepsOf(run)),
    }),
  },
  {
    id: 'runs-of-one-workflow-end-each-other',
    breaks: ['execution-progresses', 'sync-returns-when-done'],
    says: 'A start of the slow workflow cancels the run of it that is under way; a call is told when its wait is over.',
    behaviour: (base) => ({
      stepsOf: (run) => {
        const others = [...run.organization.runs.values()].filter(
          (one) => one !== run && one.workflow === run.workflow,
        );
        for (const one of run.workflow.id === workflowIds.slow ? others : [])
          if (!isTerminal(one.status)) Object.assign(one, { status: 'cancelled', terminalAt: run.createdAt });
        return base.stepsOf(run);
      },
    }),
  },
  going('completes', 'fails', 'The workflow that completes fails.', endingIn('failed')),
  going('completes', 'hangs', 'The workflow that completes runs for ever.', stuckIn('running')),
  going('completes', 'never-starts', 'The workflow that completes is starting for ever.', () => [
    { status: 'starting' },
  ]),
  going('fails', 'completes', 'The workflow that fails completes.', endingIn('completed')),
  going('cancelled', 'fails', 'The workflow that is cancelled fails.', endingIn('failed')),
  going('slow', 'is-cancelled', 'The slow workflow is cancelled.', endingIn('cancelled')),
  going('slow', 'hangs', 'The slow workflow runs for ever.', stuckIn('running')),
  going('pauses', 'hangs', 'The workflow that pauses runs on for ever.', stuckIn('running')),
  going(
    'awaitsConfirmation',
    'is-paused',
    'Waiting for confirmation is called a pause, and never ends.',
    stuckIn('paused'),
  ),
  going('pausesByAgent', 'hangs', 'The workflow that its agent pauses runs on for ever.', stuckIn('running')),
  going('variantMode', 'fails', 'A workflow in variant mode fails.', endingIn('failed')),
  going('writesFiles', 'fails', 'The workflow that writes files fails.', endingIn('failed')),
  {
    id: 'completed-runs-run-again',
    breaks: ['terminal-is-final'],
    says: 'A while after an execution has completed it runs and completes once more.',
    behaviour: (base) => ({
      mayMove: () => true,
      // The first end is not shown.
      presentExecution: ({ terminalAt, ...run }) =>
        base.presentExecution({ ...run, ...(terminalAt && isTerminal(run.status) && { terminalAt }) }),
      stepsOf: (run) => {
        const steps = base.stepsOf(run);
        const last = steps.at(-1);
        if (!last || run.workflow.id !== workflowIds.completes) return steps;
        return [...steps.slice(0, -1), { ...last, ms: 300 }, { status: 'running', ms: 10_000 }, last];
      },
    }),
  },
  ...(
    [
      ['completed', 'completes', 'failed', 1000],
      ['failed', 'fails', 'running', 3000],
      ['cancelled', 'cancelled', 'running', 3500],
    ] as const
  ).map(
    ([from, role, next, after]): Fault => ({
      id: `${from}-is-left-after-${after}-ms`,
      breaks: ['terminal-is-final'],
      says: `An execution that has ${from === 'completed' ? from : `been ${from}`} is ${next} ${after} ms later${isTerminal(next) ? '' : ', for half a second'}.`,
      behaviour: (base) => ({
        mayMove: () => true,
        presentExecution: ({ terminalAt, ...run }) =>
          base.presentExecution({ ...run, ...(terminalAt && isTerminal(run.status) && { terminalAt }) }),
        stepsOf: (run) => {
          const steps = base.stepsOf(run);
          const last = steps.at(-1);
          if (!last || run.workflow.id !== workflowIds[role]) return steps;
          const left = isTerminal(next) ? [{ status: next }] : [{ status: next, ms: 500 }, last];
          return [...steps.slice(0, -1), { ...last, ms: after }, ...left];
        },
      }),
    }),
  ),
  ...(['failed', 'cancelled'] as const).map(
    (from): Fault => ({
      id: `${from}-turns-into-completed`,
      breaks: ['terminal-is-final'],
      says: `An execution that was read as ${from} is read as completed later.`,
      behaviour: everyTime((one, reading) =>
        one.status === from && reading > 1 ? { ...one, status: 'completed' } : one,
      ),
    }),
  ),
  {
    id: 'terminal-at-moves',
    breaks: ['terminal-record-is-fixed'],
    says: 'terminalAt is a second later with each reading.',
    behaviour: everyTime((one, reading) =>
      one.terminalAt ? { ...one, terminalAt: iso(Date.parse(one.terminalAt) + 1000 * (reading - 1)) } : one,
    ),
  },
  {
    id: 'results-change',
    breaks: ['terminal-record-is-fixed'],
    says: 'The reasoning of a result is another one with each reading.',
    behaviour: everyTime((one, reading) =>
      one.executionResult && reading > 1
        ? { ...one, executionResult: { ...one.executionResult, reasoning: `Reading ${reading}.` } }
        : one,
    ),
  },
  {
    id: 'results-are-dropped',
    breaks: ['terminal-record-is-fixed'],
    says: 'The result is in the first reading after the end and in no later one.',
    behaviour: everyTime((one, reading) => (reading > 1 ? without(one, 'executionResult') : one)),
  },
  {
    id: 'script-failures-are-dropped',
    breaks: ['terminal-record-is-fixed'],
    says: 'The script failures are in the first reading after the end and in no later one.',
    behaviour: everyTime((one, reading) => (reading > 1 ? without(one, 'scriptFailures') : one)),
  },
  {
    id: 'script-failures-are-those-of-the-last-second',
    breaks: ['terminal-record-is-fixed'],
    says: 'A script failure is shown while its execution runs, and another one after the end.',
    behaviour: showing((one, { workflow }) =>
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
  },
  {
    id: 'ends-are-read-late',
    breaks: ['status-is-current', 'sync-200-means-terminal'],
    says: 'An execution that failed is read as running, the next forty times.',
    behaviour: everyTime((one, reading) =>
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
  },
  early('duration-while-running', 'duration-only-when-terminal', 'duration counts while the execution runs.', () => ({
    duration: 0,
  })),
  early(
    'recording-while-running',
    'recording-only-when-terminal',
    'The recording is shown while the execution runs.',
    (one) => ({ recordingUrl: `https://recordings.example.com/${one.id}` }),
  ),
  {
    id: 'only-old-urls-are-shown',
    breaks: ['live-view-is-shown', 'deprecated-urls-agree'],
    says: 'An execution has the deprecated URLs and not those that replace them.',
    behaviour: showing((one) => without(one, 'liveViewUrl', 'recordingUrl')),
  },
  {
    id: 'live-views-of-profiles-have-their-old-name',
    breaks: ['live-view-is-shown', 'deprecated-urls-agree'],
    says: 'With a profile a live view has its deprecated name alone.',
    behaviour: showing((one, { profile }) => (profile ? without(one, 'liveViewUrl') : one)),
  },
  {
    id: 'recordings-are-lost',
    breaks: ['recording-is-shown'],
    says: 'No execution shows a recordingUrl.',
    behaviour: showing((one) => without(one, 'recordingUrl', 'browserRecordingUrl')),
  },
  ...(['completed', 'failed', 'cancelled'] as const).map(
    (status): Fault => ({
      id: `live-view-when-${status}`,
      breaks: ['live-view-never-when-terminal'],
      says: `An execution that has ${status === 'cancelled' ? 'been cancelled' : status} still has a live view.`,
      behaviour: showing((one) =>
        one.status === status ? { ...one, liveViewUrl: `https://live.example.com/${one.id}` } : one,
      ),
    }),
  ),
  {
    id: 'queued-executions-show-a-live-view',
    breaks: ['live-view-not-before-start'],
    says: 'A queued execution has a liveViewUrl.',
    behaviour: showing((one) =>
      one.status === 'queued' ? { ...one, liveViewUrl: `https://live.example.com/${one.id}` } : one,
    ),
  },
  {
    id: 'live-view-while-starting',
    breaks: ['live-view-not-before-start'],
    says: 'An execution has a liveViewUrl while it is starting.',
    behaviour: showing((one) =>
      one.status === 'starting' ? { ...one, liveViewUrl: `https://live.example.com/${one.id}` } : one,
    ),
  },
  {
    id: 'terminal-at-in-another-zone',
    breaks: ['terminal-at-only-when-terminal'],
    says: 'terminalAt is the time of another zone, labelled as UTC.',
    behaviour: showing(({ terminalAt, ...one }) =>
      terminalAt === undefined ? one : { ...one, terminalAt: iso(Date.parse(terminalAt) + 7_200_000) },
    ),
  },
  early(
    'terminal-at-while-running',
    'terminal-at-only-when-terminal',
    'terminalAt says when the execution will have to end.',
    (one) => ({ terminalAt: iso(Date.parse(one.createdAt) + 3_600_000) }),
  ),
  {
    id: 'terminal-at-before-created-at',
    breaks: ['terminal-at-only-when-terminal', 'duration-is-in-seconds', 'sync-200-means-terminal'],
    says: 'terminalAt is a minute before createdAt.',
    behaviour: showing((one) =>
      one.terminalAt ? { ...one, terminalAt: iso(Date.parse(one.createdAt) - 60_000) } : one,
    ),
  },
  {
    id: 'terminal-at-is-created-at',
    breaks: ['terminal-at-only-when-terminal', 'duration-is-in-seconds'],
    says: 'terminalAt is the time at which the execution was created.',
    behaviour: showing((one) => (one.terminalAt ? { ...one, terminalAt: one.createdAt } : one)),
  },
  {
    id: 'duration-in-milliseconds',
    breaks: ['duration-is-in-seconds'],
    says: 'duration counts milliseconds.',
    behaviour: showing((one, { startedAt = 0, terminalAt = 0 }) =>
      one.duration === undefined ? one : { ...one, duration: terminalAt - startedAt },
    ),
  },
  {
    id: 'duration-is-a-second-more',
    breaks: ['duration-is-in-seconds'],
    says: 'duration is a second longer than the run.',
    behaviour: showing((one) => ('duration' in one ? { ...one, duration: Number(one.duration) + 1 } : one)),
  },
  {
    id: 'duration-is-nought',
    breaks: ['duration-is-in-seconds'],
    says: 'duration is 0 however long the run was.',
    behaviour: showing((one) => ('duration' in one ? { ...one, duration: 0 } : one)),
  },
  {
    id: 'duration-in-minutes',
    breaks: ['duration-is-in-seconds'],
    says: 'Slow runs take half a minute, and duration counts minutes.',
    behaviour: (base) => ({
      ...longRuns(base),
      ...showing((one) => ('duration' in one ? { ...one, duration: Math.round(Number(one.duration) / 60) } : one))(
        base,
      ),
    }),
  },
  {
    id: 'script-failures-occur-before-the-start',
    breaks: ['times-are-in-order'],
    says: 'A script failure is dated an hour before its execution was created.',
    behaviour: showing((one) =>
      one.scriptFailures
        ? { ...one, scriptFailures: one.scriptFailures.map((failure) => ({ ...failure, occurredAt: earlier(one) })) }
        : one,
    ),
  },
  {
    id: 'results-are-of-next-year',
    breaks: ['times-are-in-order'],
    says: 'A result is dated a year ahead, wherever it is shown.',
    behaviour: (base) => ({ resultOf: (run, id, now) => base.resultOf(run, id, now + 365 * 86_400_000) }),
  },
  {
    id: 'comments-are-edited-before-the-start',
    breaks: ['times-are-in-order'],
    says: 'A comment was edited an hour before its execution was created.',
    behaviour: showing((one) => ({
      ...one,
      comments: one.comments.map((comment) => ({ ...comment, updatedAt: earlier(one) })),
    })),
  },
  {
    id: 'last-updated-goes-back',
    breaks: ['times-are-in-order'],
    says: 'lastUpdated is a minute earlier with each listing.',
    behaviour: olderEachTime((listing, ms) => ({
      ...listing,
      lastUpdated: iso(Date.parse(String(listing.lastUpdated)) - ms),
    })),
  },
  {
    id: 'files-are-of-next-year',
    breaks: ['times-are-in-order'],
    says: 'The files of an execution were updated in a year.',
    behaviour: directories((lists) =>
      eachFile((file) => ({ ...file, updatedAt: iso(Date.parse(file.updatedAt) + 365 * 86_400_000) }))(lists),
    ),
  },
  {
    id: 'files-grow-older',
    breaks: ['times-are-in-order'],
    says: 'The files of an execution were created a minute earlier with each listing.',
    behaviour: olderEachTime((listing, ms) => ({
      ...listing,
      directories: eachFile((file) => ({ ...file, createdAt: iso(Date.parse(file.createdAt) - ms) }))(
        listing.directories,
      ),
    })),
  },
];
