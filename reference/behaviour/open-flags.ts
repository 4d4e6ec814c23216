import type { OpenFlagGap } from '../../generated/flags.js';
import type { Choices } from '../choices.js';
import { type Refusal, refuseParameter } from '../errors.js';
import type { Profile } from '../store.js';

/** Whether a flag may be turned on or off; a refusal where that is refused. */
export type May = (isOn: boolean, profile: Profile, isAdmin: boolean, choices: Choices) => boolean | Refusal;

/** By the gap of each flag that not every profile or everybody may have. */
export const openFlagConditions: Readonly<Record<OpenFlagGap, May>> = {
  'managed-proxy-flags': (isOn, { proxyMode }, _, { 'managed-proxy-flags': way }) => {
    if (!isOn || proxyMode === 'managed' || way === 'taken') return true;
    return way === 'refused' && refuseParameter(400, 'captchaSolverActive', 'needs a managed proxy');
  },
  'tracing-without-admin': (_, __, isAdmin, { 'tracing-without-admin': way }) => {
    if (isAdmin) return true;
    return way !== 'ignored' && refuseParameter(way, 'tracingEnabled', 'can be changed by an administrator only');
  },
};
