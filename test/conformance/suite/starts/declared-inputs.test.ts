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
    'a start with its own inputs',
    { body: { inputs: { marker: 'own' }, head: true } },
    { inputs: { account: 'robot', marker: 'own' }, head: true },
  ],
  [
    'a start with inputs under their old name',
    { operation: 'executeSync', body: { dynamicData: { a: 1 } } },
    { dynamicData: { account: 'robot', marker: 'declared', a: 1 } },
  ],
  [
    'the id in other letters',
    { id: ids.workflow.toUpperCase(), body: {} },
    { inputs: { account: 'robot', marker: 'declared' } },
  ],
  ['wrong inputs on purpose', { body: { inputs: 'text' } }, { inputs: 'text' }],
  ['no inputs, on purpose', { body: { inputs: null } }, { inputs: null }],
  ['both names, with one too many', { body: { inputs: {}, dynamicData: {} } }, { inputs: {}, dynamicData: {} }],
  ['a body that is not an object', { body: [] }, []],
  ['a body that is a raw text', { raw: { text: '{', type: 'application/json' } }, undefined],
  ['another workflow', { id: ids.pool, body: {} }, {}],
  ['an operation that starts nothing', { operation: 'updateProfile', body: {} }, {}],
])('%s is sent with the declared inputs, or without changes', (_, ask, body) => {
  expect(withDeclaredInputs({ ...start, ...ask }, declared).body).toEqual(body);
});
