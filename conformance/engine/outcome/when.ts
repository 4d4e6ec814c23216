import { asText, equal } from '../rule/values.js';
import type { Exchange } from '../vocabulary.js';
import { answer, refused, status } from './read.js';

/** When exchanges were under way, beside one another. */

/** Milliseconds since the epoch. */
export const answeredAt = ({ at, durationMs }: Exchange): number => at + durationMs;

/** When a request was over; recorders give the beginning in whole milliseconds. */
export const endOf = (exchange: Exchange): number => Math.floor(answeredAt(exchange));

/**
 * Whether one exchange was over before the other was sent: only then is their order that of the target. Of one whose end nobody
 * recorded that is not known.
 */
export const precedes = (earlier: Exchange, later: Exchange): boolean =>
  !earlier.untimed && (answeredAt(earlier) < later.at || (answeredAt(earlier) === later.at && earlier.id < later.id));

/** How far what a service reads may be behind what it wrote, in milliseconds: replicas and caches are. */
export const behindMs = 2000;

/** Whether a request was sent so long after another was answered that nothing is behind any more. */
export const isLongAfter = (later: Exchange, earlier: Exchange): boolean => later.at - answeredAt(earlier) >= behindMs;

/** So many times as long as others is not slow any more. */
const many = 10;
/** What is over before anybody looks is no measure. */
const leastMs = 60_000;

/**
 * Many times as long. The interface has no time limit: that something goes nowhere tells nothing by itself. It tells something
 * beside others that got there, or beside the time that the operator declared.
 */
export const manyTimes = (ms: number): number => Math.max(many * ms, leastMs);

/** Whether two answers say the same, ids and numbers aside. */
export const saysTheSame = (a: Exchange, b: Exchange): boolean =>
  status(a) === status(b) && withoutIds(answer(a)?.message) === withoutIds(answer(b)?.message);

const withoutIds = (text: unknown): string =>
  asText(text).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d+/gi, '');

/**
 * Whether two refusals of a request are by the same hand, though the first is not as the interface has it: the same status
 * with the same message, or with nothing in it that the other has not.
 */
export function saysNearlyTheSame(first: Exchange, second: Exchange): boolean {
  const [one, other] = [answer(first), answer(second)];
  if (!one || !other || !refused(first) || status(first) !== status(second)) return false;
  const isIn = (field: string) => one[field] !== undefined && equal(one[field], other[field]);
  return isIn('message') || (isIn('code') && Object.keys(one).every(isIn));
}
