import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileSource, itemsIn, type Source } from '../../../../conformance/engine/recording/source.js';
import { temporaryFolder } from '../../../support/folder.js';
import { source } from '../../../support/recordings.js';

const folder = temporaryFolder();

async function itemsOf(from: Source, signal?: AbortSignal) {
  const items: { place: string; value: unknown }[] = [];
  for await (const { place, value } of itemsIn(from, signal)) items.push({ place, value: value() });
  return items;
}
const valuesOf = async (content: string | Uint8Array, pieceBytes?: number) =>
  (await itemsOf(source(content, pieceBytes))).map(({ value }) => value);

const jsonObject = fc.dictionary(
  fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__'),
  fc.jsonValue(),
) as fc.Arbitrary<object>;
const pieceBytes = fc.integer({ min: 1, max: 60 });
const tricky = { text: '"],}[{\\', mark: '\ufeffa\ufeff', '\\"': '\\\\', log: { entries: [{ entries: [] }] } };

test('the entries of a HAR are found and numbered, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(jsonObject),
      jsonObject,
      fc.constantFrom(undefined, 1, '\t'),
      pieceBytes,
      async (entries, around, indent, size) => {
        const log = { ...around, pages: [around, tricky], entries: [tricky, ...entries], comment: around };
        const items = await itemsOf(source(JSON.stringify({ log }, null, indent), size));
        expect(items.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify([tricky, ...entries])));
        expect(items.map(({ place }) => place)).toEqual(
          [tricky, ...entries].map((_, index) => `a.har: entry ${index + 1}`),
        );
      },
    ),
    { numRuns: 40 },
  );
});

test('the lines of NDJSON are found, in pieces of any size', async () => {
  const ends = fc.constantFrom('\n', '\r\n', '\n\n');
  await fc.assert(
    fc.asyncProperty(fc.array(jsonObject), ends, pieceBytes, async (objects, end, size) => {
      const text = objects.map((object) => JSON.stringify(object)).join(end);
      expect(await valuesOf(text, size)).toEqual(JSON.parse(JSON.stringify(objects)));
    }),
    { numRuns: 40 },
  );
});

describe('reads', () => {
  const har = '{"log":{"entries":[{"a":1}]}}';
  const text = '{"a":"größer"}\n';
  test.each<[string, string | Buffer, unknown[]]>([
    ['nothing', '', []],
    ['a single byte', '5', [5]],
    ['a HAR with a byte order mark', `\ufeff${har}`, [{ a: 1 }]],
    ['an empty HAR', '{"log":{"entries":[]}}', []],
    ['a HAR and another after it', `${har}\n ${har}\n`, [{ a: 1 }, { a: 1 }]],
    ['a HAR with entries elsewhere', '{"log":{"x":"entries","y":{"entries":[1]},"entries":[{"a":1}]}}', [{ a: 1 }]],
    ['a HAR with a field before its log', '{"comment":"x","log":{"entries":[{"a":1}]}}', [{ a: 1 }]],
    ['entries that are not objects', '{"log":{"entries":[5,"a,]",null,[{"b":1}]]}}', [5, 'a,]', null, [{ b: 1 }]]],
    ['a list of entries', ' [{"a":1},\n{"a":2}]\n', [{ a: 1 }, { a: 2 }]],
    ['empty lines', '\n\n{"a":1}\n \n', [{ a: 1 }]],
    ['indented lines, the last without an end', ' {"a":1}\n {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['gzip', gzipSync(text), [{ a: 'größer' }]],
    ['several gzips in one', Buffer.concat([gzipSync(text), gzipSync(har)]), [{ a: 'größer' }, JSON.parse(har)]],
    ['UTF-16, as PowerShell writes it', Buffer.from(`\ufeff${text}`, 'utf16le'), [{ a: 'größer' }]],
    ['UTF-16 in the other order', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), [{ a: 'größer' }]],
  ])('%s', async (_, content, want) => {
    for (const size of [2, 7, 100_000]) expect(await valuesOf(content, size)).toEqual(want);
  });

  test('a file of any name that is larger than one piece', async () => {
    const file = join(folder, 'long.txt');
    const long = Array.from({ length: 300_000 }, (_, number) => number);
    const content = JSON.stringify({ log: { entries: long } });
    for (const bytes of [content, gzipSync(content, { level: 0 })]) {
      await writeFile(file, bytes);
      expect((await itemsOf(fileSource(file))).map(({ value }) => value)).toEqual(long);
    }
  });

  test('a large entry in small pieces', async () => {
    const large = { text: 'x'.repeat(3_000_000) };
    expect(await valuesOf(JSON.stringify({ log: { entries: [large, {}] } }))).toEqual([large, {}]);
    expect(await valuesOf(`${JSON.stringify(large)}\n{}`)).toEqual([large, {}]);
  });
});

test('empty lines count in the place of a line', async () => {
  const items = await itemsOf(source('\n{"a":1}\n\n{"a":2}'));
  expect(items.map(({ place }) => place)).toEqual(['a.har:2: the line', 'a.har:4: the line']);
});

describe('refuses, in words for the user,', () => {
  const link = join(folder, 'loop.har');
  test.each([
    ['a file that does not exist', join(folder, 'none.har'), /none\.har does not exist\.$/],
    ['a folder', folder, / is a folder; name the recordings in it\.$/],
    ['a link to itself', link, /cannot be read/],
    ['a name that is too long', join(folder, 'x'.repeat(300)), /cannot be read/],
  ])('%s', async (_, file, message) => {
    await symlink(link, link).catch(() => undefined);
    await expect(itemsOf(fileSource(file))).rejects.toMatchObject({
      name: 'RecordingError',
      exitCode: 2,
      message: expect.stringMatching(message),
    });
  });

  const packed = gzipSync('größer '.repeat(500));
  const damaged = /^a\.har is not JSON to its end, or lacks a list of entries \(complete entries: [01] or more\)\.$/;
  test.each([
    ['a ZIP archive', Buffer.from('PK\u0003\u0004…'), 'a.har is a ZIP archive: unpack it, and name the .har in it.'],
    ['gzip that ends too early', packed.subarray(0, -20), 'a.har ends in the middle of its gzip data.'],
    ['damaged gzip', Buffer.concat([packed.subarray(0, 2), Buffer.alloc(50, 7)]), 'a.har contains damaged gzip data.'],
    ['a HAR that ends before its entries', '{"log":{"pages":[', damaged],
    ['a HAR whose entries are not a list', '{"log":{"entries":{"a":1}}}', damaged],
    ['a HAR that ends in an entry', '{"log":{"entries":[{"a":1},{"b":', damaged],
    ['a HAR that ends early', '{"log":{"entries":[{"a":1}],"x":{}', damaged],
    ['a HAR with text after it', '{"log":{"entries":[{}]}} x', damaged],
    ['a list that ends in an entry', '[{"a":1},{"b":', damaged],
    ['a comma where an entry should be', '{"log":{"entries":[{"a":1},,{"b":2}]}}', damaged],
    ['entries without a comma between', '{"log":{"entries":[{"a":1} {"b":2}]}}', damaged],
  ])('%s', async (_, content, message) => {
    await expect(valuesOf(content, 7)).rejects.toThrow(message);
  });

  test('a source that fails while it is read, and closes it', async () => {
    let isOpen = false;
    const broken: Source = {
      name: 'standard input',
      async *open() {
        isOpen = true;
        try {
          yield Buffer.from('{"log":{"entries":[');
          throw new Error('the pipe broke');
        } finally {
          isOpen = false;
        }
      },
    };
    await expect(itemsOf(broken)).rejects.toThrow('standard input cannot be read: the pipe broke.');
    expect(isOpen).toBe(false);
  });
});

test('a source is closed when its reader stops early', async () => {
  let isOpen = false;
  const watched: Source = {
    name: 'a.har',
    async *open() {
      isOpen = true;
      try {
        for (;;) yield Buffer.from('{"a":1}\n'.repeat(1000));
      } finally {
        isOpen = false;
      }
    },
  };
  for await (const { place } of itemsIn(watched)) if (place.startsWith('a.har:2000')) break;
  expect(isOpen).toBe(false);
});

test('ends without an error when it is stopped', async () => {
  const file = join(folder, 'b.har');
  await writeFile(file, '{"log":{"entries":[{}');
  expect(await itemsOf(fileSource(file), AbortSignal.abort())).toEqual([]);
});
