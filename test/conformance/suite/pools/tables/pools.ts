import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, recorded } from '../../../../support/runs.js';
import { probe } from '../../../../support/sketches.js';

export const remove = (status: number, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'deletePool',
  status,
  ...(status >= 400 && { body: { code: status, message: 'No.' } }),
  mark: {},
  ...more,
});
const lostDeletion: Sketch = {
  operation: 'deletePool',
  failure: { kind: 'broken', message: 'cut' },
  mark: { excluded: true },
};
/** Refused for its key. */
export const refusedDeletion = remove(401, {
  mark: { credential: 'none', probe: { rule: 'missing-key-is-401', fault: 'no key', controls: [] } },
});
const execution = { executionId: ids.execution, status: 'starting' };
const answers = (status: number) => ({ status, body: status < 400 ? execution : { code: status, message: 'No.' } });
export const run = (status: number, field = 'profileGroupId', at?: number): Sketch => ({
  operation: 'execute',
  ...answers(status),
  sent: { [field]: ids.pool },
  ...(at !== undefined && { at }),
  mark: { probe: { rule: 'deleted-pool-cannot-run', fault: 'a pool that was deleted', controls: [] } },
});
export const unknownGroup: Sketch[] = [
  {
    operation: 'execute',
    ...answers(404),
    sent: { profileGroupId: another.profile },
    mark: { probe: { rule: 'execute-profile-must-exist', fault: 'a group that does not exist', controls: [] } },
  },
];
const profile = (status: number): Sketch => ({
  operation: 'updateProfile',
  status,
  sent: {},
  body: status < 400 ? { id: ids.profile } : { code: status, message: 'No.' },
  mark: {},
});
/** A start with a group that was not deleted, as before the deletion and after it. */
const otherGroup = (status: number, more: Sketch['mark'] = { step: 'group' }): Sketch => ({
  operation: 'execute',
  ...answers(status),
  sent: { profileGroupId: another.profile },
  mark: { scenario: 'beside-pool', step: 'other-group', ...more },
});
export const declared = { facts: { pool: ids.pool } };

export const pools = {
  'pool-is-deleted': {
    'violated: a refusal': { given: [remove(400)], ...declared, says: ['a 2xx for a pool that exists', '400'] },
    'satisfied, violated: a pool that still supplies profiles': {
      given: [...unknownGroup, remove(204, { at: 2e6 }), run(202, undefined, 2e6 + 2005)],
      ...declared,
    },
    'satisfied: a pool that will be deleted': { given: [...unknownGroup, remove(202), run(202)], ...declared },
    'satisfied, violated: a profile that is deleted as well': {
      given: [profile(200), remove(204), profile(404)],
      ...declared,
    },
    'satisfied, violated: another group that is deleted as well': {
      given: [otherGroup(202), remove(204), otherGroup(404, {})],
      ...declared,
    },
    'satisfied: another group that was requested again': {
      given: [otherGroup(202), remove(204), otherGroup(404, { excluded: true }), otherGroup(202, {})],
      ...declared,
    },
    'satisfied: a profile that was found, and gone before': {
      given: [profile(200), profile(404), remove(204), profile(404)],
      ...declared,
    },
    'satisfied: a profile that is found again': {
      given: [profile(200), remove(204), profile(404), profile(200)],
      ...declared,
    },
    'satisfied: a profile that is not found at times': {
      given: [profile(404), profile(200), remove(204), profile(404)],
      ...declared,
    },
    'satisfied: a profile that was deleted before': { given: [profile(404), remove(204), profile(404)], ...declared },
    'inconclusive: a pool that does not exist': { given: [remove(404)], ...declared, says: 'does not exist' },
    'inconclusive: a pool that a deletion without an answer may have removed': {
      given: [lostDeletion, remove(404)],
      ...declared,
      says: 'An earlier deletion, whose answer was lost, may have deleted the pool.',
    },
    'ignored: a refusal in a recording': { given: [recorded(remove(400))], ...declared },
  },

  'deleted-pool-is-gone': {
    'satisfied: other answers appear later': [remove(204), remove(404), remove(400)],
    'violated: deleted again': { given: [remove(204), remove(204)], says: ['404 for a pool that is deleted', '204'] },
    'satisfied: like a pool that never existed': [
      probe('unknown-pool-is-404', remove(400, { resource: another.profile })),
      remove(204),
      remove(400),
    ],
    'inconclusive: a limit': [remove(204), remove(429)],
    'satisfied: one that continued for a while': [remove(202), remove(202), remove(404)],
    'ignored: another pool': [remove(204), remove(204, { resource: another.profile })],
  },
} satisfies Tables;
