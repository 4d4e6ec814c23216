/** interface: POST duplicate. The copy has all settings, cookies and credentials of its source. */

import { idSettings, openFlags } from '../../../../generated/flags.js';
import { isOfRun } from '../../../engine/outcome/mark.js';
import { accepted, answerBody, type Fields, isClientError, requestBody } from '../../../engine/outcome/read.js';
import { precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { has, jsonText, listOf, sameId } from '../../../engine/rule/values.js';
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
import {
  differingUnnamed,
  mayChange,
  proxySettings,
  type Setting,
  sameSetting,
  shownSettings,
  unexpired,
} from '../../profiles/settings.js';
import type { Duplication } from '../../profiles/update.js';
import { updatesOf } from '../../profiles/updates-and-copies.js';
import { replayUpdates } from '../../profiles/view.js';
import { atHome, type Copied, duplicationsIn, eachCopy } from '../view.js';

// interface: POST duplicate, all settings.

/** Not compared: the name and inbox, which are a copy's own; cookies and credentials have their own rules. */
const own: readonly Setting[] = ['name', 'inboxEmail', 'inboxEmailPrefix', 'cookies', 'credentials'];

const copied = shownSettings.filter((setting) => !own.includes(setting));

/** Settings that refer to things of an organization, which another one may not have. */
const organizations: readonly Setting[] = ['extensionIds', ...idSettings];

/** Flags whose setting depends on who asks, not on the profile. */
const personalFlags: readonly Setting[] = openFlags
  .map(({ flag }) => flag)
  .filter((flag) => !proxySettings.includes(flag));

/** A setting without a name in the contract, recognised by its value, that the copy lacks. */
const lostUnnamed = ({ copy, source }: Copied): string | undefined => differingUnnamed(source.profile, copy);

/** Whether the run's key may turn on a flag that not every key may: it did so before, and it makes this copy. */
const maySet = (flag: Setting, { exchange: copying }: Copied, history: ProfileHistory): boolean =>
  isOfRun(copying) &&
  replayUpdates(history).some(
    ({ exchange, sent: asked, profile }) =>
      isOfRun(exchange) && exchange.id < copying.id && asked[flag] === true && profile[flag] === true,
  );

/** Whether the source's next reading shows the same as the copy: it changed before it was copied, or with it. */
const isAlike = (setting: Setting, { copy, next }: Duplication): boolean =>
  next !== undefined && !mayChange(next.sent, setting) && sameSetting(setting, next.profile[setting], copy[setting]);

/** Whether the source was seen to change by itself, so that its state when copied is unknown. */
const isUnsteady = (setting: Setting, history: ProfileHistory): boolean =>
  replayUpdates(history).at(-1)?.selfChanging.has(setting) === true;

export const copiedSettings = {
  /** Judges a copy beside its source. Passes if all shown settings are the same, violated by one that is not. */
  'duplicate-copies-settings': eachCopy((duplication, history) => {
    const { exchange, copy, source } = duplication;
    const isHome = atHome(duplication);
    const differing = copied.find(
      (setting) =>
        (isHome || !organizations.includes(setting)) &&
        !sameSetting(setting, source.profile[setting], copy[setting]) &&
        !isAlike(setting, duplication) &&
        !isUnsteady(setting, history) &&
        !(
          personalFlags.includes(setting) &&
          copy[setting] === false &&
          !(isHome && maySet(setting, duplication, history))
        ),
    );
    const both = [exchange, source.exchange];
    const lost = differing ?? lostUnnamed(duplication);
    return lost
      ? violated(both, `${lost} ${jsonText(source.profile[lost])}, as in the source`, jsonText(copy[lost]))
      : satisfied(both);
  }),
} satisfies Judges;

// interface: POST duplicate, all credentials and cookies.

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
