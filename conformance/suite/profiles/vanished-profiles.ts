/** Finds profiles that disappeared after some other request. */

import { memoize } from '../../engine/memoize.js';
import { accepted, status } from '../../engine/outcome/read.js';
import { precedes } from '../../engine/outcome/when.js';
import { sameId } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { profileOf } from '../executions/view.js';

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

const isOfProfile = ({ operation }: Exchange) => operation === 'updateProfile' || operation === 'duplicateProfile';

const seenOf = memoize((exchanges: readonly Exchange[]): readonly Seen[] => {
  const judged = exchanges.filter(({ mark }) => mark?.credential === 'primary' && !mark.excluded && !mark.unjudged);
  const touching = judged.filter(isOfProfile);
  const taken = judged.filter(accepted);
  return [...new Set(touching.map(({ resource }) => resource))].flatMap((profileId) => {
    if (profileId === null) return [];
    const uses = (one: Exchange) =>
      isOfProfile(one) ? sameId(one.resource, profileId) : sameId(profileOf(one), profileId);
    return [{ profileId, own: touching.filter(uses), found: taken.filter(uses) }];
  });
});

/** The profiles that were found before an event, and that the first request after it does not find (404). */
export function goneAfter(event: Exchange, exchanges: readonly Exchange[]): Gone[] {
  return seenOf(exchanges).flatMap(({ profileId, own, found: all }) => {
    const found = all.findLast((one) => precedes(one, event));
    // A probe may be answered 404 because of something else that it names.
    const missed = own.find((one) => precedes(event, one) && one.mark?.probe === undefined);
    return found && missed && status(missed) === 404 ? [{ profileId, found, missed }] : [];
  });
}
