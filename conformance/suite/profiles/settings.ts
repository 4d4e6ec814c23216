/** The settings of a profile: which affect each other, which an update asks for, and when two values are the same. */

import { fields, namesOf } from '../../../generated/fields.js';
import { couplings, derivedFlags, idSettings, openFlags, plainFlags } from '../../../generated/flags.js';
import { operations } from '../../../generated/operations.js';
import { memoize } from '../../engine/memoize.js';
import { type Fields, isFields } from '../../engine/outcome/read.js';
import { instant } from '../../engine/rule/times.js';
import { asText, byKey, equal, idKey, listOf, sameId, textKey } from '../../engine/rule/values.js';
import { type Same, sameIn } from '../../engine/schemas.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { schemas } from '../schemas.js';

/** How many characters these settings may have. interface: Limits. */
export const textBounds = operations.updateProfile.bounds;

/** The name of the step that sends a text of this length. The judge looks for it. */
export const lengthStep = (field: keyof typeof textBounds, length: number): string => `${field}-${length}`;

// Settings whose names the interface does not show: they are recognised by their values.

/** interface: Agent profile, the values of proxy mode, operating system and country. */
const values: readonly unknown[] = [
  ...['managed', 'custom', 'gateway', 'macos', 'windows'],
  ...['us', 'uk', 'fr', 'it', 'jp', 'au', 'de', 'fi', 'ca'],
];

/** The first such setting that differs. The value `none` could be anything, so the other value must be a known one. */
export const differingUnnamed = (from: Fields, to: Fields): string | undefined =>
  Object.keys(from).find(
    (field) =>
      !(field in fields.AgentProfile) &&
      (values.includes(from[field]) || values.includes(to[field])) &&
      !equal(to[field], from[field]),
  );

// When two cookies are the same.

/** Hosts are case-insensitive. A dot before a domain means nothing since RFC 6265, 5.2.3. */
export const sameDomain: Same = (a, b) => equal(host(a), host(b));
const host = (domain: unknown) => (typeof domain === 'string' ? domain.toLowerCase().replace(/^\./, '') : domain);

/** Equal for cookies of the same name and domain. */
const cookieKey = ({ domain, name }: Fields): string => `${textKey(host(domain))} ${textKey(name)}`;

/** The cookies of a list that may have the same name and domain. */
export const likelyCookies = keyed(cookieKey);

/** Whether one replaces the other. */
export const isInPlaceOf = (a: Fields, b: Fields): boolean => sameDomain(a.domain, b.domain) && equal(a.name, b.name);

export const cookieFields = {
  ...schemas.fieldsOf('Cookie'),
  domain: sameDomain,
  // The time of storing is not part of what is stored.
  createdAt: () => true,
};

export const sameCookie = sameIn(cookieFields);

/** The suite gives such names to all items that it adds. */
const own = /^conformance-/i;
export const isItemOfSuite = ({ name }: Fields): boolean => own.test(asText(name));

const { AgentProfile: shown, AgentProfileUpdate: sendable } = fields;

/** Identity and times of a profile: no update sets them. */
const identity = ['id', 'organizationId', 'createdAt', 'updatedAt'] as const;

export type Setting = Exclude<keyof typeof shown, (typeof identity)[number]>;

/** interface: PATCH agent-profiles, settings that are sent under the name that the profile shows. */
export const plainSettings = namesOf(sendable).filter((name) => name in shown) as (keyof typeof sendable & Setting)[];

/** Flags that need another one, each after the one that it needs. */
export const coupledFlags: readonly Setting[] = [...new Set(couplings.flatMap(({ flag, needs }) => [needs, flag]))];

/** Settings that can be set again to each value that they had. An optional one cannot be unset. */
export const settableAgain: readonly string[] = [
  ...plainFlags,
  ...coupledFlags,
  ...openFlags.map(({ flag }) => flag),
  ...(['name', 'description', 'extensionIds'] satisfies Setting[]),
];

/** The first plain flag, if there is one, to be changed along with something else. */
export const oneFlag = (isOn: (flag: Setting) => boolean): Fields =>
  Object.fromEntries(plainFlags.slice(0, 1).map((flag) => [flag, isOn(flag)]));

/** Everything that a profile shows, except identity and times. */
export const shownSettings: readonly Setting[] = [
  ...new Set([
    ...plainSettings,
    ...namesOf(shown).filter((name): name is Setting => !(identity as readonly string[]).includes(name)),
  ]),
];

/** Settings that may be absent if they are unset. Every profile shows the others. */
export const optionalSettings = shownSettings.filter((name) => !shown[name].required);

const isProxys = (name: string): boolean => /proxy/i.test(name);
const proxyFields: readonly Setting[] = plainSettings.filter(isProxys);
const ofProxy = [...openFlags, ...derivedFlags].filter(({ gap }) => isProxys(gap ?? ''));
export const proxySettings: readonly string[] = [...proxyFields, ...ofProxy.map(({ flag }) => flag)];

/** A flag, those that need it, and those that it needs. */
function coupledWith(flag: Setting): Setting[] {
  const pairs = couplings.filter((one) => one.flag === flag || one.needs === flag);
  return [...new Set([flag, ...pairs.flatMap((one) => [one.flag, one.needs])])];
}

/** The fields of an update that can change a setting. */
const ways: { readonly [setting in Setting]?: readonly string[] } = {
  ...Object.fromEntries(coupledFlags.map((flag) => [flag, coupledWith(flag)])),
  inboxEmail: ['inboxEmailPrefix'],
  cookies: ['cookiesToAdd', 'cookiesToDelete'],
  credentials: ['credentialsToAdd', 'credentialsToDelete', 'credentialsToUpdate'],
};

const settable = new Set<string>([...plainSettings, ...Object.values(ways).flat()]);

/** Whether an update changes nothing: it has no fields but empty lists. */
export const isNoop = (update: unknown): boolean =>
  isFields(update) && Object.values(update).every((value) => Array.isArray(value) && value.length === 0);

/** Whether an update asks for a setting to change, or may change it along with another one. */
export function mayChange(update: Fields, setting: Setting): boolean {
  // Empty lists of items to add or delete ask for nothing, but no extensions is a value.
  const asks = (field: string) => update[field] !== undefined && (field === setting || !equal(update[field], []));
  // Turning a flag off does not turn off what it needs.
  if (couplings.some(({ flag, needs }) => setting === needs && update[flag] === false)) return asks(setting);
  if ((ways[setting] ?? [setting]).some(asks)) return true;
  return proxySettings.includes(setting) && mayChangeProxy(update);
}

/** Whether an update may concern a proxy. The name of its mode is not shown, so any unknown field may be it. */
export const mayChangeProxy = (update: Fields): boolean =>
  Object.keys(update).some((field) => proxyFields.some((one) => one === field) || !settable.has(field));

const sameProxy = sameIn(schemas.fieldsOf('CustomProxy'));

const ids = (values: readonly unknown[]) => [...new Set(values.map((id) => asText(id).toLowerCase()))].sort();

const sameCredential = (a: unknown, b: unknown) =>
  isFields(a) && isFields(b) && equal(a.name, b.name) && (equal(a.id, b.id) || sameId(a.id, b.id));

const isId = (setting: string): boolean => idSettings.some((one) => one === setting);

/** Extensions, cookies and credentials have no order, and the data of a credential may be masked. */
export function sameSetting(setting: Setting, a: unknown, b: unknown): boolean {
  if (setting === 'extensionIds' && Array.isArray(a) && Array.isArray(b)) return equal(ids(a), ids(b));
  if (setting === 'cookies') return sameItems(listOf(a), listOf(b), sameCookie, cookieKey);
  if (setting === 'credentials') return sameItems(listOf(a), listOf(b), sameCredential, ({ name }) => textKey(name));
  if (setting === 'customProxy') return sameProxy(a, b);
  return equal(a, b) || (isId(setting) && sameId(a, b));
}

/** The settings that differ between two readings of a profile. */
export const diff = memoizePair(
  (was: Fields, is: Fields): ReadonlySet<Setting> =>
    new Set(shownSettings.filter((setting) => !sameSetting(setting, was[setting], is[setting]))),
);

/** The items of a list that an answer must still show. A cookie may be gone once it has expired. */
export const unexpired = (items: readonly Fields[], { at, durationMs }: Exchange): readonly Fields[] =>
  items.filter(({ expiry }) => (instant(expiry) ?? Number.POSITIVE_INFINITY) > at + durationMs);

// Finds items in lists of thousands by a key, without comparing each with each.

type Key = (item: Fields) => unknown;

/** Finds the items with the same key as `like`, in order. */
export function keyed(key: Key): (items: readonly Fields[], like: Fields) => readonly Fields[] {
  const groups = memoize((items: readonly Fields[]) => byKey(items, key));
  return (items, like) => groups(items).get(key(like)) ?? [];
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

/** Memoizes for a pair, whose first part is one of a few objects. A second part that is no object is not remembered. */
export function memoizePair<A extends object, B, Made>(make: (a: A, b: B) => Made): (a: A, b: B) => Made {
  const of = memoize((a: A) => memoize((b: B & object) => make(a, b)));
  return (a, b) => (typeof b === 'object' && b !== null ? of(a)(b) : make(a, b));
}
