import { createHash } from 'node:crypto';
import { access, constants, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readReport } from '../conformance/engine/report/read.js';
import { makeFolder } from '../conformance/engine/send/journal/lock.js';
import { placeOf, stateFolder } from '../conformance/engine/settings/base-url.js';
import { readText } from '../conformance/engine/settings/file.js';
import type { Context } from './context.js';
import { UsageError } from './errors.js';
import type { OutcomeArguments } from './outcome.js';

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

/**
 * What a folder of state adds to the arguments of a run on this service: the report is kept there, and compared with the one
 * of the run before. One that cannot be read is as good as none.
 */
export async function sinceLastTime(
  folder: string,
  baseUrl: string,
  args: OutcomeArguments,
): Promise<OutcomeArguments> {
  const name = createHash('sha256').update(placeOf(baseUrl)).digest('hex').slice(0, 32);
  const file = join(folder, `report-${name}.json`);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  let isReadable = isThere;
  try {
    if (isThere) readReport(readText(file), file);
  } catch {
    isReadable = false;
    await rm(file, { force: true });
  }
  return {
    compare: [...(args.compare ?? []), ...(isReadable ? [file] : [])],
    report: [...(args.report ?? []), { format: 'json', file, ifUsable: true }],
  };
}
