import { notAccepted, outcomeOf } from '../../../engine/outcome/outcome.js';
import type { Fields } from '../../../engine/outcome/read.js';
import { answeredAt } from '../../../engine/outcome/when.js';
import { altered, mayMask } from '../../../engine/rule/altered.js';
import { combined, inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { answerText, itemsOf, jsonText, listOf, sameId, sameName } from '../../../engine/rule/values.js';
import type { Finding, Judge, Judges } from '../../../engine/vocabulary.js';
import {
  addedBy,
  asksTo,
  cookies,
  credentials,
  type DeletedItem,
  deletedItemsSoFar,
  isByBrowser,
  isDeletedBy,
  isHidden,
  isOurs,
  type List,
  shownData,
} from '../lists.js';
import { unexpired, withId } from '../settings.js';
import type { AcceptedUpdate, RefusedUpdate, Update } from '../update.js';
import { eachRefusal, eachUpdate } from '../view.js';

// interface: PATCH agent-profiles, cookiesToAdd and credentialsToAdd.

/** Finds a change of a list that its own answer showed, but that is undone in the next one. */
function lost(update: Update, list: List, field: string): Finding | undefined {
  const change = update.changes.find(({ cause, setting }) => cause === 'lost' && setting === list.name);
  return change && update.before && asksTo(update.before, field)
    ? violated(change.exchanges, `${list.name} as ${field} left them still there at the next update`, 'undone')
    : undefined;
}

/** An added item that is not shown as sent: how an item of its name came back, or which names there are. */
function notAdded(update: Update, list: List, item: Fields): Finding {
  const is = listOf(update.profile[list.name]);
  const own = is.find((one) => list.replaces(item, one)) ?? is.find(({ name }) => sameName(name, item.name));
  const names = is.map(({ name }) => jsonText(name)).join(', ') || 'none';
  if (!own) return violated(update.exchange, `${jsonText(item.name)} among ${list.name}`, names);
  const { id: _, ...given } = item;
  return altered(update.exchange, `, as sent, among ${list.name}`, jsonText(item.name), given, { ...given, ...own });
}

/** Judges an update that adds items. Passes if its answer shows each as sent, and all others unchanged. */
const added = (list: List): Judge =>
  combined(
    eachUpdate((update) => {
      const missing = missingItem(update, list);
      if (missing) return notAdded(update, list, missing);
      const { given, now } = (list === credentials && spoiledData(update)) || {};
      if (given && now)
        return altered(update.exchange, ', as sent', `data of ${jsonText(given.name)}`, given.data, now.data);
      const adds = asksTo(update, list.toAdd);
      const doubled = adds && doubledItem(update, list);
      if (doubled)
        return violated(updatePair(update), `${jsonText(doubled.name)} once among ${list.name}`, 'more than one of it');
      const other = adds && !asksTo(update, list.toDelete) && !asksTo(update, 'credentialsToUpdate');
      return (
        (other ? damagedItem(update, list, 'added') : undefined) ??
        lost(update, list, list.toAdd) ??
        (adds ? satisfied(update.exchange) : undefined)
      );
    }),
    eachRefusal(({ exchange, sent }) =>
      listOf(sent[list.toAdd]).length > 0
        ? inconclusive(exchange, `${list.toAdd} was answered ${answerText(exchange)}; the reason is unclear.`)
        : undefined,
    ),
  );

export const addedItems = {
  'cookies-are-added': added(cookies),
  'credentials-are-added': added(credentials),
} satisfies Judges;

/** An added item that is not shown as it was sent. */
function missingItem({ exchange, sent, profile }: Update, list: List): Fields | undefined {
  const is = listOf(profile[list.name]);
  const isThere = (item: Fields) => list.likely(is, item).some((one) => list.shows(item, one, answeredAt(exchange)));
  return listOf(sent[list.toAdd]).find((item) => !isThere(item));
}

/** An item of which there are more than there were and were added. */
function doubledItem(update: Update, list: List): Fields | undefined {
  const { before, profile, sent } = update;
  if (!before) return undefined;
  const is = listOf(profile[list.name]);
  const asked = listOf(sent[list.toAdd]);
  // It is not said whether an added item replaces another of its name.
  const left = listOf(before.profile[list.name]).filter((item) => !isDeletedBy(update, list, item));
  const had = [...left, ...asked];
  const count = (of: readonly Fields[], item: Fields) =>
    list.likely(of, item).filter((one) => list.replaces(one, item)).length;
  return asked.find((item) => count(is, item) > count(had, item));
}

/**
 * An added credential that is shown with other data. Only if some data that was sent is shown, even for another
 * credential: then data is not masked.
 */
function spoiledData({ sent, profile }: Update): { given: Fields; now: Fields } | undefined {
  const are = listOf(profile.credentials);
  const pairs = listOf(sent.credentialsToAdd).flatMap((given) => {
    const now = credentials.likely(are, given).filter(({ name }) => sameName(name, given.name));
    return now.length === 1 && now[0] ? [{ given, now: now[0] }] : [];
  });
  const texts = new Set(pairs.map(({ given }) => given.data));
  const isSpoiled = ({ given, now }: (typeof pairs)[number]) =>
    given.data !== now.data && typeof now.data === 'string' && !mayMask(now.data, given.data);
  // An empty text may be shown even if data is masked.
  return pairs.some(({ now }) => now.data !== '' && texts.has(now.data)) ? pairs.find(isSpoiled) : undefined;
}

// interface: PATCH agent-profiles, cookiesToDelete and credentialsToDelete.

/** Judges an answer after a deletion. Passes if no deleted item is in it, and all others are unchanged. */
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
    eachRefusal(({ exchange, sent, before }) => {
      const items = listOf(before?.profile[list.name]);
      const gone = itemsOf(sent[list.toDelete]);
      if (!before || gone.length === 0 || Object.keys(sent).length > 1) return undefined;
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

// interface: PATCH agent-profiles, credentialsToUpdate.

/** A credential that an update names in another case than the profile does, and its state before. */
function renamed({ sent, before }: Update | RefusedUpdate): { item: Fields; was: Fields } | undefined {
  for (const item of listOf(sent.credentialsToUpdate)) {
    const was = listOf(before?.profile.credentials).find(({ name }) => sameName(name, item.name));
    if (was && was.name !== item.name) return { item, was };
  }
  return undefined;
}

/** Judges an update by a name in another case. Passes if each found its credential, and changed no other. */
function updated(update: Update): Finding | undefined {
  const { sent, profile, before } = update;
  const items = listOf(sent.credentialsToUpdate);
  if (!before || items.length === 0) return undefined;
  const named = (list: unknown, { name }: Fields) => listOf(list).filter((one) => sameName(one.name, name));
  for (const item of items) {
    const [was, ...others] = named(before.profile.credentials, item);
    const [now, ...more] = named(profile.credentials, item);
    if (!was) continue;
    if (!now && !itemsOf(sent.credentialsToDelete).some((id) => sameId(id, was.id)))
      return violated(updatePair(update), `${jsonText(was.name)} kept, under its name`, 'no such');
    if (more.length > others.length)
      return violated(
        updatePair(update),
        `${jsonText(was.name)} updated, and none added`,
        `${more.length + 1} of that name`,
      );
    const isShown = shownData(before, item.name) !== undefined;
    if (now && isShown && now.data !== item.data && !isHidden(now.data, item.data, update))
      return violated(updatePair(update), `${jsonText(was.name)} with the data sent`, 'other data');
  }
  const other = asksTo(update, credentials.toDelete) ? undefined : damagedItem(update, credentials, 'updated');
  return other ?? (renamed(update) && satisfied(updatePair(update)));
}

export const updatedCredentials = {
  /**
   * Judges an update of a credential by its name in another case. Passes if that one has the new data, and no other
   * changed; fails if it is not found, is doubled, or keeps its data.
   */
  'credentials-update-ignores-case': combined(eachUpdate(updated), eachRefusal(notFound)),
} satisfies Judges;

/** Finds a refused update that only asks to update a credential by its name in another case. */
function notFound(refusal: RefusedUpdate): Finding | undefined {
  const { exchange, sent, before } = refusal;
  const pair = renamed(refusal);
  return pair && before && Object.keys(sent).length === 1 && outcomeOf(exchange).kind === 'refused'
    ? violated([exchange, before.exchange], `${jsonText(pair.was.name)} found as ${jsonText(pair.item.name)}`)
    : undefined;
}

// Judges the items of a list that an update does not name, and so has to leave as they are.

const updatedBy = ({ sent }: AcceptedUpdate, list: List, item: Fields) =>
  list === credentials && listOf(sent.credentialsToUpdate).some((one) => sameName(one.name, item.name));

/** The items that must still be there after an update because they were there before it. */
const itemsToKeep = (update: AcceptedUpdate, list: List): readonly Fields[] =>
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
const updatePair = ({ exchange, before }: AcceptedUpdate) => (before ? [exchange, before.exchange] : [exchange]);

/** Finds an item that an update removed or changed unasked. A list that changes by itself, update-is-partial judges. */
function damagedItem(update: Update, list: List, beside: string): Finding | undefined {
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
