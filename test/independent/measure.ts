/**
 * Runs the suite against every way and every fault of the independent service.
 *
 *     npx tsx test/independent/measure.ts            # every fault in the way a, to the terminal
 *     npx tsx test/independent/measure.ts ID …       # these
 *     npx tsx test/independent/measure.ts --write    # and a share of the other ways, into docs/independent.md
 *     … --write FILE                                 # what an earlier run printed there is not measured again
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { seeded } from '../../conformance/engine/send/seeded.js';
import { type Case, everyFault, type Measured, type Outcome, outcomeOf, type Word, wordFor, words } from './outcome.js';
import { unexplained, write } from './page.js';
import { type WayId, ways } from './ways.js';

/** Measures cases side by side, a process for each core, or as many as JOBS says; tells each as it comes. */
async function measure(cases: readonly Case[], tell: (one: Measured, outcome: Outcome) => void): Promise<Measured[]> {
  const rest = cases.values();
  const measured: Measured[] = [];
  async function work(): Promise<void> {
    const child = fork(fileURLToPath(import.meta.url), ['worker']);
    for (const one of rest) {
      const answer = once(child, 'message');
      child.send(one);
      const [outcome] = (await answer) as [Outcome];
      const known = everyFault.find(({ fault }) => fault.id === one.fault);
      if (!known) continue;
      const { area, fault } = known;
      const found: Measured = { way: one.way, id: fault.id, area, level: fault.level, word: wordFor(outcome) };
      measured.push(found);
      tell(found, outcome);
    }
    child.disconnect();
  }
  const jobs = Number(process.env.JOBS ?? availableParallelism());
  await Promise.all(Array.from({ length: Math.min(jobs, cases.length) }, work));
  return measured;
}

/** How many faults are measured in each of the other ways. */
const share = 60;

function sampleOf(way: WayId): Case[] {
  const random = seeded(way.charCodeAt(0));
  const left = everyFault.map(({ fault }) => fault.id);
  return Array.from({ length: share }, () => left.splice(Math.floor(random() * left.length), 1)[0]).flatMap((fault) =>
    fault === undefined ? [] : { way, fault },
  );
}

const line = ({ word, level, way, area, id }: Measured, { must, should, inconclusive }: Outcome): string =>
  [word, level, way, area, id, must.join(), should.join(), inconclusive.join()].join('\t');

/** What an earlier run printed, of faults that there are; of two lines of one the later. */
function printed(file: string): Measured[] {
  const all = new Map<string, Measured>();
  for (const [word, , way, , id] of readFileSync(file, 'utf8')
    .split('\n')
    .map((text) => text.split('\t'))) {
    const known = everyFault.find(({ fault }) => fault.id === id);
    if (!known || !words.some((one) => one === word)) continue;
    const { area, fault } = known;
    all.set(`${way} ${id}`, { word: word as Word, way: way as WayId, area, id: fault.id, level: fault.level });
  }
  return [...all.values()];
}

async function main(given: readonly string[]): Promise<void> {
  const writes = given.includes('--write');
  const named = given.filter((word) => !word.startsWith('--'));
  const ids = writes ? [] : named;
  const known = writes ? named.flatMap(printed) : [];
  const way = (process.env.WAY ?? 'a') as WayId;
  if (!(way in ways)) throw new Error(`There is no way ${way}; there are ${Object.keys(ways).join(', ')}.`);
  const chosen = everyFault.filter(({ fault }) => ids.length === 0 || ids.includes(fault.id));
  const unknown = ids.filter((id) => !chosen.some(({ fault }) => fault.id === id));
  if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}.`);
  const asked = chosen.map(({ fault }): Case => ({ way, fault: fault.id }));
  const cases = (writes ? [...asked, ...sampleOf('b'), ...sampleOf('c')] : asked).filter(
    (one) => !known.some((other) => other.way === one.way && other.id === one.fault),
  );
  const found = await measure(cases, (one, outcome) => console.log(line(one, outcome)));
  if (!writes) return;
  const measured = [...known, ...found];
  write(measured);
  for (const complaint of unexplained(measured)) {
    console.error(complaint);
    process.exitCode = 1;
  }
}

if (process.argv[2] === 'worker') {
  process.on('message', async (one: Case) => process.send?.(await outcomeOf(one)));
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2));
}
