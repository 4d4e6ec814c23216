import { expect, it } from 'vitest';
import { normalise } from '../../../scripts/diff/normalise.js';
import type { Document } from '../../../scripts/generate/document.js';
import type { Schema } from '../../../scripts/generate/schema.js';
import { type Flows, unnamedFields, unnamedInFlows } from '../../../scripts/lint/named.js';

const text = { type: 'string' };
const named: Schema = { type: 'object', properties: { a: text } };
const components = { schemas: { Named: named }, securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'K' } } };

it.each<[name: string, Schema, value: unknown, unnamed: string[]]>([
  ['a field that is named', named, { a: '' }, []],
  ['a field that is not named', named, { a: '', b: '' }, ['b']],
  ['a field that a reference names', { $ref: '#/components/schemas/Named' }, { a: '', b: '' }, ['b']],
  ['fields that parts name', { allOf: [named, { properties: { b: text } }] }, { a: '', b: '', c: '' }, ['c']],
  ['fields that options name', { anyOf: [named, { properties: { b: text } }] }, { a: '', b: '', c: '' }, ['c']],
  ['a field that an option excludes', { anyOf: [{ properties: { b: false } }, named] }, { b: '' }, ['b']],
  [
    'a field that only a condition names',
    { ...named, if: { properties: { b: text } }, else: { required: ['a'] } },
    { b: '' },
    ['b'],
  ],
  ['a field of a field', { properties: { in: named } }, { in: { b: '' } }, ['in.b']],
  [
    'a field within lists',
    { items: { properties: { in: { type: 'array', items: named } } } },
    [{ in: [{ b: '' }, { a: '', b: '' }] }],
    ['in.b'],
  ],
  ['a field of a list', { type: 'array', items: named }, { a: '' }, ['a']],
  ['any field of a schema without fields', { type: 'object' }, { b: { c: '' } }, []],
  ['any field of a schema that allows others', { ...named, additionalProperties: true }, { b: '' }, []],
  ['a value that is not an object', named, 'b', []],
])('%s', (_name, schema, value, unnamed) => {
  const document = { components, paths: {} } as unknown as Document;
  expect(unnamedFields(normalise(document, schema, '#'), value)).toEqual(unnamed);
});

const body = (schema: Schema) => ({ content: { 'application/json': { schema } } });
const operation = {
  operationId: 'change',
  security: [{ key: [] }],
  requestBody: body(named),
  responses: {
    '200': body({ properties: { list: { type: 'array', items: named } } }),
    '202': body(named),
    '404': body({ properties: { code: text } }),
  },
};
const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
const document = { components, paths: { '/things/{id}': { parameters, post: operation } } } as unknown as Document;

it.each<[name: string, step: object, unnamed: string[]]>([
  ['a request body', { requestBody: { payload: { a: '$inputs.a', b: 1 } } }, ['b']],
  ['an output from an answer', { outputs: { a: '$response.body#/a', b: '$response.body#/b' } }, ['b']],
  [
    'an output from a list',
    { outputs: { a: '$response.body#/list/0/a', b: '$response.body#/list/0/b' } },
    ['list.0.b'],
  ],
  [
    'a criterion',
    {
      successCriteria: [{ condition: '$response.body#/b == true' }, { context: '$response.body#/c', condition: '^x' }],
    },
    ['b', 'c'],
  ],
  ['a field of refusals only', { outputs: { code: '$response.body#/code' } }, ['code']],
])('a step of a flow may use only named fields in %s', (_name, step, unnamed) => {
  const flows = {
    workflows: [{ workflowId: 'flow', steps: [{ stepId: 'step', operationId: 'change', ...step }] }],
  } as unknown as Flows;
  expect(unnamedInFlows(document, flows)).toEqual(unnamed.map((field) => ({ user: 'the step flow.step', field })));
});
