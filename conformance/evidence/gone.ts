/** A profile that was there, and after some other request is not. */
import type { Exchange, ProfileHistory } from '../vocabulary.js';
import { once } from './once.js';
import { accepted, answer, sent, status } from './read.js';
import { precedes } from './runs.js';
import { sameId } from './values.js';

export interface Gone {
  readonly profileId: string;
  /** The last request that found it. */
  readonly found: Exchange;
  /** The first that did not. */
  readonly missed: Exchange;
}

/** A profile, and what the suite meant for it, each in order. */
interface Told {
  readonly profileId: string;
  readonly own: readonly Exchange[];
  /** What found it, as far as was answered. */
  readonly found: readonly Exchange[];
}

const isOfProfile = ({ operation }: Exchange) => operation === 'updateProfile' || operation === 'duplicateProfile';

const toldOf = once((exchanges: readonly Exchange[]): readonly Told[] => {
  const told = exchanges.filter(({ mark }) => mark?.credential === 'primary' && !mark.superseded && !mark.odd);
  const touching = told.filter(isOfProfile);
  const taken = told.filter(accepted);
  return [...new Set(touching.map(({ resource }) => resource))].flatMap((profileId) => {
    if (profileId === null) return [];
    const uses = (one: Exchange) =>
      isOfProfile(one)
        ? sameId(one.resource, profileId)
        : [sent(one)?.profileId, sent(one)?.agentProfileId].some((id) => sameId(id, profileId));
    return [{ profileId, own: touching.filter(uses), found: taken.filter(uses) }];
  });
});

/** The copies that were made, by their ids: who keeps a service tidy may take them away again. */
const copiesOf = once((exchanges: readonly Exchange[]): readonly unknown[] =>
  exchanges.flatMap((one) => (one.operation === 'duplicateProfile' && accepted(one) ? [answer(one)?.id] : [])),
);

/**
 * Whether somebody may have taken a copy away that was found before: it was not any more, and never again.
 */
export const isTidiedUp = ({ origin, exchanges }: ProfileHistory, missed: Exchange): boolean =>
  origin !== undefined &&
  status(missed) === 404 &&
  !exchanges.some((one) => accepted(one) && precedes(missed, one)) &&
  exchanges.some((one) => accepted(one) && precedes(one, missed));

/** The profiles of the suite, copies aside, that requests before an event found, and the first request after it did not: 404. */
export function goneAfter(event: Exchange, exchanges: readonly Exchange[]): Gone[] {
  return toldOf(exchanges).flatMap(({ profileId, own, found: all }) => {
    if (copiesOf(exchanges).some((id) => sameId(id, profileId))) return [];
    const found = all.findLast((one) => precedes(one, event));
    // A request with a fault in it may be answered 404 for what else it names.
    const missed = own.find((one) => precedes(event, one) && one.mark?.probe === undefined);
    return found && missed && status(missed) === 404 ? [{ profileId, found, missed }] : [];
  });
}
