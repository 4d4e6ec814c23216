/** What sequences of an exploration showed: each is evidence of its own. */

import { accepted, sent } from '../../engine/outcome/read.js';
import type { Chapter, Evidence, Exchange, FailedWait } from '../../engine/vocabulary.js';
import { gather } from '../views.js';

/** What a sequence builds on: copies that were made before it, pools that were deleted, and what executions use. */
const isGround = (exchange: Exchange): boolean => {
  const { operation } = exchange;
  const uses = operation === 'execute' || operation === 'executeSync';
  if (uses ? sent(exchange)?.profileId === undefined : operation !== 'duplicateProfile' && operation !== 'deletePool')
    return false;
  return accepted(exchange);
};

export const chapterOf = (
  steps: readonly Exchange[],
  ground: readonly Exchange[],
  failedWaits: readonly FailedWait[] = [],
): Chapter => ({
  ...gather([...ground, ...steps], failedWaits),
  own: new Set(steps.map(({ id }) => id)),
  // What is deleted stays deleted; copies change.
  past: new Set(ground.filter(({ operation }) => operation !== 'deletePool').map(({ id }) => id)),
});

/** Parts a run into what the journeys sent, and its sequences. */
export function parted(
  exchanges: readonly Exchange[],
  failedWaits: readonly FailedWait[],
): { journeys: Evidence; chapters: readonly Chapter[] } {
  const journeys: Exchange[] = [];
  const ground: Exchange[] = [];
  const sequences = new Map<number, { steps: Exchange[]; ground: readonly Exchange[] }>();
  for (const exchange of exchanges) {
    const number = exchange.mark?.sequence;
    if (number === undefined) journeys.push(exchange);
    else {
      const known = sequences.get(number) ?? { steps: [], ground: [...ground] };
      known.steps.push(exchange);
      sequences.set(number, known);
    }
    if (isGround(exchange)) ground.push(exchange);
  }
  return {
    journeys: gather(journeys, failedWaits),
    chapters: [...sequences.values()].map((one) => chapterOf(one.steps, one.ground, failedWaits)),
  };
}

/** What later sequences build on. */
export const groundOf = (exchanges: readonly Exchange[]): Exchange[] => exchanges.filter(isGround);
