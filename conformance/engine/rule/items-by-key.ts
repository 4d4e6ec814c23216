/** Finds items in lists of thousands by a key, without comparing each with each. */
import { memoize } from '../memoize.js';
import type { Fields } from '../outcome/read.js';
import { idKey } from './values.js';

type Key = (item: Fields) => unknown;

/** In shorter lists, comparing all items is faster than computing keys. */
const fewest = 20;

/** Groups are in the order of their first items. */
export function byKey<Item, Key>(items: readonly Item[], key: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** Finds the items with the same key as `like`, in order; of a short list, returns all items. */
export function keyed(key: Key): (items: readonly Fields[], like: Fields) => readonly Fields[] {
  const groups = memoize((items: readonly Fields[]) => byKey(items, key));
  return (items, like) => (items.length < fewest ? items : (groups(items).get(key(like)) ?? []));
}

const ofId = keyed(idKey);
/** The items that may have the id of `like`. */
export const withId = (items: readonly Fields[], like: Fields): readonly Fields[] =>
  idKey(like) === undefined ? [] : ofId(items, like);

/** Whether two lists have the same items, in any order. Equal items must have equal keys. */
export function sameItems(
  a: readonly Fields[],
  b: readonly Fields[],
  same: (a: unknown, b: unknown) => boolean,
  key: Key = () => undefined,
): boolean {
  if (a === b || a.length !== b.length) return a === b;
  const left = byKey(b, key);
  return a.every((item) => {
    const group = left.get(key(item)) ?? [];
    const index = group.findIndex((other) => same(item, other));
    if (index < 0) return false;
    group.splice(index, 1);
    return true;
  });
}
