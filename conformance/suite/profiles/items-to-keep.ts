/** Judges the items of a list that an update does not name, and so has to leave as they are. */

import type { Fields } from '../../engine/outcome/read.js';
import { altered } from '../../engine/rule/altered.js';
import { violated } from '../../engine/rule/findings.js';
import { listOf, sameId, sameName, withId } from '../../engine/rule/values.js';
import { jsonText } from '../../engine/rule/words.js';
import type { Finding } from '../../engine/vocabulary.js';
import { addedBy, credentials, isByBrowser, isDeletedBy, isHidden, isOurs, type List, shownData } from './lists.js';
import { unexpired } from './settings.js';
import type { AcceptedUpdate, Update } from './update.js';

const updatedBy = ({ sent }: AcceptedUpdate, list: List, item: Fields) =>
  list === credentials && listOf(sent.credentialsToUpdate).some((one) => sameName(one.name, item.name));

/** The items that must still be there after an update because they were there before it. */
export const itemsToKeep = (update: AcceptedUpdate, list: List): readonly Fields[] =>
  unexpired(listOf(update.before?.profile[list.name]), update.exchange).filter(
    (item) => !isDeletedBy(update, list, item) && !addedBy(update, list, item),
  );

/** Finds an item that disappeared without being deleted. */
function sweptItem(update: Update, list: List): Fields | undefined {
  const is = listOf(update.profile[list.name]);
  // It is not said whether an item keeps its id when it is updated.
  const isThere = (item: Fields) =>
    withId(is, item).some((one) => sameId(item.id, one.id)) ||
    list
      .likely(is, item)
      .some((one) => list.same(item, one) || (updatedBy(update, list, item) && sameName(one.name, item.name)));
  return itemsToKeep(update, list).find((item) => !isThere(item) && !isByBrowser(update, list, item));
}

/** Finds an item of the suite that changed under its id without being asked to. Others may change their own. */
function changedItem(update: Update, before: Update, list: List): { was: Fields; now: Fields } | undefined {
  const is = listOf(update.profile[list.name]);
  for (const was of itemsToKeep(update, list)) {
    const now = withId(is, was).find((one) => sameId(was.id, one.id));
    if (!now || !isOurs(before, list, was) || updatedBy(update, list, was)) continue;
    const data = list === credentials ? shownData(before, was.name) : undefined;
    if (
      !list.replaces(was, now) ||
      !list.same(was, now) ||
      (data !== undefined && was.data === data && now.data !== data && !isHidden(now.data, data, update))
    )
      return { was, now };
  }
  return undefined;
}

/** The exchanges that show an update and the state before it. */
export const updatePair = ({ exchange, before }: AcceptedUpdate) => (before ? [exchange, before.exchange] : [exchange]);

/** Finds an item that an update removed or changed unasked. A list that changes by itself, update-is-partial judges. */
export function damagedItem(update: Update, list: List, beside: string): Finding | undefined {
  const { before } = update;
  if (!before || before.selfChanging.has(list.name)) return undefined;
  const gone = sweptItem(update, list);
  const kept = ` kept: it is not among what is ${beside}`;
  if (gone) return violated(updatePair(update), `${jsonText(gone.name)}${kept}`, 'gone');
  const changed = changedItem(update, before, list);
  if (!changed) return undefined;
  const { id: _, createdAt: __, ...was } = changed.was;
  return altered(updatePair(update), kept, jsonText(changed.was.name), was, { ...changed.now });
}
