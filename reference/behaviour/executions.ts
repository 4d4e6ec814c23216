import { isTerminal } from '../../generated/lifecycle.js';
import type { OperationId } from '../../generated/operations.js';
import type {
  Execution,
  ExecutionFile,
  ExecutionFileDirectories,
  ExecutionFiles,
  ExecutionResult,
  FinishedExecution,
  InitialExecutionStatus,
  ScriptFailure,
  StartedExecution,
  TriggerContext,
  UnfinishedExecution,
} from '../../generated/types.js';
import type { Choices } from '../choices.js';
import { iso } from '../clock.js';
import { Refusal } from '../errors.js';
import type { NewId } from '../ids.js';
import { type Directory, fileSyncMs } from '../scenarios.js';
import type { Organization, Run, RunFile } from '../store.js';

/** The behaviour for executions: what is recorded, and how it is shown. */
export function executionBehaviour(choices: Choices) {
  const all = choices['optional-fields'] === 'all';
  const paths = choices['file-created-by'] === 'paths';
  const statusOf = (run: Run) => (run.status === 'queued' ? choices['status-read-while-queued'] : run.status);

  const fileOf = (run: Run, file: RunFile, origin: string): ExecutionFile => ({
    id: file.id,
    agentId: run.workflow.agent.id,
    executionId: run.id,
    workflowId: run.workflow.id,
    createdAt: iso(file.listedAt),
    updatedAt: iso(file.listedAt),
    createdBy: paths ? 'system' : file.directory === 'uploads' ? 'user' : 'agent',
    directory: paths ? `/executions/${run.id}/${file.directory}` : file.directory,
    downloadUrl: `${origin}/files/${run.id}/${file.id}`,
    fileName: file.name,
    filePath: `${file.directory}/${file.name}`,
    fileSize: Buffer.byteLength(file.text),
    ...(all && file.mimeType !== undefined && { mimeType: file.mimeType }),
  });

  return {
    findRun: (organization: Organization, id: string): Run | undefined => organization.runs.get(id.toLowerCase()),
    /** interface: GET execution; Errors rule 1. */
    runNotFound: (_operation: OperationId, id: string): Refusal => new Refusal(404, `Execution ${id} was not found.`),

    /** The next three are recorded when a run ends. */
    resultOf: (run: Run, id: string, now: number): ExecutionResult | undefined => {
      const { result: concluded } = run.workflow.scenario;
      const result = typeof concluded === 'function' ? concluded(run.start) : concluded;
      return result && all ? { id, executionId: run.id, ...result, createdAt: iso(now) } : undefined;
    },
    failuresOf: (run: Run, now: number): ScriptFailure[] | undefined => {
      const { scriptFailure } = run.workflow.scenario;
      return scriptFailure && [{ occurredAt: iso(now), ...scriptFailure }];
    },
    filesOf: (run: Run, newId: NewId, now: number, speed: number): RunFile[] => [
      ...(run.workflow.scenario.files ?? []).map((file) => ({
        ...file,
        id: newId(),
        listedAt: now + fileSyncMs / speed,
      })),
      ...run.start.tempFiles.map(({ id, name }) => ({
        id,
        name,
        directory: 'uploads' as const,
        text: `Uploaded as ${name}.\n`,
        listedAt: now + fileSyncMs / speed,
      })),
    ],

    presentStarted: (run: Run, status: InitialExecutionStatus): StartedExecution => ({ executionId: run.id, status }),

    /** interface: POST execute/sync. */
    presentSync: (run: Run): { status: 200; body: FinishedExecution } | { status: 202; body: UnfinishedExecution } => {
      const recorded = run.result && { executionResult: run.result };
      return isTerminal(run.status)
        ? { status: 200, body: { executionId: run.id, status: run.status, ...recorded } }
        : { status: 202, body: { executionId: run.id, status: run.status, ...recorded } };
    },

    presentExecution: (run: Run): Execution => {
      const { workflow, start, profile, sharedStorageKey } = run;
      const { softTimeoutMins } = start;
      const showsKey = sharedStorageKey !== undefined && choices['variant-key-slug'] !== 'hidden';
      return {
        id: run.id,
        agentId: workflow.agent.id,
        agentName: workflow.agent.name,
        organizationId: run.organization.id,
        workflowId: workflow.id,
        status: statusOf(run),
        createdAt: iso(run.createdAt),
        hasBeenRerun: run.hasBeenRerun,
        comments: [...run.comments],
        humanLabels: run.humanLabels.map((label) =>
          choices['unstated-required-fields'] === 'few' ? pick(label, 'id', 'name') : label,
        ),
        ...(profile && { agentProfileId: profile.id, ...(all && { agentProfileName: profile.name }) }),
        ...((softTimeoutMins !== undefined || showsKey) && {
          executionOptions: {
            ...(softTimeoutMins !== undefined && { softTimeoutMins }),
            ...(showsKey && { sharedStorageKey }),
          },
        }),
        ...(start.inputs && { inputs: start.inputs }),
        ...(start.metadata && { metadata: start.metadata }),
        ...(run.parentExecutionId !== undefined && { parentExecutionId: run.parentExecutionId }),
        ...(run.scriptFailures && { scriptFailures: run.scriptFailures }),
        ...(run.result && { executionResult: run.result }),
        ...(all && whileItLasts(run)),
        ...(all && run.trigger && { triggerContext: triggerOf(run.trigger) }),
      };
    },

    /** Lists the files that the sync process has seen by now. */
    presentFiles: (run: Run, now: number, origin: string): ExecutionFiles => {
      const directories: ExecutionFileDirectories = {
        debug: [],
        downloads: [],
        shared: [],
        tracing: [],
        uploads: [],
        workspace: [],
      };
      let lastUpdated = run.createdAt;
      for (const file of run.files) {
        if (file.listedAt > now) continue;
        directories[file.directory satisfies Directory].push(fileOf(run, file, origin));
        lastUpdated = Math.max(lastUpdated, file.listedAt);
      }
      return { directories, lastUpdated: iso(lastUpdated) };
    },
  };

  function triggerOf(trigger: TriggerContext): TriggerContext {
    const { runner } = trigger;
    return choices['unstated-required-fields'] === 'few' && runner
      ? { ...trigger, runner: pick(runner, 'userId') }
      : trigger;
  }
}

/** Fields that are present only while a run is active, or only once it has ended. interface: Execution. */
function whileItLasts(run: Run): Partial<Execution> {
  const { id, status, startedAt, terminalAt } = run;
  if (terminalAt !== undefined) {
    const url = `https://recordings.example.com/${id}`;
    return {
      recordingUrl: url,
      browserRecordingUrl: url,
      duration: Math.round((terminalAt - (startedAt ?? terminalAt)) / 1000),
      terminalAt: iso(terminalAt),
    };
  }
  if (status === 'queued' || status === 'starting') return {};
  const url = `https://live.example.com/${id}`;
  return { liveViewUrl: url, browserLiveViewUrl: url };
}

const pick = <T extends object, K extends keyof T>(from: T, ...keys: K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
