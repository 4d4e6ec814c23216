/** Reading the history of one profile: what each update and duplication found, and what it left. */
import type { Exchange, ProfileHistory } from '../vocabulary.js';
import { accepted, answer, type Fields, refused, sent, status } from './read.js';
import { precedes } from './runs.js';
import { type Change, unaskedChanges } from './settings.js';

/** An update that was taken. Its answer is the only way in which the interface shows a profile. */
export interface Update {
  readonly exchange: Exchange;
  readonly sent: Fields;
  /** The profile as it was answered. */
  readonly profile: Fields;
  /** The update that left the profile as this one found it; absent where something unseen may lie between. */
  readonly before?: Update;
  /** Updates that were refused between the two. */
  readonly refusals: readonly Exchange[];
  /** Duplications between the two. */
  readonly copies: readonly Exchange[];
  /** What changed since though it did not ask for it. */
  readonly changes: readonly Change[];
}

export interface RefusedUpdate {
  readonly exchange: Exchange;
  readonly sent: Fields;
  readonly before?: Update;
}

export interface Duplication {
  readonly exchange: Exchange;
  readonly copy: Fields;
  /** The update that left the source as it was duplicated. */
  readonly source?: Update;
}

interface Account {
  readonly updates: readonly Update[];
  readonly refusals: readonly RefusedUpdate[];
  readonly duplications: readonly Duplication[];
}

/**
 * Whether nothing came between two exchanges. A recording may lack traffic, and what overlaps has no order: there each
 * answer is judged by itself.
 */
const follows = (earlier: Exchange, later: Exchange): boolean =>
  earlier.mark !== undefined && later.mark !== undefined && precedes(earlier, later);

export function account({ exchanges }: ProfileHistory): Account {
  const updates: Update[] = [];
  const refusals: RefusedUpdate[] = [];
  const duplications: Duplication[] = [];
  let last: Update | undefined;
  let refusedSince: Exchange[] = [];
  let copiedSince: Exchange[] = [];
  const lastBefore = (exchange: Exchange) => (last && follows(last.exchange, exchange) ? last : undefined);

  for (const exchange of exchanges) {
    // interface: rate limits are not shown; whoever meets one was not heard.
    if (exchange.mark?.superseded || status(exchange) === 429) continue;
    const before = lastBefore(exchange);
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
        copies: copiedSince,
      };
      last = { ...update, changes: unaskedChanges(update) };
      updates.push(last);
      refusedSince = [];
      copiedSince = [];
    } else if (refused(exchange) && (status(exchange) ?? 0) < 500) {
      refusals.push({ exchange, sent: asked, ...(before && { before }) });
      refusedSince.push(exchange);
    } else {
      // Whether it was done is not known, so the next answer has nothing to be compared with.
      last = undefined;
    }
  }
  return { updates, refusals, duplications };
}
