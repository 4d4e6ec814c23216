import { ids, type Sketch } from '../../../../support/evidence.js';
import type { Tables } from '../../../../support/judge-table.js';
import { baseline, changed, refusedUpdate, update } from '../../../../support/profiles.js';
import { another } from '../../../../support/runs.js';
import { probe, step } from '../../../../support/sketches.js';
import { declared, refusedDeletion, remove, run, unknownGroup } from '../../pools/tables/pools.js';

/** An update that is answered so to who shows such a key. */
const barred = (status: number, credential: 'none' | 'restricted' | 'primary' = 'none'): Sketch =>
  refusedUpdate(changed, { status, mark: { step: 'refused', credential } });

const full = { code: 429, message: 'The group is in use.' };
/** A start of the group at a step: taken, refused for want of a place, or for asking too often. */
const start = (name: string, how: 'taken' | 'full' | 'slow'): Sketch =>
  step(name, {
    operation: 'execute',
    status: how === 'taken' ? 202 : 429,
    body:
      how === 'taken'
        ? { executionId: ids.execution, status: 'starting' }
        : how === 'full'
          ? full
          : { code: 429, message: 'Slow down.' },
  });
/** Asked without a key. */
const keyless = (operation: 'execute' | 'duplicateProfile', status: number): Sketch =>
  probe('missing-key-is-401', { operation, status, body: {} }, { credential: 'none' });
const ofAnotherGroup = probe('workflow-must-exist', {
  operation: 'execute',
  sent: { profileGroupId: ids.pool },
  status: 404,
  body: {},
});
const over = probe('over-capacity-is-rejected', { operation: 'execute', status: 429, body: full });
const rounds = (after: 'taken' | 'full' | 'slow', beside: 'taken' | 'full' = 'taken', letIn = false): Sketch[] => [
  over,
  ...[1, 2, 3, 4, 5].flatMap((round) => [
    start(`beside-keys-${round}`, beside),
    keyless('execute', letIn ? 202 : 401),
    start(`after-keys-${round}`, after),
  ]),
];

/** A copy that gets its name back, and once more after duplications that were refused. */
const named = (
  id: string,
  again: 'back' | 'refused' | 'other',
  first: 'back' | 'other' = 'back',
  copied = 401,
): Sketch[] => {
  const one = (name: string, how: 'back' | 'refused' | 'other'): Sketch => {
    const sent = { name: `Copy ${id}` };
    return how === 'refused'
      ? refusedUpdate(sent, { resource: id, status: 409, mark: { step: name } })
      : update(sent, how === 'back' ? { id, ...sent } : { id, name: 'Other' }, { resource: id, mark: { step: name } });
  };
  return [one('copy-named-back', first), keyless('duplicateProfile', copied), one('copy-named-back-again', again)];
};

export const keyRefusals = {
  'key-refusal-does-nothing': {
    'satisfied: an update without permission': [baseline(), barred(403, 'restricted'), baseline()],
    'ignored: one without the permission of the full key': [baseline(), barred(403, 'primary'), baseline(changed)],
    'violated: a place that is used each time': {
      given: rounds('full'),
      says: ['a place for a start after others that were refused for their keys', '429'],
    },
    'violated: the same, while starts of another group are refused for another reason': rounds('full').flatMap((one) =>
      one.status === 401 ? [one, ofAnotherGroup] : [one],
    ),
    'ignored: a caller that sends too many requests': rounds('slow'),
    'ignored: a place that an accepted request uses': rounds('full', 'taken', true),
    'satisfied: names that copies get back': named(ids.profile, 'back'),
    'violated: names that two copies do not get back': {
      given: [...named(ids.profile, 'refused'), ...named(another.profile, 'other')],
      says: [`the name "Copy ${ids.profile}" free, as it was before`],
    },
    'ignored: a name that one copy does not get back': named(ids.profile, 'refused'),
    'ignored: copies that never get a name back': [
      ...named(ids.profile, 'other', 'other'),
      ...named(another.profile, 'other', 'other'),
    ],
    'violated: a used pool that a refused deletion removed': {
      given: [...unknownGroup, run(202), refusedDeletion, remove(404)],
      facts: { ...declared.facts, isPoolMade: true },
      says: ['there still, since each deletion before was refused', '404'],
    },
    'inconclusive: one that another client may have deleted': {
      given: [...unknownGroup, run(202), refusedDeletion, remove(404)],
      ...declared,
      says: 'hooks.makePool',
    },
    'ignored: one that a deletion with a lost answer may have removed': {
      given: [...unknownGroup, run(202), refusedDeletion, remove(520, { mark: { excluded: true } }), remove(404)],
      ...declared,
    },
    'ignored: one that no deletion removed': { given: [...unknownGroup, run(202), remove(404)], ...declared },
    'ignored: one that supplied no profiles before': {
      given: [...unknownGroup, refusedDeletion, remove(404)],
      ...declared,
    },
  },
} satisfies Tables;
