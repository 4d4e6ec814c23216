/** interface: PATCH agent-profiles, cookiesToDelete and credentialsToDelete. */

import { combined } from '../../../engine/rule/combined.js';
import { notAccepted, satisfied, violated } from '../../../engine/rule/findings.js';
import { withId } from '../../../engine/rule/items-by-key.js';
import { itemsOf, listOf, sameId } from '../../../engine/rule/values.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Judge, Judges } from '../../../engine/vocabulary.js';
import { type DeletedItem, deletedItemsSoFar } from '../deleted-items.js';
import { eachRefusal, eachUpdate, isNeverFound } from '../each-update.js';
import { damagedItem, itemsToKeep, updatePair } from '../items-to-keep.js';
import { asksTo, cookies, credentials, isDeletedBy, type List } from '../lists.js';
import type { Update } from '../update.js';

/** Seen: an answer after a deletion. Satisfied if no deleted item is in it, and all others are unchanged. */
const deleted = (list: List): Judge =>
  combined(
    eachUpdate((update) => {
      const left = undeadItem(update, list);
      if (left)
        return left.by === update.exchange
          ? violated(updatePair(update), `${jsonText(left.item.name)} deleted`, 'still there')
          : violated([update.exchange, left.by], `${jsonText(left.item.name)} deleted for good`, 'there again');
      const deletes = asksTo(update, list.toDelete);
      return (
        (deletes ? damagedItem(update, list, 'deleted') : undefined) ??
        (deletesKnown(update, list) ? satisfied(update.exchange) : undefined)
      );
    }),
    eachRefusal(({ exchange, sent, before }, history) => {
      const items = listOf(before?.profile[list.name]);
      const gone = itemsOf(sent[list.toDelete]);
      if (!before || gone.length === 0 || Object.keys(sent).length > 1 || isNeverFound(history)) return undefined;
      if (!gone.every((id) => items.some((item) => sameId(item.id, id)))) return undefined;
      return notAccepted(exchange, before.exchange, `${gone.join(', ')} deleted`);
    }),
  );

export const deletedItems = {
  'cookies-are-deleted': deleted(cookies),

  'credentials-are-deleted': deleted(credentials),
} satisfies Judges;

/** Whether an update deletes an item that was there. */
const deletesKnown = (update: Update, list: List): boolean =>
  listOf(update.before?.profile[list.name]).some((item) => isDeletedBy(update, list, item));

/** A deleted item that is there: still, again, or under another id. */
function undeadItem(update: Update, list: List): DeletedItem | undefined {
  const is = listOf(update.profile[list.name]);
  const still = is.find((item) => isDeletedBy(update, list, item));
  if (still) return { item: still, by: update.exchange };
  const kept = itemsToKeep(update, list);
  // An item that differs from another only in its data could be that other one.
  const isBack = ({ item }: DeletedItem) =>
    withId(is, item).some((one) => sameId(item.id, one.id)) ||
    list
      .likely(is, item)
      .some((one) => list.same(item, one) && !list.likely(kept, one).some((other) => list.same(other, one)));
  return deletedItemsSoFar(update, list).find(isBack);
}
