/** interface: PATCH agent-profiles, cookiesToAdd and credentialsToAdd. */
import type { Fields } from '../../../engine/outcome/read.js';
import { answeredAt } from '../../../engine/outcome/when.js';
import { altered } from '../../../engine/rule/altered.js';
import { combined } from '../../../engine/rule/combined.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { mayMask } from '../../../engine/rule/masked.js';
import { listOf, sameName } from '../../../engine/rule/values.js';
import { answerText, jsonText } from '../../../engine/rule/words.js';
import type { Finding, Judge, Judges } from '../../../engine/vocabulary.js';
import { eachRefusal, eachUpdate, isNeverFound } from '../each-update.js';
import { damagedItem, updatePair } from '../items-to-keep.js';
import { asksTo, cookies, credentials, isDeletedBy, type List } from '../lists.js';
import type { Update } from '../update.js';

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

/** Seen: an update that adds items. Satisfied if its answer shows each as sent, and all others unchanged. */
const added = (list: List): Judge =>
  combined(
    eachUpdate((update, updates) => {
      const missing = missingItem(update, list);
      if (missing) return notAdded(update, list, missing);
      const { given, now } = (list === credentials && spoiledData(update)) || {};
      if (given && now)
        return altered(update.exchange, ', as sent', `data of ${jsonText(given.name)}`, given.data, now.data);
      const adds = asksTo(update, list.toAdd);
      const doubled = adds && doubledItem(update, list);
      if (doubled)
        return mayHaveComeTwice(update, updates)
          ? inconclusive(updatePair(update), 'All that was added is there twice: it may have been delivered twice.')
          : violated(updatePair(update), `${jsonText(doubled.name)} once among ${list.name}`, 'more than one of it');
      const other = adds && !asksTo(update, list.toDelete) && !asksTo(update, 'credentialsToUpdate');
      return (
        (other ? damagedItem(update, list, 'added') : undefined) ??
        lost(update, list, list.toAdd) ??
        (adds ? satisfied(update.exchange) : undefined)
      );
    }),
    eachRefusal(({ exchange, sent }, history) =>
      listOf(sent[list.toAdd]).length > 0 && !isNeverFound(history)
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
 * Whether all items that this update added are there twice, but not those of other updates: a gateway may have
 * delivered this one twice.
 */
function mayHaveComeTwice(update: Update, updates: readonly Update[]): boolean {
  const kinds = [cookies, credentials].map((list) => ({ list, asked: listOf(update.sent[list.toAdd]) }));
  const isTwice = ({ list, asked }: (typeof kinds)[number]) =>
    asked.every((item) => doubledItem({ ...update, sent: { ...update.sent, [list.toAdd]: [item] } }, list));
  return (
    kinds.flatMap(({ asked }) => asked).length > 1 &&
    kinds.every(isTwice) &&
    updates.some((one) =>
      kinds.some(({ list, asked }) => asked.length > 0 && asksTo(one, list.toAdd) && !doubledItem(one, list)),
    )
  );
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
