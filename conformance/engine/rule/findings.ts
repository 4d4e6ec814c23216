import { memoizeLatest } from '../memoize.js';
import type { Exchange, Finding } from '../vocabulary.js';
import type { SchemaFault } from './schema-faults.js';
import { requirement, signature } from './signature.js';

const of = (exchanges: Exchange | readonly Exchange[]) => {
  const all: readonly Exchange[] = 'id' in exchanges ? [exchanges] : exchanges;
  const operation = all.find((exchange) => exchange.operation !== null)?.operation;
  return { exchanges: all.map(({ id }) => id), ...(operation && { operation }) };
};

/** Most judges find this of most exchanges. */
const keptBy = memoizeLatest(
  (exchanges: Exchange | readonly Exchange[]): Finding => ({ kind: 'kept', ...of(exchanges) }),
);

/** The rule held where it could have been broken. The first exchange that has an operation tells which one it is. */
export const kept = (exchanges: Exchange | readonly Exchange[]): Finding => keptBy(exchanges);

/** So many faults of a body are told at once. */
const most = 3;

/**
 * `required` and `seen` complete each other: "required 404 · seen 200". Of a body that breaks its schema, `seen` is each
 * way in which it does, and each is a fault of its own.
 */
export function broken(
  exchanges: Exchange | readonly Exchange[],
  required: string,
  seen: string | readonly SchemaFault[],
): Finding {
  const [first] = [exchanges].flat();
  const { probe, journey } = first?.mark ?? {};
  const demand = requirement(required, probe?.fault, journey === 'explore');
  const faults =
    typeof seen === 'string'
      ? [{ signature: signature(demand, seen), seen }]
      : seen.map(({ where, what, says }) => ({
          signature: `${demand}: ${where} ${what}`.replace(':  ', ': '),
          seen: says,
        }));
  const told = faults.slice(0, most).map((fault) => fault.seen);
  if (faults.length > most) told.push(`and ${faults.length - most} more`);
  return { kind: 'broken', required, seen: told.join('; '), faults, ...of(exchanges) };
}

export const unclear = (exchanges: Exchange | readonly Exchange[], why: string): Finding => ({
  kind: 'unclear',
  why,
  ...of(exchanges),
});
