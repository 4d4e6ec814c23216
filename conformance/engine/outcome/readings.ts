/** What readings show of the thing that was started: in which state it is. */

import { contract, type State } from '../contract.js';
import { memoize, once } from '../memoize.js';
import { sameId } from '../rule/values.js';
import type { Exchange, Trace } from '../vocabulary.js';
import { accepted, answer, declined, endsMany, type Fields, removes, status, traitsOf } from './read.js';
import { answeredAt, isLongAfter, precedes } from './when.js';

/** The 200 readings of a trace, with the execution that each shows. */
export const readable = memoize((readings: readonly Exchange[]): readonly { exchange: Exchange; execution: Fields }[] =>
  readings.flatMap((exchange) => {
    const execution = status(exchange) === 200 ? answer(exchange) : undefined;
    return execution ? [{ exchange, execution }] : [];
  }),
);

export interface Reading {
  readonly exchange: Exchange;
  readonly execution: Fields;
  readonly status: State;
}

const known = once((): ReadonlySet<unknown> => new Set(contract().states));

/** A status that the contract knows; whether another one is an error is for the schema to say. */
const statusOf = (fields: Fields | undefined): State | undefined =>
  known().has(fields?.status) ? (fields?.status as State) : undefined;

/** The status that a start was answered with. */
export const answeredStatus = (start: Exchange): State | undefined => statusOf(answer(start));

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
  readings(trace.readings).find(({ status }) => contract().isTerminal(status));

/**
 * Whether a later reading lacks what one showed, for good: long after it, or as the last one does. A replica that is behind
 * lacks it for a moment.
 */
export const isGone = (
  { exchange: shown }: Pick<Reading, 'exchange'>,
  later: Reading,
  last: Reading | undefined,
  lacks: (reading: Reading) => boolean,
): boolean =>
  precedes(shown, later.exchange) &&
  lacks(later) &&
  (isLongAfter(later.exchange, shown) || (last !== undefined && lacks(last)));

/** What removed a thing, or may have. */
export const removalsOf = (
  all: readonly Exchange[],
  subject: string | null | undefined,
  id: string | null,
): Exchange[] =>
  all.filter((one) => {
    const traits = traitsOf(one);
    const isOf = endsMany(one) ? traits?.resource === subject : traits?.subject === subject && sameId(one.resource, id);
    return removes(one) && !declined(one) && isOf;
  });

/** What was asked while the thing was there: once it may have been removed, it tells nothing that it is not found. */
export function whileThere(asked: readonly Exchange[], removals: readonly Exchange[]): Exchange[] {
  const from = Math.min(...removals.map(({ at }) => at));
  return asked.filter((one) => accepted(one) || answeredAt(one) < from);
}

/** A service may drop what ended long ago. */
const keptForMs = 3_600_000;

/** The questions that have to find something that was started or seen: with the same key, and not too late. */
export const due = (seen: Exchange, questions: readonly Exchange[]): Exchange[] =>
  questions.filter(
    (one) =>
      precedes(seen, one) &&
      one.at - seen.at < keptForMs &&
      (one.mark?.credential ?? 'primary') === 'primary' &&
      !one.mark?.retried,
  );

/** The last of these questions, where it is answered that nothing is there. They may be a little behind: what is found later was not lost. */
export function lost(seen: Exchange, questions: readonly Exchange[]): Exchange | undefined {
  const last = due(seen, questions).findLast((one) => [200, 404].includes(status(one) ?? 0));
  return last && status(last) === 404 ? last : undefined;
}
