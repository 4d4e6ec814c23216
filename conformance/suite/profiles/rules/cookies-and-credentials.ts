/** interface: PATCH agent-profiles, the lists of a profile that change item by item. The model is lists.ts. */
import type { RuleId } from '../../../../generated/rules.js';
import { isMeantToPass } from '../../../engine/outcome/expected.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import type { Fields } from '../../../engine/outcome/read.js';
import { answeredAt } from '../../../engine/outcome/when.js';
import { broken, kept, notTaken, unclear } from '../../../engine/rule/findings.js';
import { howSpoiled } from '../../../engine/rule/spoiled.js';
import { instant, listOf, sameId, sameName, shows } from '../../../engine/rule/values.js';
import { answerText, shown } from '../../../engine/rule/words.js';
import type { Finding, Judge } from '../../../engine/vocabulary.js';
import {
  changedItem,
  cookies,
  credentials,
  deletesKnown,
  doubledItem,
  idsIn,
  type List,
  mayHaveComeTwice,
  missingItem,
  spoiledData,
  sweptItem,
  undeadItem,
} from '../lists.js';
import { isHidden, shownData } from '../shown-data.js';
import type { Update } from '../update.js';
import { account, type RefusedUpdate } from '../view.js';

const nameOf = ({ name }: Fields) => shown(name);
const both = ({ exchange, before }: Update) => (before ? [exchange, before.exchange] : [exchange]);
const asksTo = ({ sent }: Update, field: string) => idsIn(sent[field]).length > 0;

/** Judges the updates that were taken, and those that the suite meant to be. */
const eachOfSuite = (
  judge: (update: Update, updates: readonly Update[]) => Finding | undefined,
  judgeRefusal: (refusal: RefusedUpdate) => Finding | undefined,
): Judge => ({
  profile(history) {
    const { updates, refusals } = account(history);
    return [
      ...updates.flatMap((update) => judge(update, updates) ?? []),
      // Of a copy that was never found duplicate-is-independent speaks.
      ...(history.origin && updates.length === 0 ? [] : refusals)
        .filter(({ exchange }) => isMeantToPass(exchange))
        .flatMap((refusal) => judgeRefusal(refusal) ?? []),
    ];
  },
});

/** What an update did to a list was in its answer, and is undone in the next one. */
function lost(update: Update, list: List, field: string): Finding | undefined {
  const change = update.changes.find(({ cause, setting }) => cause === 'lost' && setting === list.name);
  return change && update.before && asksTo(update.before, field)
    ? broken(change.exchanges, `${list.name} as ${field} left them still there at the next update`, 'undone')
    : undefined;
}

/** An item that the update did not ask for, and that it took away or changed. */
function harmed(update: Update, list: List, beside: string): Finding | undefined {
  const gone = sweptItem(update, list);
  if (gone) return broken(both(update), `${nameOf(gone)} kept: it is not among what is ${beside}`, 'gone');
  const changed = changedItem(update, list);
  if (!changed) return undefined;
  const { id: _, createdAt: __, ...was } = changed.was;
  const { required, seen } = howSpoiled(nameOf(changed.was), was, { ...changed.now });
  return broken(both(update), `${required} kept: it is not among what is ${beside}`, seen);
}

/** An added item that is not shown as it was sent: how the one of its name came back, or the names that are there. */
function notAdded(update: Update, list: List, item: Fields): Finding {
  const is = listOf(update.profile[list.name]);
  const own = is.find((one) => list.replaces(item, one)) ?? is.find(({ name }) => sameName(name, item.name));
  if (!own) return broken(update.exchange, `${nameOf(item)} among ${list.name}`, is.map(nameOf).join(', ') || 'none');
  const { id: _, ...given } = item;
  const { required, seen } = howSpoiled(nameOf(item), given, { ...given, ...own });
  return broken(update.exchange, `${required}, as sent, among ${list.name}`, seen);
}

/** Seen: an update that added. Kept where its answer shows each item as sent, and all others as they were. */
const added = (list: List): Judge =>
  eachOfSuite(
    (update, updates) => {
      const missing = missingItem(update, list);
      if (missing) return notAdded(update, list, missing);
      const otherwise = list === credentials ? spoiledData(update) : undefined;
      if (otherwise) {
        const { required, seen } = howSpoiled(
          `data of ${nameOf(otherwise.given)}`,
          otherwise.given.data,
          otherwise.now.data,
        );
        return broken(update.exchange, `${required}, as sent`, seen);
      }
      const adds = asksTo(update, list.toAdd);
      const doubled = adds && doubledItem(update, list);
      if (doubled && mayHaveComeTwice(update, updates))
        return unclear(both(update), 'All that was added is there twice: the update may have been delivered twice.');
      if (doubled) return broken(both(update), `${nameOf(doubled)} once among ${list.name}`, 'more than one of it');
      const other = adds && !asksTo(update, list.toDelete) && !asksTo(update, 'credentialsToUpdate');
      return (
        (other ? harmed(update, list, 'added') : undefined) ??
        lost(update, list, list.toAdd) ??
        (adds ? kept(update.exchange) : undefined)
      );
    },
    ({ exchange, sent }) =>
      listOf(sent[list.toAdd]).length > 0
        ? unclear(exchange, `An update with ${list.toAdd} was answered ${answerText(exchange)}; the reason is unclear.`)
        : undefined,
  );

/** Seen: an answer after a deletion. Kept where nothing that was deleted is in it, and all else is as it was. */
const deleted = (list: List): Judge =>
  eachOfSuite(
    (update) => {
      const left = undeadItem(update, list);
      if (left)
        return left.by === update.exchange
          ? broken(both(update), `${nameOf(left.item)} deleted`, 'still there')
          : broken([update.exchange, left.by], `${nameOf(left.item)} deleted for good`, 'there again');
      const deletes = asksTo(update, list.toDelete);
      return (
        (deletes ? harmed(update, list, 'deleted') : undefined) ??
        (deletesKnown(update, list) ? kept(update.exchange) : undefined)
      );
    },
    ({ exchange, sent, before }) => {
      const known = listOf(before?.profile[list.name]);
      const gone = idsIn(sent[list.toDelete]);
      if (!before || gone.length === 0 || Object.keys(sent).length > 1) return undefined;
      if (!gone.every((id) => known.some((item) => sameId(item.id, id)))) return undefined;
      return notTaken(exchange, before.exchange, `${gone.join(', ')} deleted`);
    },
  );

/** A credential that an update names otherwise than the profile does, and what it was. */
function renamed({ sent, before }: Update | RefusedUpdate): { item: Fields; was: Fields } | undefined {
  for (const item of listOf(sent.credentialsToUpdate)) {
    const was = listOf(before?.profile.credentials).find(({ name }) => sameName(name, item.name));
    if (was && was.name !== item.name) return { item, was };
  }
  return undefined;
}

/** Seen: an update by another case. Kept where each found its credential, changed that one, and no other. */
function updated(update: Update): Finding | undefined {
  const { sent, profile, before } = update;
  const items = listOf(sent.credentialsToUpdate);
  if (!before || items.length === 0) return undefined;
  const named = (list: unknown, { name }: Fields) => listOf(list).filter((one) => sameName(one.name, name));
  for (const item of items) {
    const [was, ...others] = named(before.profile.credentials, item);
    const [now, ...more] = named(profile.credentials, item);
    if (!was) continue;
    if (!now && !idsIn(sent.credentialsToDelete).some((id) => sameId(id, was.id)))
      return broken(both(update), `${nameOf(was)} kept, under its name`, 'no such');
    if (more.length > others.length)
      return broken(both(update), `${nameOf(was)} updated, and none added`, `${more.length + 1} of that name`);
    const isShown = shownData(before, item.name) !== undefined;
    if (now && isShown && now.data !== item.data && !isHidden(now.data, item.data, update))
      return broken(both(update), `${nameOf(was)} with the data sent`, 'other data');
  }
  const other = asksTo(update, credentials.toDelete) ? undefined : harmed(update, credentials, 'updated');
  return other ?? (renamed(update) && kept(both(update)));
}

/** A cookie that was added to live for a while, and is shown without an end. */
function endless({ exchange, sent, profile }: Update): Finding | undefined {
  const given = listOf(sent.cookiesToAdd).filter(({ expiry }) => (instant(expiry) ?? 0) > answeredAt(exchange));
  const are = listOf(profile.cookies);
  const shownAs = (item: Fields) =>
    cookies.likely(are, item).filter((one) => cookies.shows(item, one, answeredAt(exchange)));
  const seen = given.filter((item) => shownAs(item).length > 0);
  const lost = seen.find((item) => !shownAs(item).some((one) => shows(one, 'expiry')));
  if (lost) return broken(exchange, `${nameOf(lost)} with its expiry, ${shown(lost.expiry)}`, 'none');
  return seen.length > 0 ? kept(exchange) : undefined;
}

export const cookiesAndCredentials = {
  /** Seen: a cookie that was added with an expiry. Kept where its answer shows one, broken where it shows the cookie without. */
  'cookie-expiry-is-shown': {
    profile: (history) => account(history).updates.flatMap((update) => endless(update) ?? []),
  },
  'cookies-are-added': added(cookies),
  'cookies-are-deleted': deleted(cookies),
  'credentials-are-added': added(credentials),
  'credentials-are-deleted': deleted(credentials),

  /**
   * Seen: an update of a credential by its name in another case. Kept where that one has the new data, and no other
   * changed; broken where it is not found, is doubled, or keeps its data.
   */
  'credentials-update-ignores-case': {
    profile(history) {
      const { updates, refusals } = account(history);
      return [
        ...updates.flatMap((update) => updated(update) ?? []),
        ...refusals.flatMap((refusal) => {
          const pair = renamed(refusal);
          const { exchange, before } = refusal;
          // Of what is asked beside it the refusal may be as well.
          if (Object.keys(refusal.sent).length > 1) return [];
          if (!pair || !before || !isMeantToPass(exchange) || outcomeOf(exchange).kind !== 'refused') return [];
          return broken([exchange, before.exchange], `${nameOf(pair.was)} found as ${nameOf(pair.item)}`);
        }),
      ];
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;
