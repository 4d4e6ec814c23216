import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EntryReader, type Recorded } from '../../../../conformance/engine/recording/entry.js';
import { ItemParser } from '../../../../conformance/engine/recording/item-parser.js';
import { content, KnownParts, request } from '../../../../conformance/engine/recording/known-parts.js';
import { cutObject, type Part } from '../../../../conformance/engine/recording/parts.js';
import { AnySplitter } from '../../../../conformance/engine/recording/split.js';
import { entry, harOf, judged, lines } from '../../../support/recordings.js';
import { histories, mixed } from '../../../support/traffic.js';

const item = (text: string) => ({ bytes: Buffer.from(text), number: 1 });
const said = (act: () => unknown) => {
  try {
    return { value: act() };
  } catch (error) {
    return { message: (error as Error).message };
  }
};

const name = fc.constantFrom('request', 'response', 'headers', 'content', 'body', 'r\\u0065quest', 'url', '__proto__');
const value = fc.letrec<{ value: string; members: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', '"a"', '"]}\\\\\\"{["', '"\u00e4\ud83d\ude00"', 'null', '{', '}', ',', '"', ''),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' , ')}]`),
    tie('members'),
  ),
  members: fc
    .array(fc.tuple(name, tie('value')), { maxLength: 5 })
    .map((all) => `{${all.map(([of, one]) => `"${of}" : ${one}`).join(',')}}`),
}));

test('what comes again is parsed as JSON.parse parses it, whatever it is', () => {
  let right = 0;
  fc.assert(
    fc.property(fc.array(value.members, { minLength: 1, maxLength: 4 }), (texts) => {
      const parser = new ItemParser();
      for (const text of [...texts, ...texts]) {
        const expected = said(() => JSON.parse(text));
        expect(said(() => parser.parse(item(text)))).toEqual(expected);
        if ('value' in expected) right += 1;
      }
    }),
    { numRuns: 1000 },
  );
  expect(right).toBeGreaterThan(1000);
});

test('it is the same object, in a HAR and in a line', () => {
  const [parser, known] = [new ItemParser(), new KnownParts()];
  const parsed = (at: string, status: string) => {
    const splitter = new AnySplitter(known);
    const [har] = [...splitter.push(Buffer.from(harOf(entry({ at, body: { status } })))), ...splitter.end()].map(
      (one) => parser.parse(one) as ReturnType<typeof entry>,
    );
    const line = parser.parse(item(JSON.stringify({ at, request: { url: 'a' }, response: { body: { status } } })));
    return { har, line } as { har: ReturnType<typeof entry>; line: { request: object; response: { body: object } } };
  };
  const [one, again, other] = [parsed('2026', 'a'), parsed('2027', 'a'), parsed('2028', 'b')];
  expect(again.har.startedDateTime).toBe('2027');
  expect(again.har.request).toBe(one.har.request);
  expect(again.har.response.headers).toBe(one.har.response.headers);
  expect(again.har.response.content).toBe(one.har.response.content);
  expect(again.line.request).toBe(one.line.request);
  expect(again.line.response.body).toBe(one.line.response.body);
  expect(other.har.request).toBe(one.har.request);
  expect(other.har.response.content).not.toBe(one.har.response.content);
});

test('what differs in a byte that is not looked at first is another', () => {
  const known = new KnownParts();
  const number = (text: string) => known.find(content, Buffer.from(text), 0, text.length)?.number;
  expect(['xaxxx', 'xaxxx', 'xbxxx', 'xbxxx', 'xaxxx'].map(number)).toEqual([1, 1, 2, 2, 3]);
});

test('what is guessed is there, byte for byte', () => {
  const known = new KnownParts();
  const cut = (text: string) => {
    const [bytes, parts]: [Buffer, Part[]] = [Buffer.from(`~${text}~`), []];
    expect(cutObject(bytes, 1, parts, known)).toBe(bytes.length - 1);
    return parts.map(({ from, to, known: of }) => [text.slice(from, to), of?.number]);
  };
  const asked = JSON.stringify({ method: 'GET', url: 'u'.repeat(300), headers: [1] });
  const exchange = (answer: string, more = '') =>
    `{"request":${asked}${more},"response":{"headers":[],"content":${answer}}}`;
  const first = [
    [asked, 2],
    ['[1]', 1],
    ['[]', 3],
  ];
  expect(cut(exchange('{"a":1}'))).toEqual([...first, ['{"a":1}', 4]]);
  const again = [
    [asked, 2],
    ['[]', 3],
  ];
  expect(cut(exchange('{"a":1}'))).toEqual([...again, ['{"a":1}', 4]]);
  expect(cut(exchange('{"a":2}'))).toEqual([...again, ['{"a":2}', 5]]);
  expect(cut(exchange('{"a":{}}'))).toEqual([...again, ['{"a":{}}', 6]]);
});

test('bytes are forgotten before they fill the memory', () => {
  const known = new KnownParts();
  const number = (turn: number) =>
    known.find(request, Buffer.alloc(200_000, createHash('sha256').update(`${turn}`).digest()), 0, 200_000)?.number;
  for (let turn = 0; turn < 40; turn += 1) number(turn);
  expect(number(0)).toBe(1);
  for (let turn = 40; turn < 90; turn += 1) number(turn);
  expect([number(0), number(89)]).toEqual([91, 90]);
});

const traffic = histories.chain(mixed).map((exchanges) =>
  exchanges.map((one, index) => ({
    ...one,
    ...(one.response && {
      response: { ...one.response, headers: { ...one.response.headers, date: `${index}`, 'x-request-id': `${index}` } },
    }),
  })),
);

test('readings that come again are judged as if none was known', async () => {
  let again = 0;
  await fc.assert(
    fc.asyncProperty(traffic, async (exchanges) => {
      const text = lines(...exchanges);
      expect(JSON.stringify(await judged(text))).toBe(
        // So their requests are not seen to be the same.
        JSON.stringify(await judged(text.replaceAll('"request"', '"r\\u0065quest"'))),
      );
      const [reader, parser] = [new EntryReader(), new ItemParser()];
      for (const [index, one] of exchanges.entries()) {
        const found = reader.read(parser.parse(item(JSON.stringify(one))), index + 1);
        if (found.kind === 'exchange' && found.like) again += 1;
      }
    }),
    { numRuns: 60 },
  );
  expect(again).toBeGreaterThan(100);
});

test.each([
  ['another status', { status: 201 }],
  ['another media type', { response: { headers: [{ name: 'Content-Type', value: 'text/html' }] } }],
  [
    'another header',
    {
      response: {
        headers: [
          { name: 'Content-Type', value: 'application/json' },
          { name: 'A', value: '' },
        ],
      },
    },
  ],
  ['another body', { body: { status: 'paused' } }],
  ['another caller', { headers: { 'X-Api-Key': 'another-key' } }],
  ['a key in its answer', { more: { _repeatsKey: true } }],
])('a reading with %s is another', (_, sketch) => {
  const reader = new EntryReader();
  const read = (of: object, id: number) => reader.parse(item(JSON.stringify(entry(of))), id) as never as Recorded;
  expect(read({}, 1).like).toBeUndefined();
  expect(read({ at: '2026-03-02T12:00:01.500Z', time: 7 }, 2).like?.exchange.id).toBe(1);
  expect(read(sketch, 3).like).toBeUndefined();
});
