import { expect, test } from 'vitest';
import { listed, withOperations } from '../../../scripts/generate/operation-enums.js';

test('a list of operations in a schema is replaced, and what else stands in it stays', () => {
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
  for (const [file, text] of await withOperations(ids)) {
    expect(JSON.parse(text), file).toBeTruthy();
    expect(text.replaceAll(/\s/g, ''), file).toMatch(/"enum":\["start","cancel"[\],]/);
  }
});
