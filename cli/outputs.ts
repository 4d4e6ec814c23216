/** Files and streams that reports are written to. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { UserError } from '../common/user-error.js';
import type { Terminal } from '../conformance/engine/report/progress.js';
import { unwritable } from './errors.js';

/** The file name that stands for standard output. */
export const stdoutName = '-';

/** The first file that was named before, maybe by another path to the same file. */
export function namedTwice(files: readonly string[]): string | undefined {
  const names = files.map((file) => (file === stdoutName ? file : realName(file)));
  return files.find((_, index) => names.indexOf(names[index] ?? '') < index);
}

function realName(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return resolve(file);
  }
}

/** A text, or pieces of one that may exceed the longest possible string. */
export type Text = string | Iterable<string>;

/** An output that is written once, or not at all. */
export interface Output {
  write(text: Text): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens all files before a run starts, so that it is known early if one cannot be written. A file keeps its contents
 * until it is written. Files in `others` must not be among them. Throws a UserError.
 */
export async function openOutputs(
  files: readonly string[],
  stdout: Terminal,
  others: readonly (string | undefined)[] = [],
): Promise<readonly Output[]> {
  const twice = namedTwice(files);
  if (twice !== undefined)
    throw new UserError(`${twice === stdoutName ? 'standard output' : twice} is named for more than one output.`);
  const needed = others.flatMap((file) => (file === undefined || file === stdoutName ? [] : [realName(file)]));
  const lost = files.find((file) => file !== stdoutName && needed.includes(realName(file)));
  if (lost !== undefined)
    throw new UserError(`${lost} is also an input or record of this command; a report would overwrite it.`);
  const outputs: Output[] = [];
  try {
    for (const file of files) outputs.push(file === stdoutName ? toStream(stdout) : await toFile(file));
    return outputs;
  } catch (error) {
    await Promise.all(outputs.map((output) => output.close()));
    throw error;
  }
}

const toStream = (stream: Terminal): Output => ({
  async write(text) {
    for (const chunk of chunks(text)) if (!(await writeAll(stream, chunk))) return;
  },
  async close() {},
});

/** Writes a text, and waits if the reader is slow. False if nobody reads any more. */
export async function writeAll(stream: Terminal, text: string): Promise<boolean> {
  if (stream.write(text) !== false || !(stream instanceof Writable)) return true;
  return !stream.destroyed && (await once(stream, 'drain').catch(() => undefined)) !== undefined;
}

const chunkLength = 256 * 1024;

/** Joins small pieces: each write has a cost. */
function* chunks(text: Text): Generator<string> {
  let chunk = '';
  for (const piece of typeof text === 'string' ? [text] : text) {
    chunk += piece;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

async function toFile(file: string): Promise<Output> {
  const isNew = !existsSync(file);
  const handle = await openFile(file);
  const { isFile, mode } = await handle.stat().then((stats) => ({ isFile: stats.isFile(), mode: stats.mode }));
  return {
    async write(text) {
      try {
        if (isFile && (await replaced(await realpath(file), text, mode))) return;
        // Not for a pipe (`>(…)`), which cannot be truncated. A file that is mounted by itself can only be written in
        // place.
        if (isFile) await handle.truncate();
        await writeFile(handle, chunks(text));
      } catch (error) {
        throw unwritable(file, error);
      }
    },
    async close() {
      await handle.close();
      // Nothing was written, or the disk is full: an empty file would pass for a report.
      if (isNew && statSync(file, { throwIfNoEntry: false })?.size === 0) await rm(file, { force: true });
    },
  };
}

/** Writes a temporary file and renames it, so that no half-written file remains. False if that is not allowed. */
async function replaced(file: string, text: Text, mode: number): Promise<boolean> {
  const beside = `${file}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    const handle = await open(beside, 'wx', mode & 0o777);
    try {
      await writeFile(handle, chunks(text));
    } finally {
      await handle.close();
    }
    await rename(beside, file);
    return true;
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    if (['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return false;
    throw error;
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'a');
  } catch (error) {
    throw unwritable(file, error);
  }
}
