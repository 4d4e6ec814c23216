import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from './errors.js';

/** Standard output, where a file is asked for. */
export const stdoutName = '-';

/** The first of the files that is one of those before it. */
export function namedTwice(files: readonly string[]): string | undefined {
  const names = files.map((file) => (file === stdoutName ? file : resolve(file)));
  return files.find((_, index) => names.indexOf(names[index] ?? '') < index);
}

/** Takes one text, or none. */
export interface Output {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens every file before there is anything to write into it: what cannot be written is known before a run starts.
 * Each keeps what is in it until it is written. Throws a UsageError.
 */
export async function openOutputs(
  files: readonly string[],
  stdout: { write(text: string): unknown },
): Promise<readonly Output[]> {
  const twice = namedTwice(files);
  if (twice !== undefined)
    throw new UsageError(`${twice === stdoutName ? 'standard output' : twice} is named for more than one output.`);
  const outputs: Output[] = [];
  try {
    for (const file of files) outputs.push(file === stdoutName ? toStream(stdout) : await toFile(file));
    return outputs;
  } catch (error) {
    await Promise.all(outputs.map((output) => output.close()));
    throw error;
  }
}

const toStream = (stream: { write(text: string): unknown }): Output => ({
  async write(text) {
    stream.write(text);
  },
  async close() {},
});

async function toFile(file: string): Promise<Output> {
  const handle = await openFile(file);
  return {
    async write(text) {
      try {
        // A pipe (`>(…)`) has nothing to cut off.
        if ((await handle.stat()).isFile()) await handle.truncate();
        await handle.writeFile(text);
      } catch (error) {
        throw unwritable(file, error);
      }
    },
    close: () => handle.close(),
  };
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'a');
  } catch (error) {
    throw unwritable(file, error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written',
  ENOSPC: 'no space is left',
};

/** The error that tells of a file that could not be written. */
export function unwritable(file: string, error: unknown): UsageError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UsageError(`${file} cannot be written: ${reasons[code] ?? message}.`);
}
