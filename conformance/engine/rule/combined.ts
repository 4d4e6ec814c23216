/** Combines judges, and makes judges of readings. */

import { contract } from '../contract.js';
import { isRerunRequest, requestBody, startedId } from '../outcome/read.js';
import { type Reading, readingOf, readings } from '../outcome/readings.js';
import { replicaLagMs } from '../outcome/when.js';
import type { Exchange, Facts, Finding, Judge, Judgement, Trace } from '../vocabulary.js';
import { violated } from './findings.js';
import { clocksApartMs } from './times.js';
import { equal, sameId } from './values.js';

// Finds two starts that were answered with one execution.

/** Whether two starts are known to ask for different things. A recording may lack their bodies. */
function asksOtherwise(one: Exchange, other: Exchange): boolean {
  const [a, b] = [requestBody(one), requestBody(other)];
  return a !== undefined && b !== undefined && !equal(a, b);
}

/**
 * Whether these are two starts. In a recording they may be one, seen by two recorders with different clocks, each of
 * which lacks other parts of the body.
 */
const areTwo = (one: Exchange, other: Exchange): boolean =>
  (one.mark !== undefined && other.mark !== undefined) ||
  !sameId(one.resource, other.resource) ||
  (asksOtherwise(one, other) && Math.abs(other.at - one.at) > clocksApartMs);

/**
 * Reports starts that were answered with the execution of another one, if `own` holds for them; of one that starts from
 * an execution, if it holds for the one that began that.
 */
export const startedTwice = (
  { start, otherStarts = [] }: Trace,
  own: (start: Exchange) => boolean,
  expected: string,
): Finding[] => {
  const [first, ...others] = [start ?? [], otherStarts].flat();
  return others.flatMap((other) =>
    first && own(isRerunRequest(other) ? first : other) && areTwo(first, other)
      ? violated([other, first], expected, `${startedId(first)} for two`)
      : [],
  );
};

/** Combines judges of one rule: their findings are added up. */
export const combined = (...ways: readonly Judge[]): Judge => ({
  ...joined(ways, 'exchange'),
  ...joined(ways, 'trace'),
  ...joined(ways, 'profile'),
  ...joined(ways, 'run'),
});

/** The combined judge of one kind of evidence; empty if none of them has it. */
function joined(ways: readonly Judge[], part: keyof Judge): Judge {
  const own = ways.flatMap((way) => (way[part] as ((of: unknown, facts: Facts) => Judgement) | undefined) ?? []);
  return own.length === 0
    ? {}
    : { [part]: (of: unknown, facts: Facts) => own.flatMap((judge) => judge(of, facts) ?? []) };
}

/** Judges each reading by itself. */
export const eachReading = (judge: (reading: Reading) => Finding | undefined): Judge => ({
  exchange(exchange) {
    const reading = exchange.operation === contract().readOperation ? readingOf(exchange) : undefined;
    return reading && judge(reading);
  },
});

/** Judges each reading beside the whole trace. */
export const eachReadingOf = (judge: (reading: Reading, trace: Trace) => Judgement): Judge => ({
  trace: (trace) => readings(trace.readings).flatMap((reading) => judge(reading, trace) ?? []),
});

type JudgeReading = (reading: Reading) => Finding | undefined;

/** What the readings of one execution show: those that are right, and those at the end that are wrong. */
function inTheEnd({ readings: all }: Trace, judge: JudgeReading) {
  const judged = readings(all).flatMap((reading) => {
    const finding = judge(reading);
    return finding ? { at: reading.exchange.at, finding, isRight: finding.kind !== 'violated' } : [];
  });
  const wrong = judged.findIndex(({ isRight }) => !isRight);
  const late = judged.find(({ isRight }, place) => isRight && place > wrong);
  const last = judged.slice(judged.findLastIndex(({ isRight }) => isRight) + 1);
  return {
    right: judged.flatMap(({ finding, isRight }) => (isRight ? finding : [])),
    wrong: last.map(({ finding }) => finding),
    /** How long it was wrong before it was right, and how long it is wrong in the end. */
    lateMs: wrong < 0 || !late ? 0 : late.at - (judged[wrong]?.at ?? 0),
    wrongMs: (last.at(-1)?.at ?? 0) - (last[0]?.at ?? 0),
  };
}

/**
 * Judges what readings show in the end. A reading that is wrong does not count if a later one of the same execution is
 * right: late is not missing. Nor does it if others of the run were wrong for as long before they were right.
 */
export const eventually = (judge: JudgeReading): Judge => {
  const isOfRun = ({ readings: [first] }: Trace) => first?.mark !== undefined;
  return {
    trace(trace) {
      const { right, wrong } = inTheEnd(trace, judge);
      return isOfRun(trace) ? undefined : [...right, ...wrong];
    },
    run({ traces }) {
      const all = traces.filter(isOfRun).map((trace) => inTheEnd(trace, judge));
      const longest = Math.max(0, ...all.map(({ lateMs }) => lateMs));
      const counts = (ms: number) => longest === 0 || ms > longest + replicaLagMs;
      return all.flatMap(({ right, wrong, wrongMs }) => [...right, ...(counts(wrongMs) ? wrong : [])]);
    },
  };
};
