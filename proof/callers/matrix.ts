import { type Caller, type Played, play } from '../../certify/play.js';
import { scripts } from '../../certify/scripts.js';
import { type CallerVerdict, verdictsOf } from '../../certify/verdict.js';

/** Runs go so much faster than usual: most of a script is waiting. */
const speed = 4;
const atOnce = 5;

/** What a caller does in every situation, several at the same time. */
export async function playAll(
  caller: Caller,
  maxMs = 300_000,
): Promise<{ played: Played[]; verdicts: CallerVerdict[] }> {
  const played: Played[] = [];
  const waiting = [...scripts.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, script] = next;
      played[place] = await play(script, (given) => inTime(caller(given), maxMs), speed);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { played, verdicts: verdictsOf(played) };
}

async function inTime(job: Promise<unknown>, maxMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('It did not come to its end.')), maxMs);
  });
  return Promise.race([job, late]).finally(() => clearTimeout(timer));
}

export const brokenBy = (verdicts: readonly CallerVerdict[]): string[] =>
  verdicts
    .filter(({ verdict }) => verdict === 'violated')
    .map(({ id }) => id)
    .sort();
