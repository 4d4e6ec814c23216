/** Makes a sequence that shows something shorter. */
import type { Step } from './steps.js';

/**
 * The shortest sequence that was found: no step can be left out, unless the trials ran out. First half of the steps are
 * left out, then fewer. `shows` tries a shorter one; `trials` is the most that are tried.
 */
export async function shortestSequence(
  steps: readonly Step[],
  shows: (steps: readonly Step[]) => Promise<boolean>,
  trials: number,
): Promise<readonly Step[]> {
  let best = steps;
  let left = trials;
  for (let size = Math.ceil(best.length / 2), isShorter = false; size >= 1; ) {
    isShorter = false;
    // Start at the end: the steps after the fault can go at once.
    for (let end = best.length; end > 0; end -= size) {
      const rest = [...best.slice(0, Math.max(0, end - size)), ...best.slice(end)];
      if (rest.length === 0) continue;
      if (left === 0) return best;
      left -= 1;
      if (!(await shows(rest))) continue;
      best = rest;
      isShorter = true;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!isShorter) break;
  }
  return best;
}
