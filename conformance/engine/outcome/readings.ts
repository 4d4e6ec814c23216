/** What readings show of an execution, above all its status. */

import { contract, type State } from '../contract.js';
import { memoize, once } from '../memoize.js';
import type { Exchange, Finding, Judge, Judgement, Trace } from '../vocabulary.js';
import { isExcluded, isOfRun } from './mark.js';
import { answerBody, type Fields, status } from './read.js';
import { isAfterReplicaLag, mayBeBehind, precedes, replicaLagMs } from './when.js';

/** The readings with 200, and the execution in each. */
export const successfulReadings = memoize(
  (readings: readonly Exchange[]): readonly { exchange: Exchange; execution: Fields }[] =>
    readings.flatMap((exchange) => {
      const execution = status(exchange) === 200 ? answerBody(exchange) : undefined;
      return execution ? [{ exchange, execution }] : [];
    }),
);

export interface Reading {
  readonly exchange: Exchange;
  readonly execution: Fields;
  readonly status: State;
}

const states = once((): ReadonlySet<unknown> => new Set(contract().states));

/** A status that the contract knows. Whether another one is an error, the schema says. */
const statusOf = (fields: Fields | undefined): State | undefined =>
  states().has(fields?.status) ? (fields?.status as State) : undefined;

/** The status that a start was answered with. */
export const answeredStatus = (start: Exchange): State | undefined => statusOf(answerBody(start));

/** The reading in a 200 with a known status. */
export function readingOf(exchange: Exchange): Reading | undefined {
  const execution = exchange.response?.status === 200 ? answerBody(exchange) : undefined;
  const status = statusOf(execution);
  return execution && status && { exchange, execution, status };
}

/** The readings with 200 and a known status, in the order of sending. */
export const readings = memoize((exchanges: readonly Exchange[]): readonly Reading[] =>
  exchanges.flatMap((exchange) => readingOf(exchange) ?? []),
);

/** The first reading with a terminal status. */
export const endReading = (trace: Trace): Reading | undefined =>
  readings(trace.readings).find(({ status }) => contract().isTerminal(status));

/**
 * Whether a later reading lacks what an earlier one showed, permanently: long after it, or still in the last one. A
 * replica may lack it for a moment.
 */
export const isGone = (
  { exchange: shown }: Pick<Reading, 'exchange'>,
  later: Reading,
  last: Reading | undefined,
  lacks: (reading: Reading) => boolean,
): boolean =>
  precedes(shown, later.exchange) &&
  lacks(later) &&
  !mayBeBehind(later.exchange, shown) &&
  (isAfterReplicaLag(later.exchange, shown) || (last !== undefined && lacks(last)));

/** A service may delete what ended long ago. */
const keptForMs = 3_600_000;

/** The requests that have to find something that was started or seen: with the full key, and soon enough. */
export const mustFind = (seen: Exchange, questions: readonly Exchange[]): Exchange[] =>
  questions.filter(
    (one) =>
      precedes(seen, one) &&
      one.at - seen.at < keptForMs &&
      (one.mark?.credential ?? 'primary') === 'primary' &&
      !isExcluded(one),
  );

/** The last of these requests, if it got 404. Earlier ones may have met a replica that is behind. */
export function lastNotFound(seen: Exchange, questions: readonly Exchange[]): Exchange | undefined {
  const last = mustFind(seen, questions).findLast((one) => [200, 404].includes(status(one) ?? 0));
  return last && status(last) === 404 && !mayBeBehind(last, seen) ? last : undefined;
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
  const isDriven = ({ readings: [first] }: Trace) => first !== undefined && isOfRun(first);
  return {
    trace(trace) {
      const { right, wrong } = inTheEnd(trace, judge);
      return isDriven(trace) ? undefined : [...right, ...wrong];
    },
    run({ traces }) {
      const all = traces.filter(isDriven).map((trace) => inTheEnd(trace, judge));
      const longest = Math.max(0, ...all.map(({ lateMs }) => lateMs));
      const counts = (ms: number) => longest === 0 || ms > longest + replicaLagMs;
      return all.flatMap(({ right, wrong, wrongMs }) => [...right, ...(counts(wrongMs) ? wrong : [])]);
    },
  };
};
