import { expect, test } from 'vitest';
import { type Document, readOperations } from '../../../scripts/generate/document.js';
import { exclusivePairs, operationsModule, sendsModule } from '../../../scripts/generate/operations.js';
import type { Schema } from '../../../scripts/generate/schema.js';
import { document as contract } from '../../contract/document.js';

const either = (a: string, b: string): Schema => ({
  properties: { [a]: { type: 'string' }, [b]: { type: 'string' } },
  anyOf: [{ properties: { [b]: false } }, { properties: { [a]: false } }],
});
const document = { components: { schemas: { Selection: either('e', 'f') } } } as unknown as Document;

test.each<[string, { given: Schema; want: [string, string][] }]>([
  ['one pair', { given: either('a', 'b'), want: [['a', 'b']] }],
  [
    'two pairs under allOf',
    {
      given: { allOf: [either('a', 'b'), either('c', 'd')] },
      want: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
  ],
  ['a pair by reference', { given: { allOf: [{ $ref: '#/components/schemas/Selection' }] }, want: [['e', 'f']] }],
  [
    'none where only one forbids the other',
    { given: { anyOf: [{ properties: { b: false } }, { properties: { a: { type: 'string' } } }] }, want: [] },
  ],
  ['none without anyOf', { given: { properties: { a: { type: 'string' } } }, want: [] }],
])('exclusive fields: %s', (_, { given, want }) => {
  expect(exclusivePairs(document, given)).toEqual(want);
});

/** The contract with another reading of an execution. */
function withReading(change: (reading: Changed, parameter: Record<string, unknown>) => void): Document {
  const copy = structuredClone(contract) as unknown as Copied;
  change(copy.paths['/agents/v2/executions/{executionId}'].get, copy.components.parameters.executionId);
  return copy as unknown as Document;
}
type Changed = Record<string, Record<string, Record<string, unknown>>>;
interface Copied {
  readonly paths: { readonly '/agents/v2/executions/{executionId}': { readonly get: Changed } };
  readonly components: { readonly parameters: { readonly executionId: Record<string, unknown> } };
}
const generated = (document: Document) => {
  const operations = readOperations(document);
  return `${operationsModule(document, operations)}${sendsModule(document, operations)}`;
};

test.each<[string, object, object]>([
  [
    'a text with a pattern',
    { schema: { type: 'string', pattern: '^e_' }, example: 'e_1' },
    { pattern: '^e_', sample: 'e_1' },
  ],
  ['any text', { schema: { type: 'string' }, example: 'a name' }, { pattern: '^(?!\\.{0,2}$)', sample: 'a name' }],
])('an id in the path that is not a UUID is checked with its pattern: %s', (_, parameter, want) => {
  const module = generated(withReading((_, own) => Object.assign(own, parameter)));
  expect(module).toContain(`"otherIds":{"executionId":${JSON.stringify(want)}}`);
});

test.each<[string, object]>([
  ['a number', { schema: { type: 'integer' }, example: '1' }],
  ['one of several words', { schema: { type: 'string', enum: ['a'] }, example: 'a' }],
  ['a text without an example', { schema: { type: 'string' }, example: undefined }],
  ['a text that may be empty', { schema: { type: 'string', pattern: 'e?' }, example: 'e' }],
  ['a text with an example that does not match', { schema: { type: 'string', pattern: '^e_' }, example: 'f_1' }],
])('an id in the path that cannot be made up is refused: %s', (_, parameter) => {
  expect(() => generated(withReading((_, own) => Object.assign(own, parameter)))).toThrow(
    'getExecution: executionId in the path must be a UUID, or any text or a text with a pattern',
  );
});

test('the headers that an answer must have are listed by its status, for successes and failures', () => {
  const document = withReading(({ responses = {} }) => {
    Object.assign(responses['200'] ?? {}, { headers: { ETag: { required: true }, Age: {} } });
    responses['429'] = { description: 'd', headers: { 'Retry-After': { required: true } } };
  });
  const { responses } = readOperations(document).find(({ id }) => id === 'getExecution') ?? {};
  expect(
    responses?.flatMap(({ status, headers }) => headers.map(({ name, required = false }) => [status, name, required])),
  ).toEqual([
    ['200', 'ETag', true],
    ['200', 'Age', false],
    ['429', 'Retry-After', true],
  ]);
});

test.each<[string, string, string]>([
  ['a redirect', '302', 'getExecution: 302 is not supported.'],
  ['refusals only', '404', 'getExecution has no success'],
])('an operation that answers with %s is refused', (_, status, why) => {
  const document = withReading((reading) => {
    reading.responses = { [status]: { description: 'd' } };
  });
  expect(() => readOperations(document)).toThrow(why);
});

test('a request of another JSON media type is sent with that media type', () => {
  const copy = structuredClone(contract);
  for (const { patch: { requestBody: { content = {} } = {} } = {} } of Object.values(copy.paths)) {
    Object.assign(content, { 'application/merge-patch+json': content['application/json'] });
    delete content['application/json'];
  }
  expect(sendsModule(copy, readOperations(copy)).match(/"mediaType":"application\/merge-patch\+json"/g)).toHaveLength(
    1,
  );
});

test.each<[string, object]>([
  ['in one text', { explode: false, schema: { type: 'array', items: { type: 'string' } } }],
  ['with bars', { style: 'pipeDelimited', schema: { type: 'array', items: { type: 'string' } } }],
  ['field by field', { schema: { type: 'object' } }],
])('a parameter in an unsupported notation is refused: %s', (_, parameter) => {
  const document = withReading((reading) => {
    Object.assign(reading, { parameters: [{ name: 'state', in: 'query', ...parameter }] });
  });
  expect(() => readOperations(document)).toThrow('getExecution: the parameter state is written in a way');
});

test('the sample of a list in the query is its first item', () => {
  const document = withReading((reading) => {
    const schema = { type: 'array', items: { type: 'string' } };
    Object.assign(reading, { parameters: [{ name: 'State', in: 'query', schema, example: ['a', 'b'] }] });
  });
  expect(generated(document)).toContain(
    '"name":"State","required":false,"type":"string","isList":true,"deprecated":false,"sample":"a"',
  );
});

test('a request has the fields of all its alternatives', () => {
  const [text, old] = [{ type: 'string' }, { type: 'string', deprecated: true, 'x-replaced-by': 'place' }];
  const changed = structuredClone(contract) as unknown as { components: { schemas: Record<string, unknown> } };
  changed.components.schemas.DuplicateProfileRequest = {
    type: 'object',
    properties: { organizationId: text, gone: false },
    anyOf: [{ properties: { before: old, place: old } }, { properties: { place: text } }],
  };
  expect(generated(changed as unknown as Document)).toContain(
    '"requestFields":["organizationId","before","place"],"exclusive":[],"bounds":{},"deprecatedFields":{"before":"place"}',
  );
});

test('a deprecated operation is marked', () => {
  const marked = '"deprecatedPaths":["/agents/v2/executions/{executionId}"]';
  expect(generated(withReading(() => {}))).not.toContain(marked);
  expect(generated(withReading((reading) => Object.assign(reading, { deprecated: true })))).toContain(marked);
});

test('a deprecated field without a replacement is reported, and a replacement that does not exist is refused', () => {
  const changedBy = (more: object) => {
    const changed = structuredClone(contract) as unknown as { components: { schemas: Record<string, unknown> } };
    const properties = { before: { type: 'string', deprecated: true, ...more } };
    changed.components.schemas.DuplicateProfileRequest = { type: 'object', properties };
    return changed as unknown as Document;
  };
  expect(generated(changedBy({}))).toContain('"deprecatedFields":{"before":null}');
  expect(() => generated(changedBy({ 'x-replaced-by': 'place' }))).toThrow(
    'duplicateProfile: x-replaced-by of before names place, which is no field of the request.',
  );
});

test.each([['integer'], [['integer', 'null']]])('an integer has bounds where its type is %j', (type) => {
  const changed = structuredClone(contract) as unknown as { components: { schemas: Record<string, unknown> } };
  changed.components.schemas.DuplicateProfileRequest = {
    type: 'object',
    properties: { times: { type, minimum: 1, maximum: 9 } },
  };
  expect(generated(changed as unknown as Document)).toContain(
    '"bounds":{"times":{"of":"integer","minimum":1,"maximum":9}}',
  );
});
