import { Driver, type Journey } from '../../suite/driver.js';
import { allows, declares } from '../../suite/target/needs.js';
import { Halt } from '../send/halt.js';
import type { Progress } from '../send/progress.js';
import type { Session } from '../send/session.js';
import type { Facts, Halted, JourneyTime } from '../vocabulary.js';

/** The journeys that the target file declares enough for, and allows. */
export const possible = (journeys: readonly Journey[], facts: Facts): Journey[] =>
  journeys.filter(
    ({ effect, needs, stateless }) =>
      allows(facts.allow, effect) && (facts.stateful ? needs.every((need) => declares(facts, need)) : stateless),
  );

export interface Course {
  readonly drivers: readonly Driver[];
  readonly times: readonly JourneyTime[];
  /** Why journeys ended before their time. */
  readonly halts: readonly Halted[];
}

/** Runs journeys side by side, each as soon as those that it comes after are over. Times count from `from`. */
export async function runJourneys(
  journeys: readonly Journey[],
  session: Session,
  progress: Progress,
  from = session.clock.now(),
): Promise<Course> {
  const over = new Map<string, Promise<void>>();
  const drivers: Driver[] = [];
  const times: JourneyTime[] = [];
  const halts: Halted[] = [];
  const go = async (journey: Journey): Promise<void> => {
    await Promise.all((journey.after ?? []).map((id) => over.get(id)));
    const driver = new Driver(session, journey.id, progress, journey.first);
    const startedMs = session.clock.now() - from;
    drivers.push(driver);
    progress.started(journey.id);
    try {
      await journey.run(driver);
      progress.ended(journey.id, 'done');
    } catch (error) {
      progress.ended(journey.id, error instanceof Halt ? 'skipped' : 'failed');
      if (!(error instanceof Halt)) throw error;
      if (!halts.some(({ why }) => why === error.message)) halts.push(error.halted);
    } finally {
      times.push({ journey: journey.id, startedMs, endedMs: session.clock.now() - from, waitedMs: driver.waitedMs });
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
export function longestWait(journeys: readonly Journey[], times: readonly JourneyTime[]): number {
  const waited = new Map(times.map(({ journey, waitedMs }) => [journey, waitedMs]));
  const chains = new Map<string, number>();
  for (const { id, after = [] } of journeys)
    chains.set(id, (waited.get(id) ?? 0) + Math.max(0, ...after.map((earlier) => chains.get(earlier) ?? 0)));
  return Math.max(0, ...chains.values());
}
