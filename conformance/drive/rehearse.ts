import type { Target } from '../settings/target/target.js';
import { Driver } from './driver.js';
import type { Journal } from './journal/journal.js';
import { journeys } from './journeys/index.js';
import { preflight } from './preflight.js';
import { quiet } from './progress.js';
import { rehearsal } from './rehearsal.js';
import { possible, runJourneys } from './schedule.js';
import { Session } from './session.js';

/** Runs the journeys against a target that is only acted. Sends nothing, and takes no time. */
export async function rehearse(
  target: Target,
  { copies, ...how }: { copies?: readonly string[]; isShort?: boolean; journal?: Journal } = {},
) {
  const facts = { ...target.facts, pace: { ...target.facts.pace, requestsPerSecond: 1e9 } };
  const session = new Session({ ...target, facts }, { ...rehearsal(facts, copies), ...how });
  await preflight(new Driver(session, 'preflight', quiet));
  const chosen = possible(journeys, facts);
  const { drivers } = await runJourneys(chosen, session, quiet);
  return { session, chosen, drivers };
}
