/**
 * The cookies and credentials of a profile as sets: what an update must have left of them, told from what was there and
 * what was asked, and what of it the answer does not show. Pure; it sends nothing and judges nothing.
 */

import { memoize, memoizePair } from '../../engine/memoize.js';
import type { Fields } from '../../engine/outcome/read.js';
import { answeredAt } from '../../engine/outcome/when.js';
import { keyed, withId } from '../../engine/rule/items-by-key.js';
import { hides, standsFor } from '../../engine/rule/masked.js';
import { equal, idKey, listOf, nameKey, sameId, sameInstant, sameName, shows } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { cookieKey, isCookieGiven, livesAsAsked, sameDomain } from './cookies.js';
import { lasting } from './settings.js';
import { isHidden, shownData } from './shown-data.js';
import type { Update } from './update.js';
import { changesByItself } from './view.js';

export interface List {
  readonly name: 'cookies' | 'credentials';
  readonly toAdd: 'cookiesToAdd' | 'credentialsToAdd';
  readonly toDelete: 'cookiesToDelete' | 'credentialsToDelete';
  /** Whether two items that were shown are one; ids and the time of storing aside. */
  readonly same: (a: Fields, b: Fields) => boolean;
  /** Whether what is shown is what was sent. */
  readonly shows: (given: Fields, one: Fields, answeredAt: number) => boolean;
  /** Whether the one may stand in the place of the other. */
  readonly replaces: (a: Fields, b: Fields) => boolean;
  /** Those of a list that an item may be one of, in any of these ways. */
  readonly likely: (items: readonly Fields[], item: Fields) => readonly Fields[];
}

export const cookies: List = {
  name: 'cookies',
  toAdd: 'cookiesToAdd',
  toDelete: 'cookiesToDelete',
  same: (a, b) =>
    isCookieGiven(a, b) && (!shows(a, 'expiry') || !shows(b, 'expiry') || sameInstant(a.expiry, b.expiry)),
  shows: (given, one, at) =>
    isCookieGiven(given, one) &&
    (!shows(given, 'expiry') || !shows(one, 'expiry') || livesAsAsked(given.expiry, one.expiry, at)),
  replaces: (a, b) => sameDomain(a.domain, b.domain) && equal(a.name, b.name),
  likely: keyed(cookieKey),
};

export const credentials: List = {
  name: 'credentials',
  toAdd: 'credentialsToAdd',
  toDelete: 'credentialsToDelete',
  // The data may be masked, and the name kept in lower case.
  same: (a, b) => equal(a.name, b.name),
  shows: (given, one) => sameName(given.name, one.name),
  replaces: (a, b) => sameName(a.name, b.name),
  likely: keyed(nameKey),
};

export const idsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const keysOf = memoize((ids: readonly unknown[]): ReadonlySet<unknown> => new Set(ids.map((id) => idKey({ id }))));
const isDeletedBy = ({ sent }: Update, list: List, item: Fields) => {
  const [ids, key] = [idsIn(sent[list.toDelete]), idKey(item)];
  return ids.length > 0 && key !== undefined && keysOf(ids).has(key);
};
const addedBy = ({ sent }: Update, list: List, item: Fields) =>
  list.likely(listOf(sent[list.toAdd]), item).some((one) => list.replaces(one, item));
const updatedBy = ({ sent }: Update, list: List, item: Fields) =>
  list === credentials && listOf(sent.credentialsToUpdate).some((one) => sameName(one.name, item.name));
/** Whether the suite put the item there, in an update up to this one: what others bring may change by itself. */
const isOurs = (update: Update, list: List, item: Fields): boolean =>
  addedBy(update, list, item) || (update.before !== undefined && isOurs(update.before, list, item));

/** The items that have to be there after an update because they were there before it. */
const keptItems = (update: Update, list: List): readonly Fields[] =>
  lasting(listOf(update.before?.profile[list.name]), update.exchange).filter(
    (item) => !isDeletedBy(update, list, item) && !addedBy(update, list, item),
  );

export interface Gone {
  readonly item: Fields;
  readonly by: Exchange;
}

/** The items that this update and those before it deleted, and that nothing has added since. */
export const goneItems = (update: Update, list: List): readonly Gone[] => goneFrom(list, update);
const goneFrom = memoizePair((list: List, update: Update): readonly Gone[] => {
  const { before, exchange } = update;
  if (!before) return [];
  const now = listOf(before.profile[list.name]).filter((item) => isDeletedBy(update, list, item));
  return [...goneItems(before, list), ...now.map((item) => ({ item, by: exchange }))].filter(
    ({ item }) => !addedBy(update, list, item),
  );
});

/** Added, and not shown as it was sent. */
export function missingItem({ exchange, sent, profile }: Update, list: List): Fields | undefined {
  const is = listOf(profile[list.name]);
  const isThere = (item: Fields) => list.likely(is, item).some((one) => list.shows(item, one, answeredAt(exchange)));
  return listOf(sent[list.toAdd]).find((item) => !isThere(item));
}

/** Not asked to go, and gone all the same. Where a list changes by itself, update-is-partial speaks of it. */
export function sweptItem(update: Update, list: List): Fields | undefined {
  if (!update.before || changesByItself(update.before, list.name)) return undefined;
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
export const isBrowsers = (update: Update, list: List, item: Fields): boolean =>
  list === cookies && update.mayBeBrowsed && !isOurs(update, list, item);

/** Not asked to change, and shown otherwise under its id. Of what the suite did not add nobody knows who changed it. */
export function changedItem(update: Update, list: List): { was: Fields; now: Fields } | undefined {
  const { before, profile } = update;
  if (!before || changesByItself(before, list.name)) return undefined;
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

/** Whether an update asks something to go that was there. */
export const deletesKnown = (update: Update, list: List): boolean =>
  listOf(update.before?.profile[list.name]).some((item) => isDeletedBy(update, list, item));

/** Deleted, and there: still, again, or under another id. */
export function undeadItem(update: Update, list: List): Gone | undefined {
  const is = listOf(update.profile[list.name]);
  const still = is.find((item) => isDeletedBy(update, list, item));
  if (still) return { item: still, by: update.exchange };
  const kept = keptItems(update, list);
  // What is told from another by its data alone could be that other one.
  const isBack = ({ item }: Gone) =>
    withId(is, item).some((one) => sameId(item.id, one.id)) ||
    list
      .likely(is, item)
      .some((one) => list.same(item, one) && !list.likely(kept, one).some((other) => list.same(other, one)));
  return goneItems(update, list).find(isBack);
}

/** More of a kind than were there and were added. */
export function doubledItem(update: Update, list: List): Fields | undefined {
  const { before, profile, sent } = update;
  if (!before) return undefined;
  const is = listOf(profile[list.name]);
  const asked = listOf(sent[list.toAdd]);
  // Whether what is added takes the place of another of its name is not said.
  const left = listOf(before.profile[list.name]).filter((item) => !isDeletedBy(update, list, item));
  const had = [...left, ...asked];
  const count = (of: readonly Fields[], item: Fields) =>
    list.likely(of, item).filter((one) => list.replaces(one, item)).length;
  return asked.find((item) => count(is, item) > count(had, item));
}

/**
 * Whether each of several items that an update added is there once more, and none that another one added: a gateway may have
 * delivered just this one twice.
 */
export function mayHaveComeTwice(update: Update, updates: readonly Update[]): boolean {
  const kinds = [cookies, credentials].map((list) => ({ list, asked: listOf(update.sent[list.toAdd]) }));
  const isTwice = ({ list, asked }: (typeof kinds)[number]) =>
    asked.every((item) => doubledItem({ ...update, sent: { ...update.sent, [list.toAdd]: [item] } }, list));
  return (
    kinds.flatMap(({ asked }) => asked).length > 1 &&
    kinds.every(isTwice) &&
    updates.some((one) =>
      kinds.some(
        ({ list, asked }) => asked.length > 0 && listOf(one.sent[list.toAdd]).length > 0 && !doubledItem(one, list),
      ),
    )
  );
}

/**
 * Added, and shown with other data, where something that was sent beside it is shown, be it as that of another one: so data
 * is not masked.
 */
export function spoiledData({ sent, profile }: Update): { given: Fields; now: Fields } | undefined {
  const are = listOf(profile.credentials);
  const pairs = listOf(sent.credentialsToAdd).flatMap((given) => {
    const now = credentials.likely(are, given).filter(({ name }) => sameName(name, given.name));
    return now.length === 1 && now[0] ? [{ given, now: now[0] }] : [];
  });
  const texts = new Set(pairs.map(({ given }) => given.data));
  const isHidden = ({ given, now }: { given: Fields; now: Fields }) =>
    hides(now.data, given.data) || standsFor(now.data, given.data);
  // An empty text may be shown as it is where others are hidden.
  return pairs.some(({ now }) => now.data !== '' && texts.has(now.data))
    ? pairs.find((pair) => pair.given.data !== pair.now.data && typeof pair.now.data === 'string' && !isHidden(pair))
    : undefined;
}
