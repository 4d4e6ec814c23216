/** Finds two starts that were answered with one execution. */
import { isRerunRequest, requestBody, startedId } from '../outcome/read.js';
import type { Exchange, Finding, Trace } from '../vocabulary.js';
import { violated } from './findings.js';
import { clocksApartMs } from './times.js';
import { equal, sameId } from './values.js';

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
  required: string,
): Finding[] => {
  const [first, ...others] = [start ?? [], otherStarts].flat();
  return others.flatMap((other) =>
    first && own(isRerunRequest(other) ? first : other) && areTwo(first, other)
      ? violated([other, first], required, `${startedId(first)} for two`)
      : [],
  );
};
