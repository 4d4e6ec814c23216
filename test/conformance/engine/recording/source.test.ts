import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytesOf, fileSource, type Source } from '../../../../conformance/engine/recording/source.js';
import { temporaryFolder } from '../../../support/folder.js';
import { source } from '../../../support/recordings.js';

const folder = temporaryFolder();

const textOf = async (from: Source, signal?: AbortSignal) => {
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(from, signal)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};

const text = 'größer '.repeat(500);
const packed = gzipSync(text);

describe('reads', () => {
  test.each([
    ['text', text, text],
    ['gzip', packed, text],
    ['several gzips, one after the other', Buffer.concat([packed, packed]), text + text],
    ['nothing', '', ''],
    ['a single byte', 'x', 'x'],
  ])('%s, in any pieces', async (_, content, want) => {
    for (const size of [1, 3, 1000, 100_000]) expect(await textOf(source(content, size))).toBe(want);
  });

  test('a file, decompressed under any name', async () => {
    const file = join(folder, 'a.har');
    await writeFile(file, packed);
    expect(await textOf(fileSource(file))).toBe(text);
  });

  test('a file longer than one piece, compressed or not', async () => {
    const file = join(folder, 'long.har');
    const long = Array.from({ length: 300_000 }, (_, number) => number).join();
    for (const content of [long, gzipSync(long, { level: 0 })]) {
      await writeFile(file, content);
      expect((await textOf(fileSource(file))) === long).toBe(true);
    }
  });
});

describe('refuses, in words for the user,', () => {
  test('a file that does not exist', async () => {
    const file = join(folder, 'none.har');
    await expect(textOf(fileSource(file))).rejects.toMatchObject({ message: `${file} does not exist.`, exitCode: 2 });
  });

  test('a link to itself, and a name that is too long', async () => {
    const link = join(folder, 'loop.har');
    await symlink(link, link);
    for (const file of [link, join(folder, 'x'.repeat(300))])
      await expect(textOf(fileSource(file))).rejects.toMatchObject({ name: 'RecordingError', exitCode: 2 });
  });

  test('a folder', async () => {
    await expect(textOf(fileSource(folder))).rejects.toThrow(`${folder} is a folder; name the recordings in it.`);
  });

  test.each([
    ['a ZIP archive', Buffer.from('PK\u0003\u0004…'), 'a.har is a ZIP archive: unpack it, and name the .har in it.'],
    ['gzip that ends too early', packed.subarray(0, -20), 'a.har ends in the middle of its gzip data.'],
    ['damaged gzip', Buffer.concat([packed.subarray(0, 2), Buffer.alloc(50, 7)]), 'a.har contains damaged gzip data.'],
  ])('%s', async (_, content, message) => {
    for (const size of [7, 100_000]) await expect(textOf(source(content, size))).rejects.toThrow(message);
  });

  test('a source that fails while it is read', async () => {
    const broken: Source = {
      name: 'standard input',
      async *open() {
        yield Buffer.from('a');
        yield Buffer.from('b');
        throw new Error('the pipe broke');
      },
    };
    await expect(textOf(broken)).rejects.toThrow('standard input cannot be read: the pipe broke.');
  });
});

test('ends without an error when it is stopped', async () => {
  const file = join(folder, 'b.har');
  await writeFile(file, text);
  expect(await textOf(fileSource(file), AbortSignal.abort())).toBe('');
});
