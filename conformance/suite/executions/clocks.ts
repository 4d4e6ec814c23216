/** Detects that a service has several clocks, or one that was set during the run, so that its times have no order. */

import { isTerminal } from '../../../generated/lifecycle.js';
import { isOfRun } from '../../engine/outcome/mark.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, type Fields, readsOne } from '../../engine/outcome/read.js';
import { endReading, readings } from '../../engine/outcome/readings.js';
import { answeredAt, clocksApartMs, precedes } from '../../engine/outcome/when.js';
import { clockStepMs, instant } from '../../engine/rule/times.js';
import type { Evidence, Exchange, Trace } from '../../engine/vocabulary.js';
import { lifetime } from './intervals.js';

/** So many executions must agree on either side: a single one may just show a wrong time. */
const witnesses = 2;

/** Clocks that drift apart differ by seconds. Times that are further off are wrong. */
const longestDriftMs = 30_000;

/** By how many milliseconds a clock of the service was ahead of that of the suite: at least and at most. */
interface Ahead {
  /** When the execution was requested. */
  readonly at: number;
  readonly least: number;
  readonly most: number;
}

/** The execution was created after the request was sent, and before it was answered. */
function aheadAtStart({ start, readings: all }: Trace): Ahead | [] {
  const written = readings(all)[0]?.execution.createdAt;
  const createdAt = instant(written);
  if (createdAt === undefined || !start || !isOfRun(start) || !accepted(start) || isLost(start)) return [];
  return {
    at: start.at,
    least: createdAt - answeredAt(start),
    most: createdAt + clockStepMs(written) - start.at,
  };
}

/** The execution ended after the last reading that shows it unfinished was sent, and before its first terminal one was answered. */
function aheadAtEnd(trace: Trace): Ahead | [] {
  const { start, readings: all } = trace;
  const end = endReading(trace);
  const terminalAt = instant(end?.execution.terminalAt);
  // A time of an end that is that of the creation is none.
  if (!start || !end || terminalAt === undefined || lifetime(end.execution) === 0) return [];
  const goingOn = readings(all).findLast(
    ({ exchange, status }) => !isTerminal(status) && precedes(exchange, end.exchange),
  );
  return {
    at: start.at,
    least: terminalAt - answeredAt(end.exchange),
    most: terminalAt + clockStepMs(end.execution.terminalAt) - (goingOn?.exchange ?? start).at,
  };
}

/** A remark on how far apart the clocks of the service are; undefined if there may be only one. */
export function clocksApart({ traces }: Evidence): string | undefined {
  const starts = traces.flatMap(aheadAtStart);
  const drift = between([...starts, ...traces.flatMap(aheadAtEnd)]);
  const apart = Math.max(between(starts), sinceTheFirst(starts), drift > longestDriftMs ? 0 : drift);
  return apart <= clocksApartMs
    ? undefined
    : `The clock of the service was changed during the run, or it has several clocks: by createdAt and terminalAt of its executions they are ${Math.round(apart / 1000)} s apart. The order of its times is not judged.`;
}

/** How far apart the clocks are at least. */
function between(ahead: readonly Ahead[]): number {
  const [least, most] = [
    ahead.map((one) => one.least).sort((a, b) => b - a)[witnesses - 1],
    ahead.map((one) => one.most).sort((a, b) => a - b)[witnesses - 1],
  ];
  return least === undefined || most === undefined ? 0 : least - most;
}

/** How far the clock was set after the first execution, which runs start alone. All others have to agree. */
function sinceTheFirst(ahead: readonly Ahead[]): number {
  const [first, ...others] = ahead.toSorted((a, b) => a.at - b.at);
  if (!first || others.length < 2 * witnesses) return 0;
  const forward = Math.min(...others.map(({ least }) => least)) - first.most;
  const back = first.least - Math.max(...others.map(({ most }) => most));
  return Math.max(forward, back);
}

/**
 * The evidence without the times that are only judged beside others: `terminalAt` of executions, which is optional, and
 * `updatedAt` in histories of profiles. It is marked as that of several clocks, for rules about other times.
 */
export function withoutTimes<E extends Evidence>(evidence: E): E {
  const timeless = new Map<Exchange, Exchange>();
  const hide = (field: 'terminalAt' | 'updatedAt') => (exchange: Exchange) => {
    const cached = timeless.get(exchange);
    if (cached) return cached;
    const { response } = exchange;
    const shown = answerBody(exchange);
    if (response?.body.kind !== 'json' || !shown || !(field in shown)) return exchange;
    const { [field]: _, ...value }: Fields = shown;
    const now: Exchange = { ...exchange, response: { ...response, body: { ...response.body, value } } };
    timeless.set(exchange, now);
    return now;
  };
  const executions = (all: readonly Exchange[]) =>
    all.map((one) => (readsOne(one, 'execution') ? hide('terminalAt')(one) : one));
  return {
    ...evidence,
    hasSeveralClocks: true,
    exchanges: executions(evidence.exchanges),
    traces: evidence.traces.map((trace) => ({ ...trace, readings: executions(trace.readings) })),
    profiles: evidence.profiles.map((history) => ({ ...history, exchanges: history.exchanges.map(hide('updatedAt')) })),
  };
}
