import type { Run } from '../../conformance/check.js';
import type { Plan } from '../../conformance/engine/vocabulary/report.js';

/** journey/step → how often, polls aside. */
export const planned = ({ journeys }: Plan) => {
  const counts: Record<string, number> = {};
  for (const { id, steps } of journeys)
    for (const { step, times, repeats } of steps)
      if (!repeats) counts[`${id}/${step}`] = (counts[`${id}/${step}`] ?? 0) + times;
  return counts;
};
export const sent = ({ evidence }: Run) => {
  const counts: Record<string, number> = {};
  for (const { mark } of evidence.exchanges) {
    // Of two that ask for one profile, one is refused and counts for nothing: it was sent all the same.
    if (!mark || (mark.excluded && mark.step !== 'rival') || ['read', 'list'].includes(mark.step)) continue;
    const step = `${mark.scenario}/${mark.step}`;
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
};
