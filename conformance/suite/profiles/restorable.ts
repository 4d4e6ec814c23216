/** What the suite changes of a profile, and can put back. */

import { derivedFlags, openFlags, plainFlags } from '../../../generated/flags.js';
import type { Fields } from '../../engine/outcome/read.js';
import type { List } from '../../engine/send/journal/journal.js';
import { coupledFlags, type Setting } from './settings.js';

/** One of them, where there is one: beside what is tried. */
export const oneFlag = (isOn: (flag: Setting) => boolean): Fields =>
  Object.fromEntries(plainFlags.slice(0, 1).map((flag) => [flag, isOn(flag)]));

export const lists: readonly List[] = ['cookies', 'credentials'];

/** The flags that the suite changes and can put back. */
export const restorableFlags: readonly string[] = [
  ...plainFlags,
  ...coupledFlags,
  ...openFlags.map(({ flag }) => flag),
];

/** Flags that no update sets. */
export const unsentFlags: readonly string[] = derivedFlags.map(({ flag }) => flag);

/** What the suite changes and can put back; an optional setting that was unset could not be unset again. */
export const restorable: readonly string[] = [
  ...restorableFlags,
  ...(['name', 'description', 'extensionIds'] satisfies Setting[]),
];
