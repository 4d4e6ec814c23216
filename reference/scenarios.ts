/** What the executions of the service's own workflows do. */

import { operations } from '../generated/operations.js';
import type { ExecutionFileDirectories, ExecutionResult, ExecutionStatus, ScriptFailure } from '../generated/types.js';
import type { Start } from './start.js';

/** A status, and how many milliseconds it lasts at speed 1; the last has no end. */
export interface Step {
  readonly status: ExecutionStatus;
  readonly ms?: number;
  /** No speed shortens it. */
  readonly isNeverShorter?: true;
}

/** A directory of an execution's files. */
export type Directory = keyof ExecutionFileDirectories;
export const directories = [
  'debug',
  'downloads',
  'shared',
  'tracing',
  'uploads',
  'workspace',
] as const satisfies readonly Directory[];

/** A file that an execution produces. */
export interface WrittenFile {
  readonly directory: Directory;
  readonly name: string;
  readonly text: string;
  readonly mimeType?: string;
}

/** The result of an execution. */
export type Concluded = Pick<ExecutionResult, 'outcome' | 'reasoning' | 'result'>;

/** What the executions of a workflow do. */
export interface Scenario {
  readonly steps: readonly Step[];
  /** Recorded at the end; if undefined, there is no result. */
  readonly result?: Concluded | ((start: Start) => Concluded);
  readonly scriptFailure?: Omit<ScriptFailure, 'occurredAt'>;
  readonly files?: readonly WrittenFile[];
}

/** How long after the end of a run its files are listed: the file sync takes some time. */
export const fileSyncMs = 150;

const success = {
  outcome: 'success',
  reasoning: 'All that was asked for was found.',
  result: { invoices: 2 },
} as const;
const failure = { outcome: 'failure', reasoning: 'The portal refused the login.', result: null } as const;

/** A stop that goes on one second after the start, so that a call with the shortest wait observes it. */
const stopsIn = (status: ExecutionStatus): Scenario => ({
  steps: [
    { status: 'starting', ms: 100 },
    { status: 'running', ms: 200 },
    { status, ms: 1000 },
    { status: 'running', ms: 100 },
    { status: 'completed' },
  ],
  result: success,
});

const runs = (ms: number, ending: ExecutionStatus): readonly Step[] => [
  { status: 'starting', ms: 100 },
  { status: 'running', ms },
  { status: ending },
];

/** What outlasts the shortest wait of a synchronous start, and what nearly does. */
const shortestWaitMs = operations.executeSync.bounds.timeoutSeconds.minimum * 1000;

export const scenarios = {
  completes: { steps: runs(200, 'completed'), result: success },
  fails: {
    steps: runs(200, 'failed'),
    result: failure,
    scriptFailure: {
      actionId: 'login',
      error: 'The element #password was not found.',
      failedLine: 14,
      nodeId: 'node-2',
      nodeName: 'Log in',
      scriptFilepath: 'scripts/login.py',
      step: 3,
    },
  },
  cancelled: { steps: runs(200, 'cancelled') },
  pauses: stopsIn('paused'),
  pausesByAgent: stopsIn('paused_by_agent'),
  awaitsConfirmation: stopsIn('awaiting_confirmation'),
  slow: {
    steps: [
      { status: 'starting', ms: 100 },
      { status: 'running', ms: shortestWaitMs + 500, isNeverShorter: true },
      { status: 'completed' },
    ],
    result: success,
  },
  variantMode: { steps: runs(200, 'completed'), result: success },
  writesFiles: {
    steps: runs(200, 'completed'),
    result: success,
    files: [
      { directory: 'debug', name: 'run.log', text: 'Signed in.\nTwo invoices saved.\n', mimeType: 'text/plain' },
      { directory: 'downloads', name: 'invoices.csv', text: 'number,total\n17,1200\n18,634.5\n', mimeType: 'text/csv' },
      { directory: 'shared', name: 'session.json', text: '{"signedIn":true}', mimeType: 'application/json' },
      { directory: 'tracing', name: 'trace.jsonl', text: '{"step":1}\n{"step":2}\n' },
      { directory: 'workspace', name: 'summary.md', text: '# Two invoices\n', mimeType: 'text/markdown' },
    ],
  },
  holds: { steps: runs(shortestWaitMs - 100, 'completed'), result: success },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;
