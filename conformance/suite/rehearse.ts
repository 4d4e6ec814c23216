import type { Rule } from '../engine/contract.js';
import type { Transport } from '../engine/http/transport.js';
import { runJourneys } from '../engine/scenario/schedule.js';
import type { Clock } from '../engine/send/clock.js';
import type { Journal } from '../engine/send/journal/journal.js';
import { quiet } from '../engine/send/progress.js';
import type { Target } from '../engine/vocabulary.js';
import { Driver, driverOf } from './driver.js';
import { preflight } from './preflight.js';
import { rehearsal } from './rehearsal.js';
import { Session } from './session.js';
import { wantedFor } from './wanted.js';

/** Runs the journeys against an acted target: sends nothing, and takes no time. */
export async function rehearse(
  target: Target,
  {
    copies,
    selected,
    ...how
  }: { copies?: readonly string[]; selected?: (rule: Rule) => boolean; journal?: Journal } = {},
  /** Wraps the acted target, to make executions take time. */
  inTime?: (acted: { transport: Transport; clock: Clock; seed: number }) => typeof acted,
) {
  const { budget, pace } = target.facts;
  // Where executions take no time, no start has to wait for another one to end.
  const { places: _, ...limits } = budget;
  const facts = { ...target.facts, pace: { ...pace, requestsPerSecond: 1e9 }, budget: inTime ? budget : limits };
  const acted = rehearsal(facts, copies);
  const session = new Session({ ...target, facts }, { ...(inTime?.(acted) ?? acted), ...how });
  const { journeys: chosen, starts } = wantedFor(target.facts, selected);
  session.chosen = starts.steps;
  await preflight(new Driver(session, 'preflight', quiet));
  const { drivers, halts } = await runJourneys(chosen, driverOf(session, quiet), session.clock, quiet);
  return { session, chosen, drivers, starts, halts };
}
