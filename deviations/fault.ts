import type { RuleId } from '../generated/rules.js';
import type { Deviation } from '../reference/deviation.js';
import type { Declared } from './variation.js';

/** A deviation that breaks the interface. */
export interface Fault extends Deviation {
  /** Exactly the rules that a service with this fault breaks. */
  readonly breaks: readonly [RuleId, ...RuleId[]];
  /** What the target file must declare so that this can be found, such as how long runs take if they never end. */
  readonly declared?: Declared;
}

/** Faults that break a rule, by their ids: how, and the rules that they break besides. */
export const breaking = (
  rule: RuleId,
  faults: Readonly<Record<string, Fault['behaviour'] | readonly [behaviour: Fault['behaviour'], ...also: RuleId[]]>>,
): Fault[] =>
  Object.entries(faults).map(([id, fault]) => {
    const [behaviour, ...also] = typeof fault === 'function' ? [fault] : fault;
    return { id, breaks: [rule, ...also], behaviour };
  });
