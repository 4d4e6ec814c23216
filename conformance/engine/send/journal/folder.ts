import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder of the user's own, and those around it. Not by `recursive`: where the system says of a folder that is there
 * that it does not exist, as below /proc, Node asks for it without end.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const around = dirname(folder);
    if (code === 'ENOENT' && around !== folder && !(await isThere(around))) {
      await makeFolder(around);
      await makeFolder(folder);
    } else if (code !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
  }
}

const isThere = (folder: string): Promise<boolean> =>
  stat(folder).then(
    () => true,
    () => false,
  );
