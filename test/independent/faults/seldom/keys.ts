/** Faults of keys that show in one circumstance alone: for the second of a kind, beside something else, at a size. */

import type { Fault, Hooks } from '../../hooks.js';
import type { Call, Operation } from '../../state.js';
import { must } from '../make.js';
import { answersAs, isSync } from './make.js';

const unauthorized = 'A missing or invalid key yields 401.';
const keyOf = (call: Call) => call.headers.get('X-Api-Key') ?? call.headers.get('X-Service-Agents-Api-Key') ?? '';
const real = 'independent-primary-key-5f0c';
const on = (operation: Operation, when: (call: Call) => boolean): Partial<Hooks> => ({
  entry: (entry, c) => (c.operation === operation && entry === 'invalid' && when(c) ? 'ok' : entry),
});
export const seldomKeys: readonly Fault[] = [
  must(
    'key-without-last-on-pools',
    unauthorized,
    on('deletePool', (c) => keyOf(c).slice(0, -1) === real.slice(0, -1)),
  ),
  must(
    'key-by-beginning-on-files',
    unauthorized,
    on('listExecutionFiles', (c) => keyOf(c).startsWith(real)),
  ),
  must(
    'key-in-any-case-on-updates',
    unauthorized,
    on('updateProfile', (c) => keyOf(c).toLowerCase() === real),
  ),
  must('key-empty-let-in-to-sync', unauthorized, {
    entry: (e, c) => (e === 'missing' && isSync(c) && c.headers.has('X-Api-Key') ? 'ok' : e),
  }),
  must('no-key-let-in-with-empty-body', unauthorized, {
    entry: (e, c) => (e === 'missing' && c.operation === 'duplicateProfile' && !c.hasBody ? 'ok' : e),
  }),
  must('wrong-key-let-in-the-second-time', unauthorized, () => {
    const seen = new Set<string>();
    return {
      entry: (e, c) => {
        if (e !== 'invalid') return e;
        const known = seen.has(keyOf(c));
        seen.add(keyOf(c));
        return known ? 'ok' : e;
      },
    };
  }),
  must('no-key-let-in-after-the-right-one', unauthorized, () => {
    let last = '';
    return {
      entry: (e, c) => {
        if (e === 'ok') last = c.path;
        return e === 'missing' && last === c.path ? 'ok' : e;
      },
    };
  }),
  must('restricted-let-in-to-what-it-made', 'Insufficient permission yields 403.', () => {
    let n = 0;
    return { entry: (e, c) => (e === 'forbidden' && c.operation === 'getExecution' && n++ > 0 ? 'ok' : e) };
  }),
  must(
    'restricted-is-400-for-bodies',
    'Insufficient permission yields 403.',
    answersAs(400, (c, was) => was === 403 && c.hasBody),
  ),
];
