/** Updates of one profile that were under way at the same time, between what it was before and what it was after them. */

import { memoize } from '../../engine/memoize.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answer, type Fields, status } from '../../engine/outcome/read.js';
import { answeredAt, precedes } from '../../engine/outcome/when.js';
import type { Exchange, ProfileHistory } from '../../engine/vocabulary.js';

export interface Overlap {
  /** Those that were taken. */
  readonly updates: readonly Exchange[];
  /** The answer before them, where nothing lay between. */
  readonly before?: Fields;
  /** The next answer after all of them. */
  readonly after: Exchange;
}

/** Groups of updates in which each was under way together with another one. What was lost leaves its group unknown. */
export const overlaps = memoize(({ exchanges }: ProfileHistory): readonly Overlap[] => {
  const groups: Exchange[][] = [];
  for (const exchange of exchanges) {
    if (exchange.operation !== 'updateProfile' || !exchange.mark || status(exchange) === 429) continue;
    const group = groups.at(-1);
    if (group?.some((one) => !precedes(one, exchange))) group.push(exchange);
    else groups.push([exchange]);
  }
  return groups.flatMap((group, place): Overlap[] => {
    const updates = group.filter(accepted);
    const after = groups[place + 1]?.[0];
    const previous = groups[place - 1];
    const [alone] = previous ?? [];
    if (updates.length < 2 || !after || !accepted(after) || group.some(isUnknown)) return [];
    const before = previous?.length === 1 && alone && accepted(alone) ? answer(alone) : undefined;
    return [{ updates, after, ...(before && { before }) }];
  });
});

const isUnknown = (exchange: Exchange): boolean => isLost(exchange) || (status(exchange) ?? 0) >= 500;

/** Those of the updates that may have been made last: no other one was sent after their answer. */
export const maybeLast = (updates: readonly Exchange[]): readonly Exchange[] =>
  updates.filter((one) => !updates.some((other) => other !== one && answeredAt(one) < other.at));
