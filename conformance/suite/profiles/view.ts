/** What changed on one profile without being asked for. */

import { memoize } from '../../engine/memoize.js';
import { isAt, isProbe } from '../../engine/outcome/mark.js';
import { answerBody, type Fields, isCopyRequest, isMeantToPass, requestBody } from '../../engine/outcome/read.js';
import { estimatedBytes, type History, type HistoryConsumer, inOrder } from '../../engine/recording/history.js';
import { has, idKey, itemsOf, listOf } from '../../engine/rule/values.js';
import type { Exchange, Finding, Judge, ProfileHistory } from '../../engine/vocabulary.js';
import { hasOtherData } from './lists.js';
import {
  diff,
  isInPlaceOf,
  likelyCookies,
  mayChange,
  optionalSettings,
  type Setting,
  sameCookie,
  sameSetting,
  shownSettings,
  unexpired,
} from './settings.js';
import type { AcceptedUpdate, Change, RefusedUpdate, Update } from './update.js';
import { updatesOf } from './updates-and-copies.js';

type Asked = AcceptedUpdate & Pick<Update, 'before'>;

export const replayUpdates = memoize((history: ProfileHistory): readonly Update[] => {
  const byUpdate = new Map<AcceptedUpdate, Update>();
  const isShared = history.exchanges.some((one) => isAt(one, ...sharedSteps));
  let selfChanging: ReadonlySet<Setting> = new Set();
  let hasBrowser = false;
  for (const taken of updatesOf(history).updates) {
    const { before: found, ...own } = taken;
    const before = found && (byUpdate.get(found) ?? unchanged(found));
    const update: Asked = { ...own, ...(before && { before }) };
    const changes = unrequestedChanges(update, isShared);
    const byThemselves = changes
      .filter(({ cause }) => cause === 'update' || cause === 'unknown')
      .map(({ setting }) => setting);
    if (byThemselves.length > 0) selfChanging = new Set([...selfChanging, ...byThemselves]);
    hasBrowser ||= before !== undefined && browsed(update, before);
    byUpdate.set(taken, { changes, selfChanging, hasBrowser, ...update });
  }
  return [...byUpdate.values()];
});

const nothing = { changes: [], selfChanging: new Set<Setting>(), hasBrowser: false };
/** A copy as it was made. */
const unchanged = ({ before: _, ...made }: AcceptedUpdate): Update => ({ ...made, ...nothing });

/** The steps that first read a profile which the run did not make: other clients may know it. */
export const sharedSteps: readonly string[] = ['earlier-copy', 'scratch-profile'];

/** What an update changed without being asked to. `isShared`: the run did not make the profile, so others may know it. */
function unrequestedChanges(update: Asked, isShared: boolean): readonly Change[] {
  const { before, exchange, profile } = update;
  if (!before) return [];
  const different = diff(before.profile, profile);
  return (
    shownSettings
      .filter((setting) => different.has(setting) || (setting === 'credentials' && hasOtherData(before, profile)))
      .filter(
        (setting) => !mayChange(update.sent, setting) && (has(profile, setting) || optionalSettings.includes(setting)),
      )
      // The answer to a duplication may lack optional settings. Required ones are checked by the schema.
      .filter((setting) => !isCopyRequest(before.exchange) || has(before.profile, setting))
      .filter((setting) => setting !== 'cookies' || !changedThemselves(update, before))
      .filter((setting) => setting !== 'inboxEmailPrefix' || !isJustHidden(update, before))
      .map((setting): Change => {
        const [from, to] = [before.profile[setting], profile[setting]];
        const asked = (one: Exchange) => asksFor(requestBody(one) ?? {}, setting, to);
        const refusal = update.refusals.find(asked);
        const lost = wasBefore(before, setting, to) && !before.selfChanging.has(setting);
        const copies = update.copies.filter(
          (one) => isCopyRequest(one) || (asked(one) && to !== '') || showsAlike(one, setting, to),
        );
        const isKnown = !isShared || refusal || lost || copies.length > 0 || isSent(update, setting, to);
        const cause = !isKnown
          ? 'unknown'
          : refusal
            ? 'refused'
            : lost
              ? 'lost'
              : copies.length > 0
                ? 'copied'
                : 'update';
        const between = refusal ? [refusal] : cause === 'copied' ? copies : [];
        return { setting, from, to, cause, exchanges: [exchange, ...between, before.exchange] };
      })
  );
}

/** Whether a copy or the source was shown with the value too; of one that anything may have, that tells nothing. */
const showsAlike = (one: Exchange, setting: Setting, value: unknown): boolean =>
  (typeof value === 'string' || Array.isArray(value)) &&
  value.length > 0 &&
  sameSetting(setting, answerBody(one)?.[setting], value);

/** Whether this run sent a value for a setting of a profile, or showed it first. Else another client may have set it. */
const isSent = (update: Asked, setting: Setting, value: unknown): boolean =>
  (setting in update.sent && sameSetting(setting, update.sent[setting], value)) ||
  (update.before !== undefined && isSent(update.before, setting, value));

/**
 * Whether only a browser changed the cookies: it added some and renewed others, some expired, and those that updates
 * named, refused ones included, are unchanged.
 */
function changedThemselves(update: Asked, before: Update): boolean {
  const [was, is] = [listOf(before.profile.cookies), listOf(update.profile.cookies)];
  const named = namedCookies(update);
  const isIn = (list: readonly Fields[], item: Fields) =>
    likelyCookies(list, item).some((one) => sameCookie(one, item));
  const hasLike = (list: readonly Fields[], item: Fields) =>
    likelyCookies(list, item).some((one) => isInPlaceOf(item, one));
  const mayChange = (item: Fields) => !hasLike(named, item);
  return (
    unexpired(was, update.exchange).every((item) => isIn(is, item) || (mayChange(item) && hasLike(is, item))) &&
    is.every((item) => isIn(was, item) || mayChange(item))
  );
}

/** Whether a prefix is shown only in the answer that sets it: the inbox, which every profile shows, is unchanged. */
const isJustHidden = ({ profile }: Asked, before: Update): boolean =>
  has(before.sent, 'inboxEmailPrefix') &&
  !has(profile, 'inboxEmailPrefix') &&
  has(profile, 'inboxEmail') &&
  sameSetting('inboxEmail', before.profile.inboxEmail, profile.inboxEmail);

const browsed = (update: Asked, before: Update): boolean =>
  !mayChange(update.sent, 'cookies') &&
  diff(before.profile, update.profile).has('cookies') &&
  changedThemselves(update, before);

/** The cookies that updates so far asked to add or delete, also on a copy or the source. */
const namedCookies = memoize((update: Asked): readonly Fields[] => {
  const asked = [update.sent, ...[...update.refusals, ...update.copies].map((other) => requestBody(other) ?? {})];
  const deleted = new Set(asked.flatMap(({ cookiesToDelete: ids }) => itemsOf(ids)).map((id) => idKey({ id })));
  const isDeleted = (item: Fields) => typeof item.id === 'string' && deleted.has(idKey(item));
  return [
    ...asked.flatMap(({ cookiesToAdd }) => listOf(cookiesToAdd)),
    ...(deleted.size > 0 ? listOf(update.before?.profile.cookies).filter(isDeleted) : []),
    ...(update.before ? namedCookies(update.before) : []),
  ];
});

/** Whether a setting had this value before the latest updates changed it. */
const wasBefore = ({ sent, before }: Update, setting: Setting, value: unknown): boolean =>
  before !== undefined &&
  mayChange(sent, setting) &&
  (sameSetting(setting, before.profile[setting], value) || wasBefore(before, setting, value));

/** Whether an update asks for exactly the current value of a setting. */
const asksFor = (update: Fields, setting: Setting, value: unknown): boolean =>
  mayChange(update, setting) && (!(setting in update) || sameSetting(setting, update[setting], value));

// What a recording shows of one profile.

export class UpdateHistory implements History {
  readonly #profileId: string;
  #exchanges: Exchange[] = [];
  #bytes = 0;

  constructor(profileId: string) {
    this.#profileId = profileId;
  }

  get length(): number {
    return this.#exchanges.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    this.#bytes += estimatedBytes(exchange);
  }

  miss(): void {}

  judge(bench: HistoryConsumer): void {
    bench.profile({ profileId: this.#profileId, exchanges: inOrder(this.#exchanges) });
  }

  shorten(): void {
    this.#exchanges = [];
    this.#bytes = 0;
  }
}

// Builds judges that go through the history of a profile update by update.

/** Judges each accepted update, with all that changed besides what it asked for. That a wrong one is accepted, its probe judges. */
export const eachUpdate = (
  judge: (update: Update, updates: readonly Update[], history: ProfileHistory) => Finding | undefined,
): Judge => ({
  profile(history) {
    const updates = replayUpdates(history);
    return updates.flatMap((update) => (isProbe(update.exchange) ? [] : (judge(update, updates, history) ?? [])));
  },
});

/** Judges each update that should have been accepted, but was refused. */
export const eachRefusal = (judge: (refusal: RefusedUpdate) => Finding | undefined): Judge => ({
  profile: (history) =>
    updatesOf(history)
      .refusals.filter(({ exchange }) => isMeantToPass(exchange))
      .flatMap((refusal) => judge(refusal) ?? []),
});
