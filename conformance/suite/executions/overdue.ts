/** Tells whether an execution that stands still should long have moved on. */

import type { State } from '../../engine/contract.js';
import { answeredStatus, readings } from '../../engine/outcome/readings.js';
import { answeredAt, stuckAfterMs } from '../../engine/outcome/when.js';
import { sameId } from '../../engine/rule/values.js';
import { inSeconds } from '../../engine/rule/words.js';
import type { Exchange, Facts, Started, Trace } from '../../engine/vocabulary.js';
import { declaredMs, expectedStates } from '../expected.js';

/** When an execution was first seen there, and how long after it began, in milliseconds, waits for room excluded. */
function arrival({ start, readings: all }: Started, isThere: (status: State) => boolean) {
  const seen = readings(all);
  const answered = answeredStatus(start);
  const there = answered && isThere(answered) ? start : seen.find(({ status }) => isThere(status))?.exchange;
  const waited = seen.findLast(({ status }) => status === 'queued')?.exchange;
  return there && { there, ms: answeredAt(there) - (waited ? answeredAt(waited) : start.at) };
}

/** For how long the last readings showed one status, in milliseconds. One may come long after the wait was given up. */
function stoodMs({ readings: all }: Started): number {
  const seen = readings(all);
  const last = seen.at(-1);
  const since = seen[seen.findLastIndex(({ status }) => status !== last?.status) + 1];
  return last && since ? answeredAt(last.exchange) - answeredAt(since.exchange) : 0;
}

/**
 * Says why a run that stands still should be there by now: the runs like it that got there, or the time that the target
 * file declares, took only a fraction of the time without a change. Undefined if only time speaks against it.
 */
export function overdue(
  trace: Started,
  isThere: (status: State) => boolean,
  traces: readonly Trace[],
  facts: Facts,
): { readonly beside: readonly Exchange[]; readonly text: string } | undefined {
  const { start, failedWait } = trace;
  const last = readings(trace.readings).at(-1);
  if (!failedWait || failedWait.reason === 'unreadable' || last?.status === 'queued') return undefined;
  // If later readings failed, nobody knows whether it stood still.
  if (last && trace.readings.some((one) => one.id > last.exchange.id && one.response?.status !== 200)) return undefined;
  const alike = traces.flatMap((other) =>
    other.start !== undefined &&
    other.start !== start &&
    sameId(other.start.resource, start.resource) &&
    expectedStates(other.start, facts).length > 0
      ? (arrival({ ...other, start: other.start }, isThere) ?? [])
      : [],
  );
  const declared = declaredMs(start.resource, facts);
  const longest = Math.max(...alike.map(({ ms }) => ms), declared ?? 0);
  const unchangedMs = Math.max(failedWait.unchangedMs, stoodMs(trace));
  if ((alike.length === 0 && declared === undefined) || unchangedMs < stuckAfterMs(longest)) return undefined;
  const [like] = alike;
  return {
    beside: like ? [like.there] : [],
    text: `${inSeconds(unchangedMs)} without a change, where ${like ? 'runs like it took' : 'it is declared to take'} ${inSeconds(longest)} at most`,
  };
}
