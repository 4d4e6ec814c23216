/**
 * Runs the suite against every way and every fault of the independent service.
 *
 *     npx tsx test/independent/measure.ts            # every fault in the way a, to the terminal
 *     npx tsx test/independent/measure.ts ID …       # these
 *     npx tsx test/independent/measure.ts --write    # and a share of the other ways, into docs/independent.md
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { seeded } from '../../conformance/drive/seeded.js';
import { type Case, everyFault, type Measured, type Outcome, outcomeOf, wordFor } from './outcome.js';
import { unexplained, write } from './page.js';
import { type WayId, ways } from './ways.js';

/** Measures cases side by side, a process for each core, or as many as JOBS says; tells each as it comes. */
async function measure(cases: readonly Case[], tell: (one: Measured) => void): Promise<Measured[]> {
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
      const found: Measured = { way: one.way, id: fault.id, area, level: fault.level, outcome };
      measured.push(found);
      tell(found);
    }
    child.disconnect();
  }
  const jobs = Number(process.env.JOBS ?? availableParallelism());
  await Promise.all(Array.from({ length: Math.min(jobs, cases.length) }, work));
  return measured;
}

/** How many faults are measured in each of the other ways. */
const share = 100;

function sampleOf(way: WayId): Case[] {
  const random = seeded(way.charCodeAt(0));
  const left = everyFault.map(({ fault }) => fault.id);
  return Array.from({ length: share }, () => left.splice(Math.floor(random() * left.length), 1)[0]).flatMap((fault) =>
    fault === undefined ? [] : { way, fault },
  );
}

async function main(words: readonly string[]): Promise<void> {
  const writes = words.includes('--write');
  const ids = words.filter((word) => !word.startsWith('--'));
  const way = (process.env.WAY ?? 'a') as WayId;
  if (!(way in ways)) throw new Error(`There is no way ${way}; there are ${Object.keys(ways).join(', ')}.`);
  const chosen = everyFault.filter(({ fault }) => ids.length === 0 || ids.includes(fault.id));
  const unknown = ids.filter((id) => !chosen.some(({ fault }) => fault.id === id));
  if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}.`);
  const cases = chosen.map(({ fault }): Case => ({ way, fault: fault.id }));
  const measured = await measure(
    writes ? [...cases, ...sampleOf('b'), ...sampleOf('c')] : cases,
    ({ way: of, level, area, id, outcome }) => {
      const { must, should, inconclusive } = outcome;
      console.log([wordFor(outcome), level, of, area, id, must.join(), should.join(), inconclusive.join()].join('\t'));
    },
  );
  if (!writes) return;
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
