import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from './errors.js';

/** Standard output, where a file is asked for. */
export const stdoutName = '-';

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
  const names = files.map((file) => (file === stdoutName ? file : resolve(file)));
  const twice = files.find((_, index) => names.indexOf(names[index] ?? '') < index);
  if (twice !== undefined)
    throw new UsageError(`${twice === stdoutName ? 'standard output' : twice} is named for more than one output.`);
  return Promise.all(files.map((file) => (file === stdoutName ? toStream(stdout) : toFile(file))));
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
      // A pipe (`>(…)`) has nothing to cut off.
      if ((await handle.stat()).isFile()) await handle.truncate();
      await handle.writeFile(text);
    },
    close: () => handle.close(),
  };
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'a');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = { ENOENT: 'its folder does not exist', EISDIR: 'it is a folder', EACCES: 'it may not be written' };
    throw new UsageError(`${file} cannot be written: ${why[code as keyof typeof why] ?? message}.`);
  }
}
