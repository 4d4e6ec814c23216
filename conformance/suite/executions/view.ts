/** Reading what a trace tells of one execution. */
import { executionStatuses, isTerminal } from '../../../generated/lifecycle.js';
import type { ExecutionStatus } from '../../../generated/types.js';
import { memoize } from '../../engine/memoize.js';
import { answer, type Fields, sent } from '../../engine/outcome/read.js';
import { answeredAt, precedes } from '../../engine/outcome/when.js';
import { blur, clocksApartMs, instant, resolution, writtenStep } from '../../engine/rule/values.js';
import type { Exchange, Trace } from '../../engine/vocabulary.js';

export interface Reading {
  readonly exchange: Exchange;
  readonly execution: Fields;
  readonly status: ExecutionStatus;
}

/** A status that the contract knows; whether another one is an error is for the schema to say. */
const statusOf = (fields: Fields | undefined): ExecutionStatus | undefined =>
  known.has(fields?.status) ? (fields?.status as ExecutionStatus) : undefined;

const known: ReadonlySet<unknown> = new Set(executionStatuses);

/** What a 200 shows that has a status. */
export function readingOf(exchange: Exchange): Reading | undefined {
  const execution = exchange.response?.status === 200 ? answer(exchange) : undefined;
  const status = statusOf(execution);
  return execution && status && { exchange, execution, status };
}

/** The 200 readings that show a status, in the order of sending. */
export const readings = memoize((exchanges: readonly Exchange[]): readonly Reading[] =>
  exchanges.flatMap((exchange) => readingOf(exchange) ?? []),
);

/** The first reading that shows the end. */
export const ending = (trace: Trace): Reading | undefined =>
  readings(trace.readings).find(({ status }) => isTerminal(status));

/** A service may drop what ended long ago. */
const keptForMs = 3_600_000;

/** The questions that have to find an execution that was started or seen: with the same key, and not too late. */
export const due = (seen: Exchange, questions: readonly Exchange[]): Exchange[] =>
  questions.filter(
    (one) =>
      precedes(seen, one) &&
      one.at - seen.at < keptForMs &&
      (one.mark?.credential ?? 'primary') === 'primary' &&
      !one.mark?.superseded,
  );

/** How long an execution lasted by the target's own clock, in milliseconds. */
export function lifetime({ createdAt, terminalAt }: Fields): number | undefined {
  const [from, to] = [instant(createdAt), instant(terminalAt)];
  return from === undefined || to === undefined ? undefined : to - from;
}

const timesOf = ({ createdAt, terminalAt }: Fields) => [createdAt, terminalAt].flatMap((time) => instant(time) ?? []);

/** The same, as long as its clocks leave possible. */
export function longestLifetime(execution: Fields): number | undefined {
  const lasted = lifetime(execution);
  return lasted === undefined ? undefined : lasted + blur(...timesOf(execution));
}

/** The step of the clock that an execution's times were read from, in milliseconds. */
export const clockStep = (execution: Fields): number =>
  Math.max(resolution(...timesOf(execution)), ...[execution.createdAt, execution.terminalAt].map(writtenStep));

/** How long it was, no longer than that step leaves certain. */
export function shortestLifetime(execution: Fields): number | undefined {
  const lasted = lifetime(execution);
  return lasted === undefined ? undefined : lasted - clockStep(execution);
}

/**
 * How far apart the clocks may be by which an execution was created and ended: no further than what was seen of its life
 * leaves open, where its own times agree with that.
 */
export function apartMs(trace: Trace): number {
  const { start, readings: all } = trace;
  const end = ending(trace);
  const lasted = end && lifetime(end.execution);
  if (!start || !end || lasted === undefined) return clocksApartMs;
  const before = readings(all).findLast(
    ({ exchange, status }) => !isTerminal(status) && precedes(exchange, end.exchange),
  );
  const least = Math.max(0, before ? before.exchange.at - answeredAt(start) : 0);
  const most = answeredAt(end.exchange) - start.at;
  const step = clockStep(end.execution);
  return least <= lasted + step && lasted - step <= most ? Math.min(clocksApartMs, most - least) : clocksApartMs;
}

/** Past the states in which an execution may still wait for what it needs. */
export const hasBegun = (status: string): boolean => status !== 'queued' && status !== 'starting';

/** Stops at which a synchronous call may return at once. A pause by the agent may count as one (sync-returns-on-pause). */
export const isStop = (status: string): boolean =>
  status === 'paused' || status === 'awaiting_confirmation' || status === 'paused_by_agent';

export const asksToQueue = (start: Exchange): boolean => sent(start)?.onCapacityLimit === 'queue';

export const answeredStatus = (start: Exchange): ExecutionStatus | undefined => statusOf(answer(start));
