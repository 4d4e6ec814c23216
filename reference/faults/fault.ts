import type { RuleId } from '../../generated/rules.js';
import type { Behaviour } from '../behaviour.js';

/** One small way to break the interface. */
export interface Fault {
  readonly id: string;
  /** The rules that a service with this fault breaks: all of them, and no others. */
  readonly breaks: readonly [RuleId, ...RuleId[]];
  /** What the faulty service does, in a sentence. */
  readonly says: string;
  /** The entries that it replaces. Called once for each service, so what it keeps in a closure is that service's. */
  readonly behaviour: (base: Behaviour) => Partial<Behaviour>;
}

/** Each fault sees the behaviour as the faults before it left it. */
export function applyFaults(base: Behaviour, applied: readonly Fault[]): Behaviour {
  let behaviour = base;
  for (const fault of applied) behaviour = { ...behaviour, ...fault.behaviour(behaviour) };
  return behaviour;
}
