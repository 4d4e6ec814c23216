/** A profile that was there, and after some other request is not. */
import type { Exchange } from '../vocabulary.js';
import { once } from './once.js';
import { accepted, sent, status } from './read.js';
import { precedes } from './runs.js';
import { sameId } from './values.js';

export interface Gone {
  readonly profileId: string;
  /** The last request that found it. */
  readonly found: Exchange;
  /** The first that did not. */
  readonly missed: Exchange;
}

const meant = once((exchanges: readonly Exchange[]) =>
  exchanges.filter(({ mark }) => mark?.credential === 'primary' && !mark.superseded && !mark.odd),
);
const isOfProfile = ({ operation }: Exchange) => operation === 'updateProfile' || operation === 'duplicateProfile';

/** The profiles of the suite that requests before an event found, and the first request after it did not: 404. */
export function goneAfter(event: Exchange, exchanges: readonly Exchange[]): Gone[] {
  const told = meant(exchanges);
  const touching = told.filter(isOfProfile);
  return [...new Set(touching.map(({ resource }) => resource))].flatMap((profileId) => {
    if (profileId === null) return [];
    const own = touching.filter(({ resource }) => sameId(resource, profileId));
    const uses = (one: Exchange) =>
      own.includes(one) || [sent(one)?.profileId, sent(one)?.agentProfileId].some((id) => sameId(id, profileId));
    const found = told.findLast((one) => accepted(one) && precedes(one, event) && uses(one));
    // A request with a fault in it may be answered 404 for what else it names.
    const missed = own.find((one) => precedes(event, one) && one.mark?.probe === undefined);
    return found && missed && status(missed) === 404 ? [{ profileId, found, missed }] : [];
  });
}
