/** The items of a list that an update has to leave as they are: those that it does not name. */

import type { Fields } from '../../engine/outcome/read.js';
import { violated } from '../../engine/rule/findings.js';
import { withId } from '../../engine/rule/items-by-key.js';
import { spoiled } from '../../engine/rule/spoiled.js';
import { listOf, sameId, sameName } from '../../engine/rule/values.js';
import { shown } from '../../engine/rule/words.js';
import type { Finding } from '../../engine/vocabulary.js';
import { addedBy, cookies, credentials, isDeletedBy, type List } from './lists.js';
import { lasting } from './settings.js';
import { isHidden, shownData } from './shown-data.js';
import type { Taken, Update } from './update.js';

const updatedBy = ({ sent }: Taken, list: List, item: Fields) =>
  list === credentials && listOf(sent.credentialsToUpdate).some((one) => sameName(one.name, item.name));

/** Whether the suite put the item there, in an update up to this one: what others bring may change by itself. */
const isOurs = (update: Taken, list: List, item: Fields): boolean =>
  addedBy(update, list, item) || (update.before !== undefined && isOurs(update.before, list, item));

/** The items that have to be there after an update because they were there before it. */
export const keptItems = (update: Taken, list: List): readonly Fields[] =>
  lasting(listOf(update.before?.profile[list.name]), update.exchange).filter(
    (item) => !isDeletedBy(update, list, item) && !addedBy(update, list, item),
  );

/** Not asked to go, and gone all the same. Where a list changes by itself, update-is-partial speaks of it. */
function sweptItem(update: Update, list: List): Fields | undefined {
  if (!update.before || update.before.selfChanging.has(list.name)) return undefined;
  const is = listOf(update.profile[list.name]);
  // Whether what is updated keeps its id is not said.
  const isThere = (item: Fields) =>
    withId(is, item).some((one) => sameId(item.id, one.id)) ||
    list
      .likely(is, item)
      .some((one) => list.same(item, one) || (updatedBy(update, list, item) && sameName(one.name, item.name)));
  return keptItems(update, list).find((item) => !isThere(item) && !isBrowsers(update, list, item));
}

/** Whether a browser that uses the profile may have taken an item away, or renewed it. */
export const isBrowsers = (update: Taken & Pick<Update, 'mayBeBrowsed'>, list: List, item: Fields): boolean =>
  list === cookies && update.mayBeBrowsed && !isOurs(update, list, item);

/** Not asked to change, and shown otherwise under its id. Of what the suite did not add nobody knows who changed it. */
function changedItem(update: Update, list: List): { was: Fields; now: Fields } | undefined {
  const { before, profile } = update;
  if (!before || before.selfChanging.has(list.name)) return undefined;
  const is = listOf(profile[list.name]);
  for (const was of keptItems(update, list)) {
    const now = withId(is, was).find((one) => sameId(was.id, one.id));
    if (!now || !isOurs(before, list, was) || updatedBy(update, list, was)) continue;
    const known = list === credentials ? shownData(before, was.name) : undefined;
    if (
      !list.replaces(was, now) ||
      !list.same(was, now) ||
      (known !== undefined && was.data === known && now.data !== known && !isHidden(now.data, known, update))
    )
      return { was, now };
  }
  return undefined;
}

/** What shows an update, beside what was before it. */
export const both = ({ exchange, before }: Taken) => (before ? [exchange, before.exchange] : [exchange]);

/** An item that the update did not ask for, and that it took away or changed. */
export function harmed(update: Update, list: List, beside: string): Finding | undefined {
  const gone = sweptItem(update, list);
  const kept = ` kept: it is not among what is ${beside}`;
  if (gone) return violated(both(update), `${shown(gone.name)}${kept}`, 'gone');
  const changed = changedItem(update, list);
  if (!changed) return undefined;
  const { id: _, createdAt: __, ...was } = changed.was;
  return spoiled(both(update), kept, shown(changed.was.name), was, { ...changed.now });
}
