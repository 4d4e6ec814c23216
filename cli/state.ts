import { access, constants } from 'node:fs/promises';
import { makeFolder } from '../conformance/engine/send/journal/folder.js';
import { stateFolder } from '../conformance/engine/settings/state-folder.js';
import type { Context } from './context.js';
import { UsageError } from './errors.js';

/**
 * The folder of what runs remember: the one that is named, or that of this user's state. One that is named is made. Throws a
 * UsageError where that cannot be, or nothing can be written there: whoever names it counts on it.
 */
export async function stateIn(folder: string | undefined, env: Context['env']): Promise<string> {
  if (folder === undefined) return stateFolder(env);
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = { EEXIST: 'it is no folder', ENOTDIR: 'it is in a file', EACCES: 'it may not be written' }[code];
    throw new UsageError(`--state ${folder} cannot be used: ${why ?? message}.`);
  }
  return folder;
}
