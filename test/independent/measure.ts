/**
 * Runs the suite against every way and every fault of the independent service, and writes what it found.
 *
 *     npx tsx test/independent/measure.ts            # all, into docs/independent.md
 *     npx tsx test/independent/measure.ts -- ID …    # these faults, to the terminal
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { faults } from './faults/index.js';
import { checkIndependent } from './run.js';
import type { WayId } from './ways.js';

export interface Outcome {
  readonly must: readonly string[];
  readonly should: readonly string[];
  readonly inconclusive: readonly string[];
  readonly unusable?: string;
  readonly requests: number;
}

interface Case {
  readonly way: WayId;
  readonly fault?: string;
  readonly seed?: number;
}

export const everyFault = Object.entries(faults).flatMap(([area, list]) => list.map((fault) => ({ area, fault })));

export async function outcomeOf({ way, fault: id, seed = 1 }: Case): Promise<Outcome> {
  const fault = everyFault.find((one) => one.fault.id === id)?.fault;
  if (id !== undefined && !fault) throw new Error(`There is no fault ${id}.`);
  const { rules, preflight, requests } = await checkIndependent(way, fault, seed);
  const ids = (verdict: string, level?: string) =>
    rules.filter((one) => one.verdict === verdict && (level ?? one.level) === one.level).map((one) => one.id);
  return {
    must: ids('violated', 'MUST'),
    should: ids('violated', 'SHOULD'),
    inconclusive: ids('inconclusive'),
    ...(!preflight.usable && { unusable: preflight.reason }),
    requests,
  };
}

/** Runs cases side by side, a process for each core; tells each outcome as it comes. */
async function outcomes(cases: readonly Case[], tell: (one: Case, outcome: Outcome) => void): Promise<void> {
  const rest = cases.values();
  async function work(): Promise<void> {
    const child = fork(fileURLToPath(import.meta.url), ['worker']);
    for (const one of rest) {
      const answer = once(child, 'message');
      child.send(one);
      tell(one, ((await answer) as [Outcome])[0]);
    }
    child.disconnect();
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), cases.length) }, work));
}

const wordFor = ({ must, should, inconclusive, unusable }: Outcome): string =>
  unusable !== undefined
    ? 'unusable'
    : must.length > 0
      ? 'caught'
      : should.length > 0
        ? 'warned'
        : inconclusive.length > 0
          ? 'inconclusive'
          : 'missed';

async function main(ids: readonly string[]): Promise<void> {
  const way = (process.env.WAY ?? 'a') as WayId;
  const [part, of] = (process.env.PART ?? '0/1').split('/').map(Number);
  const chosen = everyFault.filter(
    ({ fault }, place) => (ids.length === 0 && place % (of ?? 1) === part) || ids.includes(fault.id),
  );
  await outcomes(
    chosen.map(({ fault }) => ({ way, fault: fault.id })),
    (one, outcome) => {
      const { area, fault } = everyFault.find((each) => each.fault.id === one.fault) ?? {};
      const { must, should, inconclusive } = outcome;
      console.log(
        [wordFor(outcome), fault?.level, area, fault?.id, must.join(), should.join(), inconclusive.join()].join('\t'),
      );
    },
  );
}

if (process.argv[2] === 'worker') {
  process.on('message', async (one: Case) => process.send?.(await outcomeOf(one)));
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2).filter((word) => word !== '--'));
}
