/** The folder where runs keep what they remember. */

import { createHash } from 'node:crypto';
import { access, constants, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../common/user-error.js';
import { readReport } from '../conformance/engine/report/json.js';
import { makeFolder } from '../conformance/engine/send/known-copies.js';
import { placeOf, readText, stateFolder } from '../conformance/engine/settings/file.js';
import type { Context } from './context.js';
import type { OutcomeArguments } from './outcome.js';

/**
 * The folder of `--state`, or that of the user's state. Creates the former; throws a UserError if it cannot be used.
 */
export async function stateIn(folder: string | undefined, env: Context['env']): Promise<string> {
  if (folder === undefined) return stateFolder(env);
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = { EEXIST: 'it is no folder', ENOTDIR: 'it is in a file', EACCES: 'permission denied' }[code];
    throw new UserError(`--state ${folder} cannot be used: ${why ?? message}.`);
  }
  return folder;
}

/** The file with the report of the last run on a service. */
export const lastReport = (folder: string, baseUrl: string): string =>
  join(folder, `report-${createHash('sha256').update(placeOf(baseUrl)).digest('hex').slice(0, 32)}.json`);

/**
 * What `--state` adds to the arguments: the report is kept in the folder, and compared with that of the previous run on
 * this service. A report that cannot be read is deleted.
 */
export async function sinceLastTime(
  folder: string,
  baseUrl: string,
  args: OutcomeArguments,
): Promise<OutcomeArguments> {
  const file = lastReport(folder, baseUrl);
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
    ...(isReadable && { compare: [...(args.compare ?? []), file] }),
    report: [...(args.report ?? []), { format: 'json', file }],
  };
}
