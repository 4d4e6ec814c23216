/** Reads files of users, and reports what is wrong with them. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { UserError } from '../../../common/user-error.js';

export type Path = readonly (string | number)[];

export interface Mistake {
  readonly path: Path;
  readonly text: string;
}

/** For users: everything that is wrong with a file, one line each, with its place. */
export class SettingsError extends UserError {
  override name = 'SettingsError';

  constructor(file: string, lines: readonly string[]) {
    super(lines.length === 1 ? lines[0] : [`${file} has ${lines.length} mistakes:`, ...lines].join('\n  '));
  }
}

const MB = 1024 * 1024;
/** Enough for the JSON report of a long run. A longer text does not fit into a string. */
const longest = 400 * MB;
/** Enough for a list that people maintain, such as a baseline. */
export const longestList = MB;
const waitForWriterMs = 500;

/**
 * Reads a file, `-` for standard input. Throws a SettingsError if it cannot be read or is too long, such as a device
 * without an end or a pipe without a writer.
 */
export function readText(file: string, most = longest): string {
  let bytes: Buffer;
  try {
    bytes = readBytes(file, most);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = { ENOENT: 'does not exist', EISDIR: 'is a folder', EACCES: 'may not be read' }[code ?? ''];
    throw new SettingsError(file, [`${file} ${why ?? `cannot be read: ${message}`}.`]);
  }
  // PowerShell's `>` writes UTF-16.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new SettingsError(file, [`${file} is not UTF-8 text; save it as UTF-8.`]);
  }
}

function readBytes(file: string, most: number): Buffer {
  const refuse = (why: string) => new SettingsError(file, [`${file} ${why}.`]);
  const isInput = file === '-';
  // Opening a pipe without a writer would block.
  const handle = isInput ? 0 : openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    // A device may have no end.
    const end = stats.isCharacterDevice() ? Math.min(most, MB) : most;
    if (stats.size > end) throw refuse(tooLong(end));
    const chunks: Buffer[] = [];
    const giveUp = performance.now() + waitForWriterMs;
    for (let size = 0; ; ) {
      const chunk = Buffer.alloc(Math.min(end + 1, MB));
      const read = readSome(handle, chunk);
      // A pipe without a writer yet, or without data yet.
      if (read < 0 || (read === 0 && !isInput && stats.isFIFO() && size === 0 && performance.now() < giveUp)) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
        continue;
      }
      if (read === 0 && !isInput && stats.isFIFO() && size === 0) throw refuse('is a pipe without a writer');
      if (read === 0) return Buffer.concat(chunks);
      size += read;
      if (size > end) throw refuse(tooLong(end));
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    if (!isInput) closeSync(handle);
  }
}

const tooLong = (most: number): string =>
  `is longer than ${most < MB ? `${most / 1024} kB` : `${most / MB} MB`}, which no such file is`;

/** The number of bytes; 0 at the end, -1 if there are none yet. */
function readSome(handle: number, into: Buffer): number {
  try {
    return readSync(handle, into);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return -1;
    throw error;
  }
}
