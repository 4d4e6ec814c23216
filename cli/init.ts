import { writeFile } from 'node:fs/promises';
import { UsageError } from './errors.js';
import { targetTemplate } from './target-template.js';

/** Writes the commented target file. Throws a UsageError when it cannot, or when the file exists and `force` is false. */
export async function writeTargetFile(file: string, force: boolean): Promise<void> {
  try {
    await writeFile(file, targetTemplate, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`${file} exists; --force overwrites it.`);
    if (code === 'ENOENT') throw new UsageError(`${file} cannot be written: its folder does not exist.`);
    throw new UsageError(`${file} cannot be written: ${message}.`);
  }
}
