import type { Rule } from '../engine/contract.js';
import type { Transport } from '../engine/http/transport.js';
import { allowedJourneys, runJourneys } from '../engine/scenario/schedule.js';
import type { Clock } from '../engine/send/clock.js';
import type { Journal } from '../engine/send/journal/journal.js';
import { quiet } from '../engine/send/progress.js';
import type { Target } from '../engine/vocabulary.js';
import { Driver, driverOf } from './driver.js';
import { chooseStarts } from './executions/chosen.js';
import { preflight } from './preflight.js';
import { rehearsal } from './rehearsal.js';
import { journeysFor } from './scenarios.js';
import { Session } from './session.js';

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
  const chosen = allowedJourneys(journeysFor(facts), facts);
  const acted = rehearsal(facts, copies);
  const session = new Session({ ...target, facts }, { ...(inTime?.(acted) ?? acted), ...how });
  const { steps, possibleFor } = chooseStarts(target.facts, chosen, selected);
  session.chosen = steps;
  await preflight(new Driver(session, 'preflight', quiet));
  const { drivers } = await runJourneys(chosen, driverOf(session, quiet), session.clock, quiet);
  return { session, chosen, drivers, possibleFor };
}
