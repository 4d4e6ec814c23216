import { expect, it } from 'vitest';
import { changesBetween } from '../../../scripts/diff/changes.js';
import type { Document } from '../../../scripts/generate/document.js';

/*
 * What oasdiff (github.com/oasdiff/oasdiff, its checks of August 2026) finds, held against what we find. Its ERR and WARN are
 * breaking. A level that ends in `!` is one that we rate otherwise, and the last column says why.
 */

type Fields = Record<string, unknown>;
type Schema = Fields | boolean;
type Level = 'ERR' | 'WARN' | 'INFO' | 'ERR!' | 'WARN!' | 'INFO!';
/** `ERR body property`: the level, and the places for which oasdiff has a kind of that name. */
type Kinds = `${Level} ${string}` | '';

const string = { type: 'string' };
const integer = { type: 'integer' };
const array = { type: 'array' };
const holding = { ...array, contains: string };
const nullable = { type: ['string', 'null'] };
const fields = { type: 'object', properties: { a: string, b: string, c: string } };
const base = { type: 'object', properties: { kind: string } };
const discriminated = (discriminator?: object) => ({ ...base, ...(discriminator && { discriminator }) });
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
  ...bound('exclusive-max', { type: 'number' }, 'exclusiveMaximum'),
  ...bound('exclusive-min', { type: 'number' }, 'exclusiveMinimum'),
  ...bound('max-length', string, 'maxLength'),
  ['max-length-unset', { ...string, maxLength: 9 }, string, '', err],
  ...bound('min-length', string, 'minLength').slice(1),
  ['max-items-decreased', { ...array, maxItems: 9 }, { ...array, maxItems: 8 }, 'ERR parameter', ''],
  ['max-items-increased', { ...array, maxItems: 8 }, { ...array, maxItems: 9 }, 'INFO parameter', ''],
  ['min-items-set', array, { ...array, minItems: 1 }, `WARN ${each}`, ''],
  ['min-items-unset', { ...array, minItems: 1 }, array, '', err],
  ['min-items-increased', { ...array, minItems: 1 }, { ...array, minItems: 2 }, `ERR ${each}`, ''],
  ['min-items-decreased', { ...array, minItems: 2 }, { ...array, minItems: 1 }, 'INFO parameter', err],
  ['pattern-added', string, { ...string, pattern: '^a' }, 'ERR property parameter', 'INFO property'],
  [
    'pattern-removed',
    { ...string, pattern: '^a' },
    string,
    'INFO property parameter',
    'INFO! property',
    'callers may get what they did not expect',
  ],
  [
    'pattern-changed',
    { ...string, pattern: '^a' },
    { ...string, pattern: '^b' },
    'WARN property parameter',
    'INFO! property',
    'callers may get what they did not expect',
  ],
  ['pattern-generalized', { ...string, pattern: '^a' }, { ...string, pattern: '.*' }, 'INFO property parameter', ''],
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
  ...narrowed('dependent-required', fields, { ...fields, dependentRequired: { a: ['b'] } }),
  [
    'dependent-required-changed',
    { ...fields, dependentRequired: { a: ['b'] } },
    { ...fields, dependentRequired: { a: ['c'] } },
    err,
    err,
  ],
  ...narrowed('dependent-schema', fields, { ...fields, dependentSchemas: { a: { required: ['b'] } } }),
  ...narrowed('contains', array, holding),
  ...['min', 'max'].flatMap((name): Row[] => {
    const [, [inwards, wide, narrow], [outwards]] = bound(`${name}-contains`, holding, `${name}Contains`);
    return [
      [inwards, wide, narrow, err, info],
      [outwards, narrow, wide, info, err],
    ];
  }),
  [
    'prefix-items-added',
    array,
    { ...array, prefixItems: [string] },
    `INFO! ${all}`,
    `ERR! ${all}`,
    'the item could be anything before',
  ],
  [
    'prefix-items-removed',
    { ...array, prefixItems: [string] },
    array,
    `ERR! ${all}`,
    `INFO! ${all}`,
    'the item may be anything now',
  ],
  ...narrowed('pattern-property', fields, { ...fields, patternProperties: { '^x': string } }),
  ...narrowed('property-names', fields, { ...fields, propertyNames: { maxLength: 9 } }),
  ...narrowed('unevaluated-properties', fields, { ...fields, unevaluatedProperties: false }),
  ...narrowed('unevaluated-items', array, { ...array, unevaluatedItems: string }),
  ...narrowed('content-schema', string, { ...string, contentSchema: { type: 'object' } }),
  [
    'content-media-type-changed',
    { ...string, contentMediaType: 'text/html' },
    { ...string, contentMediaType: 'text/css' },
    err,
    err,
  ],
  [
    'content-encoding-changed',
    { ...string, contentEncoding: 'base64' },
    { ...string, contentEncoding: 'base32' },
    err,
    err,
  ],
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
  ...(
    [
      ['added', undefined, { propertyName: 'kind' }],
      ['removed', { propertyName: 'kind' }, undefined],
      ['property-name-changed', { propertyName: 'kind' }, { propertyName: 'sort' }],
      ['mapping-added', { propertyName: 'kind' }, { propertyName: 'kind', mapping: { a: 'A' } }],
      ['mapping-changed', { propertyName: 'kind', mapping: { a: 'B' } }, { propertyName: 'kind', mapping: { a: 'A' } }],
      ['mapping-deleted', { propertyName: 'kind', mapping: { a: 'B' } }, { propertyName: 'kind' }],
    ] as const
  ).map(
    ([what, before, after]): Row => [`discriminator-${what}`, discriminated(before), discriminated(after), info, info],
  ),
  ['media-type-schema-added', true, string, 'ERR body', 'INFO body'],
  ['media-type-schema-removed', string, true, 'INFO body', 'WARN body'],
];

const object = (property: Fields | undefined, ...required: string[]): Schema => ({
  type: 'object',
  required,
  properties: { kept: { type: 'string' }, ...(property && { a: { type: 'string', ...property } }) },
});
const [readOnly, writeOnly] = [{ readOnly: true }, { writeOnly: true }];

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
  [
    'request-optional-property-became-read-only',
    'INFO!',
    object({}),
    object(readOnly),
    'what callers send is read no more',
  ],
  [
    'request-required-property-became-read-only',
    'INFO!',
    object({}, 'a'),
    object(readOnly, 'a'),
    'what callers send is read no more',
  ],
  ['request-optional-property-became-not-read-only', 'INFO', object(readOnly), object({})],
  [
    'request-required-property-became-not-read-only',
    'INFO!',
    object(readOnly, 'a'),
    object({}, 'a'),
    'callers have to send it now',
  ],
  ['request-optional-property-became-write-only', 'INFO', object({}), object(writeOnly)],
  ['request-required-property-became-write-only', 'INFO', object({}, 'a'), object(writeOnly, 'a')],
  ['request-optional-property-became-not-write-only', 'INFO', object(writeOnly), object({})],
  ['request-required-property-became-not-write-only', 'INFO', object(writeOnly, 'a'), object({}, 'a')],
  [
    'request-read-only-property-enum-value-removed',
    'INFO',
    object({ enum: ['a', 'b'], ...readOnly }),
    object({ enum: ['a'], ...readOnly }),
  ],
  ...(
    [
      ['max-decreased', 'maximum', 2, 1],
      ['min-increased', 'minimum', 1, 2],
      ['max-length-decreased', 'maxLength', 2, 1],
      ['exclusive-max-decreased', 'exclusiveMaximum', 2, 1],
      ['exclusive-min-increased', 'exclusiveMinimum', 1, 2],
    ] as const
  ).map(
    ([change, keyword, before, after]): FieldRow => [
      `request-read-only-property-${change}`,
      'INFO',
      object({ [keyword]: before, ...readOnly }),
      object({ [keyword]: after, ...readOnly }),
    ],
  ),
  ['response-optional-property-added', 'INFO', object(undefined), object({})],
  ['response-required-property-added', 'INFO', object(undefined), object({}, 'a')],
  ['response-optional-property-removed', 'WARN', object({}), object(undefined)],
  ['response-required-property-removed', 'ERR', object({}, 'a'), object(undefined)],
  ['response-property-became-optional', 'ERR', object({}, 'a'), object({})],
  ['response-property-became-required', 'INFO', object({}), object({}, 'a')],
  ['response-optional-property-became-read-only', 'INFO', object({}), object(readOnly)],
  ['response-required-property-became-read-only', 'INFO', object({}, 'a'), object(readOnly, 'a')],
  ['response-optional-property-became-not-read-only', 'INFO', object(readOnly), object({})],
  ['response-required-property-became-not-read-only', 'INFO', object(readOnly, 'a'), object({}, 'a')],
  ['response-optional-property-became-write-only', 'INFO!', object({}), object(writeOnly), 'what callers read is gone'],
  [
    'response-required-property-became-write-only',
    'INFO!',
    object({}, 'a'),
    object(writeOnly, 'a'),
    'what callers read is gone',
  ],
  ['response-optional-property-became-not-write-only', 'INFO', object(writeOnly), object({})],
  [
    'response-required-property-became-not-write-only',
    'WARN!',
    object(writeOnly, 'a'),
    object({}, 'a'),
    'callers get one field more',
  ],
  ['response-optional-write-only-property-added', 'INFO', object(undefined), object(writeOnly)],
  ['response-required-write-only-property-added', 'INFO', object(undefined), object(writeOnly, 'a')],
  ['response-optional-write-only-property-removed', 'INFO', object(writeOnly), object(undefined)],
  ['response-required-write-only-property-removed', 'INFO', object(writeOnly, 'a'), object(undefined)],
  ['response-write-only-property-became-optional', 'INFO', object(writeOnly, 'a'), object(writeOnly)],
  ['response-write-only-property-became-required', 'INFO', object(writeOnly), object(writeOnly, 'a')],
  [
    'response-write-only-property-enum-value-added',
    'INFO',
    object({ enum: ['a'], ...writeOnly }),
    object({ enum: ['a', 'b'], ...writeOnly }),
  ],
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

/** What cannot occur in this contract, or says nothing about it. */
const beyond: [kinds: string, why: string][] = [
  [
    'api-deprecated-sunset-missing api-deprecated-sunset-parse api-path-removed-before-sunset api-path-removed-with-deprecation ' +
      'api-path-sunset-parse api-removed-before-sunset api-removed-with-deprecation api-sunset-date-changed-too-small ' +
      'api-sunset-date-too-small endpoint-deprecated-with-sunset sunset-deleted request-parameter-deprecated-sunset-missing ' +
      'request-parameter-removed-before-sunset request-parameter-removed-with-deprecation request-parameter-sunset-deleted ' +
      'request-parameter-sunset-date-changed-too-small request-parameter-sunset-date-too-small request-parameter-sunset-parse ' +
      'request-property-deprecated-sunset-invalid request-property-deprecated-sunset-missing request-property-deprecated-with-sunset ' +
      'request-property-sunset-date-too-small response-property-deprecated-sunset-invalid response-property-deprecated-sunset-missing ' +
      'response-property-deprecated-with-sunset response-property-sunset-date-too-small',
    'x-sunset is an extension of oasdiff; here what is deprecated and then gone breaks callers all the same',
  ],
  [
    'api-invalid-stability-level api-stability-decreased api-stability-increased request-property-stability-decreased ' +
      'request-property-stability-increased response-property-stability-decreased response-property-stability-increased',
    'x-stability-level is an extension of oasdiff',
  ],
  [
    'request-parameter-x-extensible-enum-value-removed request-property-x-extensible-enum-value-removed',
    'x-extensible-enum is an extension of oasdiff',
  ],
  ['api-version-not-bumped api-major-version-not-bumped', 'the version is the label of the interface, and stays v1'],
  [
    'api-security-component-oauth-scope-added api-security-component-oauth-scope-changed api-security-component-oauth-scope-removed ' +
      'api-security-component-oauth-token-url-changed api-security-component-oauth-url-changed',
    'each operation takes an API key in a header; the generator refuses anything else',
  ],
  ['webhook-added webhook-removed', 'the interface shows no webhooks (events-and-webhooks)'],
  [
    'request-body-type-compatible request-property-type-compatible response-body-type-compatible response-property-type-compatible ' +
      'response-header-type-compatible response-media-type-name-changed response-media-type-name-generalized response-media-type-name-specialized',
    'all bodies are JSON',
  ],
];

/** What is no change here at all. */
const silent: [kinds: RegExp, why: string][] = [
  [
    /^(?:request-read-only|response-(?:\w+-)?write-only)-property-/,
    'a request has nothing that is read only, an answer nothing that is written only',
  ],
  [/^request-\w+-property-became-(?:not-)?write-only$/, 'a request has what is written only'],
  [/^response-\w+-property-became-(?:not-)?read-only$/, 'an answer has what is read only'],
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

it('each of the 509 kinds of oasdiff is in the table once, or cannot occur here', () => {
  const left = beyond.flatMap(([kinds]) => kinds.split(' '));
  const ids = [...cases.map(({ id }) => id), ...left];
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  expect({ tried: cases.length, left: left.length, all: ids.length }).toEqual({ tried: 457, left: 52, all: 509 });
});
