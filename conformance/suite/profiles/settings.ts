/** The settings of a profile: which belong together, which an update asks for, and when two values are the same. */

import { fields, namesOf } from '../../../generated/fields.js';
import { couplings, derivedFlags, idSettings, openFlags } from '../../../generated/flags.js';
import { memoizePair } from '../../engine/memoize.js';
import { type Fields, isFields } from '../../engine/outcome/read.js';
import { sameItems } from '../../engine/rule/items-by-key.js';
import { asText, equal, instant, listOf, sameId, textKey } from '../../engine/rule/values.js';
import { sameIn } from '../../engine/schemas.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { schemas } from '../schemas.js';
import { cookieKey, sameCookie } from './cookies.js';

const { AgentProfile: shown, AgentProfileUpdate: sendable } = fields;

/** What a profile is known by, and its times: no update sets them. */
const identity = ['id', 'organizationId', 'createdAt', 'updatedAt'] as const;

export type Setting = Exclude<keyof typeof shown, (typeof identity)[number]>;

/** interface: PATCH agent-profiles, what is sent under the name that the profile shows it by. */
export const plainSettings = namesOf(sendable).filter((name) => name in shown) as (keyof typeof sendable & Setting)[];

/** Flags that need another one, behind those that they need. */
export const coupledFlags: readonly Setting[] = [...new Set(couplings.flatMap(({ flag, needs }) => [needs, flag]))];

/** All that a profile shows beside its identity and its times. */
export const shownSettings: readonly Setting[] = [
  ...new Set([
    ...plainSettings,
    ...namesOf(shown).filter((name): name is Setting => !(identity as readonly string[]).includes(name)),
  ]),
];

/** A profile that does not show them has none; the others every profile shows. */
export const optionalSettings = shownSettings.filter((name) => !shown[name].required);

const isProxys = (name: string): boolean => /proxy/i.test(name);
const proxyFields: readonly Setting[] = plainSettings.filter(isProxys);
const ofProxy = [...openFlags, ...derivedFlags].filter(({ gap }) => isProxys(gap ?? ''));
const proxy: readonly string[] = [...proxyFields, ...ofProxy.map(({ flag }) => flag)];

/** Flags that may be set or not by who asks, and not for what the profile is. */
export const personalFlags: readonly Setting[] = openFlags
  .map(({ flag }) => flag)
  .filter((flag) => !proxy.includes(flag));

/** A flag, and those that need it or that it needs. */
function coupledWith(flag: Setting): Setting[] {
  const pairs = couplings.filter((one) => one.flag === flag || one.needs === flag);
  return [...new Set([flag, ...pairs.flatMap((one) => [one.flag, one.needs])])];
}

/** The fields of an update by which a setting may change. */
const ways: { readonly [setting in Setting]?: readonly string[] } = {
  ...Object.fromEntries(coupledFlags.map((flag) => [flag, coupledWith(flag)])),
  inboxEmail: ['inboxEmailPrefix'],
  cookies: ['cookiesToAdd', 'cookiesToDelete'],
  credentials: ['credentialsToAdd', 'credentialsToDelete', 'credentialsToUpdate'],
};

const known = new Set<string>([...plainSettings, ...Object.values(ways).flat()]);

/** Whether an update asks for nothing: it adds nothing and deletes nothing. */
export const isIdle = (update: unknown): boolean =>
  isFields(update) && Object.values(update).every((value) => Array.isArray(value) && value.length === 0);

/** Whether an update asks for a setting to change, or may change it along with another. */
export function touches(update: Fields, setting: Setting): boolean {
  // To add or to delete nothing asks for nothing; to have no extensions does.
  const asks = (field: string) => update[field] !== undefined && (field === setting || !equal(update[field], []));
  // What is needed comes with what needs it; that this goes off is no reason for it to go.
  if (couplings.some(({ flag, needs }) => setting === needs && update[flag] === false)) return asks(setting);
  if ((ways[setting] ?? [setting]).some(asks)) return true;
  return proxy.includes(setting) && touchesProxy(update);
}

/** Whether an update is about a proxy. Its mode has a name that is not shown, and the settings of a proxy come and go with it. */
export const touchesProxy = (update: Fields): boolean =>
  Object.keys(update).some((field) => proxyFields.some((one) => one === field) || !known.has(field));

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

/** The settings in which two looks at a profile differ. */
export const unlike = memoizePair(
  (was: Fields, is: Fields): ReadonlySet<Setting> =>
    new Set(shownSettings.filter((setting) => !sameSetting(setting, was[setting], is[setting]))),
);

/** The items of a list that an answer has to show still: a cookie whose time was over may be gone. */
export const lasting = (items: readonly Fields[], { at, durationMs }: Exchange): readonly Fields[] =>
  items.filter(({ expiry }) => (instant(expiry) ?? Number.POSITIVE_INFINITY) > at + durationMs);
