import { executionStatuses, isTerminal, shownTransitions } from '../../../generated/lifecycle.js';
import { answeredStatus, readings } from '../../engine/outcome/readings.js';
import { precedes } from '../../engine/outcome/when.js';
import type { Evidence, Trace, Transition } from '../../engine/vocabulary.js';

type Step = Pick<Transition, 'from' | 'to'>;

const known: readonly string[] = executionStatuses;
const place = (state: string | null) => (state === null ? -1 : known.indexOf(state));

/** The steps that were seen of executions, by the order of the states. A step that fell between two polls is not. */
export function transitions({ traces }: Pick<Evidence, 'traces'>): Transition[] {
  const counted = new Map<string, Transition>();
  for (const step of traces.flatMap(steps)) {
    const key = `${step.from} ${step.to}`;
    counted.set(key, { ...step, count: (counted.get(key)?.count ?? 0) + 1, standing: standing(step) });
  }
  return [...counted.values()].sort(byState);
}

export const byState = (a: Step, b: Step): number => place(a.from) - place(b.from) || place(a.to) - place(b.to);

/** interface: States and transitions. A transition whose target is not named shows every one but an end. */
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
  const found: Step[] = begun && start.operation === 'execute' ? [{ from: null, to: begun }] : [];
  let last = begun && { exchange: start, status: begun };
  for (const reading of readings(all)) {
    if (last && !precedes(last.exchange, reading.exchange)) continue;
    if (last && last.status !== reading.status) found.push({ from: last.status, to: reading.status });
    last = reading;
  }
  return found;
}
