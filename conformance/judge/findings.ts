import type { Exchange, Finding } from '../vocabulary.js';

const of = (exchanges: Exchange | readonly Exchange[]) => {
  const all: readonly Exchange[] = 'id' in exchanges ? [exchanges] : exchanges;
  const operation = all.find((exchange) => exchange.operation !== null)?.operation;
  return { exchanges: all.map(({ id }) => id), ...(operation && { operation }) };
};

/** The rule held where it could have been broken. The first exchange that has an operation tells which one it is. */
export const kept = (exchanges: Exchange | readonly Exchange[]): Finding => ({ kind: 'kept', ...of(exchanges) });

/** `required` and `seen` complete each other: "required 404 · seen 200". */
export const broken = (exchanges: Exchange | readonly Exchange[], required: string, seen: string): Finding => ({
  kind: 'broken',
  required,
  seen,
  ...of(exchanges),
});

export const unclear = (exchanges: Exchange | readonly Exchange[], why: string): Finding => ({
  kind: 'unclear',
  why,
  ...of(exchanges),
});
