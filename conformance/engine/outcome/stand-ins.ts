/** What something else answered for a while in the place of the service: while it is replaced, say, or on its way there. */

import type { Evidence, Exchange } from '../vocabulary.js';
import { isMeantToPass } from './expected.js';
import { type Rejected, saysOf } from './firewall-pages.js';
import { isOutsideContract } from './outcome.js';
import { accepted } from './read.js';
import { firstOfErrors } from './statuses.js';
import { answeredAt } from './when.js';

/** None of the contract's answers. Server errors are told of as such. */
const isOther = (one: Exchange): boolean =>
  (one.response?.status ?? firstOfErrors) < firstOfErrors && isOutsideContract(one);

const stepOf = ({ mark, request }: Exchange): string =>
  [mark?.journey, mark?.step, mark?.sequence, mark?.credential, request.method, request.url].join(' ');

/** The times in which everything was answered in the same words that are none of the contract's. */
function outages(exchanges: readonly Exchange[]): Exchange[][] {
  const runs: Exchange[][] = [];
  let words: string | undefined;
  for (const one of exchanges.filter(({ response }) => response).toSorted((a, b) => answeredAt(a) - answeredAt(b))) {
    const now = isOther(one) ? saysOf(one) : undefined;
    if (now !== undefined && now === words) runs.at(-1)?.push(one);
    else if (now !== undefined) runs.push([one]);
    words = now;
  }
  return runs;
}

/**
 * What was answered in such a time, and not sent again after it. That the service itself did not speak is known where
 * several operations were answered so, to requests that had to be taken as well, and one of them was taken afterwards.
 */
export function standIns({ exchanges }: Evidence): Rejected[] {
  const takenAfter = (one: Exchange) =>
    exchanges.some(
      (next) => next.id > one.id && accepted(next) && !isOutsideContract(next) && stepOf(next) === stepOf(one),
    );
  return outages(exchanges).flatMap((alike) => {
    const operations = new Set(alike.map(({ operation }) => operation));
    const left = alike.filter(({ mark }) => !mark?.superseded);
    const [first] = left;
    if (!first || operations.size < 2 || !left.some(isMeantToPass) || !alike.some(takenAfter)) return [];
    const text = `For a while every request was answered ${first.response?.status} with the same text, which is not in the contract (the first is #${first.id}). This came from a gateway, not the service; what could not be sent again is not judged.`;
    return [{ exchanges: left, text }];
  });
}
