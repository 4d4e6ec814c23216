import type { Behaviour } from './behaviour/index.js';

/** One small way to do something otherwise. */
export interface Deviation {
  readonly id: string;
  /** What the service does, in a sentence. */
  readonly says: string;
  /** The entries that it replaces. Called once for each service, so what it keeps in a closure is that service's. */
  readonly behaviour: (base: Behaviour) => Partial<Behaviour>;
}

/** Each sees the behaviour as those before it left it. */
export function applyDeviations(base: Behaviour, applied: readonly Deviation[]): Behaviour {
  let behaviour = base;
  for (const { behaviour: change } of applied) behaviour = { ...behaviour, ...change(behaviour) };
  return behaviour;
}
