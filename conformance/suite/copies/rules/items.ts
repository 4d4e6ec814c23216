/** interface: POST duplicate, all credentials and cookies. */

import { accepted, answerBody, type Fields, isClientError, requestBody } from '../../../engine/outcome/read.js';
import { precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { has, listOf, sameId } from '../../../engine/rule/values.js';
import { jsonText } from '../../../engine/rule/words.js';
import type { Exchange, Finding, Judge, Judges, ProfileHistory } from '../../../engine/vocabulary.js';
import { updatesProfile } from '../../operations.js';
import {
  cookies,
  credentials,
  deletedItemsSoFar,
  isByBrowser,
  isHidden,
  type List,
  shownData,
} from '../../profiles/lists.js';
import { mayChange, type Setting, unexpired } from '../../profiles/settings.js';
import type { Duplication } from '../../profiles/update.js';
import { updatesOf } from '../../profiles/updates-and-copies.js';
import { replayUpdates } from '../../profiles/view.js';
import { duplicationsIn, eachCopy } from '../view.js';

/** Whether an update may have changed a setting, as it was neither accepted nor refused. */
const mayHaveChanged = (one: Exchange, setting: Setting): boolean =>
  updatesProfile(one) && !accepted(one) && !isClientError(one) && mayChange(requestBody(one) ?? {}, setting);

/** Finds a copy with other data than its source, in its first two answers, if data is shown as it was sent. */
function data({ exchange, copy, source }: Duplication, profiles: readonly ProfileHistory[]): Finding | [] {
  if (!source) return [];
  const theirs = listOf(source.profile.credentials);
  const made = { sent: {}, profile: copy, before: source };
  const isOther = (item: Fields) => {
    const others = credentials.likely(theirs, item).filter((one) => one.name === item.name && one.data !== item.data);
    const was = others.length > 0 ? shownData(source, item.name) : undefined;
    return was !== undefined && others.some((one) => one.data === was) && !isHidden(item.data, was, made);
  };
  for (const look of [exchange, ...firstLook(copy, profiles)]) {
    const differing = listOf(answerBody(look)?.credentials).find(isOther);
    if (differing)
      return violated(
        [...new Set([look, exchange, source.exchange])],
        `${jsonText(differing.name)} with the data of the source`,
        'other data',
      );
  }
  return [];
}

/** The first update of a copy, if nothing can have changed its credentials before. */
function firstLook({ id }: Fields, profiles: readonly ProfileHistory[]): Exchange[] {
  const history = profiles.find(({ profileId }) => sameId(profileId, id));
  const [update] = history ? updatesOf(history).updates : [];
  if (!history || !update || mayChange(update.sent, 'credentials')) return [];
  // An update whose answer was lost may have changed them.
  const isLost = history.exchanges.some((one) => mayHaveChanged(one, 'credentials') && !precedes(update.exchange, one));
  return isLost ? [] : [update.exchange];
}

/**
 * Judges a copy of a profile with such items. Passes if it has each of them; fails if one is missing, a deleted
 * one is there, or there are more.
 */
const everyItem = (kind: List): Judge =>
  eachCopy(({ exchange, copy, source, next }, history) => {
    const { name: list, same, likely } = kind;
    // Somebody else may have changed the source before it was copied: its next reading shows that.
    const now = next && !mayChange(next.sent, list) ? listOf(next.profile[list]) : undefined;
    const isThere = (item: Fields) => now && likely(now, item).some((one) => same(item, one));
    const { hasBrowser = false } = replayUpdates(history).find((one) => one.exchange === source.exchange) ?? {};
    const [were, are] = [listOf(source.profile[list]), listOf(copy[list])];
    const found = { ...source, hasBrowser };
    const items = unexpired(were, exchange).filter((item) => !isByBrowser(found, kind, item));
    const isIn = (item: Fields) => (one: Fields) => same(item, one) && (has(one, 'expiry') || !has(item, 'expiry'));
    const missing = items.find((item) => !likely(are, item).some(isIn(item)) && isThere(item) !== false);
    if (missing)
      return violated([exchange, source.exchange], `${jsonText(missing.name)} among ${list} of the copy`, 'no such');
    const ghost = deletedItemsSoFar(source, kind).find(
      ({ item }) =>
        likely(are, item).some((one) => same(item, one)) && !likely(items, item).some((one) => same(item, one)),
    );
    if (ghost)
      return violated([exchange, ghost.by], `${jsonText(ghost.item.name)} deleted, and not in the copy`, 'there again');
    const isNew = (item: Fields) => !likely(were, item).some((one) => same(item, one));
    const [more, than] = [are.filter((item) => !(isNew(item) && isThere(item))).length, were.length];
    if (more > than && !(kind === cookies && hasBrowser))
      return violated([exchange, source.exchange], `${than} ${list}, as in the source`, `${more} of them`);
    return items.length > 0 ? satisfied([exchange, source.exchange]) : undefined;
  });

export const copiedItems = {
  'duplicate-copies-cookies': everyItem(cookies),

  /** As for cookies. Also fails if the copy shows other data than its source did. */
  'duplicate-copies-credentials': {
    ...everyItem(credentials),
    run: ({ profiles }) => duplicationsIn(profiles).flatMap((one) => data(one, profiles)),
  },
} satisfies Judges;
