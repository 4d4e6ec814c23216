/** Helpers for observations of gaps, which are short and the same in every run: no ids, no times. */

import type { GapId } from '../contract.js';
import { memoize } from '../memoize.js';
import { isExcluded, isObservation, isObservationOf } from '../outcome/mark.js';
import { outcomeOf } from '../outcome/outcome.js';
import { accepted, answerBody, status, tooManyRequests } from '../outcome/read.js';
import type { Evidence, Exchange } from '../vocabulary.js';
import { shorten } from './values.js';

export const observed = (values: Iterable<string>): string[] => [...new Set(values)].sort();

/** The exchanges that were sent to observe this gap. With `limited`, 429 counts too. */
export const observationsOf = ({ exchanges }: Evidence, gap: GapId, limited = false): Exchange[] =>
  answering(exchanges).filter(
    (one) => isObservationOf(one, gap) && (isServicesOwn(one) || (limited && status(one) === tooManyRequests)),
  );

const isServicesOwn = (exchange: Exchange): boolean => ['service', 'either'].includes(outcomeOf(exchange).by ?? '');

/** The exchanges that were sent to observe any gap. */
const answering = memoize((exchanges: readonly Exchange[]) =>
  exchanges.filter((one) => isObservation(one) && !isExcluded(one) && !one.failure),
);

/** `400 (code 400)`, or `400` if the body has no code. */
export const statusAndCode = (exchange: Exchange): string => {
  const code = accepted(exchange) ? undefined : answerBody(exchange)?.code;
  return `${status(exchange)}${typeof code === 'number' ? ` (code ${code})` : ''}`;
};

export const refusedWith = (exchange: Exchange): string => `refused: ${statusAndCode(exchange)}`;

/** A text of the target, without ids, e-mail addresses and what tells the runs of the suite apart, shortened. */
export const withoutIdentifiers = (text: string): string =>
  shorten(
    text
      .slice(0, 1000)
      .replaceAll(/\b[0-9a-f]{8}(?:-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b)/gi, '{id}')
      .replaceAll(/[^\s@/]+@[^\s@/]+/g, '{email}'),
    60,
  );
