import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Item, Splitter } from '../../../../conformance/engine/recording/source.js';

/** The items of bytes that come in pieces of these sizes, the last of them again and again. */
function cut(content: string | Buffer, sizes: readonly number[] = [1000]): Item[] {
  const bytes = Buffer.from(content as Buffer);
  const splitter = new Splitter();
  const items: Item[] = [];
  for (let [from, turn] = [0, 0]; from < bytes.length; turn += 1) {
    const size = sizes[Math.min(turn, sizes.length - 1)] ?? 1;
    items.push(...splitter.push(bytes.subarray(from, from + size)));
    from += size;
  }
  return [...items, ...splitter.end()];
}

const values = (items: readonly Item[]) => items.map(({ bytes }) => JSON.parse(bytes.toString()));
const jsonObject = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()) as fc.Arbitrary<object>;
const pieces = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 9 });
const tricky = { text: '"],}[{\\', '\\"': '\\\\', log: { entries: [{ entries: [] }] } };

describe('in pieces of any size,', () => {
  test('the entries of a HAR are found', () => {
    fc.assert(
      fc.property(
        fc.array(jsonObject),
        jsonObject,
        fc.constantFrom(undefined, 1, '\t'),
        pieces,
        (entries, around, indent, sizes) => {
          const log = { ...around, pages: [around, tricky], entries, comment: around };
          const items = cut(JSON.stringify({ log }, null, indent), sizes);
          expect(values(items)).toEqual(JSON.parse(JSON.stringify(entries)));
          expect(items.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
        },
      ),
    );
  });

  test('the lines of NDJSON are found', () => {
    fc.assert(
      fc.property(fc.array(jsonObject), fc.constantFrom('\n', '\r\n', '\n\n'), pieces, (objects, end, sizes) => {
        const items = cut(objects.map((object) => JSON.stringify(object)).join(end), sizes);
        expect(values(items)).toEqual(JSON.parse(JSON.stringify(objects)));
      }),
    );
  });
});

describe('takes', () => {
  test.each([
    ['a HAR with a byte order mark', '\ufeff{"log":{"entries":[{"a":1}]}}', [{ a: 1 }]],
    ['an empty HAR', '{"log":{"entries":[]}}', []],
    [
      'a HAR and another after it',
      '{"log":{"entries":[{"a":1}]}}\n {"log":{"entries":[{"a":2}]}}\n',
      [{ a: 1 }, { a: 2 }],
    ],
    [
      'text called entries that is not a list',
      '{"log":{"x":"entries","y":{"entries":[1]},"entries":[{"a":1}]}}',
      [{ a: 1 }],
    ],
    ['an empty text', '', []],
    ['empty lines', '\n\n{"a":1}\n \n', [{ a: 1 }]],
    [
      'entries that are not objects',
      '{"log":{"entries":[5,"a,]",null,[{"b":1}],{"a":1}]}}',
      [5, 'a,]', null, [{ b: 1 }], { a: 1 }],
    ],
    ['a HAR with fields before its log', '{"comment":"x","log":{"version":"1.2","entries":[{"a":1}]}}', [{ a: 1 }]],
    ['a list of entries', ' [{"a":1},\n{"a":2}]\n', [{ a: 1 }, { a: 2 }]],
    [
      'objects over several lines',
      '{\n  "a": 1\n}\n{\n  "a": {\n    "b": "}"\n  }\n}\n',
      [{ a: 1 }, { a: { b: '}' } }],
    ],
    ['lines that end where a piece ends', '{"a":1}\n{"a":2}\n{"a":3}\n', [{ a: 1 }, { a: 2 }, { a: 3 }]],
    ['indented objects', ' {"a":1}\n {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['a last line without an end', '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  ])('%s', (_, text, want) => {
    for (const size of [1, 7, 1000]) expect(values(cut(text, [size]))).toEqual(want);
  });

  test('a large entry in many small pieces', () => {
    const large = { text: 'x'.repeat(3_000_000) };
    expect(values(cut(JSON.stringify({ log: { entries: [large, {}] } }), [1000]))).toEqual([large, {}]);
  });

  test('an object over very many lines, and very many empty lines', () => {
    const long = { numbers: Array.from({ length: 300_000 }, (_, n) => n) };
    const text = `${JSON.stringify(long, null, 1)}\n${'\n'.repeat(1_000_000)}{"a":1}`;
    expect(values(cut(text, [100_000]))).toEqual([long, { a: 1 }]);
  });

  test('empty lines into account when it counts', () => {
    expect(cut('\n{"a":1}\n\n{"a":2}').map(({ number }) => number)).toEqual([2, 4]);
  });
});

describe('refuses', () => {
  test.each([
    ['a HAR without entries', '{"log":{"version":"1.2"}}', 'has no log.entries'],
    ['a HAR whose entries are not a list', '{"log":{"entries":{"a":1}}}', 'has no log.entries'],
    ['a HAR with entries elsewhere', '{"log":{"version":"1.2"},"more":{"entries":[{"a":1}]}}', 'has no log.entries'],
    ['a HAR that ends before its entries', '{"log":{"pages":[', 'has no log.entries'],
    [
      'a HAR that ends in an entry',
      '{"log":{"entries":[{"a":1},{"b":',
      'does not end as a HAR does: ]}} comes after the last entry, and no more (complete entries: 1)',
    ],
    [
      'a HAR that ends after an entry',
      '{"log":{"entries":[{"a":1}',
      'does not end as a HAR does: ]}} comes after the last entry, and no more (complete entries: 1)',
    ],
    ['a HAR that ends before its end', '{"log":{"entries":[{"a":1}],"x":{}', 'does not end as a HAR does: ]}} comes'],
    ['a HAR with other text after it', '{"log":{"entries":[]}} x', 'does not end as a HAR does: ]}} comes'],
    ['a list that ends in an entry', '[{"a":1},{"b":', 'does not end as a HAR does: ] comes after the last entry'],
    ['a comma where an entry should be', '{"log":{"entries":[{"a":1},,{"b":2}]}}', 'an object is expected there'],
    ['entries without a comma between', '{"log":{"entries":[{"a":1} {"b":2}]}}', 'a comma is expected there'],
  ])('%s', (_, text, message) => {
    for (const size of [1, 7, 1000]) expect(() => cut(text, [size])).toThrow(message);
  });
});
