/** The history of one profile in order: what each update and duplication found. */

import { memoize } from '../../engine/memoize.js';
import { hasRightKey, isExcluded, isOfRun, isProbe, isUnjudged } from '../../engine/outcome/mark.js';
import { isOutsideContract, outcomeOf } from '../../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  changesOrEnds,
  isClientError,
  isCopyRequest,
  requestBody,
  status,
} from '../../engine/outcome/read.js';
import { precedes } from '../../engine/outcome/when.js';
import { sameId } from '../../engine/rule/values.js';
import type { Exchange, Finding, Judge, ProfileHistory } from '../../engine/vocabulary.js';
import { profileOf } from '../executions/view.js';
import { updatesProfile } from '../operations.js';
import { isNoop } from './settings.js';
import type { AcceptedUpdate, Duplication, RefusedUpdate, UpdatesAndCopies } from './update.js';

// Finds profiles that disappeared after some other request.

interface Gone {
  readonly profileId: string;
  /** The last request that found it. */
  readonly found: Exchange;
  /** The first that did not. */
  readonly missed: Exchange;
}

/** A profile, and the requests that the suite meant for it, in order. */
interface Seen {
  readonly profileId: string;
  readonly own: readonly Exchange[];
  /** The accepted requests that used it. */
  readonly found: readonly Exchange[];
}

const isOfProfile = ({ operation }: Exchange) => updatesProfile({ operation }) || isCopyRequest({ operation });

const seenOf = memoize((exchanges: readonly Exchange[]): readonly Seen[] => {
  const judged = exchanges.filter((one) => hasRightKey(one) && !isExcluded(one) && !isUnjudged(one));
  const touching = judged.filter(isOfProfile);
  const taken = judged.filter(accepted);
  return [...new Set(touching.map(({ resource }) => resource))].flatMap((profileId) => {
    if (profileId === null) return [];
    const uses = (one: Exchange) =>
      isOfProfile(one) ? sameId(one.resource, profileId) : sameId(profileOf(one), profileId);
    return [{ profileId, own: touching.filter(uses), found: taken.filter(uses) }];
  });
});

/** The profiles that were found before an event, and that the first request after it, and all others, do not find (404). */
export function goneAfter(event: Exchange, exchanges: readonly Exchange[]): Gone[] {
  return seenOf(exchanges).flatMap(({ profileId, own, found: all }) => {
    const found = all.findLast((one) => precedes(one, event));
    // A probe may be answered 404 because of something else that it names.
    const asked = own.filter((one) => !isProbe(one));
    const missed = asked.find((one) => precedes(event, one));
    const wasGone = asked.some((one) => precedes(one, event) && status(one) === 404);
    const isBack = all.some((one) => missed && precedes(missed, one));
    return found && !wasGone && !isBack && missed && status(missed) === 404 ? [{ profileId, found, missed }] : [];
  });
}

/** The updates of a profile, each with the one before it, and its duplications. */
export const updatesOf = memoize(({ exchanges, origin, related = [] }: ProfileHistory): UpdatesAndCopies => {
  const updates: AcceptedUpdate[] = [];
  const refusals: RefusedUpdate[] = [];
  const duplications: { -readonly [field in keyof Duplication]: Duplication[field] }[] = [];
  // A copy starts as its duplication showed it.
  let last = origin && initial(origin);
  let refusedSince: Exchange[] = [];
  let copiedSince: Exchange[] = [];
  /** Requests before the last update. If one of them overlapped with it, it is unknown which took effect last. */
  let earlier: Exchange[] = [];
  const lastBefore = (exchange: Exchange) => {
    const { exchange: update } = last ?? {};
    return update && follows(update, exchange) && earlier.every((one) => precedes(one, update)) ? last : undefined;
  };

  /** It is unknown whether this request took effect, so the next answer cannot be compared with anything before it. */
  const loses = (exchange: Exchange) => {
    last = undefined;
    earlier = [...earlier.filter((one) => !precedes(one, exchange)), exchange];
  };

  for (const [place, exchange] of exchanges.entries()) {
    // interface: rate limits are not shown. A 429 means that the request was not handled.
    if (status(exchange) === 429) continue;
    if (isExcluded(exchange)) {
      // A firewall may reject the answer instead of the request.
      const isRefused = isClientError(exchange) && outcomeOf(exchange).by !== 'firewall';
      if (isOutsideContract(exchange) && !isRefused && hasRightKey(exchange) && !isNoop(requestBody(exchange)))
        loses(exchange);
      continue;
    }
    const before = isMixed(exchanges, place) ? undefined : lastBefore(exchange);
    const body = accepted(exchange) ? answerBody(exchange) : undefined;
    const asked = requestBody(exchange) ?? {};
    if (isCopyRequest(exchange)) {
      if (accepted(exchange)) copiedSince.push(exchange);
      if (body) duplications.push({ exchange, copy: body, ...(before && { source: before }) });
    } else if (!updatesProfile(exchange)) {
      // What another operation changes is not known from its request.
      if (changesOrEnds(exchange) && !isClientError(exchange)) loses(exchange);
    } else if (body) {
      const update: AcceptedUpdate = {
        exchange,
        sent: asked,
        profile: body,
        ...(before && { before }),
        refusals: refusedSince,
        copies: [...copiedSince, ...(before ? related.filter((one) => isBetween(before.exchange, one, exchange)) : [])],
      };
      earlier = last ? [...earlier.filter((one) => !precedes(one, exchange)), last.exchange] : earlier;
      last = update;
      for (const one of duplications) one.next ??= update;
      updates.push(update);
      refusedSince = [];
      copiedSince = [];
    } else if (isClientError(exchange)) {
      refusals.push({ exchange, sent: asked, ...(before && { before }) });
      refusedSince.push(exchange);
    } else loses(exchange);
  }
  return { updates, refusals, duplications };
});

/** Judges each accepted update. */
export const eachAccepted = (judge: (update: AcceptedUpdate) => Finding | undefined): Judge => ({
  profile: (history) => updatesOf(history).updates.flatMap((update) => judge(update) ?? []),
});

/** Whether two exchanges are ordered. A recording may lack traffic, so there each answer is judged by itself. */
const follows = (earlier: Exchange, later: Exchange): boolean =>
  isOfRun(earlier) && isOfRun(later) && precedes(earlier, later);

/** Whether another update may have taken effect before this one was answered: the answer may show its changes. */
function isMixed(all: readonly Exchange[], place: number): boolean {
  const exchange = all[place];
  for (let next = place + 1; exchange && next < all.length; next += 1) {
    const one = all[next] as Exchange;
    if (precedes(exchange, one)) return false;
    if (changesOrEnds(one) && !isClientError(one)) return true;
  }
  return false;
}

/** A copy as it was made, before any update. */
const initial = (exchange: Exchange): AcceptedUpdate => ({
  exchange,
  sent: {},
  profile: answerBody(exchange) ?? {},
  refusals: [],
  copies: [],
});

/** Whether a copy or the source was changed between two readings of a profile, which may have changed it too. */
const isBetween = (before: Exchange, one: Exchange, after: Exchange): boolean =>
  accepted(one) && Object.keys(requestBody(one) ?? {}).length > 0 && precedes(before, one) && precedes(one, after);
