/** The settings of a profile: which belong together, which an update asks for, and when two values are the same. */

import { fields, namesOf } from '../../../generated/fields.js';
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

/** Flags that another setting touches, or that a plan or role restricts. */
export const conditionalFlags: readonly Setting[] = [
  'adblockActive',
  'popupBlockerActive',
  'captchaSolverActive',
  'tracingEnabled',
];

type FlagOf<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { holds: 'boolean' } ? Name : never;
}[keyof Fields];

/** The other flags. */
export const plainFlags = plainSettings.filter(
  (name): name is FlagOf<typeof sendable> => shown[name].holds === 'boolean' && !conditionalFlags.includes(name),
);

/** All that a profile shows beside its identity and its times. */
export const shownSettings: readonly Setting[] = [
  ...new Set([
    ...plainSettings,
    ...namesOf(shown).filter((name): name is Setting => !(identity as readonly string[]).includes(name)),
  ]),
];

/** A profile that does not show them has none; the others every profile shows. */
export const optionalSettings = shownSettings.filter((name) => !shown[name].required);

const proxyFields: readonly Setting[] = ['proxyType', 'proxyGatewayPresetId', 'customProxy'];
const proxy: readonly Setting[] = [...proxyFields, 'captchaSolverActive', 'stickyIP'];

/** The fields of an update by which a setting may change. */
const ways: { readonly [setting in Setting]?: readonly string[] } = {
  adblockActive: ['adblockActive', 'popupBlockerActive'],
  popupBlockerActive: ['popupBlockerActive', 'adblockActive'],
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
  // interface: Agent profile. Adblock comes with popups that are blocked; that none are is no reason for it to go.
  if (setting === 'adblockActive' && update.popupBlockerActive === false) return asks(setting);
  if ((ways[setting] ?? [setting]).some(asks)) return true;
  // The proxy mode has a name that is not shown, and the settings of a proxy come and go with it.
  const isOfProxy = (field: string) => proxyFields.some((one) => one === field) || !known.has(field);
  return proxy.includes(setting) && Object.keys(update).some(isOfProxy);
}

const sameProxy = sameIn(schemas.fieldsOf('CustomProxy'));

const ids = (values: readonly unknown[]) => [...new Set(values.map((id) => asText(id).toLowerCase()))].sort();

const sameCredential = (a: unknown, b: unknown) =>
  isFields(a) && isFields(b) && equal(a.name, b.name) && (equal(a.id, b.id) || sameId(a.id, b.id));

/** Extensions, cookies and credentials have no order, and the data of a credential may be masked. */
export function sameSetting(setting: Setting, a: unknown, b: unknown): boolean {
  if (setting === 'extensionIds' && Array.isArray(a) && Array.isArray(b)) return equal(ids(a), ids(b));
  if (setting === 'cookies') return sameItems(listOf(a), listOf(b), sameCookie, cookieKey);
  if (setting === 'credentials') return sameItems(listOf(a), listOf(b), sameCredential, ({ name }) => textKey(name));
  if (setting === 'customProxy') return sameProxy(a, b);
  return equal(a, b) || (setting === 'proxyGatewayPresetId' && sameId(a, b));
}

/** The settings in which two looks at a profile differ. */
export const unlike = memoizePair(
  (was: Fields, is: Fields): ReadonlySet<Setting> =>
    new Set(shownSettings.filter((setting) => !sameSetting(setting, was[setting], is[setting]))),
);

/** The items of a list that an answer has to show still: a cookie whose time was over may be gone. */
export const lasting = (items: readonly Fields[], { at, durationMs }: Exchange): readonly Fields[] =>
  items.filter(({ expiry }) => (instant(expiry) ?? Number.POSITIVE_INFINITY) > at + durationMs);
