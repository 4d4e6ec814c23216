/** The cookies and credentials of a profile as sets: which items are the same, and which an update names. */

import { memoize } from '../../engine/memoize.js';
import type { Fields } from '../../engine/outcome/read.js';
import { mayMask, oneMasksOther } from '../../engine/rule/altered.js';
import { instant, sameInstant } from '../../engine/rule/times.js';
import { equal, has, idKey, itemsOf, listOf, nameKey, sameName } from '../../engine/rule/values.js';
import { sameIn } from '../../engine/schemas.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { cookieFields, isInPlaceOf, keyed, likelyCookies, memoizePair } from './settings.js';
import type { AcceptedUpdate, Shown, Update } from './update.js';

export interface List {
  readonly name: 'cookies' | 'credentials';
  readonly toAdd: 'cookiesToAdd' | 'credentialsToAdd';
  readonly toDelete: 'cookiesToDelete' | 'credentialsToDelete';
  /** Whether two items that were shown are the same, apart from ids and the time of storing. */
  readonly same: (a: Fields, b: Fields) => boolean;
  /** Whether an item that is shown is the one that was sent. */
  readonly shows: (given: Fields, one: Fields, answeredAt: number) => boolean;
  /** Whether one item replaces the other. */
  readonly replaces: (a: Fields, b: Fields) => boolean;
  /** The items of a list that may match an item in any of these ways. */
  readonly likely: (items: readonly Fields[], item: Fields) => readonly Fields[];
}

/** Whether a cookie that is shown is one that was given. The service may set ids and times. */
const isCookieGiven = sameIn({
  ...cookieFields,
  // The interface does not say whether the value is shown, as with the data of credentials.
  value: (given, one) => equal(given, one) || oneMasksOther(one, given),
  expiry: () => true,
  id: () => true,
});

const dayMs = 86_400_000;

/** Whether a cookie expires when asked. Services, like browsers, may cap dates that are far ahead, at some days. */
function expiresAsAsked(given: unknown, shown: unknown, answeredAt: number): boolean {
  const [asked, until] = [instant(given), instant(shown)];
  if (asked === undefined || until === undefined) return asked === until;
  return sameInstant(given, shown) || (asked - until > 2 * dayMs && until - answeredAt > 7 * dayMs);
}

export const cookies: List = {
  name: 'cookies',
  toAdd: 'cookiesToAdd',
  toDelete: 'cookiesToDelete',
  same: (a, b) => isCookieGiven(a, b) && (!has(a, 'expiry') || !has(b, 'expiry') || sameInstant(a.expiry, b.expiry)),
  shows: (given, one, at) =>
    isCookieGiven(given, one) &&
    (!has(given, 'expiry') || !has(one, 'expiry') || expiresAsAsked(given.expiry, one.expiry, at)),
  replaces: isInPlaceOf,
  likely: likelyCookies,
};

export const credentials: List = {
  name: 'credentials',
  toAdd: 'credentialsToAdd',
  toDelete: 'credentialsToDelete',
  // The data may be masked, and the name stored in lower case.
  same: (a, b) => equal(a.name, b.name),
  shows: (given, one) => sameName(given.name, one.name),
  replaces: (a, b) => sameName(a.name, b.name),
  likely: keyed(nameKey),
};

/** Whether a list of an update has items. */
export const asksTo = ({ sent }: AcceptedUpdate, field: string): boolean => itemsOf(sent[field]).length > 0;

const keysOf = memoize((ids: readonly unknown[]): ReadonlySet<unknown> => new Set(ids.map((id) => idKey({ id }))));

export const isDeletedBy = ({ sent }: AcceptedUpdate, list: List, item: Fields) => {
  const [ids, key] = [itemsOf(sent[list.toDelete]), idKey(item)];
  return ids.length > 0 && key !== undefined && keysOf(ids).has(key);
};

export const addedBy = ({ sent }: AcceptedUpdate, list: List, item: Fields) =>
  list.likely(listOf(sent[list.toAdd]), item).some((one) => list.replaces(one, item));

/** Whether the suite put the item there. Items of others may change by themselves. */
export const isOurs = (update: AcceptedUpdate, list: List, item: Fields): boolean =>
  addedBy(update, list, item) || (update.before !== undefined && isOurs(update.before, list, item));

/** Whether a browser that used the profile may have removed or renewed an item. */
export const isByBrowser = (update: AcceptedUpdate & Pick<Update, 'hasBrowser'>, list: List, item: Fields): boolean =>
  list === cookies && update.hasBrowser && !isOurs(update, list, item);

// The items of a list that updates deleted.

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

// The data of credentials, which a service may mask. Data can only be compared if it was shown as it was sent.

/** The data that an answer showed as it was sent; undefined if it may be masked. */
export function shownData(update: Shown | undefined, name: unknown): unknown {
  if (!update) return undefined;
  const given = givenIn(update, name);
  if (!given) return shownData(update.before, name);
  const is = listOf(update.profile.credentials).find((item) => sameName(item.name, name));
  // An empty text needs no mask, so it shows nothing.
  return is?.data === given.data && given.data !== '' ? given.data : undefined;
}

/** Whether an answer so far showed data that an earlier update had sent. */
const showsForLong = memoize(
  (update: Shown): boolean =>
    listOf(update.profile.credentials).some(
      ({ name, data }) => data === shownData(update.before, name) && data !== undefined && !givenIn(update, name),
    ) ||
    (update.before !== undefined && showsForLong(update.before)),
);

/** Whether data is masked; or left empty, in a service that shows data only in the answer to its update, if at all. */
export const isHidden = (data: unknown, was: unknown, update: Shown): boolean =>
  mayMask(data, was) || (data === '' && !showsForLong(update));

const givenIn = ({ sent }: Shown, name: unknown): Fields | undefined =>
  [...listOf(sent.credentialsToUpdate), ...listOf(sent.credentialsToAdd)].find((item) => sameName(item.name, name));

/**
 * Whether data that was shown as sent is now different, and not masked. The answer to the update that sent it does not
 * count: it may show data that no later answer shows.
 */
export function hasOtherData(before: Shown, now: Fields): boolean {
  const were = listOf(before.profile.credentials);
  return listOf(now.credentials).some((item) => {
    const { name, data } = item;
    const [was, ...others] = named(were, item).filter((one) => sameName(one.name, name));
    const isOther = typeof data === 'string' && data !== was?.data && !mayMask(data, was?.data);
    if (!isOther || typeof was?.data !== 'string' || others.length > 0) return false;
    return was.data === shownData(before, name) && !givenIn(before, name);
  });
}

const named = keyed(nameKey);
