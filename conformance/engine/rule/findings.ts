/** Makes the findings that judges return. */

import type { GapId } from '../contract.js';
import { memoize } from '../memoize.js';
import { outcomeOf } from '../outcome/outcome.js';
import { accepted, answerBody, status, tooManyRequests } from '../outcome/read.js';
import type { Evidence, Exchange, Finding, SchemaFault } from '../vocabulary.js';
import { answerText, shorten } from './values.js';

const of = (exchanges: Exchange | readonly Exchange[]) => {
  const all: readonly Exchange[] = 'id' in exchanges ? [exchanges] : exchanges;
  const operation = all.find((exchange) => exchange.operation !== null)?.operation;
  return { exchanges: all.map(({ id }) => id), ...(operation && { operation }) };
};

/** The rule was kept although it could have been broken. The first exchange with an operation tells which one it is. */
export const satisfied = (exchanges: Exchange | readonly Exchange[]): Finding => ({
  kind: 'satisfied',
  ...of(exchanges),
});

/** How many faults of a body one finding names. */
const most = 3;

/**
 * `expected` and `actual` belong together: "expected 404 · actual 200". For schema faults, each one is a fault of its own.
 * The default of `actual` is the answer of the first exchange.
 */
export function violated(
  exchanges: Exchange | readonly Exchange[],
  expected: string,
  answered?: string | readonly SchemaFault[],
): Finding {
  const [first] = [exchanges].flat();
  const actual = answered ?? (first ? answerText(first) : '');
  const faults =
    typeof actual === 'string'
      ? [{ actual }]
      : actual.map(({ where, what, says }) => ({ place: [where, what].join(' ').trim(), actual: says }));
  const texts = faults.slice(0, most).map((fault) => fault.actual);
  if (faults.length > most) texts.push(`and ${faults.length - most} more`);
  return { kind: 'violated', expected, actual: texts.join('; '), faults, ...of(exchanges) };
}

export const inconclusive = (exchanges: Exchange | readonly Exchange[], why: string): Finding => ({
  kind: 'inconclusive',
  why,
  ...of(exchanges),
});

/**
 * For a request that should be accepted and was not: fails if it was refused for what it asks, while `peer` was
 * accepted; else inconclusive, with the reason.
 */
export function notAccepted(exchange: Exchange, peer: Exchange | false | undefined, expected: string): Finding {
  const { why } = outcomeOf(exchange);
  if (why === undefined && peer) return violated([exchange, peer], expected);
  return inconclusive(exchange, why ?? `It was answered ${answerText(exchange)}; the reason is unclear.`);
}

// Helpers for observations of gaps, which are short and the same in every run: no ids, no times.

export const observed = (values: Iterable<string>): string[] => [...new Set(values)].sort();

/** The exchanges that were sent to observe this gap. With `limited`, 429 counts too. */
export const observationsOf = ({ exchanges }: Evidence, gap: GapId, limited = false): Exchange[] =>
  answering(exchanges).filter(
    (one) => one.mark?.observes?.includes(gap) && (isServicesOwn(one) || (limited && status(one) === tooManyRequests)),
  );

const isServicesOwn = (exchange: Exchange): boolean => ['service', 'either'].includes(outcomeOf(exchange).by ?? '');

/** The exchanges that were sent to observe any gap. */
const answering = memoize((exchanges: readonly Exchange[]) =>
  exchanges.filter(({ mark, failure }) => mark?.observes && !mark.excluded && !failure),
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
