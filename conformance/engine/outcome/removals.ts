/** Which requests may have removed a thing, and what was sent while it was there. */

import { sameId } from '../rule/values.js';
import type { Exchange } from '../vocabulary.js';
import { accepted, endsMany, isClientError, removes, traitsOf } from './read.js';
import { answeredAt } from './when.js';

/** Whether a request removed what it names, or may have: one without an answer may have taken effect. */
export const mayHaveRemoved = (one: Exchange): boolean => removes(one) && !isClientError(one);

/** The requests that removed a thing, or may have. */
export const removalsOf = (
  all: readonly Exchange[],
  subject: string | null | undefined,
  id: string | null,
): Exchange[] =>
  all.filter((one) => {
    const traits = traitsOf(one);
    const isOf = endsMany(one) ? traits?.resource === subject : traits?.subject === subject && sameId(one.resource, id);
    return mayHaveRemoved(one) && isOf;
  });

/** Requests from while the thing was there. Once it may have been removed, a 404 tells nothing. */
export function beforeRemoval(asked: readonly Exchange[], removals: readonly Exchange[]): Exchange[] {
  const from = Math.min(...removals.map(({ at }) => at));
  return asked.filter((one) => accepted(one) || answeredAt(one) < from);
}
