/** The states of executions, as far as the interface does not show them. */
import { isTerminal } from '../../../generated/lifecycle.js';
import type { GapId } from '../../../generated/rules.js';
import { answeredStatus, readings } from '../../engine/outcome/readings.js';
import { observed } from '../../engine/rule/observing.js';
import type { Exchange, Facts, Observer, Transition } from '../../engine/vocabulary.js';
import { expectedStates } from '../expected.js';
import { waitMs } from '../sync/view.js';
import { transitions } from './transitions.js';
import { isQueued, isStop } from './view.js';

/**
 * The steps that no others explain. What is read as starting → completed may have been running between two polls: where
 * starting → running and running → completed were seen too, it tells nothing, and would differ from run to run.
 */
function direct(seen: readonly Transition[]): Transition[] {
  let left = seen.filter(({ standing }) => standing !== 'forbidden');
  // Later states first: a stop that is left for running, and an end that follows running.
  for (const step of left.toReversed()) {
    const others = left.filter((other) => other !== step);
    if (step.from !== null && reachable(step.from, others).has(step.to)) left = others;
  }
  return left;
}

function reachable(from: string, steps: readonly Transition[]): ReadonlySet<string> {
  const states = new Set([from]);
  // What is added on the way is visited too.
  for (const state of states) for (const step of steps) if (step.from === state) states.add(step.to);
  return states;
}

/** What the transitions that were seen tell, and nothing else does. */
export const transitionGaps = {
  // A state that others lead to as well may have been reached through them, unseen: then nothing is told.
  'state-after-queued': (seen) => {
    const steps = direct(seen);
    const otherwise = new Set(steps.flatMap(({ from, to }) => (from === null || from === 'queued' ? [] : to)));
    return observed(steps.flatMap(({ from, to }) => (from === 'queued' && !otherwise.has(to) ? to : [])));
  },
  'other-transitions': (seen) =>
    observed(
      direct(seen).flatMap(({ from, to, standing }) => (standing === 'unshown' ? `${from ?? 'start'} → ${to}` : [])),
    ),
} satisfies { readonly [gap in GapId]?: (seen: readonly Transition[]) => readonly string[] };

/** Under this part of the wait, the call did not wait to its end. */
const atOnce = 0.9;

export const lifecycleGaps = {
  'state-after-queued': (evidence) => transitionGaps['state-after-queued'](transitions(evidence)),
  'other-transitions': (evidence) => transitionGaps['other-transitions'](transitions(evidence)),
  'status-read-while-queued': ({ traces }) => {
    const read = traces
      .filter(({ start }) => start && isQueued(start))
      .map((trace) => readings(trace.readings).map(({ status }) => status));
    // Where one shows it, another that does not had left the queue.
    return read.some((states) => states.includes('queued'))
      ? ['queued']
      : observed(read.flatMap(([first]) => first ?? []));
  },
  'sync-returns-on-pause': ({ traces }, facts) =>
    observed(
      traces.flatMap(({ start }) => {
        const state = start?.operation === 'executeSync' ? answeredStatus(start) : undefined;
        if (!start || !state) return [];
        const asked = waitMs(start);
        if (isStop(state))
          return asked === undefined
            ? []
            : `${state}: ${start.durationMs < asked * atOnce ? 'at once' : 'after the wait'}`;
        // It paused, as the target file says of the workflow, and did not return before its end.
        return isTerminal(state) ? stopsOf(start, facts).map((stop) => `${stop}: after the wait`) : [];
      }),
    ),
} satisfies { readonly [gap in GapId]?: Observer };

const stopsOf = (start: Exchange, facts: Facts) => expectedStates(start, facts).filter(isStop);
