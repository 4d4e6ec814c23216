/**
 * Tells of each fault that takes more than a request of the journeys to be seen which kind of testing finds it, and first.
 *
 *     npx tsx test/independent/kinds.ts              # all, into docs/sequences.md
 *     npx tsx test/independent/kinds.ts -- ID …      # these faults, to the terminal
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Run } from '../../conformance/check.js';
import { precedes } from '../../conformance/engine/outcome/when.js';
import type { Exchange } from '../../conformance/engine/vocabulary.js';
import { faults } from './faults/index.js';
import { sequenceFaults } from './faults/sequences.js';
import type { Fault } from './hooks.js';
import { missed } from './missed.js';
import { checkIndependent } from './run.js';

/** From the plainest to the furthest: what an earlier one finds needs no later one. */
export const kinds = ['journeys', 'journeys at the same time', 'single requests', 'sequences'] as const;
export type Kind = (typeof kinds)[number];

const explored = { requests: 800, budget: { executions: 120, copies: 100 } };
const seeds = [1, 2] as const;
/** Of what nobody expects sequences to find one is enough. */
const forMissed = [1] as const;

const kindOf = (exchanges: readonly Exchange[]): Kind => {
  const marks = exchanges.flatMap(({ mark }) => mark ?? []);
  if (marks.some(({ sequence }) => sequence !== undefined)) return 'sequences';
  if (marks.some(({ journey }) => journey === 'explore')) return 'single requests';
  const atOnce =
    marks.some(({ step }) => /^(together|equal)/.test(step)) ||
    exchanges.some((one) => exchanges.some((other) => areAtOnce(one, other)));
  return atOnce ? 'journeys at the same time' : 'journeys';
};

/** Whether two requests for the same were under way together. */
const areAtOnce = (one: Exchange, other: Exchange): boolean =>
  one !== other &&
  one.operation === other.operation &&
  one.resource === other.resource &&
  !precedes(one, other) &&
  !precedes(other, one);

/** The kinds of testing that show a rule broken in a run. */
export function kindsThatFind({ rules, evidence }: Run): Set<Kind> {
  const byId = new Map(evidence.exchanges.map((exchange) => [exchange.id, exchange]));
  const found = rules.flatMap(({ verdict, violations }) =>
    verdict !== 'violated'
      ? []
      : violations.flatMap(({ exchanges, others }) => [exchanges, ...others.map((id) => [id])]),
  );
  return new Set(found.map((ids) => kindOf(ids.flatMap((id) => byId.get(id) ?? []))));
}

/** Which kinds find a fault with any of the seeds. */
async function kindsFor(fault: Fault, seeds: readonly number[]): Promise<ReadonlySet<Kind>> {
  const all = new Set<Kind>();
  for (const seed of seeds)
    for (const kind of kindsThatFind(await checkIndependent('a', fault, seed, explored))) all.add(kind);
  return all;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table(found: readonly (readonly [id: string, by: ReadonlySet<Kind>])[]): string[] {
  const first = (by: ReadonlySet<Kind>) => kinds.find((kind) => by.has(kind));
  const killed = kinds.map((kind) => String(found.filter(([, by]) => first(by) === kind).length));
  return [
    row(['Fault', ...kinds]),
    row(['---', ...kinds.map(() => ':---:')]),
    ...found.map(([id, by]) =>
      row([`\`${id}\``, ...kinds.map((kind) => (first(by) === kind ? '**first**' : by.has(kind) ? 'too' : ''))]),
    ),
    row(['Found first by', ...killed]),
  ];
}

const marks = ['<!-- kinds: written by test/independent/kinds.ts -->', '<!-- end of kinds -->'] as const;

async function main(ids: readonly string[]): Promise<void> {
  const known = Object.values(faults).flat();
  const isChosen = ({ id }: Fault) => ids.length === 0 || ids.includes(id);
  const measure = async (of: readonly Fault[], seeds: readonly number[]) => {
    const found: [string, ReadonlySet<Kind>][] = [];
    for (const fault of of.filter(isChosen)) {
      found.push([fault.id, await kindsFor(fault, seeds)]);
      console.log(fault.id, [...(found.at(-1)?.[1] ?? [])].join(', ') || 'missed');
    }
    return found;
  };
  const [sequential, others] = [
    await measure(sequenceFaults, seeds),
    await measure(
      known.filter(({ id }) => id in missed),
      forMissed,
    ),
  ];
  if (ids.length > 0) return;
  const gained = others.filter(([, by]) => by.size > 0);
  const text = [
    marks[0],
    '',
    `Measured in the way \`a\` with ${explored.requests} requests of exploration, seeds ${seeds.join(' and ')}, and room for ${explored.budget.copies} copies. Of ${sequential.length} faults that take several requests, written for this:`,
    '',
    ...table(sequential),
    '',
    `Of the ${others.length} faults that the journeys missed when this was measured (\`test/independent/missed.ts\`) exploration finds ${gained.length}${gained.length > 0 ? ':' : '.'}`,
    ...(gained.length > 0 ? ['', ...table(gained)] : []),
    '',
    marks[1],
  ].join('\n');
  const file = fileURLToPath(new URL('../../docs/sequences.md', import.meta.url));
  const before = readFileSync(file, 'utf8');
  const [from, to] = marks.map((mark) => before.indexOf(mark)) as [number, number];
  if (from < 0 || to < from) throw new Error(`${file} has no place for the table: ${marks.join(' … ')}`);
  writeFileSync(file, `${before.slice(0, from)}${text}${before.slice(to + marks[1].length)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(process.argv.slice(2).filter((word) => word !== '--'));
