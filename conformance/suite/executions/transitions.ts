/** The changes of state that were seen, and whether the interface shows them. */

import { executionStatuses, isTerminal, shownTransitions } from '../../../generated/lifecycle.js';
import { isWaitingStart } from '../../engine/outcome/read.js';
import { answeredStatus, readings } from '../../engine/outcome/readings.js';
import { precedes } from '../../engine/outcome/when.js';
import type { Transition } from '../../engine/vocabulary/evidence.js';
import type { Evidence, Trace } from '../../engine/vocabulary.js';

type Step = Pick<Transition, 'from' | 'to'>;

const order: readonly string[] = executionStatuses;
const place = (state: string | null) => (state === null ? -1 : order.indexOf(state));

/** The transitions that were seen, in the order of the states. One that fell between two polls is missed. */
export function transitions({ traces }: Pick<Evidence, 'traces'>): Transition[] {
  const counted = new Map<string, Transition>();
  for (const step of traces.flatMap(steps)) {
    const key = `${step.from} ${step.to}`;
    counted.set(key, { ...step, count: (counted.get(key)?.count ?? 0) + 1, standing: standing(step) });
  }
  return [...counted.values()].sort(byState);
}

export const byState = (a: Step, b: Step): number => place(a.from) - place(b.from) || place(a.to) - place(b.to);

/** interface: States and transitions. If the interface does not name a target state, any that is no end is shown. */
function standing({ from, to }: Step): Transition['standing'] {
  if (from !== null && isTerminal(from)) return 'forbidden';
  const isShown = shownTransitions.some(
    (shown) => shown.from === from && (shown.to === null ? !isTerminal(to) : shown.to === to),
  );
  return isShown ? 'shown' : 'unshown';
}

function steps({ start, readings: all }: Trace): Step[] {
  const begun = start && answeredStatus(start);
  // A synchronous start answers with the status at its return, which need not be the first.
  const found: Step[] = begun && !isWaitingStart(start) ? [{ from: null, to: begun }] : [];
  let last = begun && { exchange: start, status: begun };
  for (const reading of readings(all)) {
    if (last && !precedes(last.exchange, reading.exchange)) continue;
    if (last && last.status !== reading.status) found.push({ from: last.status, to: reading.status });
    last = reading;
  }
  return found;
}
