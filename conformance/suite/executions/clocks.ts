/** Detects that a service has several clocks, or one that was set during the run, so that its times have no order. */

import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, type Fields } from '../../engine/outcome/read.js';
import { readings } from '../../engine/outcome/readings.js';
import { answeredAt } from '../../engine/outcome/when.js';
import { clockResolutionMs, clocksApartMs, instant } from '../../engine/rule/values.js';
import type { Evidence, Exchange, Trace } from '../../engine/vocabulary.js';

/** So many executions must agree on either side: a single one may just show a wrong time. */
const witnesses = 2;

/** By how many milliseconds the clock that an execution was created by was ahead: at least and at most. */
interface Ahead {
  /** When the execution was requested. */
  readonly at: number;
  readonly least: number;
  readonly most: number;
}

/** The execution was created after the request was sent, and before it was answered. */
function aheadOf({ start, readings: all }: Trace): Ahead | [] {
  const createdAt = instant(readings(all)[0]?.execution.createdAt);
  if (createdAt === undefined || !start?.mark || !accepted(start) || isLost(start)) return [];
  return {
    at: start.at,
    least: createdAt - answeredAt(start),
    most: createdAt + clockResolutionMs(createdAt) - start.at,
  };
}

/** Says how far apart the clocks were that created executions; undefined if there may have been only one. */
export function clocksApart({ traces }: Evidence): string | undefined {
  const ahead = traces.flatMap(aheadOf);
  const [least, most] = [
    ahead.map((one) => one.least).sort((a, b) => b - a)[witnesses - 1],
    ahead.map((one) => one.most).sort((a, b) => a - b)[witnesses - 1],
  ];
  const between = least === undefined || most === undefined ? 0 : least - most;
  const apart = Math.max(between, sinceTheFirst(ahead));
  return apart <= clocksApartMs
    ? undefined
    : `The clock of the service was changed during the run, or it has several clocks: by createdAt of its executions they are ${Math.round(apart / 1000)} s apart. The order of its times is not judged.`;
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
 * `updatedAt` in histories of profiles. Everything else is judged as ever.
 */
export function withoutTimes(evidence: Evidence): Evidence {
  const timeless = new Map<Exchange, Exchange>();
  const hide = (field: 'terminalAt' | 'updatedAt') => (exchange: Exchange) => {
    const known = timeless.get(exchange);
    if (known) return known;
    const { response } = exchange;
    const shown = answerBody(exchange);
    if (response?.body.kind !== 'json' || !shown || !(field in shown)) return exchange;
    const { [field]: _, ...value }: Fields = shown;
    const now: Exchange = { ...exchange, response: { ...response, body: { ...response.body, value } } };
    timeless.set(exchange, now);
    return now;
  };
  const executions = (all: readonly Exchange[]) =>
    all.map((one) => (one.operation === 'getExecution' ? hide('terminalAt')(one) : one));
  return {
    exchanges: executions(evidence.exchanges),
    traces: evidence.traces.map((trace) => ({ ...trace, readings: executions(trace.readings) })),
    profiles: evidence.profiles.map((history) => ({ ...history, exchanges: history.exchanges.map(hide('updatedAt')) })),
  };
}
