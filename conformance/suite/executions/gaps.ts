/** Observes the states of executions where the interface does not show them. */

import { executionStatuses, isStopped, isTerminal, shownTransitions } from '../../../generated/lifecycle.js';
import type { GapId } from '../../../generated/rules.js';
import { isWaitingStart } from '../../engine/outcome/read.js';
import { answeredStatus, readings } from '../../engine/outcome/readings.js';
import { precedes } from '../../engine/outcome/when.js';
import { union } from '../../engine/recording/recorded-run.js';
import { observed } from '../../engine/rule/observed.js';
import { allows } from '../../engine/settings/needs.js';
import type { Transition } from '../../engine/vocabulary/report.js';
import type { Evidence, Exchange, Facts, Observer, Trace } from '../../engine/vocabulary.js';
import { waitMs } from '../sync/view.js';
import { expectedStates, finalStatusOf, workflowRoles } from '../target/roles.js';
import { isQueued, queued } from './view.js';

// The changes of state that were seen, and whether the interface shows them.

type Step = Pick<Transition, 'from' | 'to'>;

const order: readonly string[] = executionStatuses;
const place = (state: string | null) => (state === null ? -1 : order.indexOf(state));

/** The states of which nothing was seen, though a workflow is declared that ends or stops in them. */
export function statesNotSeen({ traces }: Pick<Evidence, 'traces'>, { allow, workflows }: Facts): string[] {
  const seen = new Set(traces.flatMap((trace) => readings(trace.readings).map(({ status }) => status)));
  const declared = new Set(workflowRoles.filter((role) => workflows[role]).map((role) => finalStatusOf[role]));
  return allows(allow, 'execute') ? [...declared].filter((status) => !seen.has(status)) : [];
}

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
  return isShown ? 'documented' : 'undocumented';
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

/**
 * The transitions that others do not explain. An execution read as starting, then completed, may have been running in
 * between. If starting → running and running → completed were seen too, the longer step says nothing, and varies
 * between runs.
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
  // Iterating over a set also visits what is added meanwhile.
  for (const state of states) for (const step of steps) if (step.from === state) states.add(step.to);
  return states;
}

/** Observations that are made of transitions alone. */
export const transitionGaps = {
  // A state may have been reached unseen through another one that leads to it: then it says nothing.
  'state-after-queued': (seen) => {
    const steps = direct(seen);
    const otherwise = new Set(steps.flatMap(({ from, to }) => (from === null || from === queued ? [] : to)));
    return observed(steps.flatMap(({ from, to }) => (from === queued && !otherwise.has(to) ? to : [])));
  },
  'other-transitions': (seen) =>
    observed(
      direct(seen).flatMap(({ from, to, standing }) =>
        standing === 'undocumented' ? `${from ?? 'start'} → ${to}` : [],
      ),
    ),
} satisfies { readonly [gap in GapId]?: (seen: readonly Transition[]) => readonly string[] };

/** A call that took less than this share of its wait did not wait to the end. */
const atOnce = 0.9;

export const lifecycleGaps = {
  'state-after-queued': (evidence) => transitionGaps['state-after-queued'](transitions(evidence)),
  'other-transitions': (evidence) => transitionGaps['other-transitions'](transitions(evidence)),
  'status-read-while-queued': ({ traces }) => {
    const read = traces
      .filter(({ start }) => start && isQueued(start))
      .map((trace) => readings(trace.readings).map(({ status }) => status));
    // One shows that the status can be read. Others may have left the queue by then.
    return read.some((states) => states.includes('queued'))
      ? [queued]
      : observed(read.flatMap(([first]) => first ?? []));
  },
  'sync-returns-on-pause': ({ traces }, facts) =>
    observed(
      traces.flatMap(({ start }) => {
        const state = start && isWaitingStart(start) ? answeredStatus(start) : undefined;
        if (!start || !state) return [];
        const asked = waitMs(start);
        if (isStopped(state))
          return asked === undefined
            ? []
            : `${state}: ${start.durationMs < asked * atOnce ? 'at once' : 'after the wait'}`;
        // According to the target file it paused. The call did not return until the end.
        return isTerminal(state) ? stopsOf(start, facts).map((stop) => `${stop}: after the wait`) : [];
      }),
    ),
} satisfies { readonly [gap in GapId]?: Observer };

const stopsOf = (start: Exchange, facts: Facts) => expectedStates(start, facts).filter(isStopped);

/** Stands for any state: which one was seen before or after depends on when the suite polled. */
const some = '…';

/** States that an execution stays in until it is read: an end, or a stop. */
const lasting = (state: string): boolean =>
  executionStatuses.some((one) => one === state && (isTerminal(one) || isStopped(one)));

/** The part of the observations that does not depend on when the suite polled. For other gaps, all of them. */
export const certainPart: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] } = {
  // Any state may have been missed between two readings.
  'state-after-queued': () => [],
  'other-transitions': (values) => {
    const sure = values.flatMap((value) => {
      const [from = '', to = ''] = value.split(' → ');
      return [...(lasting(from) ? [`${from} → ${some}`] : []), ...(lasting(to) ? [`${some} → ${to}`] : [])];
    });
    return [...new Set(sure)];
  },
  'status-read-while-queued': (values) => values.filter((value) => value === queued),
};

/** The fields that all observations (`what: field, field`) share. */
function common(values: readonly string[]): readonly string[] {
  const found = new Map<string, string[]>();
  for (const value of values) {
    const [what = '', list = ''] = value.split(': ');
    const fields = list === 'none' ? [] : list.split(', ');
    found.set(what, found.get(what)?.filter((field) => fields.includes(field)) ?? fields);
  }
  return [...found].map(([what, fields]) => `${what}: ${fields.join(', ') || 'none'}`).sort();
}

/** How the observations of parts are merged. For gaps not listed here, the union is taken. */
export const mergeObservations: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] } = {
  // One shows that the status can be read. Others may have left the queue by then.
  'status-read-while-queued': (values) => (values.includes(queued) ? [queued] : union(values)),
  'unstated-required-fields': common,
};
