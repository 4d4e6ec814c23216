import { expect, test } from 'vitest';
import { missingNeedsAdvice } from '../../../../conformance/engine/settings/needs.js';
import type { Facts } from '../../../../conformance/engine/vocabulary.js';
import { facts, ids } from '../../../support/evidence.js';

const completes = { workflows: { completes: ids.workflow } };
const either = { effect: 'read', needs: ['execution|workflows.completes'] } as const;
const write = { effect: 'write', needs: ['profile', 'otherProfile'] } as const;

const table: [
  what: string,
  rule: Parameters<typeof missingNeedsAdvice>[0],
  given: Partial<Facts>,
  want: string | undefined,
][] = [
  ['nothing is missing', write, { profile: ids.profile, otherProfile: ids.pool }, undefined],
  ['each need is named', write, {}, 'set profile, and otherProfile'],
  ['the effects to allow come last', write, { allow: 'read' }, 'set profile, otherProfile, and allow: write'],
  ['one of two is enough', either, { execution: ids.execution, allow: 'read' }, undefined],
  ['both of two are missing', either, { allow: 'read' }, 'set execution or workflows.completes'],
  [
    'a workflow that may not be run does not count',
    either,
    { ...completes, allow: 'read' },
    'set execution or allow: execute',
  ],
  ['a workflow that may be run counts', either, { ...completes, allow: 'execute' }, undefined],
  ['a target without state needs nothing', write, { stateful: false }, undefined],
];

test.each(table)('%s', (_, rule, given, want) => {
  expect(missingNeedsAdvice(rule, facts(given))).toBe(want);
});
