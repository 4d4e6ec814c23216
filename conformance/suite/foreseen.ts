/** Predicts what a run takes: its duration, the places it holds, and its cost. */

import type { Clock } from '../engine/send/clock.js';
import { VirtualClock } from '../engine/send/virtual-clock.js';
import type { Foreseen } from '../engine/vocabulary/plan.js';
import type { Facts, Target } from '../engine/vocabulary.js';
import { declaredMs } from './expected.js';
import { rehearse } from './rehearse.js';
import { rolesOf } from './target/roles.js';
import { assumedMs, TimedTransport } from './timed-transport.js';

/** Patience in multiples of the longest run: enough to see every end. */
const patience = 4;
const leastPatienceSeconds = 600;

/** Rehearses a run once more, on a virtual clock, with the time that executions take. */
export async function foresee(target: Target, how: Parameters<typeof rehearse>[1] = {}): Promise<Foreseen> {
  const { facts } = target;
  const clock = new VirtualClock(0);
  const longest = Math.max(assumedMs(facts), ...Object.values(facts.takes ?? {}));
  const patienceSeconds = Math.max(leastPatienceSeconds, (patience * longest) / 1000);
  let acted: TimedTransport | undefined;
  const { session } = await clock.run(
    rehearse(
      { ...target, facts: { ...facts, pace: { ...facts.pace, patienceSeconds } } },
      how,
      ({ transport, seed }) => {
        acted = new TimedTransport(transport, clock, facts);
        return { transport: acted.transport, clock: lookingAway(clock, longest), seed };
      },
    ),
  );
  const over = clock.now();
  const sentAtMs: Record<string, number> = {};
  for (const { mark, at } of session.exchanges) if (mark) sentAtMs[`${mark.journey}/${mark.step}`] ??= Math.ceil(at);
  // What still runs then comes to its end, or to its stop.
  await clock.run(clock.sleep(longest));
  const places = acted?.places ?? [];
  const undeclared = new Set(
    places.flatMap(({ workflow }) => (declaredMs(workflow, facts) === undefined ? workflow : [])),
  );
  const costs = places.map(({ workflow }) => costOf(workflow, target));
  const known = costs.flatMap((cost) => cost ?? []);
  return {
    lastsMs: Math.ceil(over),
    sentAtMs,
    ...(undeclared.size > 0 && {
      assumed: { ms: assumedMs(facts), of: [...undeclared].map((workflow) => nameOf(workflow, facts)) },
    }),
    places: Math.max(
      0,
      ...places.map(({ from }) => places.filter((one) => one.from <= from && (one.until ?? over) > from).length),
    ),
    heldMs: Math.ceil(places.reduce((sum, { from, until = over }) => sum + until - from, 0)),
    held: places.filter(({ until }) => until === undefined).length,
    ...(facts.cost && {
      cost: { known: known.reduce((sum, cost) => sum + cost, 0), others: costs.length - known.length },
    }),
  };
}

/** Polls less often if executions are long: as many polls as in a run of half a minute predict the same, sooner. */
const lookingAway = ({ now, sleep }: VirtualClock, longest: number): Clock => ({
  now,
  sleep: (ms, signal) => sleep(ms < 1000 ? ms : ms * Math.max(1, longest / 30_000), signal),
});

/** Where the target file names a workflow. */
function nameOf(workflow: string, facts: Facts): string {
  const [role] = rolesOf(workflow, facts);
  return role === undefined ? 'capacity.workflow' : `workflows.${role}`;
}

function costOf(workflow: string, { facts: { workflows, cost = {} } }: Target): number | undefined {
  return Object.entries(cost).find(([role]) => workflows[role as keyof typeof workflows] === workflow)?.[1];
}
