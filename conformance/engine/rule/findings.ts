/** Makes the findings that judges return. */

import type { Exchange, Facts, Finding, Judge, Judgement, SchemaFault } from '../vocabulary.js';
import { answerText } from './values.js';

const of = (exchanges: Exchange | readonly Exchange[]) => {
  const all: readonly Exchange[] = 'id' in exchanges ? [exchanges] : exchanges;
  const operation = all.find((exchange) => exchange.operation !== null)?.operation;
  return { exchanges: all.map(({ id }) => id), ...(operation && { operation }) };
};

/** The rule was kept although it could have been violated. The first exchange with an operation tells which one it is. */
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

export const inconclusive = (exchanges: Exchange | readonly Exchange[], why: string, advice?: string): Finding => ({
  kind: 'inconclusive',
  why,
  ...(advice && { advice }),
  ...of(exchanges),
});

/** Combines judges of one rule: their findings are added up. */
export const combined = (...ways: readonly Judge[]): Judge => ({
  ...joined(ways, 'exchange'),
  ...joined(ways, 'trace'),
  ...joined(ways, 'profile'),
  ...joined(ways, 'run'),
});

/** The combined judge of one kind of evidence; empty if none of them has it. */
function joined(ways: readonly Judge[], part: keyof Judge): Judge {
  const own = ways.flatMap((way) => (way[part] as ((of: unknown, facts: Facts) => Judgement) | undefined) ?? []);
  return own.length === 0
    ? {}
    : { [part]: (of: unknown, facts: Facts) => own.flatMap((judge) => judge(of, facts) ?? []) };
}
