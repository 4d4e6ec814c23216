/** Whether a copy and its source are separate: deleting from one must not delete from the other. */

import { memoize } from '../../engine/memoize.js';
import { accepted, answerBody, type Fields, requestBody } from '../../engine/outcome/read.js';
import { instant, timeToleranceMs } from '../../engine/rule/times.js';
import { itemsOf, listOf, sameId } from '../../engine/rule/values.js';
import type { Evidence, Exchange } from '../../engine/vocabulary.js';
import { isItemOfSuite } from '../profiles/plain-items.js';
import { replayUpdates } from '../profiles/view.js';

/**
 * Whether a duplication made the profile that it was answered with. A faulty service may answer with an older profile
 * of somebody else, which lacks the items that the run added to the source.
 */
export function isNew(copy: Fields, source: Fields | undefined): boolean {
  const [made, changed] = [instant(copy.createdAt), instant(source?.updatedAt)];
  if (made !== undefined && changed !== undefined && made + timeToleranceMs(made, changed) >= changed) return true;
  return [...listOf(copy.cookies), ...listOf(copy.credentials)].some(isItemOfSuite);
}

/**
 * Whether items of a copy can be deleted safely: their ids differ from those in all other profiles, or an item was
 * deleted from the copy and still seen in the source. Never if the source was seen to change with a copy.
 */
export function isApart(copy: string, list: 'cookies' | 'credentials', { exchanges, profiles }: Evidence): boolean {
  const sources = profiles.filter(({ origin, profileId }) => !origin && !sameId(profileId, copy));
  const isReached = sources.some((history) =>
    replayUpdates(history).updates.some(({ changes }) => changes.some(({ cause }) => cause === 'copied')),
  );
  if (isReached) return false;
  const shown = sources.map((history) => history.exchanges.filter(isLook));
  const idsIn = (exchange: Exchange) => idsOf(listOf(answerBody(exchange)?.[list]));
  const theirs = [...new Set(shown.flatMap((exchanges) => exchanges.map(idsIn)))];
  const updates = exchanges.filter((one) => accepted(one) && sameId(idOf(one), copy));
  const last = updates.at(-1);
  if (!last || ![...idsIn(last)].some((id) => theirs.some((ids) => ids.has(id)))) return last !== undefined;
  return updates.some((update) => {
    const taken = idsTaken(update, list);
    const next = shown.map((looks) => looks.find(({ id }) => id > update.id));
    return next.some((look) => look && taken.some((id) => idsIn(look).has(id)));
  });
}

const idsOf = memoize((items: readonly Fields[]): ReadonlySet<unknown> => new Set(items.map(({ id }) => id)));

const isLook = (exchange: Exchange): boolean => exchange.operation === 'updateProfile' && accepted(exchange);

/** The profile that an exchange shows. */
const idOf = (exchange: Exchange): unknown =>
  exchange.operation === 'duplicateProfile' ? answerBody(exchange)?.id : exchange.resource;

const idsTaken = (exchange: Exchange, list: 'cookies' | 'credentials'): readonly unknown[] =>
  itemsOf(requestBody(exchange)?.[`${list}ToDelete`]);
