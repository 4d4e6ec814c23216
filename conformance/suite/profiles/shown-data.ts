/** The data of credentials, which a service may mask: only what it showed as it had been sent tells anything. */

import { memoize } from '../../engine/memoize.js';
import type { Fields } from '../../engine/outcome/read.js';
import { keyed } from '../../engine/rule/items-by-key.js';
import { hides, standsFor } from '../../engine/rule/masked.js';
import { listOf, nameKey, sameName } from '../../engine/rule/values.js';

/** What of an update tells it. */
interface Shown {
  readonly sent: Fields;
  readonly profile: Fields;
  readonly before?: Shown;
}

/** The data that an answer showed as it had been sent; undefined where it may be masked. */
export function shownData(update: Shown | undefined, name: unknown): unknown {
  if (!update) return undefined;
  const given = givenIn(update, name);
  if (!given) return shownData(update.before, name);
  const is = listOf(update.profile.credentials).find((item) => sameName(item.name, name));
  // Of an empty text there is nothing to hide.
  return is?.data === given.data && given.data !== '' ? given.data : undefined;
}

/** Whether an answer up to this one shows data, as it had been sent, that its own update did not send. */
const showsForLong = memoize(
  (update: Shown): boolean =>
    listOf(update.profile.credentials).some(
      ({ name, data }) => data === shownData(update.before, name) && data !== undefined && !givenIn(update, name),
    ) ||
    (update.before !== undefined && showsForLong(update.before)),
);

/** Whether data is not shown, which may have been before: it is masked, or left empty where data is shown once at most. */
export const isHidden = (data: unknown, was: unknown, update: Shown): boolean =>
  hides(data, was) || standsFor(data, was) || (data === '' && !showsForLong(update));

const givenIn = ({ sent }: Shown, name: unknown): Fields | undefined =>
  [...listOf(sent.credentialsToUpdate), ...listOf(sent.credentialsToAdd)].find((item) => sameName(item.name, name));

/**
 * Whether what was shown as it had been sent is shown otherwise now, and not masked. The answer to the update that sent it may
 * have shown it as nothing later does.
 */
export function hasOtherData(before: Shown, now: Fields): boolean {
  const were = listOf(before.profile.credentials);
  return listOf(now.credentials).some((item) => {
    const { name, data } = item;
    const [was, ...others] = named(were, item).filter((one) => sameName(one.name, name));
    const isOther =
      typeof data === 'string' && data !== was?.data && !hides(data, was?.data) && !standsFor(data, was?.data);
    if (!isOther || typeof was?.data !== 'string' || others.length > 0) return false;
    return was.data === shownData(before, name) && !givenIn(before, name);
  });
}

const named = keyed(nameKey);
