import { expect, test } from 'vitest';
import type { Document } from '../../../scripts/generate/document.js';
import type { Schema } from '../../../scripts/generate/schema.js';
import { inputsOutside, statesLeftOut } from '../../../scripts/lint/flow-values.js';

const wait: Schema = { type: 'integer', minimum: 5, maximum: 60 };
const body = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const start = { operationId: 'start', requestBody: body({ properties: { wait } }), responses: {} };
const lifecycle = { initial: ['new'], active: ['on'], stopped: ['held'], terminal: ['done', 'late'] };
const document = {
  components: { schemas: { State: { enum: Object.values(lifecycle).flat(), 'x-lifecycle': lifecycle } } },
  paths: { '/things': { post: start } },
} as unknown as Document;

test.each<[name: string, input: Schema, found: string[]]>([
  ['as the field', wait, []],
  ['within the field', { ...Object(wait), maximum: 30 }, []],
  [
    'wider than the field',
    { ...Object(wait), minimum: 1 },
    ['The input seconds of the flow flow may be what wait of start does not allow: minimum: 1 → 5.'],
  ],
])('an input %s', (_name, seconds, found) => {
  const step = { stepId: 'step', operationId: 'start', requestBody: { payload: { wait: '$inputs.seconds' } } };
  const flow = { workflowId: 'flow', inputs: { $ref: '#/components/inputs/flow' }, steps: [step] };
  const flows = { workflows: [flow], components: { inputs: { flow: { properties: { seconds } } } } };
  expect(inputsOutside(document, flows)).toEqual(found);
});

test.each<[name: string, condition: string, found: string[]]>([
  ['all states of a kind', '^(done|late)$', []],
  ['all states of two kinds', '^(done|late|held)$', []],
  ['no state', '^ok$', []],
  ['some of a kind', '^done$', ['The step flow.step looks for some terminal states, and not for late.']],
])('a step that compares with %s', (_name, condition, found) => {
  const criterion = { context: '$response.body#/state', type: 'regex', condition };
  const flows = { workflows: [{ workflowId: 'flow', steps: [{ stepId: 'step', successCriteria: [criterion] }] }] };
  expect(statesLeftOut(document, flows)).toEqual(found);
});
