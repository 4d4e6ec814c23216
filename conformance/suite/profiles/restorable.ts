/** What the suite changes on a profile, and can put back. */

import { derivedFlags, openFlags, plainFlags } from '../../../generated/flags.js';
import type { Fields } from '../../engine/outcome/read.js';
import type { List } from '../../engine/send/journal/journal.js';
import { coupledFlags, type Setting } from './settings.js';

/** The first plain flag, if there is one, to be changed along with something else. */
export const oneFlag = (isOn: (flag: Setting) => boolean): Fields =>
  Object.fromEntries(plainFlags.slice(0, 1).map((flag) => [flag, isOn(flag)]));

export const lists: readonly List[] = ['cookies', 'credentials'];

export const restorableFlags: readonly string[] = [
  ...plainFlags,
  ...coupledFlags,
  ...openFlags.map(({ flag }) => flag),
];

/** Flags that no update sets. */
export const unsentFlags: readonly string[] = derivedFlags.map(({ flag }) => flag);

/** Optional settings are not among them: if they were unset before, they could not be unset again. */
export const restorable: readonly string[] = [
  ...restorableFlags,
  ...(['name', 'description', 'extensionIds'] satisfies Setting[]),
];
