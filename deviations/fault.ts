import type { RuleId } from '../generated/rules.js';
import type { Deviation } from '../reference/deviation.js';

/** A deviation that breaks the interface. */
export interface Fault extends Deviation {
  /** The rules that a service with this fault breaks: all of them, and no others. */
  readonly breaks: readonly [RuleId, ...RuleId[]];
}
