import { expect, test } from 'vitest';
import { BodyCache, bodyExcerpt, parseBody } from '../../../../conformance/engine/http/body.js';
import { answerBody } from '../../../../conformance/engine/outcome/read.js';
import { talkingTo } from '../../../support/session.js';

const ask = { step: 'read', operation: 'getExecution', id: '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813' } as const;

/** For a few of the answers below: each takes about a megabyte when it is read. */
const room = () => new BodyCache(4 * 1024 * 1024);

test('the cache of bodies is limited; later bodies are reported as too large', async () => {
  let asked = 0;
  const answers = () => {
    asked += 1;
    return { bytes: Buffer.from(`[${`{"a":${asked}},`.repeat(8500)}{}]`) };
  };
  const { session, clock } = talkingTo(answers, {}, undefined, room());
  const failures = [];
  for (let n = 0; n < 12; n += 1) failures.push((await clock.run(session.send('test', ask))).failure);
  expect(failures[0]).toBeUndefined();
  expect(failures.at(-1)).toEqual({
    kind: 'too-large',
    message: 'The answers of the run take more than 4 MB of memory; this one was not stored.',
  });
  expect(failures.filter((failure) => failure === undefined).length).toBeLessThan(10);
});

test.each([
  ['empty objects', `[${'{},'.repeat(500_000)}{}]`, 'too-large'],
  ['lists in lists', '['.repeat(600_000) + ']'.repeat(600_000), 'too-large'],
  ['one text that looks like them', JSON.stringify(`"${'[{},'.repeat(300_000)}\\`), undefined],
  ['as many empty objects as allowed', `[${'{},'.repeat(499_998)}{}]`, undefined],
])('an answer with too many values is not read: %s', async (_, text, kind) => {
  const { session, clock } = talkingTo(() => ({ bytes: Buffer.from(text) }));
  expect((await clock.run(session.send('test', ask))).failure?.kind).toBe(kind);
});

test('equal answers are kept once, and small answers always', async () => {
  const rows = `[${'{"a":1},'.repeat(10_000)}{}]`;
  let asked = 0;
  const answered = () => {
    asked += 1;
    return { bytes: Buffer.from(asked > 30 ? '{"code":404}' : `{"id":"e","status":"${asked % 2}","inputs":${rows}}`) };
  };
  const { session, clock } = talkingTo(answered, {}, undefined, room());
  const answers = [];
  for (let n = 0; n < 31; n += 1) answers.push(await clock.run(session.send('test', ask)));
  expect(answers.map(({ failure }) => failure)).toEqual(Array.from({ length: 31 }, () => undefined));
  expect(new Set(answers.slice(0, 30).map((one) => answerBody(one)?.inputs)).size).toBe(2);
  expect(answers.slice(0, 2).map((one) => answerBody(one)?.status)).toEqual(['1', '0']);
});

test('a report has the beginning and a digest of a large body, and a small one whole', () => {
  const small = parseBody('{"a":1}');
  expect(bodyExcerpt(small)).toBe(small);
  const text = JSON.stringify(['x'.repeat(300_000)]);
  expect(bodyExcerpt(parseBody(text))).toMatchObject({
    kind: 'not-json',
    text: expect.stringMatching(/^\["xxx/),
    error: expect.stringMatching(/SHA-256: [\da-f]{64}$/),
    bytes: text.length,
  });
});
