/** Reading what a trace tells of one execution. */
import { executionStatuses, isTerminal } from '../../generated/lifecycle.js';
import type { ExecutionStatus } from '../../generated/types.js';
import type { Exchange, Trace } from '../vocabulary.js';
import { answer, type Fields, readable, sent } from './read.js';
import { instant } from './values.js';

export interface Reading {
  readonly exchange: Exchange;
  readonly execution: Fields;
  readonly status: ExecutionStatus;
}

/** A status that the contract knows; whether another one is an error is for the schema to say. */
export const statusOf = (fields: Fields | undefined): ExecutionStatus | undefined =>
  executionStatuses.find((known) => known === fields?.status);

/** The 200 readings that show a status, in the order of sending. */
export const readings = (exchanges: readonly Exchange[]): Reading[] =>
  readable(exchanges).flatMap((reading) => {
    const status = statusOf(reading.execution);
    return status ? [{ ...reading, status }] : [];
  });

/** The first reading that shows the end. */
export const ending = (trace: Trace): Reading | undefined =>
  readings(trace.readings).find(({ status }) => isTerminal(status));

export const answeredAt = ({ at, durationMs }: Exchange): number => at + durationMs;

/** Whether one exchange was over before the other was sent: only then is their order that of the target. */
export const precedes = (earlier: Exchange, later: Exchange): boolean =>
  answeredAt(earlier) < later.at || (answeredAt(earlier) === later.at && earlier.id < later.id);

/** A service may drop what ended long ago. */
const keptForMs = 3_600_000;

/** The readings that have to find an execution: with the key that started it, and not too late. */
export const due = (start: Exchange, readings: readonly Exchange[]): Exchange[] =>
  readings.filter(
    (reading) =>
      precedes(start, reading) &&
      reading.at - start.at < keptForMs &&
      (reading.mark?.credential ?? 'primary') === 'primary',
  );

/** How long an execution lasted by the target's own clock, in milliseconds. */
export function lifetime({ createdAt, terminalAt }: Fields): number | undefined {
  const [from, to] = [instant(createdAt), instant(terminalAt)];
  return from === undefined || to === undefined ? undefined : to - from;
}

/** Past the states in which an execution may still wait for what it needs. */
export const hasBegun = (status: ExecutionStatus): boolean => status !== 'queued' && status !== 'starting';

/** Stops at which a synchronous call may return at once. A pause by the agent may count as one (sync-returns-on-pause). */
export const isStop = (status: ExecutionStatus): boolean =>
  status === 'paused' || status === 'awaiting_confirmation' || status === 'paused_by_agent';

export const asksToQueue = (start: Exchange): boolean => sent(start)?.onCapacityLimit === 'queue';

export const answeredStatus = (start: Exchange): ExecutionStatus | undefined => statusOf(answer(start));
