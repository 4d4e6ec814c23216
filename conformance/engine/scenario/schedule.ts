import type { Effect } from '../contract.js';
import type { Clock } from '../send/clock.js';
import { Halt } from '../send/halt.js';
import type { Progress } from '../send/progress.js';
import { allows, declares } from '../settings/needs.js';
import type { Facts, Halted, JourneyTime } from '../vocabulary.js';

/** A short scripted conversation with the target. It sends what the rules need and judges nothing. */
export interface Journey<Driver> {
  readonly id: string;
  /** The worst that it does to the target. */
  readonly effect: Effect;
  /** Needs of the register's kind; the journey is left out where one is not declared. */
  readonly needs: readonly string[];
  /** Journeys that have to be over before: they use the same profile, or send its twins. */
  readonly after?: readonly string[];
  /** Its requests go before those of others: what it waits for is soon over. */
  readonly first?: true;
  /** Worth sending to a target that keeps no state. */
  readonly stateless?: true;
  run(driver: Driver): Promise<unknown>;
}

/** The journeys that the target file declares enough for, and allows. */
export const possible = <Of extends Omit<Journey<never>, 'run'>>(journeys: readonly Of[], facts: Facts): Of[] =>
  journeys.filter(
    ({ effect, needs, stateless }) =>
      allows(facts.allow, effect) && (facts.stateful ? needs.every((need) => declares(facts, need)) : stateless),
  );

export interface Course<Driver> {
  readonly drivers: readonly Driver[];
  readonly times: readonly JourneyTime[];
  /** Why journeys ended before their time. */
  readonly halts: readonly Halted[];
}

/** Runs journeys side by side, each as soon as those that it comes after are over. Times count from `from`. */
export async function runJourneys<Driver extends { readonly waitedMs: number; over(): Promise<void> }>(
  journeys: readonly Journey<Driver>[],
  driverOf: (journey: Journey<Driver>) => Driver,
  clock: Clock,
  progress: Progress,
  from = clock.now(),
): Promise<Course<Driver>> {
  const over = new Map<string, Promise<void>>();
  const drivers: Driver[] = [];
  const times: JourneyTime[] = [];
  const halts: Halted[] = [];
  const go = async (journey: Journey<Driver>): Promise<void> => {
    await Promise.all((journey.after ?? []).map((id) => over.get(id)));
    const driver = driverOf(journey);
    const startedMs = clock.now() - from;
    drivers.push(driver);
    progress.started(journey.id);
    try {
      await journey.run(driver).finally(() => driver.over());
      progress.ended(journey.id, 'done');
    } catch (error) {
      progress.ended(journey.id, error instanceof Halt ? 'skipped' : 'failed');
      if (!(error instanceof Halt)) throw error;
      if (!halts.some(({ why }) => why === error.message)) halts.push(error.halted);
    } finally {
      times.push({ journey: journey.id, startedMs, endedMs: clock.now() - from, waitedMs: driver.waitedMs });
    }
  };
  // A later journey may come after one that stands before it, never the other way round.
  for (const journey of journeys) over.set(journey.id, go(journey));
  const outcomes = await Promise.allSettled(over.values());
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  return { drivers, times: times.toSorted((a, b) => a.startedMs - b.startedMs), halts };
}

/** The longest chain of deliberate waits: what a run takes at least, however fast the target answers. */
export function longestWait(
  journeys: readonly Pick<Journey<never>, 'id' | 'after'>[],
  times: readonly JourneyTime[],
): number {
  const waited = new Map(times.map(({ journey, waitedMs }) => [journey, waitedMs]));
  const chains = new Map<string, number>();
  for (const { id, after = [] } of journeys)
    chains.set(id, (waited.get(id) ?? 0) + Math.max(0, ...after.map((earlier) => chains.get(earlier) ?? 0)));
  return Math.max(0, ...chains.values());
}
