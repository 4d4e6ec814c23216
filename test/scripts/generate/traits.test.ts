import { expect, test } from 'vitest';
import { type Document, type OperationObject, readOperations } from '../../../scripts/generate/document.js';

const started = {
  description: 'd',
  content: {
    'application/json': {
      schema: {
        allOf: [{ required: ['executionId'] }, { properties: { executionId: { type: 'string', format: 'uuid' } } }],
      },
    },
  },
};
const usual = {
  operationId: 'rerun',
  responses: { '202': started },
  'x-operation': { resource: 'execution', effect: 'starts', key: 'executionId' },
};
const path = '/executions/{executionId}';
const inPath = [{ name: 'executionId', in: 'path', schema: { type: 'string' } }];

const read = (operation: Partial<OperationObject>, more: object = {}, others: object = {}) =>
  readOperations({
    'x-resources': { workflow: 'w', execution: 'e' },
    security: [{ key: [] }],
    components: { schemas: {}, securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    paths: { [path]: { parameters: inPath, post: { ...usual, ...operation }, ...more }, ...others },
  } as unknown as Document);

test('an operation has the traits that it states, and the implied ones', () => {
  expect(read({})[0]?.traits).toEqual({
    resource: 'execution',
    effect: 'starts',
    repeatable: false,
    key: 'executionId',
    essential: ['executionId', 'uuid'],
    subject: 'execution',
  });
});

test.each<[string, object, boolean]>([
  ['a POST is not', { resource: 'execution', effect: 'ends' }, false],
  ['a POST with repeatable: true is', { resource: 'execution', effect: 'ends', repeatable: true }, true],
  ['a POST that reads is', { resource: 'execution', effect: 'reads' }, true],
])('whether an operation is repeatable: %s', (_, traits, want) => {
  expect(read({ 'x-operation': traits })[0]?.traits.repeatable).toBe(want);
});

const seconds = { type: 'integer', maximum: 120 };
const body = {
  content: { 'application/json': { schema: { properties: { waitSeconds: { ...seconds, default: 25 } } } } },
};
test.each<[string, object, object]>([
  [
    'a parameter of its query',
    { parameters: [{ name: 'waitSeconds', in: 'query', schema: seconds }] },
    { name: 'waitSeconds', usual: 0, longest: 120 },
  ],
  ['a field of its body', { requestBody: body }, { name: 'waitSeconds', usual: 25, longest: 120 }],
])('the time that an operation waits is read from %s', (_, operation, waits) => {
  const traits = { ...usual['x-operation'], waits: 'waitSeconds' };
  expect(read({ ...operation, 'x-operation': traits })[0]?.traits.waits).toEqual(waits);
});

test.each<[string, object]>([
  ['nothing', {}],
  ['a text', { parameters: [{ name: 'waitSeconds', in: 'query', schema: { type: 'string', maxLength: 3 } }] }],
  ['a number without a maximum', { parameters: [{ name: 'waitSeconds', in: 'query', schema: { type: 'integer' } }] }],
])('a wait in %s is refused', (_, operation) => {
  expect(() => read({ ...operation, 'x-operation': { ...usual['x-operation'], waits: 'waitSeconds' } })).toThrow(
    'rerun: x-operation.waits is "waitSeconds"; it must be the name of a field of its body or a parameter of its query, a number with a maximum.',
  );
});

const listed = { content: { 'application/json': { schema: { type: 'array', items: {} } } } };
test.each<[string, object, unknown]>([
  ['the whole body', { '200': listed }, ['', 'array']],
  ['nothing, if a success has no body', { '200': listed, '204': {} }, undefined],
  ['nothing, if a success has no schema', { '200': { content: { 'application/json': { schema: {} } } } }, undefined],
])('the essential part of a success without a key: %s', (_, responses, want) => {
  const traits = { resource: 'execution', effect: 'reads' };
  expect(read({ responses, 'x-operation': traits } as Partial<OperationObject>)[0]?.traits.essential).toEqual(want);
});

const explained = 'CONTRIBUTING.md, "Traits of an operation", explains x-operation.';
test.each<[string, unknown, string, object?]>([
  ['none', undefined, `rerun: it has no x-operation, which says at least resource and effect. ${explained}`],
  [
    'an unknown trait',
    { resource: 'execution', effect: 'reads', idempotent: true },
    `rerun: x-operation has no idempotent; it has resource, effect, repeatable, waits, key, essential, subject, or is alone. ${explained}`,
  ],
  [
    'a misspelt effect',
    { resource: 'execution', effect: 'read' },
    `rerun: x-operation.effect is "read"; it must be one of reads, starts, changes, copies, ends. ${explained}`,
  ],
  [
    'a resource that x-resources does not have',
    { resource: 'executoin', effect: 'reads' },
    `rerun: x-operation.resource is "executoin"; it must be one of workflow, execution. ${explained}`,
  ],
  [
    'a text as a boolean',
    { resource: 'execution', effect: 'ends', repeatable: 'no' },
    `rerun: x-operation.repeatable must be true or false. ${explained}`,
  ],
  [
    'a start without an id in its answer',
    { resource: 'execution', effect: 'starts' },
    `rerun: what starts must say by x-operation.key which field of its success is the id of what comes of it. ${explained}`,
  ],
  [
    'a success without essential fields',
    { resource: 'execution', effect: 'reads' },
    `rerun: its success has a body of no one type, and x-operation.essential names no field of it. ${explained}`,
    { anyOf: [{ type: 'array' }, { type: 'object' }] },
  ],
  [
    'a key that its success does not require',
    { resource: 'execution', effect: 'starts', key: 'id' },
    `rerun: x-operation.key is id, which the success 202 does not require. ${explained}`,
  ],
])('traits with %s are refused', (_, traits, message, schema) => {
  const responses = { '200': { content: { 'application/json': { schema } } } };
  expect(() => read({ 'x-operation': traits, ...(schema && { responses }) } as Partial<OperationObject>)).toThrow(
    message,
  );
});

test.each<[string, () => unknown, string]>([
  [
    'a key of a success without content',
    () => read({ responses: { '204': {} } }),
    'rerun: x-operation.key is executionId, and no success has a body.',
  ],
  [
    'two keys at once',
    () => read({ security: [{ key: [], other: [] }] }),
    'rerun must be secured by one API key in a header, or by one of several, not by [{"key":[],"other":[]}].',
  ],
  [
    'a cookie',
    () => read({ parameters: [{ name: 'session', in: 'cookie', schema: {} }] }),
    'rerun: cookie parameters are not supported: session. A parameter is in path or query.',
  ],
  [
    'a header',
    () => read({ parameters: [{ name: 'Idempotency-Key', in: 'header', schema: {} }] }),
    'rerun: header parameters are not supported: Idempotency-Key. A parameter is in path or query.',
  ],
  [
    'two ids in its path',
    () => {
      const ids = ['executionId', 'fileId'].map((name) => ({ name, in: 'path', schema: { type: 'string' } }));
      return read({}, {}, { '/executions/{executionId}/files/{fileId}': { parameters: ids, get: usual } });
    },
    'rerun: several ids in a path are not supported: fileId.',
  ],
  [
    'a file in its answer',
    () => read({ responses: { '200': { content: { 'application/json': {}, 'text/csv': {} } } } }),
    'rerun: media types other than JSON are not supported: text/csv.',
  ],
  [
    'a file in its request',
    () => read({ requestBody: { content: { 'multipart/form-data': {} } } }),
    'rerun: media types other than JSON are not supported: multipart/form-data.',
  ],
  [
    'a list in pages',
    () => read({ 'x-operation': { ...usual['x-operation'], pages: { from: 'next' } } }),
    'rerun: x-operation has no pages; it has',
  ],
  [
    'a parameter that its path does not have',
    () => read({ parameters: [{ name: 'fileId', in: 'path', schema: {} }] }),
    'rerun: the path has no {fileId}, which a parameter describes.',
  ],
  ['a HEAD', () => read({}, { head: usual }), `HEAD ${path}: an operation is one of GET, PUT, POST, DELETE, PATCH.`],
])('an operation with %s is refused', (_, make, message) => {
  expect(make).toThrow(message);
});

test('all errors are reported at once', () => {
  expect(() => read({ 'x-operation': {} }, { put: { ...usual, operationId: 'again', security: [] } })).toThrow(
    /^again must be secured.*\nrerun: /,
  );
});

test('an id in the path of no resource is refused, unless the operation names its resource', () => {
  const byName = { '/executions/{id}': { parameters: [{ ...inPath[0], name: 'id' }], post: usual } };
  expect(() => read({}, {}, byName)).toThrow(
    'rerun: x-operation.subject (whose id is {id} in its path? Or call it workflowId, for instance) is missing; it must be one of workflow, execution.',
  );
  const stated = { ...usual['x-operation'], subject: 'execution' };
  const other = { '/executions/{id}': { ...byName['/executions/{id}'], post: { ...usual, 'x-operation': stated } } };
  expect(read({}, {}, other).at(-1)?.traits.subject).toBe('execution');
});

const second = (more: object = {}, name = 'id') => ({
  '/runs/{id}': {
    parameters: [{ ...inPath[0], name }],
    post: { ...usual, operationId: 'runAgain', 'x-operation': { is: 'rerun' }, ...more },
  },
});

test('an operation that equals another is a second path of it, and the path that is not deprecated is the first', () => {
  const paths = (all: ReturnType<typeof read>) => all.map(({ id, path, others }) => ({ id, path, others }));
  const [own, other] = [path, '/runs/{executionId}'];
  expect(paths(read({}, {}, second()))).toEqual([
    { id: 'rerun', path: own, others: [{ path: other, deprecated: false }] },
  ]);
  expect(paths(read({ deprecated: true }, {}, second()))).toEqual([
    { id: 'rerun', path: other, others: [{ path: own, deprecated: true }] },
  ]);
});

test.each<[string, object, string]>([
  ['names none', { 'x-operation': { is: 'again' } }, 'name: no operation without x-operation.is is called so'],
  ['has another body', { requestBody: { content: {} } }, 'requestBody'],
  ['has another parameter', { parameters: [{ name: 'a', in: 'query', schema: { type: 'string' } }] }, 'query'],
  ['has a trait of its own', { 'x-operation': { is: 'rerun', effect: 'reads' } }, 'trait'],
])('a second path that %s is refused', (_, more, what) => {
  expect(() => read({}, {}, second(more))).toThrow(new RegExp(`^runAgain: x-operation.is is \\w+, .* another ${what}`));
});
