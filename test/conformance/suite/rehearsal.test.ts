import { expect, test } from 'vitest';
import { success } from '../../../conformance/suite/rehearse.js';
import { type Operation, operations } from '../../../generated/operations.js';

const none = { schema: null };
const made = { schema: 'StartedExecution' } as const;
const { 200: finished, 202: unfinished } = operations.executeSync.successes;
const executionId = '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';

test.each<[string, Operation['successes'], Parameters<typeof success>[1], number]>([
  ['as the contract has it', { 201: made }, { executionId, status: 'starting' }, 201],
  ['the one for its body', { 200: finished, 202: unfinished }, { executionId, status: 'running' }, 202],
  ['the same in another order', { 202: unfinished, 203: finished }, { executionId, status: 'completed' }, 203],
  ['the first where the contract has a body that none allows', { 200: finished, 202: unfinished }, { id: 5 }, 200],
  ['without content', { 205: none }, undefined, 205],
  ['without content, of an open status', { '2XX': none }, undefined, 204],
])('the success of a rehearsal is %s', (_, successes, body, want) => {
  expect(success({ successes }, body).status).toBe(want);
});

test('without a body to show, it has the smallest that the contract allows', () => {
  const { bytes } = success({ successes: { 201: made } });
  expect(Object.keys(JSON.parse(new TextDecoder().decode(bytes)))).toEqual(['executionId', 'status']);
});
