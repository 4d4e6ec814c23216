/** Compares what a start gave with what its execution shows of it. */

import type { StartField } from '../../engine/contract.js';
import { isProbe, isUnjudged } from '../../engine/outcome/mark.js';
import { type Asked, type Fields, requestFields, usesOldName } from '../../engine/outcome/read.js';
import { readings } from '../../engine/outcome/readings.js';
import { answeredAt, isAfterReplicaLag, precedes, replicaLagMs } from '../../engine/outcome/when.js';
import { satisfied, violated } from '../../engine/rule/findings.js';
import { jsonText } from '../../engine/rule/values.js';
import type { Exchange, Finding, Judge, Trace } from '../../engine/vocabulary.js';
import { hasBegun } from './view.js';

/** Something that a start gives, and where an execution shows it; both are undefined if absent. */
export interface RecordedValue {
  readonly name: string;
  /** The field of the start that gives it. What is given by its old name is judged by another rule. */
  readonly field: StartField;
  readonly given: (start: Asked) => unknown;
  readonly of: (execution: Fields) => unknown;
  /** Set if this has one meaning, however odd the rest of an accepted start is. */
  readonly isUnambiguous?: true;
  /** Describes the part that differs, if it is only a part. */
  readonly differing?: (
    shown: unknown,
    given: unknown,
  ) => { readonly expected: string; readonly actual: string } | undefined;
}

/** What the start gave, and what each reading shows of it. Null counts as absent. */
function history({ start, readings: all }: Trace, { field, given, of, isUnambiguous }: RecordedValue) {
  if (!start || isProbe(start) || (isUnjudged(start) && !isUnambiguous) || usesOldName(start, field)) return undefined;
  const value = given(requestFields(start));
  if (value === undefined) return undefined;
  const seen = readings(all).map(({ exchange, execution, status }) => ({
    exchange,
    status,
    value: of(execution) ?? undefined,
  }));
  return { start, value, seen };
}

function differs(
  { name, differing }: RecordedValue,
  at: { readonly exchange: Exchange; readonly value: unknown },
  start: Exchange,
  given: unknown,
): Finding {
  const { expected, actual } = differing?.(at.value, given) ?? {
    expected: `${name} ${jsonText(given)}, as given at the start`,
    actual: jsonText(at.value),
  };
  return violated([at.exchange, start], expected, actual);
}

/**
 * Judges a reading that shows what was given. Passes if all show it as given; fails if one shows it differently,
 * or shows only part of it after the run has begun, and so do all after that. `agrees` returns undefined for a reading
 * that tells nothing.
 */
export const agreement = (
  recorded: RecordedValue,
  agrees: (recorded: unknown, given: unknown) => boolean | undefined,
  isWhole: (recorded: unknown, given: unknown) => boolean = () => true,
): Judge => ({
  trace(trace) {
    const { start, value, seen } = history(trace, recorded) ?? {};
    if (!start || !seen) return undefined;
    // Most readings show the same as the one before.
    const holds = memoizeLatest((one: unknown) => (one === undefined ? undefined : agrees(one, value)));
    const holdsAll = memoizeLatest((one: unknown) => one === undefined || isWhole(one, value));
    // Before that, the service may still be storing it, or a replica may be behind.
    const isSettled = ({ exchange, status }: (typeof seen)[number]) =>
      (hasBegun(status) || isAfterReplicaLag(exchange, start)) &&
      !seen.some((later) => precedes(exchange, later.exchange) && later.value !== undefined && holdsAll(later.value));
    const wrong =
      seen.find((one) => holds(one.value) === false) ?? seen.find((one) => !holdsAll(one.value) && isSettled(one));
    const last = seen.findLast((one) => holds(one.value) !== undefined);
    return wrong ? differs(recorded, wrong, start, value) : last && satisfied([last.exchange, start]);
  },
});

/**
 * Judges a reading after the run has begun (before that, the service may still be storing it). Passes if the last one
 * shows it, and none lost it in between. With `inQueue`, also fails if a queued execution of the run does not show
 * it, and was read so for longer than others took to show it.
 */
export const presence = (
  recorded: RecordedValue,
  isThere: (recorded: unknown, given: unknown) => boolean = () => true,
  { inQueue = false } = {},
): Judge => ({
  trace(trace) {
    const { start, value, seen = [] } = history(trace, recorded) ?? {};
    const isIn = memoizeLatest((one: unknown) => one !== undefined && isThere(one, value));
    const shows = (one: { readonly value: unknown }) => isIn(one.value);
    const last = seen.findLast(({ status }) => hasBegun(status));
    if (!start || !last) return undefined;
    const first = seen.find(shows);
    // A replica that is behind may briefly show an earlier state.
    const isBehind = ({ exchange, status }: (typeof seen)[number]) =>
      first !== undefined &&
      !isAfterReplicaLag(exchange, first.exchange) &&
      seen.some((one) => one.status === status && precedes(one.exchange, first.exchange));
    const lost = first && seen.find((one) => precedes(first.exchange, one.exchange) && !shows(one) && !isBehind(one));
    const wrong = lost ?? (shows(last) ? undefined : last);
    return wrong ? differs(recorded, wrong, start, value) : satisfied([last.exchange, start]);
  },
  ...(inQueue && { run: ({ traces }) => missingInQueue(traces, recorded, isThere) }),
});

/** Finds executions that do not show it while they are queued, for longer than those took that were not. */
function missingInQueue(
  traces: readonly Trace[],
  recorded: RecordedValue,
  isThere: (recorded: unknown, given: unknown) => boolean,
): Finding[] {
  const all = traces.flatMap((trace) => {
    const { start, value, seen } = history(trace, recorded) ?? {};
    if (!start || !seen) return [];
    const shows = (one: { readonly value: unknown }) => one.value !== undefined && isThere(one.value, value);
    const queued = seen.filter(({ status }) => status === 'queued');
    return { start, value, queued, shows, first: seen.find(shows) };
  });
  const took = all.flatMap(({ start, queued, first }) =>
    queued.length === 0 && first ? first.exchange.at - answeredAt(start) : [],
  );
  const longest = Math.max(0, ...took) + replicaLagMs;
  return all.flatMap(({ start, value, queued, shows }) => {
    const waiting = queued.find((one) => !shows(one) && one.exchange.at - answeredAt(start) >= longest);
    return waiting ? differs(recorded, waiting, start, value) : [];
  });
}

/** Remembers only the latest result. */
function memoizeLatest<Of, Made>(make: (of: Of) => Made): (of: Of) => Made {
  let latest: { readonly of: Of; readonly made: Made } | undefined;
  return (of) => {
    if (!latest || latest.of !== of) latest = { of, made: make(of) };
    return latest.made;
  };
}
