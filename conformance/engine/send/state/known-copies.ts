/** The copies that runs made, kept in a file: later runs use them again, and count them. */
import { createHash, randomUUID } from 'node:crypto';
import { access, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../../outcome/ids.js';
import { isFields } from '../../outcome/read.js';
import { placeOf } from '../../settings/base-url.js';
import { SettingsError } from '../../settings/file.js';
import { makeFolder } from './lock.js';

/** A copy that may still exist. */
export interface KnownCopy {
  readonly id: string;
  /** Its description when it was made: with it, nobody uses the copy yet. */
  readonly description?: string;
  /** It is in another organization, where the key may not reach it. */
  readonly isElsewhere?: true;
}

/** The copies of a profile, the latest first. */
export interface CopiesEntry {
  readonly baseUrl: string;
  readonly profile: string;
  readonly copies: readonly KnownCopy[];
}

export interface KnownCopies {
  of(baseUrl: string, profile: string): Promise<CopiesEntry | undefined>;
  write(entry: CopiesEntry): Promise<void>;
}

/** Remembers nothing. */
export const noKnownCopies: KnownCopies = { of: async () => undefined, write: async () => {} };

/**
 * The copies that runs of this user made: a file for each profile, which only the user can read. A file that cannot be
 * read or written is reported to `warn` once, and the run goes on.
 */
export function copiesIn(folder: string, warn: (text: string) => void): KnownCopies {
  const warned = new Set<string>();
  const tell = (text: string) => {
    if (!warned.has(text)) warn(text);
    warned.add(text);
  };
  const fileOf = (kind: string, baseUrl: string, profile: string) => {
    const name = createHash('sha256')
      .update(`${placeOf(baseUrl)}\n${profile}`)
      .digest('hex')
      .slice(0, 32);
    return join(folder, `${kind}-${name}.json`);
  };
  return {
    async of(baseUrl, profile) {
      await refuseUnfinished(fileOf('profile', baseUrl, profile), profile);
      const file = fileOf('copies', baseUrl, profile);
      try {
        const { copies } = JSON.parse(await readFile(file, 'utf8'));
        return { baseUrl, profile, copies: Array.isArray(copies) ? copies.flatMap(copyIn) : [] };
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'ENOENT' && code !== 'ENOTDIR')
          tell(`${file} cannot be read (${code ?? 'it is no list of copies'}): copies of earlier runs are unknown.`);
        return undefined;
      }
    },
    write: (entry) =>
      writeWhole(folder, fileOf('copies', entry.baseUrl, entry.profile), JSON.stringify(entry)).catch((error) =>
        tell(
          `${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? error}): a later run does not know the copies of this one. Name another folder by --state, or by XDG_STATE_HOME.`,
        ),
      ),
  };
}

/** Earlier versions kept the id alone. */
function copyIn(value: unknown): KnownCopy[] {
  const { id, description, isElsewhere } = isFields(value) ? value : { id: value };
  if (!isId(id)) return [];
  return [
    { id, ...(typeof description === 'string' && { description }), ...(isElsewhere === true && { isElsewhere }) },
  ];
}

/** Earlier versions changed the declared profile, and kept what it was in this file until they had put it back. */
async function refuseUnfinished(file: string, profile: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new SettingsError(file, [
      `${file}: a run of an earlier version left the profile ${profile} changed. Put it back by "workflow-contract restore" of that version, or by hand, and delete the file.`,
    ]);
}

/** Writes a new file and renames it: a run that is killed meanwhile leaves the old text or the new one. */
async function writeWhole(folder: string, file: string, text: string): Promise<void> {
  await makeFolder(folder);
  const beside = `${file}.${randomUUID().slice(0, 8)}`;
  try {
    const handle = await open(beside, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
