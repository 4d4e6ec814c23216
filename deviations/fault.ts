import type { RuleId } from '../generated/rules.js';
import type { Deviation } from '../reference/deviation.js';
import type { Declared } from './variation.js';

/** A deviation that violates the interface. */
export interface Fault extends Deviation {
  /** Exactly the rules that a service with this fault violates. */
  readonly breaks: readonly [RuleId, ...RuleId[]];
  /** Rules that it violates too where something around the service makes requests late or loses them. */
  readonly mayBreak?: readonly RuleId[];
  /** What the target file must declare so that this can be found, such as how long runs take if they never end. */
  readonly declared?: Declared;
}

/** A rule that is violated besides; with a question mark, only if something disturbs the service. */
type Also = RuleId | `${RuleId}?`;
const isCertain = (one: Also): one is RuleId => !one.endsWith('?');

/** Faults that violate a rule, by their ids: how, and the rules that they violate besides. */
export const breaking = (
  rule: RuleId,
  faults: Readonly<Record<string, Fault['behaviour'] | readonly [behaviour: Fault['behaviour'], ...also: Also[]]>>,
): Fault[] =>
  Object.entries(faults).map(([id, fault]) => {
    const [behaviour, ...also] = typeof fault === 'function' ? [fault] : fault;
    const mayBreak = also.flatMap((one) => (isCertain(one) ? [] : (one.slice(0, -1) as RuleId)));
    return { id, breaks: [rule, ...also.filter(isCertain)], mayBreak, behaviour };
  });
