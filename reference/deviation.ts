import type { Behaviour } from './behaviour/index.js';

/** A small way in which a service behaves differently. */
export interface Deviation {
  readonly id: string;
  /** Returns the entries to replace. Called once for each service, so its closure can hold state of that service. */
  readonly behaviour: (base: Behaviour) => Partial<Behaviour>;
}

/** Applies deviations in order: each gets the behaviour that those before it made. */
export function applyDeviations(base: Behaviour, applied: readonly Deviation[]): Behaviour {
  let behaviour = base;
  for (const { behaviour: change } of applied) behaviour = { ...behaviour, ...change(behaviour) };
  return behaviour;
}
