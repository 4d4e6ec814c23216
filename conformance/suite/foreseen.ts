/** Predicts what a run takes: its duration, the places it holds, and its cost. */

import type { Foreseen } from '../engine/vocabulary/plan.js';
import type { Facts, Target } from '../engine/vocabulary.js';
import { declaredMs } from './expected.js';
import type { Rehearsed } from './rehearse.js';
import { rolesOf } from './target/roles.js';
import { assumedMs } from './timed-transport.js';

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
