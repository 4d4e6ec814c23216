/** The data of credentials, which a service may mask. Data can only be compared if it was shown as it was sent. */

import { memoize } from '../../engine/memoize.js';
import type { Fields } from '../../engine/outcome/read.js';
import { keyed } from '../../engine/rule/items-by-key.js';
import { mayMask } from '../../engine/rule/masked.js';
import { listOf, nameKey, sameName } from '../../engine/rule/values.js';
import type { Shown } from './update.js';

/** The data that an answer showed as it was sent; undefined if it may be masked. */
export function shownData(update: Shown | undefined, name: unknown): unknown {
  if (!update) return undefined;
  const given = givenIn(update, name);
  if (!given) return shownData(update.before, name);
  const is = listOf(update.profile.credentials).find((item) => sameName(item.name, name));
  // An empty text needs no mask, so it shows nothing.
  return is?.data === given.data && given.data !== '' ? given.data : undefined;
}

/** Whether an answer so far showed data that an earlier update had sent. */
const showsForLong = memoize(
  (update: Shown): boolean =>
    listOf(update.profile.credentials).some(
      ({ name, data }) => data === shownData(update.before, name) && data !== undefined && !givenIn(update, name),
    ) ||
    (update.before !== undefined && showsForLong(update.before)),
);

/** Whether data is masked; or left empty, in a service that shows data only in the answer to its update, if at all. */
export const isHidden = (data: unknown, was: unknown, update: Shown): boolean =>
  mayMask(data, was) || (data === '' && !showsForLong(update));

const givenIn = ({ sent }: Shown, name: unknown): Fields | undefined =>
  [...listOf(sent.credentialsToUpdate), ...listOf(sent.credentialsToAdd)].find((item) => sameName(item.name, name));

/**
 * Whether data that was shown as sent is now different, and not masked. The answer to the update that sent it does not
 * count: it may show data that no later answer shows.
 */
export function hasOtherData(before: Shown, now: Fields): boolean {
  const were = listOf(before.profile.credentials);
  return listOf(now.credentials).some((item) => {
    const { name, data } = item;
    const [was, ...others] = named(were, item).filter((one) => sameName(one.name, name));
    const isOther = typeof data === 'string' && data !== was?.data && !mayMask(data, was?.data);
    if (!isOther || typeof was?.data !== 'string' || others.length > 0) return false;
    return was.data === shownData(before, name) && !givenIn(before, name);
  });
}

const named = keyed(nameKey);
