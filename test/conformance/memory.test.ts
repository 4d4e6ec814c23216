import { expect, test } from 'vitest';
import { begun, jsonBody } from '../../conformance/evidence/body.js';
import { talkingTo } from '../support/session.js';

const ask = { step: 'read', operation: 'getExecution', id: '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813' } as const;

test('what is kept of all answers has a bound; what comes after is told as too large', async () => {
  const bytes = Buffer.from(`[${'{},'.repeat(700_000)}{}]`);
  const { session, clock } = talkingTo(() => ({ bytes }));
  const failures = [];
  for (let n = 0; n < 12; n += 1) failures.push((await clock.run(session.send('test', ask))).failure?.kind);
  expect(failures[0]).toBeUndefined();
  expect(failures.at(-1)).toBe('too-large');
  expect(failures.filter((kind) => kind === undefined).length).toBeLessThan(10);
});

test('a report shows a large body by its beginning and a digest, and a small one whole', () => {
  const small = jsonBody({ a: 1 }, 7);
  expect(begun(small)).toBe(small);
  const text = JSON.stringify(['x'.repeat(300_000)]);
  expect(begun(jsonBody(JSON.parse(text), text.length))).toMatchObject({
    kind: 'not-json',
    text: expect.stringMatching(/^\["xxx/),
    error: expect.stringMatching(/SHA-256: [\da-f]{64}$/),
    bytes: text.length,
  });
});
