import { type FileHandle, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/folder.js';
import { freshModules } from '../support/fresh-modules.js';

const opened = vi.hoisted((): FileHandle[] => []);
vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof import('node:fs/promises')>();
  const open: typeof files.open = async (...args) => {
    const handle = await files.open(...args);
    opened.push(handle);
    return handle;
  };
  return { ...files, open };
});

freshModules();
const { openOutputs } = await import('../../cli/outputs.js');

it('closes the outputs that are already open when another cannot be opened', async () => {
  const folder = temporaryFolder();
  const files = [join(folder, 'report.json'), join(folder, 'none/report.xml')];
  await expect(openOutputs(files, process.stdout)).rejects.toThrow('its folder does not exist');
  expect(opened.map(({ fd }) => fd)).toEqual([-1]);
});

it('removes a new file that stayed empty, and leaves an old file as it was if nothing was written', async () => {
  const folder = temporaryFolder();
  const names = ['new', 'old', 'empty', 'written'];
  const files = names.map((name) => join(folder, name));
  await writeFile(join(folder, 'old'), 'text');
  await writeFile(join(folder, 'empty'), '');
  const outputs = await openOutputs(files, process.stdout);
  await outputs[3]?.write('report');
  for (const output of outputs) await output.close();
  expect((await readdir(folder)).sort()).toEqual(['empty', 'old', 'written']);
});

it('waits for a slow reader, and stops writing when the reader is gone', async () => {
  const piece = 'x'.repeat(300_000);
  const pieces = function* () {
    for (let count = 0; count < 10; count += 1) yield piece;
  };
  const read = async (reader: Writable) => {
    const [output] = await openOutputs(['-'], reader);
    await output?.write(pieces());
  };
  let [taken, most] = [0, 0];
  const slow = new Writable({
    write: (chunk: Buffer, _, done) => {
      most = Math.max(most, slow.writableLength);
      taken += chunk.length;
      setImmediate(done);
    },
  });
  await read(slow);
  expect(taken).toBe(10 * piece.length);
  expect(most).toBeLessThan(2 * piece.length);

  let tries = 0;
  const gone = new Writable({
    write: (_, __, done) => {
      tries += 1;
      done(Object.assign(new Error('gone'), { code: 'EPIPE' }));
    },
  });
  gone.on('error', () => {});
  await read(gone);
  expect(tries).toBe(1);
});
