/** What a start was given, as its execution shows it. */

import { memoizeLatest } from '../../engine/memoize.js';
import { type Fields, sent } from '../../engine/outcome/read.js';
import { readings } from '../../engine/outcome/readings.js';
import { behindMs, isLongAfter, precedes } from '../../engine/outcome/when.js';
import { satisfied, violated } from '../../engine/rule/findings.js';
import { shown } from '../../engine/rule/words.js';
import type { Exchange, Finding, Judge, Trace } from '../../engine/vocabulary.js';
import { hasBegun } from './view.js';

/** What a start gives, and where an execution shows it; undefined where they do not. */
export interface Recorded {
  readonly name: string;
  readonly given: (body: Fields) => unknown;
  readonly of: (execution: Fields) => unknown;
  /** Whatever is odd about a start that was taken, this of it has one meaning. */
  readonly isPlain?: true;
  /** What of it came back otherwise, where that is only a part of it. */
  readonly differing?: (
    shown: unknown,
    given: unknown,
  ) => { readonly required: string; readonly seen: string } | undefined;
}

/** What was given, and what each reading shows of it. Null stands for nothing. */
function history({ start, readings: all }: Trace, { given, of, isPlain }: Recorded) {
  const value =
    start && !start.mark?.probe && (isPlain || !start.mark?.unjudged) ? given(sent(start) ?? {}) : undefined;
  if (!start || value === undefined) return undefined;
  const seen = readings(all).map(({ exchange, execution, status }) => ({
    exchange,
    status,
    value: of(execution) ?? undefined,
  }));
  return { start, value, seen };
}

function differs(
  { name, differing }: Recorded,
  at: { readonly exchange: Exchange; readonly value: unknown },
  start: Exchange,
  given: unknown,
): Finding {
  const { required, seen } = differing?.(at.value, given) ?? {
    required: `${name} ${shown(given)}, as given at the start`,
    seen: shown(at.value),
  };
  return violated([at.exchange, start], required, seen);
}

/**
 * Seen: a reading that shows what was given. Satisfied where every one shows it as it was given, violated where one shows it
 * otherwise, or, once a run has begun, not all of it. `agrees` is undefined where a reading shows nothing that tells.
 */
export const agreement = (
  recorded: Recorded,
  agrees: (recorded: unknown, given: unknown) => boolean | undefined,
  isWhole: (recorded: unknown, given: unknown) => boolean = () => true,
): Judge => ({
  trace(trace) {
    const { start, value, seen } = history(trace, recorded) ?? {};
    if (!start || !seen) return undefined;
    // One reading after the other shows the same.
    const holds = memoizeLatest((one: unknown) => (one === undefined ? undefined : agrees(one, value)));
    const holdsAll = memoizeLatest((one: unknown) => one === undefined || isWhole(one, value));
    // Before that a service may be at it, and a replica may be behind.
    const isSettled = ({ exchange, status }: (typeof seen)[number]) =>
      (hasBegun(status) || isLongAfter(exchange, start)) &&
      !seen.some(
        (later) =>
          precedes(exchange, later.exchange) &&
          later.exchange.at - exchange.at < behindMs &&
          later.value !== undefined &&
          holdsAll(later.value),
      );
    const wrong =
      seen.find((one) => holds(one.value) === false) ?? seen.find((one) => !holdsAll(one.value) && isSettled(one));
    const last = seen.findLast((one) => holds(one.value) !== undefined);
    return wrong ? differs(recorded, wrong, start, value) : last && satisfied([last.exchange, start]);
  },
});

/**
 * Seen: a reading once the run has begun (before that a service may be at it). Satisfied where the last one shows it, and no
 * other has lost it again; broken as well where `inQueue` and an execution that waits in the queue does not show it.
 */
export const presence = (
  recorded: Recorded,
  isThere: (recorded: unknown, given: unknown) => boolean = () => true,
  { inQueue = false } = {},
): Judge => ({
  trace(trace) {
    const { start, value, seen = [] } = history(trace, recorded) ?? {};
    const isIn = memoizeLatest((one: unknown) => one !== undefined && isThere(one, value));
    const shows = (one: { readonly value: unknown }) => isIn(one.value);
    const last = seen.findLast(({ status }) => hasBegun(status));
    const isLate = ({ exchange, status }: (typeof seen)[number]) =>
      status === 'queued' && start !== undefined && isLongAfter(exchange, start);
    const waiting = inQueue ? seen.find((one) => isLate(one) && !shows(one)) : undefined;
    if (start && waiting) return differs(recorded, waiting, start, value);
    if (!start || !last) return undefined;
    const first = seen.find(shows);
    // A replica that is behind shows for a moment what was before.
    const isBehind = ({ exchange, status }: (typeof seen)[number]) =>
      first !== undefined &&
      !isLongAfter(exchange, first.exchange) &&
      seen.some((one) => one.status === status && precedes(one.exchange, first.exchange));
    const lost = first && seen.find((one) => precedes(first.exchange, one.exchange) && !shows(one) && !isBehind(one));
    const wrong = lost ?? (shows(last) ? undefined : last);
    return wrong ? differs(recorded, wrong, start, value) : satisfied([last.exchange, start]);
  },
});
