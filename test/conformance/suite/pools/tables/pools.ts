import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { another, cut, recorded } from '../../../../support/runs.js';
import { probe } from '../../../../support/sketches.js';

export const remove = (status: number, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'deletePool',
  status,
  ...(status >= 400 && { body: { code: status, message: 'No.' } }),
  mark: {},
  ...more,
});
/** Refused for its key. */
export const refusedDeletion = remove(401, {
  mark: { credential: 'none', probe: { rule: 'missing-key-is-401', fault: 'no key', twins: [] } },
});
const unanswered: Sketch = { operation: 'deletePool', mark: {}, ...cut };
const execution = { executionId: ids.execution, status: 'starting' };
const answers = (status: number) => ({ status, body: status < 400 ? execution : { code: status, message: 'No.' } });
export const run = (status: number, field = 'profileGroupId', at?: number): Sketch => ({
  operation: 'execute',
  ...answers(status),
  sent: { [field]: ids.pool },
  ...(at !== undefined && { at }),
  mark: { probe: { rule: 'deleted-pool-cannot-run', fault: 'a pool that was deleted', twins: [] } },
});
export const unknownGroup: Sketch[] = [
  {
    operation: 'execute',
    ...answers(404),
    sent: { profileGroupId: another.profile },
    mark: { probe: { rule: 'execute-profile-must-exist', fault: 'a group that does not exist', twins: [] } },
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
  mark: { journey: 'beside-pool', step: 'other-group', ...more },
});
export const declared = { facts: { pool: ids.pool } };

export const pools = {
  'pool-is-deleted': [
    ['satisfied', '204', [remove(204)], declared],
    ['satisfied', '200 with a body', [remove(200, { body: { deleted: true } })], declared],
    ['satisfied', 'in a recording', [recorded(remove(202))]],
    ['violated', 'a refusal', [remove(400)], { ...declared, says: ['a 2xx for a pool that exists', '400'] }],
    ['violated', 'an error', [remove(500)], declared],
    ['violated', 'a redirect', [remove(303)], declared],
    [
      ['satisfied', 'violated'],
      'a pool that supplies profiles still',
      [...unknownGroup, remove(204, { at: 2e6 }), run(202, undefined, 2e6 + 2005)],
      declared,
    ],
    [
      'satisfied',
      'asked for by its old name, which may do nothing',
      [...unknownGroup, remove(204), run(202, 'agentProfilePoolId')],
      declared,
    ],
    ['satisfied', 'a pool that supplies none', [...unknownGroup, remove(204), run(404)], declared],
    [
      'satisfied',
      'a pool that supplied some just then',
      [...unknownGroup, remove(204, { at: 1e6 }), run(202, undefined, 1e6 + 400)],
      declared,
    ],
    ['satisfied', 'a service that looks up no group', [remove(204), run(202)], declared],
    ['satisfied', 'a pool that will be deleted', [...unknownGroup, remove(202), run(202)], declared],
    [['satisfied', 'violated'], 'a profile that is gone as well', [profile(200), remove(204), profile(404)], declared],
    [
      ['satisfied', 'violated'],
      'another group that is gone as well',
      [otherGroup(202), remove(204), otherGroup(404, {})],
      declared,
    ],
    [
      'satisfied',
      'another group that was asked for again',
      [otherGroup(202), remove(204), otherGroup(404, { retried: true }), otherGroup(202, {})],
      declared,
    ],
    ['satisfied', 'a profile that was gone before', [profile(404), remove(204), profile(404)], declared],
    ['inconclusive', 'a pool that is not there', [remove(404)], { ...declared, says: 'does not exist' }],
    ['inconclusive', 'a pool that is in use', [remove(409)], declared],
    ['inconclusive', 'a key that may not', [remove(403)], declared],
    ['inconclusive', 'no answer', [unanswered], { ...declared, says: 'cut' }],
    [
      'ignored',
      'a pool that is made up',
      [
        remove(404, {
          resource: another.profile,
          mark: { probe: { rule: 'unknown-pool-is-404', fault: '', twins: [] } },
        }),
      ],
      declared,
    ],
    ['ignored', 'without the key', [remove(401, { mark: { credential: 'none' } })], declared],
    ['ignored', 'a refusal in a recording', [recorded(remove(400))], declared],
    ['ignored', 'a second deletion', [remove(204, { mark: { retried: true } })], declared],
  ],

  'deleted-pool-is-gone': [
    ['satisfied', '404', [remove(204), remove(404)]],
    ['satisfied', 'in a recording', [recorded(remove(200)), recorded(remove(404))]],
    ['satisfied', 'other answers come later', [remove(204), remove(404), remove(400)]],
    [['violated'], 'deleted again', [remove(204), remove(204)], { says: ['404 for a pool that is deleted', '204'] }],
    ['violated', 'another refusal', [remove(204), remove(400)]],
    [
      'satisfied',
      'as a pool that never was',
      [probe('unknown-pool-is-404', remove(400, { resource: another.profile })), remove(204), remove(400)],
    ],
    [
      'violated',
      'an error, as for a pool that never was',
      [probe('unknown-pool-is-404', remove(500, { resource: another.profile })), remove(204), remove(500)],
    ],
    ['violated', 'an error', [remove(204), remove(500)]],
    ['inconclusive', 'a gateway', [remove(204), remove(502)]],
    ['inconclusive', 'a limit', [remove(204), remove(429)]],
    ['inconclusive', 'no answer', [remove(204), unanswered]],
    ['ignored', 'once', [remove(204)]],
    ['ignored', 'never deleted', [remove(400), remove(400)]],
    ['ignored', 'another pool', [remove(204), remove(204, { resource: another.profile })]],
    ['ignored', 'both at one time', [remove(204, { at: 0, durationMs: 50 }), remove(204, { at: 10 })]],
  ],
} satisfies Tables;
