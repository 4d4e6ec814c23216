import { contract } from '../contract.js';
import type { Report, Transition } from '../vocabulary.js';

/** Said where nothing else was seen. */
const nothingElse: readonly string[] = ['none', 'api only'];

export const union = (values: readonly string[]): readonly string[] => {
  const others = values.filter((value) => !nothingElse.includes(value));
  return [...new Set(others.length > 0 ? others : values)].sort();
};

/** What was observed in either part of a recording, in the order of the register. */
export function mergeGaps(a: Report['gaps'], b: Report['gaps']): Report['gaps'] {
  return contract().gaps.flatMap(({ id }) => {
    const parts = [...a, ...b].filter((gap) => gap.id === id);
    return parts.length > 0
      ? [{ id, observed: (contract().adding[id] ?? union)(parts.flatMap(({ observed }) => observed)) }]
      : [];
  });
}

/** Some gaps are told by all transitions together. */
export const gapsWith = (observed: Report['gaps'], transitions: readonly Transition[]): Report['gaps'] =>
  observed.map((gap) => {
    const ofTransitions = contract().transitionGaps[gap.id];
    return ofTransitions ? { id: gap.id, observed: ofTransitions(transitions) } : gap;
  });

/** The transitions of both, by the order of the states. */
export function mergeTransitions(a: readonly Transition[], b: readonly Transition[]): Transition[] {
  const counted = new Map<string, Transition>();
  for (const one of [...a, ...b]) {
    const key = `${one.from} ${one.to}`;
    counted.set(key, { ...one, count: one.count + (counted.get(key)?.count ?? 0) });
  }
  return [...counted.values()].sort(contract().byState);
}
