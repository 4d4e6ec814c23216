import { expect, it } from 'vitest';
import { changesBetween } from '../../../scripts/diff/changes.js';
import type { Document } from '../../../scripts/generate/document.js';

/*
 * What oasdiff (github.com/oasdiff/oasdiff, its checks of August 2026) finds in what the contract uses, held against what we
 * find. Its ERR and WARN are breaking. A level that ends in `!` is one that we rate otherwise, and the last column says why.
 */

type Fields = Record<string, unknown>;
type Schema = Fields | boolean;
type Level = 'ERR' | 'WARN' | 'INFO' | 'ERR!' | 'WARN!' | 'INFO!';
/** `ERR body property`: the level, and the places for which oasdiff has a kind of that name. */
type Kinds = `${Level} ${string}` | '';

const string = { type: 'string' };
const integer = { type: 'integer' };
const array = { type: 'array' };
const nullable = { type: ['string', 'null'] };
const fields = { type: 'object', properties: { a: string, b: string, c: string } };
/** Fields on a condition: if a is there, b has to be there as well, or else b. */
const having = (...keywords: string[]) => ({
  ...fields,
  ...Object.fromEntries(keywords.map((keyword) => [keyword, { required: [keyword === 'if' ? 'a' : 'b'] }])),
});
const union = (keyword: 'anyOf' | 'oneOf', ...further: Schema[]) => ({ [keyword]: [fields, ...further] });
const all = 'body property';
const each = 'body property parameter';
const everywhere = `${each} parameter-property` as const;
const [err, info] = [`ERR ${all}`, `INFO ${all}`] as const;

type Row = [kind: string, before: Schema, after: Schema, request: Kinds, response: Kinds, why?: string];

/** What takes something away from what a schema allows, and gives it back. */
const narrowed = (keyword: string, wider: Schema, narrower: Schema): Row[] => [
  [`${keyword}-added`, wider, narrower, err, info],
  [`${keyword}-removed`, narrower, wider, info, err],
];

/** What sets a bound, moves it inwards, and outwards. */
const bound = (name: string, schema: Fields, keyword: string): [set: Row, inwards: Row, outwards: Row] => {
  const [inwards, outwards] = name.includes('max') ? ['decreased', 'increased'] : ['increased', 'decreased'];
  const at = (value: number) => ({ ...schema, [keyword]: value });
  const [outer, inner] = name.includes('max') ? [at(9), at(8)] : [at(8), at(9)];
  return [
    [`${name}-set`, schema, at(9), `WARN ${each}`, ''],
    [`${name}-${inwards}`, outer, inner, `ERR ${each}`, ''],
    [`${name}-${outwards}`, inner, outer, `INFO ${each}`, err],
  ];
};

/** What changes in a schema: of a request, and of an answer. */
const ofSchemas: Row[] = [
  ['type-changed', integer, string, `ERR ${each}, WARN parameter-property`, `ERR ${all} header`],
  ['type-generalized', integer, { type: 'number' }, `INFO ${everywhere}`, `ERR ${all} header`],
  ['type-specialized', { type: 'number' }, integer, 'ERR parameter-property', `INFO ${all} header`],
  ['list-of-types-narrowed', { type: ['string', 'integer'] }, string, `ERR ${everywhere}`, info],
  ['list-of-types-widened', string, { type: ['string', 'integer'] }, `INFO ${everywhere}`, err],
  ['became-nullable', string, nullable, `INFO ${everywhere}`, `ERR ${all} header`],
  ['became-not-nullable', nullable, string, `ERR ${everywhere}`, `INFO ${all} header`],
  ['became-enum', string, { ...string, enum: ['a'] }, `ERR ${each}`, ''],
  ['enum-value-removed', { enum: ['a', 'b'] }, { enum: ['a'] }, `ERR ${everywhere}`, 'INFO property'],
  [
    'enum-value-added',
    { enum: ['a'] },
    { enum: ['a', 'b'] },
    'INFO property parameter parameter-property',
    'WARN property',
  ],
  ...narrowed('const', string, { ...string, const: 'a' }),
  ['const-changed', { const: 'a' }, { const: 'b' }, err, err],
  ...bound('max', integer, 'maximum'),
  ...bound('min', integer, 'minimum'),
  ...bound('max-length', string, 'maxLength'),
  ['max-length-unset', { ...string, maxLength: 9 }, string, '', err],
  ...bound('min-length', string, 'minLength').slice(1),
  ['max-items-decreased', { ...array, maxItems: 9 }, { ...array, maxItems: 8 }, 'ERR parameter', ''],
  ['max-items-increased', { ...array, maxItems: 8 }, { ...array, maxItems: 9 }, 'INFO parameter', ''],
  ['min-items-set', array, { ...array, minItems: 1 }, `WARN ${each}`, ''],
  ['min-items-unset', { ...array, minItems: 1 }, array, '', err],
  ['min-items-increased', { ...array, minItems: 1 }, { ...array, minItems: 2 }, `ERR ${each}`, ''],
  ['min-items-decreased', { ...array, minItems: 2 }, { ...array, minItems: 1 }, 'INFO parameter', err],
  ['all-of-added', fields, { ...fields, allOf: [{ required: ['a'] }] }, err, info],
  [
    'all-of-removed',
    { type: 'object', allOf: [fields] },
    { type: 'object' },
    `WARN ${all}`,
    `INFO! ${all}`,
    'what callers read is gone',
  ],
  ['all-of-added-annotation-only', fields, { ...fields, allOf: [{ description: 'a' }] }, info, info],
  ['all-of-removed-annotation-only', { ...fields, allOf: [{ description: 'a' }] }, fields, info, info],
  [
    'any-of-added',
    union('anyOf', string),
    union('anyOf', string, { type: 'null' }),
    info,
    `INFO! ${all}`,
    'callers do not know the further kind of answer, as with oneOf, where oasdiff says so too',
  ],
  ['any-of-removed', union('anyOf', string), union('anyOf'), err, info],
  ['one-of-added', union('oneOf', string), union('oneOf', string, { type: 'null' }), info, err],
  ['one-of-removed', union('oneOf', string), union('oneOf'), err, info],
  ['wrapped-in-one-of', fields, union('oneOf'), 'ERR! body', 'ERR! body', 'the same in other words'],
  ...narrowed('if', having('then'), having('if', 'then')),
  ...narrowed('then', having('if'), having('if', 'then')),
  ...narrowed('else', having('if'), having('if', 'else')),
  [
    'default-value-added',
    string,
    { ...string, default: 'a' },
    `${info}, ERR! parameter`,
    info,
    'nobody could count on what was not said',
  ],
  [
    'default-value-changed',
    { ...string, default: 'a' },
    { ...string, default: 'b' },
    `ERR parameter, INFO! ${all}`,
    info,
    'who leaves it out gets something else, as with a parameter',
  ],
  [
    'default-value-removed',
    { ...string, default: 'a' },
    string,
    `ERR parameter, INFO! ${all}`,
    info,
    'who leaves it out may get something else, as with a parameter',
  ],
  ['deprecated', string, { ...string, deprecated: true }, 'INFO property parameter', 'INFO property'],
  ['reactivated', { ...string, deprecated: true }, string, 'INFO property parameter', 'INFO property'],
  ['media-type-schema-added', true, string, 'ERR body', 'INFO body'],
  ['media-type-schema-removed', string, true, 'INFO body', 'WARN body'],
];

const object = (property: Fields | undefined, ...required: string[]): Schema => ({
  type: 'object',
  required,
  properties: { kept: { type: 'string' }, ...(property && { a: { type: 'string', ...property } }) },
});
type FieldRow = [kind: string, level: Level, before: Schema, after: Schema, why?: string];

/** What changes in the fields of a body, by the whole name that oasdiff has for it. */
const ofFields: FieldRow[] = [
  ['new-optional-request-property', 'INFO', object(undefined), object({})],
  ['new-required-request-property', 'ERR', object(undefined), object({}, 'a')],
  ['new-required-request-property-with-default', 'ERR', object(undefined), object({ default: 'x' }, 'a')],
  ['request-property-removed', 'WARN', object({}), object(undefined)],
  ['request-property-became-required', 'ERR', object({}), object({}, 'a')],
  ['request-property-became-required-with-default', 'ERR', object({ default: 'x' }), object({ default: 'x' }, 'a')],
  ['request-property-became-optional', 'INFO', object({}, 'a'), object({})],
  ['response-optional-property-added', 'INFO', object(undefined), object({})],
  ['response-required-property-added', 'INFO', object(undefined), object({}, 'a')],
  ['response-optional-property-removed', 'WARN', object({}), object(undefined)],
  ['response-required-property-removed', 'ERR', object({}, 'a'), object(undefined)],
  ['response-property-became-optional', 'ERR', object({}, 'a'), object({})],
  ['response-property-became-required', 'INFO', object({}), object({}, 'a')],
  ['response-mediatype-enum-value-removed', 'INFO', { enum: ['a', 'b'] }, { enum: ['a'] }],
];

const json = (schema: Schema = string) => ({ 'application/json': { schema } });
const query = (rest: object = {}) => ({ name: 'q', in: 'query', schema: string, ...rest });
const header = (schema: Schema) => ({ parameters: [{ name: 'H', in: 'header', schema }] });
/** Whoever has one of these keys may call. */
const secured = (...keys: object[]) => ({ security: keys });
const [x, y, o] = [{ x: [] }, { y: [] }, { o: [] }];
const takes = (more?: object, required?: true) => ({
  requestBody: { content: { ...json(), ...more }, ...(required && { required }) },
});
const answer = (rest: object = {}) => ({ description: 'a', ...rest });
const answers = (of: Readonly<Record<string, object>>) => ({
  responses: Object.fromEntries(Object.entries(of).map(([status, rest]) => [status, answer(rest)])),
});
const withHeader = (rest: object | undefined) =>
  answers({ 200: rest ? { headers: { H: { schema: string, ...rest } } } : {} });
const other = { get: { operationId: 'other', responses: { 200: answer() } } };

/** What changes around schemas: the operation before and after, or the whole document. */
const ofOperations: [kind: string, level: Level, before: object, after: object, why?: string][] = [
  ['request-body-added-optional', 'INFO', {}, takes()],
  ['request-body-added-required', 'ERR', {}, takes({}, true)],
  ['request-body-removed', 'ERR', takes(), {}],
  ['request-body-became-optional', 'INFO', takes({}, true), takes()],
  ['request-body-became-required', 'ERR', takes(), takes({}, true)],
  ['request-body-media-type-added', 'INFO', takes(), takes({ 'text/plain': {} })],
  ['request-body-media-type-removed', 'ERR', takes({ 'text/plain': {} }), takes()],
  ['new-optional-request-parameter', 'INFO', {}, { parameters: [query()] }],
  ['new-required-request-parameter', 'ERR', {}, { parameters: [query({ required: true })] }],
  ['request-parameter-removed', 'WARN', { parameters: [query()] }, {}],
  ['request-parameter-became-required', 'ERR', { parameters: [query()] }, { parameters: [query({ required: true })] }],
  ['request-parameter-became-optional', 'INFO', { parameters: [query({ required: true })] }, { parameters: [query()] }],
  ['new-required-request-header-property', 'ERR', header(object(undefined)), header(object({}, 'a'))],
  ['request-header-property-became-required', 'ERR', header(object({})), header(object({}, 'a'))],
  ['request-header-property-became-enum', 'ERR', header(object({})), header(object({ enum: ['a'] }))],
  ['response-header-added', 'INFO', withHeader(undefined), withHeader({})],
  ['optional-response-header-removed', 'WARN', withHeader({}), withHeader(undefined)],
  ['required-response-header-removed', 'ERR', withHeader({ required: true }), withHeader(undefined)],
  ['response-header-became-optional', 'ERR', withHeader({ required: true }), withHeader({})],
  [
    'response-media-type-added',
    'INFO',
    answers({ 200: { content: json() } }),
    answers({ 200: { content: { ...json(), 'text/plain': {} } } }),
  ],
  [
    'response-media-type-removed',
    'ERR',
    answers({ 200: { content: { ...json(), 'text/plain': { schema: string } } } }),
    answers({ 200: { content: json() } }),
  ],
  [
    'response-success-status-added',
    'INFO!',
    {},
    answers({ 200: {}, 202: {} }),
    'what a caller does after a success depends on which one it is: 200 has ended, 202 goes on',
  ],
  ['response-success-status-removed', 'ERR', answers({ 200: {}, 202: {} }), {}],
  ['response-non-success-status-added', 'INFO', {}, answers({ 200: {}, 404: {} })],
  [
    'response-non-success-status-removed',
    'INFO!',
    answers({ 200: {}, 404: {} }),
    {},
    'callers tell refusals apart by it',
  ],
  ['api-operation-id-added', 'INFO', { operationId: undefined }, {}],
  ['api-operation-id-removed', 'INFO', {}, { operationId: undefined }],
  ['api-tag-added', 'INFO', {}, { tags: ['a'] }],
  ['api-tag-removed', 'INFO', { tags: ['a'] }, {}],
  ['endpoint-deprecated', 'INFO', {}, { deprecated: true }],
  ['endpoint-reactivated', 'INFO', { deprecated: true }, {}],
  ['api-security-added', 'INFO', secured(x), secured(x, y)],
  ['api-security-removed', 'INFO!', secured(x, y), secured(x), 'callers who send the other key are refused'],
  ['api-security-scope-added', 'INFO!', secured(o), secured({ o: ['read'] }), 'a key without the scope is refused'],
  [
    'api-security-scope-removed',
    'INFO!',
    secured({ o: ['read'] }),
    secured(o),
    'whether the key is still taken, only the service can say',
  ],
];

const schemes = {
  x: { type: 'apiKey', in: 'header', name: 'X' },
  y: { type: 'apiKey', in: 'header', name: 'Y' },
  o: { type: 'oauth2' },
};
const around = (rest: object = {}, item: object = {}, paths: object = {}) => {
  const components = { schemas: {}, securitySchemes: schemes };
  const things = { get: { operationId: 'read', responses: { 200: answer() } }, ...item };
  return {
    info: { version: 'v1' },
    components,
    paths: { '/things': things, ...paths },
    ...rest,
  } as unknown as Document;
};
const withSchemes = (securitySchemes: object) =>
  around({ security: [{ x: [] }], components: { schemas: {}, securitySchemes } });

const ofDocuments: [kind: string, level: Level, before: Document, after: Document, why?: string][] = [
  ['endpoint-added', 'INFO', around(), around({}, {}, { '/others': other })],
  ['api-path-removed-without-deprecation', 'ERR', around({}, {}, { '/others': other }), around()],
  ['api-removed-without-deprecation', 'ERR', around({}, { put: { ...other.get } }), around()],
  [
    'new-request-path-parameter',
    'ERR',
    around({}, {}, { '/others': other }),
    around({}, {}, { '/others/{id}': other }),
  ],
  ['new-optional-request-default-parameter-to-existing-path', 'INFO', around(), around({}, { parameters: [query()] })],
  [
    'new-required-request-default-parameter-to-existing-path',
    'ERR',
    around(),
    around({}, { parameters: [query({ required: true })] }),
  ],
  ['api-global-security-added', 'INFO', around(secured(x)), around(secured(x, y))],
  [
    'api-global-security-removed',
    'INFO!',
    around(secured(x, y)),
    around(secured(x)),
    'callers who send the other key are refused',
  ],
  [
    'api-global-security-scope-added',
    'INFO!',
    around(secured(o)),
    around(secured({ o: ['read'] })),
    'a key without the scope is refused',
  ],
  [
    'api-global-security-scope-removed',
    'INFO!',
    around(secured({ o: ['read'] })),
    around(secured(o)),
    'whether the key is still taken, only the service can say',
  ],
  ['api-security-component-added', 'INFO', withSchemes({ x: schemes.x }), withSchemes(schemes)],
  ['api-security-component-removed', 'INFO', withSchemes(schemes), withSchemes({ x: schemes.x })],
  [
    'api-security-component-type-changed',
    'INFO!',
    withSchemes(schemes),
    withSchemes({ ...schemes, x: { type: 'http', scheme: 'bearer' } }),
    'callers send the key elsewhere',
  ],
  [
    'api-schema-removed',
    'INFO',
    around({ components: { schemas: { A: string }, securitySchemes: schemes } }),
    around(),
  ],
  ['api-version-decreased', 'INFO', around({ info: { version: '2' } }), around({ info: { version: '1' } })],
];

/** What is no change here at all. */
const silent: [kinds: RegExp, why: string][] = [
  [/-wrapped-in-one-of$/, 'the same in other words'],
  [/^api-security-component-(?:added|removed)$/, 'no operation uses it'],
];

const operation = (rest: object): Document =>
  around({}, { get: { operationId: 'read', responses: { 200: answer() }, security: [{ x: [] }], ...rest } });

/** A document of one operation that has the schema at the place. */
function documentOf(schema: Schema, use: string, place: string): Document {
  const within = place.endsWith('property') ? { type: 'object', properties: { p: schema } } : schema;
  if (place.startsWith('parameter')) return operation({ parameters: [query({ schema: within })] });
  if (place === 'header') return operation({ responses: { 200: answer({ headers: { H: { schema } } }) } });
  if (use === 'request') return operation({ requestBody: { content: json(within) } });
  return operation({ responses: { 200: answer({ content: json(within) }) } });
}

interface Case {
  id: string;
  level: Level;
  before: Document;
  after: Document;
  why: string | undefined;
}

const cases: Case[] = [
  ...ofSchemas.flatMap(([kind, before, after, request, response, why]) =>
    Object.entries({ request, response }).flatMap(([use, kinds]) => {
      return kinds.split(', ').flatMap((one) => {
        const [level = '', ...places] = one.split(' ');
        return places.map((place) => ({
          id: `${use}-${place}-${kind}`,
          level: level as Level,
          before: documentOf(before, use, place),
          after: documentOf(after, use, place),
          why: level.endsWith('!') ? why : undefined,
        }));
      });
    }),
  ),
  ...ofFields.map(([id, level, before, after, why]) => {
    const use = id.includes('request') ? 'request' : 'response';
    return { id, level, before: documentOf(before, use, 'body'), after: documentOf(after, use, 'body'), why };
  }),
  ...ofOperations.map(([id, level, before, after, why]) => ({
    id,
    level,
    before: operation(before),
    after: operation(after),
    why,
  })),
  ...ofDocuments.map(([id, level, before, after, why]) => ({ id, level, before, after, why })),
];

it.each(cases)('$id, which oasdiff rates $level, has the rating of the table', ({ id, level, before, after }) => {
  const changes = changesBetween({ document: before, register: undefined }, { document: after, register: undefined });
  const isBreaking = !level.startsWith('INFO') !== level.endsWith('!');
  expect({ breaking: changes.some(({ breaking }) => breaking), changes }).toEqual({ breaking: isBreaking, changes });
  expect(changes.length === 0).toBe(silent.some(([kinds]) => kinds.test(id)));
});

it('a rating has a reason exactly when it differs from that of oasdiff', () => {
  expect(cases.filter(({ level, why }) => level.endsWith('!') !== (why !== undefined)).map(({ id }) => id)).toEqual([]);
  const reasoned = ofSchemas.filter(([, , , ...kinds]) => kinds.length === 3);
  expect(reasoned.filter(([, , , request, response]) => !`${request}${response}`.includes('!'))).toEqual([]);
});

it('no kind is in the table twice', () => {
  const ids = cases.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});
