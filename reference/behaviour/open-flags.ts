import type { OpenFlagGap } from '../../generated/flags.js';
import type { Choices } from '../choices.js';
import { type Refusal, refuseParameter } from '../errors.js';
import type { Profile } from '../store.js';

/** Whether a flag may be changed: true, false to ignore the change, or a refusal. */
export type May = (isOn: boolean, profile: Profile, isAdmin: boolean, choices: Choices) => boolean | Refusal;

/** The conditions of flags that depend on the profile or the caller, by the gap. */
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
