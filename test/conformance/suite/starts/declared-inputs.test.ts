import { expect, test } from 'vitest';
import type { RequestSpec } from '../../../../conformance/engine/send/request-spec.js';
import { withDeclaredInputs } from '../../../../conformance/suite/starts/starting.js';
import { facts, ids } from '../../../support/evidence.js';

const declared = facts({
  workflows: { completes: ids.workflow, fails: ids.pool },
  inputs: { completes: { account: 'robot', marker: 'declared' } },
});

const start: RequestSpec = { step: 'start', operation: 'execute', id: ids.workflow };

test.each<[string, Partial<RequestSpec>, unknown]>([
  ['a start without a body', {}, { inputs: { account: 'robot', marker: 'declared' } }],
  [
    'a start with inputs, which win',
    { body: { inputs: { marker: 'own' }, head: true } },
    { inputs: { account: 'robot', marker: 'own' }, head: true },
  ],
  [
    'a start that gives them by their old name',
    { operation: 'executeSync', body: { dynamicData: { a: 1 } } },
    { dynamicData: { account: 'robot', marker: 'declared', a: 1 } },
  ],
  [
    'the id in other letters',
    { id: ids.workflow.toUpperCase(), body: {} },
    { inputs: { account: 'robot', marker: 'declared' } },
  ],
  ['inputs that are wrong on purpose', { body: { inputs: 'text' } }, { inputs: 'text' }],
  ['no inputs, on purpose', { body: { inputs: null } }, { inputs: null }],
  ['both names, of which one is too much', { body: { inputs: {}, dynamicData: {} } }, { inputs: {}, dynamicData: {} }],
  ['a body that is no map', { body: [] }, []],
  ['a text as it stands', { raw: { text: '{', type: 'application/json' } }, undefined],
  ['another workflow', { id: ids.pool, body: {} }, {}],
  ['what starts nothing', { operation: 'updateProfile', body: {} }, {}],
])('%s is sent with what is declared, or left as it is', (_, ask, body) => {
  expect(withDeclaredInputs({ ...start, ...ask }, declared).body).toEqual(body);
});
