import { expect, test } from 'vitest';
import { formed, listed, withOperations } from '../../../scripts/generate/operation-enums.js';

test('a list of operations in a schema is replaced, and the rest of the schema stays', () => {
  const schema = (...names: string[]) => `{
  "a": {
    "$comment": "operations, run",
    "enum": [
${names.map((name) => `      "${name}"`).join(',\n')}
    ]
  },
  "b": { "enum": ["one"] }
}`;
  expect(listed(schema('old', 'run'), ['start', 'cancel'])).toBe(schema('start', 'cancel', 'run'));
});

test('the lists of operations are found in the schemas of the files that users write', async () => {
  const ids = ['start', 'cancel'];
  for (const [file, text] of await withOperations(ids, {})) {
    expect(JSON.parse(text), file).toBeTruthy();
    expect(text.replaceAll(/\s/g, ''), file).toMatch(/"enum":\["start","cancel"[\],]/);
  }
});

test('the form of an id in a schema is that of its parameter: a UUID, or its pattern; or it has a variable', () => {
  const schema = `{
  "$comment": "the form of executionId",
  "description": "",
  "type": "string",
  "pattern": "old \\\\ one"
}`;
  const of = (forms = {}) => JSON.parse(formed(schema, forms));
  const takes = ({ pattern }: { pattern: string }, text: string) => new RegExp(pattern, 'u').test(text);
  const [usual, other] = [of(), of({ executionId: { pattern: '^exec_[0-9]+$', sample: 'exec_7' } })];
  expect([usual.description, other.description]).toEqual(['a UUID', 'an id like exec_7']);
  const texts = ['9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813', 'exec_7', ['$', '{ID}'].join(''), 'exec_7 or so'];
  expect(texts.map((text) => takes(usual, text))).toEqual([true, false, true, false]);
  expect(texts.map((text) => takes(other, text))).toEqual([false, true, true, false]);
});
