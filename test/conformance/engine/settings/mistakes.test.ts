import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { mistakesBy } from '../../../../conformance/engine/settings/parse.js';
import type { FileValidator } from '../../../../generated/settings.js';

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: { type: 'string' },
    level: { enum: ['low', 'high'] },
    flag: { type: 'boolean' },
    count: { type: 'integer', minimum: 1 },
    rate: { type: 'number', exclusiveMinimum: 0 },
    id: { description: 'four digits', type: 'string', pattern: '^\\d{4}$' },
    list: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', minLength: 1 } },
    roles: {
      type: 'object',
      additionalProperties: false,
      properties: { completes: { type: 'string' }, fails: { type: 'string' } },
    },
  },
};
const validate = new Ajv2020({ allErrors: true, verbose: true }).compile(schema) as FileValidator;
const mistakes = mistakesBy(schema, validate);

const texts = (value: unknown) => mistakes(value).map(({ text }) => text);
const beside = (value: object) => texts({ url: 'u', ...value });

it('finds no error in a valid value', () => {
  expect(beside({ level: 'low', count: 1, rate: 0.1, id: '0000', list: ['a'], roles: { fails: 'x' } })).toEqual([]);
});

describe('an error is reported with the way out:', () => {
  it.each<[object, string]>([
    [{ level: 'middle' }, 'level must be one of low, high.'],
    [{ flag: 'yes' }, 'flag must be true or false.'],
    [{ count: 1.5 }, 'count must be a whole number.'],
    [{ count: 0 }, 'count must be at least 1.'],
    [{ rate: 0 }, 'rate must be more than 0.'],
    [{ id: '123' }, 'id must be four digits.'],
    [{ id: 1234 }, 'id must be four digits.'],
    [{ list: [] }, 'list must not be empty.'],
    [{ list: ['a', 2] }, 'list[1] must be text (in quotes, if it looks like a number).'],
    [{ list: ['a', 'a'] }, 'list lists an item twice.'],
    [{ list: 'a' }, 'list must be a list.'],
    [{ roles: null }, 'roles is empty: fill it in, or take it out.'],
    [{ roles: [] }, 'roles must be a map.'],
  ])('%j: %s', (value, text) => {
    expect(beside(value)).toEqual([text]);
  });

  it.each<[unknown, string]>([
    [{}, 'url is missing.'],
    [null, 'the file is empty: fill it in.'],
    [[], 'the file must be a map.'],
  ])('%j: %s', (value, text) => {
    expect(texts(value)).toEqual([text]);
  });
});

describe('an unknown name is reported with the one that was meant', () => {
  it.each<[string, object, string[]]>([
    ['beside it', { lvel: 'low' }, ['lvel is unknown; did you mean level?']],
    ['elsewhere', { complets: 'x' }, ['complets is unknown; did you mean roles.completes?']],
    ['under another name', { roles: { faills: 'x' } }, ['roles.faills is unknown; did you mean roles.fails?']],
    ['around it', { role: { fails: 'x' } }, ['role is unknown; did you mean roles?']],
    ['nowhere', { roles: { nonsense: 1 } }, ['roles.nonsense is unknown; use one of completes, fails.']],
  ])('%s', (_, value, want) => {
    expect(beside(value)).toEqual(want);
  });
});

it('reports all errors at once', () => {
  expect(texts({ lvel: 'low', count: 0, roles: { complets: 'x' } })).toHaveLength(4);
});

it('displays no value, because it may be a secret', () => {
  expect(texts({ url: 1, id: 'secret', level: 'secret' }).join()).not.toContain('secret');
});
