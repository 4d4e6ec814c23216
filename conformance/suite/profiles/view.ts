/** Reading the history of one profile: what each update and duplication found, and what it left. */

import { memoize } from '../../engine/memoize.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answer, declined, type Fields, sent, status } from '../../engine/outcome/read.js';
import { precedes } from '../../engine/outcome/when.js';
import { keyed } from '../../engine/rule/items-by-key.js';
import { equal, idKey, listOf, shows } from '../../engine/rule/values.js';
import type { Exchange, ProfileHistory } from '../../engine/vocabulary.js';
import { cookieKey, sameCookie, sameDomain } from './cookies.js';
import { changedByOthers, isForeign, type Known } from './foreign-changes.js';
import {
  isIdle,
  lasting,
  optionalSettings,
  type Setting,
  sameSetting,
  shownSettings,
  touches,
  unlike,
} from './settings.js';
import { hasOtherData } from './shown-data.js';
import type { Account, Change, Duplication, RefusedUpdate, Update } from './update.js';

/** An update and what was found before it. */
type Asked = Omit<Update, 'changes' | 'foreign' | 'restless' | 'isBrowsed' | 'mayBeBrowsed'>;

/**
 * Whether nothing came between two exchanges. A recording may lack traffic, and what overlaps has no order: there each
 * answer is judged by itself.
 */
const follows = (earlier: Exchange, later: Exchange): boolean =>
  earlier.mark !== undefined && later.mark !== undefined && precedes(earlier, later);

export const account = memoize((history: ProfileHistory): Account => {
  const first = told(history, new Set());
  // The run made the profile, so nobody else knows it.
  const others = history.origin ? first.others : changedByOthers(first.updates);
  return others.size > 0 ? told(history, others) : first;
});

function told({ exchanges, origin, kin = [], used }: ProfileHistory, others: ReadonlySet<Setting>): Account {
  const updates: Update[] = [];
  const refusals: RefusedUpdate[] = [];
  const duplications: { -readonly [field in keyof Duplication]: Duplication[field] }[] = [];
  // A copy begins as the answer shows it that made it; what sequences did between is evidence of their own.
  let last = origin && origin.mark?.sequence === exchanges[0]?.mark?.sequence ? born(origin) : undefined;
  let restless = others;
  let isBrowsed = false;
  let refusedSince: Exchange[] = [];
  let copiedSince: Exchange[] = [];
  /** What was sent before the last update; where that was under way together with another, nobody knows which was last. */
  let earlier: Exchange[] = [];
  const lastBefore = (exchange: Exchange) => {
    const { exchange: update } = last ?? {};
    return update && follows(update, exchange) && earlier.every((one) => precedes(one, update)) ? last : undefined;
  };

  /** Whether it was made is not known, so the next answer has nothing to be compared with, nor has one of meanwhile. */
  const loses = (exchange: Exchange) => {
    last = undefined;
    earlier = [...earlier.filter((one) => !precedes(one, exchange)), exchange];
  };

  for (const [place, exchange] of exchanges.entries()) {
    // interface: rate limits are not shown; whoever meets one was not heard.
    if (status(exchange) === 429) continue;
    if (exchange.mark?.superseded) {
      if (isLost(exchange) && exchange.mark.credential === 'primary' && !isIdle(sent(exchange))) loses(exchange);
      continue;
    }
    const before = isMixed(exchanges, place) ? undefined : lastBefore(exchange);
    const body = accepted(exchange) ? answer(exchange) : undefined;
    const asked = sent(exchange) ?? {};
    if (exchange.operation === 'duplicateProfile') {
      if (accepted(exchange)) copiedSince.push(exchange);
      if (body) duplications.push({ exchange, copy: body, ...(before && { source: before }) });
    } else if (body) {
      const update = {
        exchange,
        sent: asked,
        profile: body,
        ...(before && { before }),
        refusals: refusedSince,
        copies: [...copiedSince, ...(before ? kin.filter((one) => isBetween(before.exchange, one, exchange)) : [])],
      };
      earlier = last ? [...earlier.filter((one) => !precedes(one, exchange)), last.exchange] : earlier;
      const { changes, foreign } = unaskedChanges(update, origin !== undefined, others);
      const byThemselves = changes.filter(({ cause }) => cause === 'update').map(({ setting }) => setting);
      if (byThemselves.length > 0) restless = new Set([...restless, ...byThemselves]);
      isBrowsed ||= before !== undefined && browsed(update, before);
      // A sequence is too short to tell whether a browser is at work.
      const isShort = exchange.mark?.sequence !== undefined && (origin === undefined || used === true);
      last = { ...update, changes, foreign, restless, isBrowsed, mayBeBrowsed: isBrowsed || isShort };
      for (const one of duplications) one.next ??= last;
      updates.push(last);
      refusedSince = [];
      copiedSince = [];
    } else if (declined(exchange)) {
      refusals.push({ exchange, sent: asked, ...(before && { before }) });
      refusedSince.push(exchange);
    } else loses(exchange);
  }
  return { updates, refusals, duplications, others };
}

/** Whether another update may have been made before one was answered: its answer may show what that one changed. */
function isMixed(all: readonly Exchange[], place: number): boolean {
  const exchange = all[place];
  for (let next = place + 1; exchange && next < all.length; next += 1) {
    const one = all[next] as Exchange;
    if (precedes(exchange, one)) return false;
    if (one.operation === 'updateProfile' && !declined(one)) return true;
  }
  return false;
}

/** A copy as it was made: nothing was asked of it yet. */
const born = (exchange: Exchange): Update => ({
  exchange,
  sent: {},
  profile: answer(exchange) ?? {},
  refusals: [],
  copies: [],
  changes: [],
  foreign: [],
  restless: new Set(),
  isBrowsed: false,
  mayBeBrowsed: false,
});

/** Whether a change of a relative was done between two readings of a profile, and so may have changed it too. */
const isBetween = (before: Exchange, one: Exchange, after: Exchange): boolean =>
  accepted(one) && Object.keys(sent(one) ?? {}).length > 0 && precedes(before, one) && precedes(one, after);

/** What an update changed though it did not ask for it. `isOwn`: the run made the profile, so nobody else knows it. */
function unaskedChanges(
  update: Asked,
  isOwn: boolean,
  others: ReadonlySet<Setting>,
): Pick<Update, 'changes' | 'foreign'> {
  const { before, exchange, profile } = update;
  if (!before) return { changes: [], foreign: [] };
  const unasked = shownSettings
    .filter(
      (setting) =>
        unlike(before.profile, profile).has(setting) || (setting === 'credentials' && hasOtherData(before, profile)),
    )
    .filter(
      (setting) => !touches(update.sent, setting) && (shows(profile, setting) || optionalSettings.includes(setting)),
    )
    // An answer to a duplication may leave out what is optional, and what has to be there is for the schema to say.
    .filter((setting) => before.exchange.operation !== 'duplicateProfile' || shows(before.profile, setting))
    .filter((setting) => setting !== 'cookies' || !changedThemselves(update, before))
    .filter((setting) => setting !== 'inboxEmailPrefix' || !isJustHidden(update, before));
  const foreign = unasked.filter(
    (setting) =>
      others.has(setting) || (!isOwn && isForeign(setting, before.profile[setting], profile[setting], knownAt(update))),
  );
  const changes = unasked
    .filter((setting) => !foreign.includes(setting))
    .map((setting): Change => {
      const [from, to] = [before.profile[setting], profile[setting]];
      const refusal = update.refusals.find((one) => asksFor(sent(one) ?? {}, setting, to));
      const lost = wasBefore(before, setting, to) && !before.restless.has(setting);
      const cause = refusal ? 'refused' : lost ? 'lost' : update.copies.length > 0 ? 'copied' : 'update';
      const between = refusal ? [refusal] : cause === 'copied' ? update.copies : [];
      return { setting, from, to, cause, exchanges: [exchange, ...between, before.exchange] };
    });
  return { changes, foreign };
}

/** What is known of a profile at an update: all that was asked up to it, taken or not. */
const knownAt = (update: Asked): Known => {
  const asked: Exchange[] = [];
  let original: Fields = {};
  for (let one: Asked | undefined = update; one; one = one.before) {
    asked.push(one.exchange, ...one.refusals, ...one.copies);
    original = one.profile;
  }
  return { original, asked };
};

const likely = keyed(cookieKey);

/**
 * Whether the cookies may have changed without an update: a browser brought some and renewed others, some expired, and
 * those that updates named, also such as were refused, are as they were.
 */
function changedThemselves(update: Asked, before: Update): boolean {
  const [was, is] = [listOf(before.profile.cookies), listOf(update.profile.cookies)];
  const named = namedCookies(update);
  const alike = (a: Fields) => (b: Fields) => sameDomain(a.domain, b.domain) && equal(a.name, b.name);
  const isIn = (list: readonly Fields[], item: Fields) => likely(list, item).some((one) => sameCookie(one, item));
  const mayChange = (item: Fields) => !likely(named, item).some(alike(item));
  return (
    lasting(was, update.exchange).every(
      (item) => isIn(is, item) || (mayChange(item) && likely(is, item).some(alike(item))),
    ) && is.every((item) => isIn(was, item) || mayChange(item))
  );
}

/** Whether a prefix is shown only in the answer to who set it: the inbox, which every profile shows, is still that of it. */
const isJustHidden = ({ profile }: Asked, before: Update): boolean =>
  shows(before.sent, 'inboxEmailPrefix') &&
  !shows(profile, 'inboxEmailPrefix') &&
  shows(profile, 'inboxEmail') &&
  sameSetting('inboxEmail', before.profile.inboxEmail, profile.inboxEmail);

const browsed = (update: Asked, before: Update): boolean =>
  !touches(update.sent, 'cookies') &&
  !sameSetting('cookies', before.profile.cookies, update.profile.cookies) &&
  changedThemselves(update, before);

/** The cookies that updates up to this one asked to add or to delete, also of a copy or of the source. */
const namedCookies = memoize((update: Asked): readonly Fields[] => {
  const asked = [update.sent, ...[...update.refusals, ...update.copies].map((other) => sent(other) ?? {})];
  const deleted = new Set(asked.flatMap(({ cookiesToDelete: ids }) => (Array.isArray(ids) ? ids : [])).map(lowered));
  const isDeleted = ({ id }: Fields) => typeof id === 'string' && deleted.has(lowered(id));
  return [
    ...asked.flatMap(({ cookiesToAdd }) => listOf(cookiesToAdd)),
    ...(deleted.size > 0 ? listOf(update.before?.profile.cookies).filter(isDeleted) : []),
    ...(update.before ? namedCookies(update.before) : []),
  ];
});

const lowered = (id: unknown): unknown => idKey({ id });

/** Whether a setting had a value before updates changed it, this one and those right before it. */
const wasBefore = ({ sent, before }: Update, setting: Setting, value: unknown): boolean =>
  before !== undefined &&
  touches(sent, setting) &&
  (sameSetting(setting, before.profile[setting], value) || wasBefore(before, setting, value));

/** Whether an update asks for just the value that a setting has now. */
const asksFor = (update: Fields, setting: Setting, value: unknown): boolean =>
  touches(update, setting) && (!(setting in update) || sameSetting(setting, update[setting], value));
