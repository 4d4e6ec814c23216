import { asText, equal } from '../rule/values.js';
import type { Exchange } from '../vocabulary.js';
import { answer, refused, status } from './read.js';

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
