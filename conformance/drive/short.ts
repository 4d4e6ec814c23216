import type { Target } from '../settings/target/target.js';
import { forThoseMeant } from './budget.js';
import { Driver } from './driver.js';
import { journeys } from './journeys/index.js';
import { preflight } from './preflight.js';
import { quiet } from './progress.js';
import { rehearsal } from './rehearsal.js';
import { possible, runJourneys } from './schedule.js';
import { Session } from './session.js';

/** More executions than a run asks for; but where the group that it may fill is a large one. */
const enough = 60;

/**
 * Whether a run asks for more executions than the target file allows: then it leaves out what only repeats, so that as many
 * rules as possible are judged. Told by a rehearsal, which sends nothing.
 */
export async function isShort(target: Target): Promise<boolean> {
  const { pace, budget } = target.facts;
  if (budget.executions >= enough) return false;
  const facts = {
    ...target.facts,
    pace: { ...pace, requestsPerSecond: 1e9 },
    budget: { ...budget, executions: enough },
  };
  const session = new Session({ ...target, facts }, rehearsal(facts, []));
  await preflight(new Driver(session, 'preflight', quiet));
  await runJourneys(possible(journeys, facts), session, quiet);
  return session.executions.started.size > forThoseMeant(budget.executions);
}
