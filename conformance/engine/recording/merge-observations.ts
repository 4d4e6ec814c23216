import { type GapId, gaps } from '../../../generated/rules.js';
import { transitionGaps } from '../../suite/executions/gaps.js';
import { byState } from '../../suite/executions/transitions.js';
import type { Report, Transition } from '../vocabulary.js';

/** Said where nothing else was seen. */
const nothingElse: readonly string[] = ['none', 'api only'];

const union = (values: readonly string[]): readonly string[] => {
  const others = values.filter((value) => !nothingElse.includes(value));
  return [...new Set(others.length > 0 ? others : values)].sort();
};

/** `what: field, field`: the fields that all of them have. */
function common(values: readonly string[]): readonly string[] {
  const found = new Map<string, string[]>();
  for (const value of values) {
    const [what = '', list = ''] = value.split(': ');
    const fields = list === 'none' ? [] : list.split(', ');
    found.set(what, found.get(what)?.filter((field) => fields.includes(field)) ?? fields);
  }
  return [...found].map(([what, fields]) => `${what}: ${fields.join(', ') || 'none'}`).sort();
}

/** How observations of parts add up to that of the whole, where it is not all of them. */
const adding: { readonly [gap in GapId]?: (values: readonly string[]) => readonly string[] } = {
  // Where one execution shows it, another that does not had left the queue.
  'status-read-while-queued': (values) => (values.includes('queued') ? ['queued'] : union(values)),
  'unstated-required-fields': common,
};

/** What was observed in either part of a recording, in the order of the register. */
export function mergeGaps(a: Report['gaps'], b: Report['gaps']): Report['gaps'] {
  return gaps.flatMap(({ id }) => {
    const parts = [...a, ...b].filter((gap) => gap.id === id);
    return parts.length > 0 ? [{ id, observed: (adding[id] ?? union)(parts.flatMap(({ observed }) => observed)) }] : [];
  });
}

/** Some gaps are told by all transitions together. */
export const gapsWith = (observed: Report['gaps'], transitions: readonly Transition[]): Report['gaps'] =>
  observed.map((gap) => {
    const { id } = gap;
    return id in transitionGaps
      ? { id, observed: transitionGaps[id as keyof typeof transitionGaps](transitions) }
      : gap;
  });

/** The transitions of both, by the order of the states. */
export function mergeTransitions(a: readonly Transition[], b: readonly Transition[]): Transition[] {
  const counted = new Map<string, Transition>();
  for (const one of [...a, ...b]) {
    const key = `${one.from} ${one.to}`;
    counted.set(key, { ...one, count: one.count + (counted.get(key)?.count ?? 0) });
  }
  return [...counted.values()].sort(byState);
}
