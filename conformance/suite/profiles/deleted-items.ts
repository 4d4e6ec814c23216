/** The items of a list that updates deleted. */

import { memoizePair } from '../../engine/memoize.js';
import type { Fields } from '../../engine/outcome/read.js';
import { listOf } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { addedBy, isDeletedBy, type List } from './lists.js';
import type { AcceptedUpdate } from './update.js';

export interface DeletedItem {
  readonly item: Fields;
  readonly by: Exchange;
}

/** The items that this update and those before it deleted, and that were not added again since. */
export const deletedItemsSoFar = (update: AcceptedUpdate, list: List): readonly DeletedItem[] => goneFrom(list, update);

const goneFrom = memoizePair((list: List, update: AcceptedUpdate): readonly DeletedItem[] => {
  const { before, exchange } = update;
  if (!before) return [];
  const now = listOf(before.profile[list.name]).filter((item) => isDeletedBy(update, list, item));
  return [...deletedItemsSoFar(before, list), ...now.map((item) => ({ item, by: exchange }))].filter(
    ({ item }) => !addedBy(update, list, item),
  );
});
