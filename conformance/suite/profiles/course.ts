/** What was done with one profile, in order: what each update and duplication found. */

import { memoize } from '../../engine/memoize.js';
import { isLost } from '../../engine/outcome/outcome.js';
import { accepted, answer, declined, sent, status, steers } from '../../engine/outcome/read.js';
import { precedes } from '../../engine/outcome/when.js';
import type { Exchange, Finding, Judge, ProfileHistory } from '../../engine/vocabulary.js';
import { isIdle } from './settings.js';
import type { Course, Duplication, RefusedUpdate, Taken } from './update.js';

/** The updates of a profile, each beside the one before it, and the duplications. */
export const course = memoize(({ exchanges, origin, related = [] }: ProfileHistory): Course => {
  const updates: Taken[] = [];
  const refusals: RefusedUpdate[] = [];
  const duplications: { -readonly [field in keyof Duplication]: Duplication[field] }[] = [];
  // A copy begins as the answer shows it that made it; what sequences did between is evidence of their own.
  let last = origin && origin.mark?.sequence === exchanges[0]?.mark?.sequence ? initial(origin) : undefined;
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
    if (exchange.mark?.retried) {
      if (isLost(exchange) && exchange.mark.credential === 'primary' && !isIdle(sent(exchange))) loses(exchange);
      continue;
    }
    const before = isMixed(exchanges, place) ? undefined : lastBefore(exchange);
    const body = accepted(exchange) ? answer(exchange) : undefined;
    const asked = sent(exchange) ?? {};
    if (exchange.operation === 'duplicateProfile') {
      if (accepted(exchange)) copiedSince.push(exchange);
      if (body) duplications.push({ exchange, copy: body, ...(before && { source: before }) });
    } else if (exchange.operation !== 'updateProfile') {
      // Another operation of the contract: what it changes, no update says.
      if (steers(exchange) && !declined(exchange)) loses(exchange);
    } else if (body) {
      const update: Taken = {
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
    } else if (declined(exchange)) {
      refusals.push({ exchange, sent: asked, ...(before && { before }) });
      refusedSince.push(exchange);
    } else loses(exchange);
  }
  return { updates, refusals, duplications };
});

/** Judges each update that was taken. */
export const eachTaken = (judge: (update: Taken) => Finding | undefined): Judge => ({
  profile: (history) => course(history).updates.flatMap((update) => judge(update) ?? []),
});

/**
 * Whether nothing came between two exchanges. A recording may lack traffic, and what overlaps has no order: there each
 * answer is judged by itself.
 */
const follows = (earlier: Exchange, later: Exchange): boolean =>
  earlier.mark !== undefined && later.mark !== undefined && precedes(earlier, later);

/** Whether another update may have been made before one was answered: its answer may show what that one changed. */
function isMixed(all: readonly Exchange[], place: number): boolean {
  const exchange = all[place];
  for (let next = place + 1; exchange && next < all.length; next += 1) {
    const one = all[next] as Exchange;
    if (precedes(exchange, one)) return false;
    if (steers(one) && !declined(one)) return true;
  }
  return false;
}

/** A copy as it was made: nothing was asked of it yet. */
const initial = (exchange: Exchange): Taken => ({
  exchange,
  sent: {},
  profile: answer(exchange) ?? {},
  refusals: [],
  copies: [],
});

/** Whether a change of a relative was done between two readings of a profile, and so may have changed it too. */
const isBetween = (before: Exchange, one: Exchange, after: Exchange): boolean =>
  accepted(one) && Object.keys(sent(one) ?? {}).length > 0 && precedes(before, one) && precedes(one, after);
