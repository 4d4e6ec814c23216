import { expect, test } from 'vitest';
import { talkingTo } from '../../../support/session.js';

const ask = { step: 'read', operation: 'getExecution', id: '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813' } as const;

test('the bodies of a long run reach the limit of the cache', async () => {
  let asked = 0;
  const { session, clock } = talkingTo(() => {
    asked += 1;
    return { bytes: Buffer.from(`[${`{"a":${asked}},`.repeat(200_000)}{}]`) };
  });
  const failures = [];
  for (let n = 0; n < 30; n += 1) failures.push((await clock.run(session.send('test', ask))).failure?.kind);
  expect(failures[0]).toBeUndefined();
  expect(failures.at(-1)).toBe('too-large');
});
