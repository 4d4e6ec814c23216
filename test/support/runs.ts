/** Starts and readings of executions, for the tables of judges. Times are in milliseconds. */
import type { Exchange, FailedWait } from '../../conformance/engine/vocabulary.js';
import { ids, type Sketch } from './evidence.js';

export const another = {
  execution: '00000000-0000-4000-8000-00000000000e',
  workflow: '00000000-0000-4000-8000-00000000000f',
  profile: '00000000-0000-4000-8000-00000000000b',
  organization: '00000000-0000-4000-8000-000000000002',
} as const;
export const group = '00000000-0000-4000-8000-00000000000c';
export const organization = '00000000-0000-4000-8000-000000000001';

const ends = ['completed', 'failed', 'cancelled'];

/** An execution that began at noon, and lasted two seconds if it has ended. */
const execution = (status: string, more: object = {}): object => ({
  id: ids.execution,
  agentId: '00000000-0000-4000-8000-00000000000a',
  agentName: 'Agent',
  organizationId: organization,
  workflowId: ids.workflow,
  status,
  createdAt: '2026-03-02T12:00:00.100Z',
  hasBeenRerun: false,
  comments: [],
  humanLabels: [],
  ...(ends.includes(status) && { terminalAt: '2026-03-02T12:00:02.100Z', duration: 2 }),
  ...more,
});

/** A reading that shows an execution with this status. */
export const reading = (status: string, shown: object = {}, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'getExecution',
  status: 200,
  body: execution(status, shown),
  mark: { step: 'read' },
  ...more,
});

/** The asynchronous start of this execution by the suite. */
export const start = (sent: unknown = {}, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'execute',
  status: 202,
  sent,
  body: { executionId: ids.execution, status: 'starting' },
  mark: {},
  ...more,
});

/** The synchronous start of this execution, answered with this status. */
export const sync = (status: 200 | 202, answered: object, sent: unknown = {}, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'executeSync',
  status,
  sent,
  body: { executionId: ids.execution, ...answered },
  mark: {},
  ...more,
});

/** The same in a recording that is not of the suite. */
export const recorded = ({ mark: _, ...sketch }: Sketch): Sketch => sketch;

export const failedWait = (reason: FailedWait['reason'], executionId: string = ids.execution): FailedWait => ({
  executionId,
  wanted: 'its end',
  waitedMs: 60_000,
  unchangedMs: 60_000,
  reason,
});

/** An exchange without an answer. */
export const cut: Partial<Sketch> & { failure: NonNullable<Exchange['failure']> } = {
  failure: { kind: 'broken', message: 'The connection was cut.' },
};
