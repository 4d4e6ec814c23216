import { describe, expect, it, test } from 'vitest';
import { operationDifferences } from '../../../scripts/diff/operations.js';
import { type Difference, noteDifferences } from '../../../scripts/diff/schemas.js';
import type { Document } from '../../../scripts/generate/document.js';

type Told = [says: string, breaks: Difference['breaks']];

const keys = {
  old: { type: 'apiKey', in: 'header', name: 'X-Old' },
  new: { type: 'apiKey', in: 'header', name: 'X-New' },
};

function document(operation: object, path = '/things/{id}', parameters: object[] = []): Document {
  const item = { parameters, get: { operationId: 'read', security: [{ old: [] }], responses: {}, ...operation } };
  const components = { schemas: {}, securitySchemes: keys };
  return { info: { version: 'v1' }, components, paths: { [path]: item } } as unknown as Document;
}

const told = (before: Document, after: Document): Told[] =>
  [...operationDifferences(before, after)].map(({ says, breaks }) => [says, breaks]);

/** Responses with a body that has one required field, after the status. */
const responses = (...statuses: string[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      { content: { 'application/json': { schema: { type: 'object', properties: { a: { type: 'string' } } } } } },
    ]),
  );

test('each changed trait of an operation is reported separately', () => {
  const traits = (more: object) => document({ 'x-operation': { resource: 'thing', effect: 'reads', ...more } });
  expect(told(traits({}), traits({ waits: true }))).toEqual([['waits: nothing → true.', undefined]]);
});

test('an operation that moves is the same one: the move breaks callers, and no part of it is removed or new', () => {
  const [was, is] = [document({}), document({ summary: 's' }, '/v3/things/{id}')];
  expect([...operationDifferences(was, is)]).toEqual([
    expect.objectContaining({ says: 'GET /things/{id} is now GET /v3/things/{id}.', breaks: 'callers' }),
    expect.objectContaining({ says: 'summary: nothing → s.', breaks: undefined }),
  ]);
  expect([...operationDifferences(was, is)][0]).not.toHaveProperty('gone');
});

describe('a change of the answers that callers receive:', () => {
  it.each<[name: string, before: string[], after: string[], told: Told[]]>([
    ['a range becomes one of its statuses', ['2XX'], ['201'], [['Of 2XX there is only 201 left.', 'services']]],
    [
      'a range becomes several of its statuses',
      ['4XX'],
      ['400', '404'],
      [['Of 4XX there is only 400 and 404 left.', 'services']],
    ],
    [
      'a range beside a status becomes another range',
      ['401', '4XX'],
      ['401', '404'],
      [['Of 4XX there is only 404 left.', 'services']],
    ],
    ['only the status beside a range remains', ['401', '4XX'], ['401'], [['4XX is answered no more.', 'callers']]],
    [
      'one status becomes its range',
      ['201'],
      ['2XX'],
      [
        ['201 is no longer told apart from others.', undefined],
        ['2XX is answered now.', 'callers'],
      ],
    ],
    [
      'refusals become their range',
      ['400', '404'],
      ['4XX'],
      [
        ['400 is no longer told apart from others.', undefined],
        ['404 is no longer told apart from others.', undefined],
        ['4XX is answered now.', undefined],
      ],
    ],
    [
      'a status gets its own entry beside its range',
      ['4XX'],
      ['404', '4XX'],
      [['404 is told apart from 4XX now.', undefined]],
    ],
    [
      'a status gets its own entry beside the default',
      ['default'],
      ['404', 'default'],
      [['404 is told apart from default now.', undefined]],
    ],
  ])('%s', (_name, before, after, want) => {
    const got = told(document({ responses: responses(...before) }), document({ responses: responses(...after) }));
    expect(got.sort()).toEqual(want.sort());
  });

  it('the body of a status is compared with that of the range it was in', () => {
    const after = { ...responses('4XX'), '404': { content: { 'application/json': { schema: { type: 'object' } } } } };
    expect(told(document({ responses: responses('4XX') }), document({ responses: after }))).toContainEqual([
      '`a` is no longer a field.',
      'callers',
    ]);
  });

  it('the description of a range is kept when a status gets its own entry', () => {
    const range = { description: 'Refused.', 'x-gap': 'which-status', ...responses('4XX')['4XX'] };
    const after = { '4XX': range, '429': { description: 'Too many.', ...responses('429')['429'] } };
    expect(told(document({ responses: { '4XX': range } }), document({ responses: after }))).toEqual([
      ['429 is told apart from 4XX now.', undefined],
    ]);
  });

  it('a body that could be any value was no promise', () => {
    const open = { '2XX': { content: { 'application/json': { schema: { description: 'Anything.' } } } } };
    expect(told(document({ responses: open }), document({ responses: { '204': {} } }))).toEqual([
      ['Of 2XX there is only 204 left.', 'services'],
      ['There is no application/json any more.', undefined],
    ]);
    expect(told(document({ responses: responses('2XX') }), document({ responses: { '204': {} } }))).toContainEqual([
      'There is no application/json any more.',
      'callers',
    ]);
  });
});

describe('a change of requests:', () => {
  it.each<[name: string, before: object[], after: object[], told: Told[]]>([
    [
      'another key is accepted beside the old one',
      [{ old: [] }],
      [{ new: [] }, { old: [] }],
      [['The key: header X-Old → header X-New, or header X-Old.', 'services']],
    ],
    [
      'another key is accepted instead',
      [{ old: [] }],
      [{ new: [] }],
      [['The key: header X-Old → header X-New.', 'callers']],
    ],
    [
      'both keys are required',
      [{ old: [] }],
      [{ old: [], new: [] }],
      [['The key: header X-Old → header X-Old with header X-New.', 'callers']],
    ],
    [
      'one of two keys remains',
      [{ old: [] }, { new: [] }],
      [{ new: [] }],
      [['The key: header X-Old, or header X-New → header X-New.', 'callers']],
    ],
  ])('%s', (_name, before, after, want) => {
    expect(told(document({ security: before }), document({ security: after }))).toEqual(want);
  });

  it('another name of a parameter of the path breaks no callers', () => {
    const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
    const before = document({}, '/things/{id}', [parameter('id')]);
    expect(told(before, document({}, '/things/{thingId}', [parameter('thingId')]))).toEqual([
      ['name: id → thingId.', undefined],
    ]);
  });
});

describe('the same in other words is no change:', () => {
  const text = { type: 'string' };
  const parameter = { name: 'q', in: 'query', schema: text };
  it.each<[name: string, before: object, after: object]>([
    [
      'a parameter with its default style stated',
      { parameters: [parameter] },
      { parameters: [{ ...parameter, style: 'form', explode: true }] },
    ],
    ['required: false stated', { parameters: [parameter] }, { parameters: [{ ...parameter, required: false }] }],
    ['deprecated: false stated', {}, { deprecated: false }],
    [
      'a body with required: false stated',
      { requestBody: { content: {} } },
      { requestBody: { required: false, content: {} } },
    ],
    [
      'a charset after a media type',
      { responses: { 200: { content: { 'application/json': { schema: text } } } } },
      { responses: { 200: { content: { 'application/json; charset=utf-8': { schema: text } } } } },
    ],
  ])('%s', (_name, before, after) => {
    expect(told(document(before), document(after))).toEqual([]);
  });

  it('a parameter of the path item, on one of its operations', () => {
    expect(told(document({}, '/things', [parameter]), document({ parameters: [parameter] }, '/things'))).toEqual([]);
  });
});

it('another id of an operation breaks no request, but callers of generated clients', () => {
  const says = 'operationId: read → get. The method of the client is called so as well.';
  expect(told(document({}), document({ operationId: 'get' }))).toEqual([[says, 'clients']]);
});

test.each([
  ['a sentence', 'It counts seconds.', 'description: nothing → It counts seconds.'],
  ['a word', 'seconds', 'description: nothing → seconds.'],
])('a new description ends with one full stop: %s', (_, value, says) => {
  expect([...noteDifferences([], [{ keyword: 'description', value, at: '#' }])]).toMatchObject([{ says }]);
});
