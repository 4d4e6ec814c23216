import { stat, writeFile } from 'node:fs/promises';
import { UsageError, unwritable } from './errors.js';
import { targetTemplate } from './target-template.js';

export { targetTemplate };

/** Writes the commented target file. Throws a UsageError when it cannot, or when the file exists and `force` is false. */
export async function writeTargetFile(file: string, force: boolean): Promise<void> {
  try {
    await writeFile(file, targetTemplate, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (exists && !(await stat(file)).isDirectory()) throw new UsageError(`${file} exists; --force overwrites it.`);
    throw unwritable(file, exists ? { code: 'EISDIR' } : error);
  }
}
