import { type Caller, type Played, play } from '../../certify/play.js';
import { scripts } from '../../certify/scripts.js';
import { type CallerVerdict, verdictsOf } from '../../certify/verdict.js';

/** How many times faster executions run: most of a script is waiting. */
const speed = 4;
/** How many scripts of all callers are played at once. */
const atOnce = 16;
const maxMs = 300_000;
let playing = 0;
const waiting: (() => void)[] = [];

/** Plays all scripts to a caller. Several callers may be played to at the same time. */
export async function playAll(caller: Caller): Promise<{ played: Played[]; verdicts: CallerVerdict[] }> {
  const played = await Promise.all(
    scripts.map((script) => inTurn(() => play(script, (given) => inTime(caller(given), maxMs), speed))),
  );
  return { played, verdicts: verdictsOf(played) };
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (playing === atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else playing += 1;
  try {
    return await work();
  } finally {
    // Pass the place on to the next one that waits.
    const next = waiting.shift();
    if (next) next();
    else playing -= 1;
  }
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
