/**
 * Measures how many faults of the independent service the suite reports.
 *
 *     npm run independent                # every fault, variant a
 *     npm run independent -- --write     # and into docs/figures.md
 *     npm run independent -- ID …        # these faults
 *
 * WAY=b measures another way, SEED=7 runs with another seed, JOBS=4 in four processes.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { storeSection } from '../../scripts/figures.js';
import { missed } from './missed.js';
import { type Case, everyFault, isReported, type Outcome, outcomeOf, type Word, wordFor, words } from './outcome.js';
import { type WayId, ways } from './ways.js';

type Known = (typeof everyFault)[number];

interface Measured extends Known {
  readonly word: Word;
}

/** Measures cases side by side, a process for each core, or as many as JOBS says. */
async function measure(chosen: readonly Known[], of: Omit<Case, 'fault'>): Promise<Measured[]> {
  const rest = chosen.values();
  const measured: Measured[] = [];
  async function work(): Promise<void> {
    const child = fork(fileURLToPath(import.meta.url), ['worker']);
    for (const known of rest) {
      const answer = once(child, 'message');
      child.send({ ...of, fault: known.fault.id } satisfies Case);
      const [outcome] = (await answer) as [Outcome];
      measured.push({ ...known, word: wordFor(outcome) });
      console.log(line(known, outcome));
    }
    child.disconnect();
  }
  const jobs = Number(process.env.JOBS ?? availableParallelism());
  await Promise.all(Array.from({ length: Math.min(jobs, chosen.length) }, work));
  return measured;
}

const line = ({ area, fault }: Known, outcome: Outcome): string => {
  const { must, should, inconclusive } = outcome;
  return [wordFor(outcome), fault.level, area, fault.id, must, should, inconclusive].join('\t').trimEnd();
};

/** The section of docs/figures.md. */
function figures(measured: readonly Measured[], { way, seed }: Omit<Case, 'fault'>): string {
  const reported = measured.filter(isReported).length;
  const row = (name: string, of: readonly Measured[]) =>
    `| ${[name, of.length, ...words.map((word) => of.filter((one) => one.word === word).length)].join(' | ')} |`;
  const areas = [...new Set(everyFault.map(({ area }) => area))];
  return `## Faults of the independent service

Reported: ${reported} of ${measured.length} faults (${((100 * reported) / measured.length).toFixed(1)} %), variant ${way}, with seed ${seed}.

| area | faults | ${words.join(' | ')} |
|---|---:|${words.map(() => '---:|').join('')}
${areas
  .map((name) =>
    row(
      name,
      measured.filter(({ area }) => area === name),
    ),
  )
  .join('\n')}
${row('all', measured)}
`;
}

/** The faults that no rule reports, with the reason; and the reasons of faults that are reported after all. */
function misses(measured: readonly Measured[]): string[] {
  return measured.flatMap((one) => {
    const { id } = one.fault;
    const why = missed[id];
    if (isReported(one)) return why === undefined ? [] : `${id} is reported: take it out of missed.ts.`;
    return `${id} ${one.word}: ${why ?? 'no reason is known: mend the suite, or add the reason to missed.ts.'}`;
  });
}

async function main(): Promise<void> {
  const { values, positionals: ids } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true });
  const way = (process.env.WAY ?? 'a') as WayId;
  if (!(way in ways)) throw new Error(`There is no way ${way}; there are ${Object.keys(ways).join(', ')}.`);
  const chosen = everyFault.filter(({ fault }) => ids.length === 0 || ids.includes(fault.id));
  const unknown = ids.filter((id) => !chosen.some(({ fault }) => fault.id === id));
  if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}.`);
  if (values.write && ids.length > 0) throw new Error('--write needs every fault: leave out the ids.');
  const of = { way, seed: Number(process.env.SEED ?? 1) };
  const { must, should, unusable } = await outcomeOf(of);
  // A rule that is violated without a fault says nothing about faults.
  if (must.length + should.length > 0 || unusable !== undefined)
    throw new Error(`Without a fault variant ${way} is not conformant: ${unusable ?? [...must, ...should].join(', ')}`);
  const measured = await measure(chosen, of);
  const section = figures(measured, of);
  console.log(`\n${[...misses(measured), '', section].join('\n')}`);
  if (values.write) await storeSection(section);
}

if (process.argv[2] === 'worker') {
  process.on('message', async (one: Case) => process.send?.(await outcomeOf(one)));
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
}
