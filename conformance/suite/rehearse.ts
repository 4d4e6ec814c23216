/** Rehearses a run, and predicts what it takes: its duration, the places it holds, and its cost. */

import type { Rule } from '../engine/contract.js';
import { runJourneys } from '../engine/scenario/schedule.js';
import type { Clock } from '../engine/send/clock.js';
import { quiet } from '../engine/send/progress.js';
import type { KnownCopies } from '../engine/send/state/known-copies.js';
import { VirtualClock } from '../engine/send/virtual-clock.js';
import type { Foreseen } from '../engine/vocabulary/plan.js';
import type { Facts, Target } from '../engine/vocabulary.js';
import { Driver, driverOf } from './driver.js';
import { declaredMs } from './expected.js';
import { preflight } from './preflight.js';
import { ActedTarget, assumedMs } from './rehearsal.js';
import { Session } from './session.js';
import { rolesOf } from './target/roles.js';
import { wantedFor } from './wanted.js';

/** Patience in multiples of the longest run: enough to see every end. */
const patience = 4;
const leastPatienceSeconds = 600;

export type Rehearsed = Awaited<ReturnType<typeof rehearse>>;

/** Runs the journeys against an acted target, on a virtual clock: sends nothing, and takes no time. */
export async function rehearse(
  target: Target,
  { selected, ...how }: { selected?: (rule: Rule) => boolean; knownCopies?: KnownCopies } = {},
) {
  const { facts } = target;
  const clock = new VirtualClock(0);
  const longestMs = Math.max(assumedMs(facts), ...Object.values(facts.takes ?? {}));
  const patienceSeconds = Math.max(leastPatienceSeconds, (patience * longestMs) / 1000);
  const pace = { ...facts.pace, requestsPerSecond: 1e9, patienceSeconds };
  const acted = new ActedTarget(facts, clock);
  const session = new Session(
    { ...target, facts: { ...facts, pace } },
    { transport: acted.transport, clock: lookingAway(clock, longestMs), seed: 1, ...how },
  );
  await session.copies.load();
  acted.hasCopies(session.copies.earlier);
  const { journeys: chosen, starts } = wantedFor(facts, selected);
  session.chosen = starts.steps;
  await clock.run(preflight(new Driver(session, 'preflight', quiet)));
  const { drivers, halts } = await clock.run(runJourneys(chosen, driverOf(session, quiet), session.clock, quiet));
  return { session, clock, acted, longestMs, lastsMs: clock.now(), chosen, drivers, starts, halts };
}

/** Polls less often if executions are long: as many polls as in a run of half a minute predict the same, sooner. */
const lookingAway = ({ now, sleep }: VirtualClock, longest: number): Clock => ({
  now,
  sleep: (ms, signal) => sleep(ms < 1000 ? ms : ms * Math.max(1, longest / 30_000), signal),
});

/** What the rehearsal of a run took. Lets what still runs come to its end, or to its stop. */
export async function foresee(
  target: Target,
  { session, clock, acted, longestMs, lastsMs }: Rehearsed,
): Promise<Foreseen> {
  const { facts } = target;
  const sentAtMs: Record<string, number> = {};
  for (const { mark, at } of session.exchanges)
    if (mark && at <= lastsMs) sentAtMs[`${mark.journey}/${mark.step}`] ??= Math.ceil(at);
  await clock.run(clock.sleep(longestMs));
  const { places } = acted;
  const undeclared = new Set(
    places.flatMap(({ workflow }) => (declaredMs(workflow, facts) === undefined ? workflow : [])),
  );
  const costs = places.map(({ workflow }) => costOf(workflow, target));
  const declared = costs.flatMap((cost) => cost ?? []);
  return {
    lastsMs: Math.ceil(lastsMs),
    sentAtMs,
    ...(undeclared.size > 0 && {
      assumed: { ms: assumedMs(facts), of: [...undeclared].map((workflow) => nameOf(workflow, facts)) },
    }),
    places: Math.max(
      0,
      ...places.map(({ from }) => places.filter((one) => one.from <= from && (one.until ?? lastsMs) > from).length),
    ),
    heldMs: Math.ceil(places.reduce((sum, { from, until = lastsMs }) => sum + until - from, 0)),
    held: places.filter(({ until }) => until === undefined).length,
    ...(facts.cost && {
      cost: { known: declared.reduce((sum, cost) => sum + cost, 0), others: costs.length - declared.length },
    }),
  };
}

/** Where the target file names a workflow. */
function nameOf(workflow: string, facts: Facts): string {
  const [role] = rolesOf(workflow, facts);
  return role === undefined ? 'capacity.workflow' : `workflows.${role}`;
}

function costOf(workflow: string, { facts: { workflows, cost = {} } }: Target): number | undefined {
  return Object.entries(cost).find(([role]) => workflows[role as keyof typeof workflows] === workflow)?.[1];
}
