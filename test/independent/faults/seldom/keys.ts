/** Faults of keys that show in one circumstance alone: for the second of a kind, beside something else, at a size. */

import type { Fault, Hooks } from '../../hooks.js';
import type { Call, Operation } from '../../state.js';
import { answersAs, faultsOf, hook, isSync, keyOf } from '../make.js';

const real = 'independent-primary-key-5f0c';
const on = (operation: Operation, when: (call: Call) => boolean): Partial<Hooks> => ({
  entry: (entry, c) => (c.operation === operation && entry === 'invalid' && when(c) ? 'ok' : entry),
});
export const seldomKeys: readonly Fault[] = [
  ...faultsOf({
    // A missing or invalid key yields 401.
    'key-without-last-on-pools': on('deletePool', (c) => keyOf(c).slice(0, -1) === real.slice(0, -1)),
    'key-by-beginning-on-files': on('listExecutionFiles', (c) => keyOf(c).startsWith(real)),
    'key-in-any-case-on-updates': on('updateProfile', (c) => keyOf(c).toLowerCase() === real),
    'key-empty-let-in-to-sync': {
      entry: (e, c) => (e === 'missing' && isSync(c) && c.headers.has('X-Api-Key') ? 'ok' : e),
    },
    'no-key-let-in-with-empty-body': {
      entry: (e, c) => (e === 'missing' && c.operation === 'duplicateProfile' && !c.hasBody ? 'ok' : e),
    },
    'wrong-key-let-in-the-second-time': () => {
      const seen = new Set<string>();
      return hook('entry', (e, c) => {
        if (e !== 'invalid') return e;
        const known = seen.has(keyOf(c));
        seen.add(keyOf(c));
        return known ? 'ok' : e;
      });
    },
    'no-key-let-in-after-the-right-one': () => {
      let last = '';
      return hook('entry', (e, c) => {
        if (e === 'ok') last = c.path;
        return e === 'missing' && last === c.path ? 'ok' : e;
      });
    },
    // Insufficient permission yields 403.
    'restricted-let-in-to-what-it-made': () => {
      let n = 0;
      return { entry: (e, c) => (e === 'forbidden' && c.operation === 'getExecution' && n++ > 0 ? 'ok' : e) };
    },
    'restricted-is-400-for-bodies': answersAs(400, (c, was) => was === 403 && c.hasBody),
  }),
];
