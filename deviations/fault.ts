import type { RuleId } from '../generated/rules.js';
import type { Deviation } from '../reference/deviation.js';
import type { Declared } from './variation.js';

/** A deviation that breaks the interface. */
export interface Fault extends Deviation {
  /** The rules that a service with this fault breaks: all of them, and no others. */
  readonly breaks: readonly [RuleId, ...RuleId[]];
  /** What the target file has to say for that to be seen: how long a run takes, where none of its workflow ever ends. */
  readonly declared?: Declared;
}
