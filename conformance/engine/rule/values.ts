import { memoize } from '../memoize.js';
import { type Fields, isFields } from '../outcome/read.js';
import type { Exchange, Response } from '../vocabulary.js';

/** Compares values by their meaning. */

/** A value as a text; empty for objects. `String` would throw on `{"toString": 1}`. */
export const asText = (value: unknown): string => (typeof value === 'object' ? '' : String(value));

/** A text encoded for a URL. An unpaired surrogate, which cannot be encoded, is replaced. */
export const urlEncoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** A text in normal form, without blanks at its ends. */
const normalised = (text: string): string => (alreadyNormal.test(text) ? text : text.normalize('NFC').trim());
/** Most texts need no normalisation, which is slow. */
const alreadyNormal = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/** A key that is equal for texts that mean the same; undefined for what is no text. */
export const textKey = (value: unknown): string | undefined =>
  typeof value === 'string' ? normalised(value) : undefined;

/** Ignores case. */
export const sameName = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && normalised(a).toLowerCase() === normalised(b).toLowerCase();

/** A key that is equal for items of the same name. */
export const nameKey = ({ name }: Fields): string | undefined => textKey(name)?.toLowerCase();

/** UUIDs are compared without regard to case. */
export const sameId = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase();

/** Whether an id is shown, and is another one. Whether it must be shown, the schema says. */
export const isOther = (shown: unknown, wanted: unknown): boolean =>
  (shown ?? undefined) !== undefined && !sameId(shown, wanted);

export const idKey = ({ id }: Fields): string | undefined => (typeof id === 'string' ? id.toLowerCase() : undefined);

/** Null counts as absent. Whether it is valid, the schema says. */
export const has = (fields: Fields, name: string): boolean => (fields[name] ?? undefined) !== undefined;

/** Whether two values mean the same. Null counts as absent. */
export const equal = (a: unknown, b: unknown): boolean => alike(a ?? undefined, b ?? undefined);

/** Whether an object has every pair of `given`. A service may add pairs. */
export function contains(shown: unknown, given: Fields): boolean {
  if (!isFields(shown)) return false;
  const pairs = byName(shown);
  return Object.entries(given).every(([key, value]) => alike(pairs.get(normalised(key)), value));
}

/** The value of a name that a caller chose, in a free object; null counts as absent. */
export const valueOfName = (fields: Fields, name: string): unknown => byName(fields).get(normalised(name)) ?? undefined;

/** Whether two JSON values mean the same. Times in them are compared as texts: they may be anything. */
function alike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string') return normalised(a) === normalised(b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => alike(item, b[index]));
  if (!isFields(a) || !isFields(b)) return false;
  const [one, other] = [byName(a), byName(b)];
  return one.size === other.size && [...one].every(([key, value]) => other.has(key) && alike(value, other.get(key)));
}

const byName = memoize(
  (fields: Fields): ReadonlyMap<string, unknown> =>
    new Map(Object.entries(fields).map(([name, value]) => [normalised(name), value])),
);

/** The items of a list; empty for other values. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects in a list. Returns the same array if all items are objects, so that memoized results stay valid. */
export const listOf = (value: unknown): readonly Fields[] =>
  !Array.isArray(value) ? [] : value.every(isFields) ? value : value.filter(isFields);

export const idsOf = (items: readonly Fields[]): string[] =>
  items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));

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

// Pairs of things of one kind, for rules that compare them.

/** Each item with the first earlier one that is like it. Items without one are left out. */
export const withEarlier = <Item>(
  all: readonly Item[],
  isLike: (earlier: Item, one: Item) => boolean,
): (readonly [one: Item, earlier: Item])[] =>
  all.flatMap((one, place) => {
    const earlier = all.slice(0, place).find((other) => isLike(other, one));
    return earlier === undefined ? [] : [[one, earlier] as const];
  });

/** Each further item with the first. */
export const withFirst = <Item>([first, ...others]: readonly Item[]): (readonly [one: Item, first: Item])[] =>
  first === undefined ? [] : others.map((one) => [one, first] as const);

// Puts what was seen into words that are short enough for a line of a report.

/** Stands for a secret. */
export const redacted = '[redacted]';

/** Longer texts are cut. */
export const longestText = 80;

export const shorten = (text: string, limit = longestText): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…` : text;

/** A value as JSON, shortened. */
export const jsonText = (value: unknown): string => shorten(JSON.stringify(value) ?? 'nothing');

export const inMs = (ms: number): string => `${Math.round(ms)} ms`;

export const inSeconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** An answer in words: `202 with {"id":…}`, `204 without a body`. */
export function textOfResponse({ status, body }: Response): string {
  if (body.kind === 'none') return `${status} without a body`;
  return body.kind === 'json'
    ? `${status} with ${jsonText(body.value)}`
    : `${status} with a body that is not JSON: ${jsonText(body.text)}`;
}

export const noAnswer = ({ failure }: Exchange): string =>
  `There was no answer: ${failure?.message ?? 'the run was stopped.'}`;

export const answerText = ({ response }: Exchange): string => (response ? textOfResponse(response) : 'no answer');

/** The path as it was written. A recorder may have replaced the host by something that is no URL. */
export const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
