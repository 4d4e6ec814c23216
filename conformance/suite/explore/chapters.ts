/** The evidence of an exploration. Each sequence is judged by its own exchanges. */

import { asked } from '../../engine/outcome/asked.js';
import { accepted } from '../../engine/outcome/read.js';
import type { Chapter, Evidence, Exchange, FailedWait } from '../../engine/vocabulary.js';
import { gather } from '../views.js';

/** What a sequence builds on: copies made before it, deleted pools, and starts with a profile. */
const isGround = (exchange: Exchange): boolean => {
  const { operation } = exchange;
  const uses = operation === 'execute' || operation === 'executeSync';
  if (uses ? asked(exchange).profileId === undefined : operation !== 'duplicateProfile' && operation !== 'deletePool')
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
  // A deletion lasts, whereas copies change.
  past: new Set(ground.filter(({ operation }) => operation !== 'deletePool').map(({ id }) => id)),
});

/** Separates what the journeys sent from the sequences. */
export function separated(
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
      const sequence = sequences.get(number) ?? { steps: [], ground: [...ground] };
      sequence.steps.push(exchange);
      sequences.set(number, sequence);
    }
    if (isGround(exchange)) ground.push(exchange);
  }
  return {
    journeys: gather(journeys, failedWaits),
    chapters: [...sequences.values()].map((one) => chapterOf(one.steps, one.ground, failedWaits)),
  };
}

/** What later sequences build on. */
export const earlierExchanges = (exchanges: readonly Exchange[]): Exchange[] => exchanges.filter(isGround);
