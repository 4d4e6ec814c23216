/** The settings of a profile: which belong together, when two values are the same, and what an update changed. */
import type { Exchange } from '../vocabulary.js';
import type { Update } from './profiles.js';
import { type Fields, sent as sentBy } from './read.js';
import { equal, listOf, shows } from './values.js';

/** interface: PATCH agent-profiles, what is sent under the name that the profile shows it by. */
export const plainSettings = [
  'name',
  'description',
  'adblockActive',
  'allow3rdCookies',
  'cachePersistence',
  'captchaSolverActive',
  'extraStealth',
  'forcePopupsAsTabsActive',
  'mediaBlockerActive',
  'pdfViewerActive',
  'popupBlockerActive',
  'tracingEnabled',
  'extensionIds',
  'inboxEmailPrefix',
  'proxyType',
  'proxyGatewayPresetId',
  'customProxy',
] as const;

/** All that a profile shows beside its identity and its times. */
export const shownSettings = [...plainSettings, 'stickyIP', 'inboxEmail', 'cookies', 'credentials'] as const;
export type Setting = (typeof shownSettings)[number];

/** A profile that does not show them has none; the others every profile shows. */
const optional: readonly Setting[] = ['inboxEmailPrefix', 'proxyType', 'proxyGatewayPresetId', 'customProxy'];

const proxy: readonly Setting[] = [
  'proxyType',
  'proxyGatewayPresetId',
  'customProxy',
  'captchaSolverActive',
  'stickyIP',
];
const proxyFields: readonly string[] = ['proxyType', 'proxyGatewayPresetId', 'customProxy'];

/** The fields of an update by which a setting may change. */
const ways: { readonly [setting in Setting]?: readonly string[] } = {
  adblockActive: ['adblockActive', 'popupBlockerActive'],
  popupBlockerActive: ['popupBlockerActive', 'adblockActive'],
  inboxEmail: ['inboxEmailPrefix'],
  cookies: ['cookiesToAdd', 'cookiesToDelete'],
  credentials: ['credentialsToAdd', 'credentialsToDelete', 'credentialsToUpdate'],
};

const known = new Set<string>([...plainSettings, ...Object.values(ways).flat()]);

/** Whether an update asks for a setting to change, or may change it along with another. */
export function touches(update: Fields, setting: Setting): boolean {
  // To add or to delete nothing asks for nothing; to have no extensions does.
  const asks = (field: string) => update[field] !== undefined && (field === setting || !equal(update[field], []));
  if ((ways[setting] ?? [setting]).some(asks)) return true;
  // The proxy mode has a name that is not shown, and the settings of a proxy come and go with it.
  return (
    proxy.includes(setting) && Object.keys(update).some((field) => proxyFields.includes(field) || !known.has(field))
  );
}

const unordered = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();
const ids = (values: readonly unknown[]) => unordered([...new Set(values.map((id) => String(id).toLowerCase()))]);
const pairs = (of: Fields) => Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1));
const names = ({ id, name }: Fields) => [id, name];

/** Extensions, cookies and credentials have no order, and the data of a credential may be masked. */
export function sameSetting(setting: Setting, a: unknown, b: unknown): boolean {
  if (setting === 'extensionIds' && Array.isArray(a) && Array.isArray(b)) return equal(ids(a), ids(b));
  if (setting === 'cookies') return equal(unordered(listOf(a).map(pairs)), unordered(listOf(b).map(pairs)));
  if (setting === 'credentials') return equal(unordered(listOf(a).map(names)), unordered(listOf(b).map(names)));
  return equal(a, b);
}

/** A setting that changed from one answer to the next though the update between them did not ask for it. */
export interface Change {
  readonly setting: Setting;
  readonly from: unknown;
  readonly to: unknown;
  /** What did it: a refused update, one that was answered as done and was not, a duplication, or this update. */
  readonly cause: 'refused' | 'lost' | 'copied' | 'update';
  /** The exchanges that show it, the update first. */
  readonly exchanges: readonly Exchange[];
}

export function unaskedChanges(update: Omit<Update, 'changes'>): Change[] {
  const { before, exchange, profile } = update;
  if (!before) return [];
  return shownSettings
    .filter((setting) => !touches(update.sent, setting) && (shows(profile, setting) || optional.includes(setting)))
    .filter((setting) => !sameSetting(setting, before.profile[setting], profile[setting]))
    .map((setting) => {
      const [from, to] = [before.profile[setting], profile[setting]];
      const refusal = update.refusals.find((one) => asksFor(sentBy(one) ?? {}, setting, to));
      const lost = wasBefore(before, setting, to) && !changesByItself(before, setting);
      const cause = refusal ? 'refused' : lost ? 'lost' : update.copies.length > 0 ? 'copied' : 'update';
      const between = refusal ? [refusal] : cause === 'copied' ? update.copies : [];
      return { setting, from, to, cause, exchanges: [exchange, ...between, before.exchange] };
    });
}

/** Whether a setting had a value before updates changed it, this one and those right before it. */
const wasBefore = ({ sent, before }: Update, setting: Setting, value: unknown): boolean =>
  before !== undefined &&
  touches(sent, setting) &&
  (sameSetting(setting, before.profile[setting], value) || wasBefore(before, setting, value));

/** Whether updates that do not ask for it change a setting: then they do not lose what the one before set. */
export const changesByItself = ({ changes, before }: Update, setting: Setting): boolean =>
  changes.some((change) => change.setting === setting && change.cause === 'update') ||
  (before !== undefined && changesByItself(before, setting));

/** Whether an update asks for just the value that a setting has now. */
const asksFor = (update: Fields, setting: Setting, value: unknown): boolean =>
  touches(update, setting) && (!(setting in update) || sameSetting(setting, update[setting], value));
