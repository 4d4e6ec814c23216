import { readFile, stat, writeFile } from 'node:fs/promises';
import { UserError } from '../common/user-error.js';
import { unwritable } from './errors.js';
import { targetTemplate } from './target-template.js';

export { targetTemplate };

/** Writes a target file. Throws a UserError when it cannot, or when the file exists and `force` is false. */
export async function writeTargetFile(file: string, force: boolean, text = targetTemplate): Promise<void> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (exists && !(await stat(file)).isDirectory()) throw new UserError(`${file} exists; --force overwrites it.`);
    throw unwritable(file, exists ? { code: 'EISDIR' } : error);
  }
}

/** Whether overwriting the file loses nothing of the user's: it begins with `head`, is empty, or is no regular file. */
export async function holdsNothingElse(file: string, head: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  // Do not read a pipe, which would block.
  if (!stats?.isFile() || stats.size === 0) return true;
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.startsWith(head);
}
