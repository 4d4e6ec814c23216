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
