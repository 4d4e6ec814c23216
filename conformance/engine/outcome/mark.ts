/** Why a request was sent. A recording does not show it. */

import type { GapId, RuleId } from '../contract.js';
import type { Credential, Exchange } from '../vocabulary.js';

/** Sent by a run, and not recorded. */
export const isOfRun = ({ mark }: Exchange): boolean => mark !== undefined;
/** The key that it carried; undefined in a recording. */
export const keyOf = ({ mark }: Exchange): Credential | undefined => mark?.credential;
export const hasRightKey = (exchange: Exchange): boolean => keyOf(exchange) === 'primary';
/** Whether it has exactly one fault. */
export const isProbe = ({ mark }: Exchange): boolean => mark?.probe !== undefined;
export const isProbeOf = ({ mark }: Exchange, rule: RuleId): boolean => mark?.probe?.rule === rule;
/** The fault of a probe, in words. */
export const faultOf = ({ mark }: Exchange): string | undefined => mark?.probe?.fault;
/** Whether one of these steps sent it, as `scenario/step`, or by its name in any scenario. */
export const isAt = ({ mark }: Exchange, ...steps: readonly string[]): boolean =>
  mark !== undefined && (steps.includes(mark.step) || steps.includes(`${mark.scenario}/${mark.step}`));
export const isObservation = ({ mark }: Exchange): boolean => mark?.observes !== undefined;
export const isObservationOf = ({ mark }: Exchange, gap: GapId): boolean => mark?.observes?.includes(gap) ?? false;
export const isUnjudged = ({ mark, standing }: Exchange): boolean => mark?.unjudged === true || standing === 'unjudged';
export const isExcluded = ({ mark, standing }: Exchange): boolean => mark?.excluded === true || standing === 'excluded';
