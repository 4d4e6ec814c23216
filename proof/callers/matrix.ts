import { type Caller, type Played, play, Stopped } from '../../certify/play.js';
import { scripts } from '../../certify/scripts.js';
import { type CallerVerdict, exitCodeOf, verdictsOf } from '../../certify/verdict.js';
import type { CallerRuleId } from '../../generated/rules.js';

/** A caller, and what certify makes of it. */
export interface CallerUnderTest {
  readonly id: string;
  /** Exactly the rules that it violates. */
  readonly breaks: readonly CallerRuleId[];
  readonly exit: ReturnType<typeof exitCodeOf>;
  readonly call: Caller;
}

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
    scripts.map((script) =>
      inTurn(() => play(script, (given, signal) => inTime(caller(given, signal), signal), speed)),
    ),
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

async function inTime(job: Promise<unknown>, isEndless: AbortSignal): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('It did not come to its end.')), maxMs);
    isEndless.addEventListener('abort', () => reject(new Stopped('It reads on after the end.')));
  });
  return Promise.race([job, late]).finally(() => clearTimeout(timer));
}

/** What certify makes of a caller, in a form to compare with what is declared. */
export const resultOf = (verdicts: readonly CallerVerdict[]): Pick<CallerUnderTest, 'breaks' | 'exit'> => ({
  breaks: verdicts.flatMap(({ id, verdict }) => (verdict === 'violated' ? id : [])).sort(),
  exit: exitCodeOf(verdicts, false),
});

export const declaredOf = ({ breaks, exit }: CallerUnderTest) => ({ breaks: [...breaks].sort(), exit });
