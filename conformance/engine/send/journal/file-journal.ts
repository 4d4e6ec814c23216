/** The journal as files in a folder. */
import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../../outcome/ids.js';
import { isFields } from '../../outcome/read.js';
import { placeOf } from '../../settings/base-url.js';
import type { CopiesEntry, Journal, ProfileEntry, UncleanedCopy } from './journal.js';
import { makeFolder } from './lock.js';

/**
 * A journal in a folder that only its user can read: one file for each profile, written atomically. If it cannot be
 * written, `warn` is told once and the run goes on.
 */
export function fileJournal(folder: string, warn: (text: string) => void): Journal {
  const warned = new Set<string>();
  const tell = (text: string) => {
    if (!warned.has(text)) warn(text);
    warned.add(text);
  };
  const unwritable = (error: unknown) =>
    tell(
      `${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? error}): if this run is killed, a later run cannot put back what it changed. Name another folder by --state, or by XDG_STATE_HOME.`,
    );
  const unreadable = (place: string, reason: unknown) =>
    tell(`${place} cannot be read (${reason}), so it is unknown whether an earlier run left something changed.`);
  const fileOf = (baseUrl: string, profile: string, kind = 'profile') =>
    join(
      folder,
      `${kind}-${createHash('sha256')
        .update(`${placeOf(baseUrl)}\n${profile}`)
        .digest('hex')
        .slice(0, 32)}.json`,
    );
  const entriesOf = async <E extends { readonly baseUrl: string }>(kind: string, read: Read<E>, baseUrl: string) =>
    (await allEntries(folder, kind, read, unreadable)).filter(
      (entry) => baseUrl === '' || placeOf(entry.baseUrl) === placeOf(baseUrl),
    );
  return {
    profiles: async (baseUrl) =>
      (await entriesOf('profile', profileEntry, baseUrl)).toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1)),
    writeProfile: (entry) =>
      writeWhole(folder, fileOf(entry.baseUrl, entry.profile), JSON.stringify(entry)).catch(unwritable),
    copies: (baseUrl) => entriesOf('copies', copiesEntry, baseUrl),
    writeCopies: (entry) =>
      writeWhole(folder, fileOf(entry.baseUrl, entry.profile, 'copies'), JSON.stringify(entry)).catch(unwritable),
    forgetProfile: (baseUrl, profile) => rm(fileOf(baseUrl, profile), { force: true }).catch(unwritable),
  };
}

type Unreadable = (place: string, reason: unknown) => void;

/** Parses an entry; undefined if the value is none. */
type Read<E> = (value: unknown) => E | undefined;

/** Every entry of a kind in the folder. Other files are left alone. */
async function allEntries<E>(folder: string, kind: string, read: Read<E>, unreadable: Unreadable): Promise<E[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') unreadable(folder, error.code);
    return [];
  });
  const files = names
    .filter((name) => new RegExp(`^${kind}-[\\da-f]{32}\\.json$`).test(name))
    .map((name) => join(folder, name));
  const found = await Promise.all(
    files.map(async (file) => {
      const value = await readJson(file);
      const entry = read(value);
      if (entry) return [entry];
      const code = (value as NodeJS.ErrnoException | undefined)?.code;
      // Another run may have restored the profile and removed the file.
      if (code !== 'ENOENT') unreadable(file, code ?? 'it is not a journal entry');
      return [];
    }),
  );
  return found.flat();
}

const profileEntry: Read<ProfileEntry> = (value) => (isProfileEntry(value) ? value : undefined);

/** Files of an earlier version have no `untidied`. */
const copiesEntry: Read<CopiesEntry> = (value) =>
  isFields(value) &&
  typeof value.baseUrl === 'string' &&
  typeof value.profile === 'string' &&
  Array.isArray(value.copies)
    ? {
        baseUrl: value.baseUrl,
        profile: value.profile,
        copies: value.copies.filter(isId),
        untidied: Array.isArray(value.untidied) ? value.untidied.filter(isUntidied) : [],
      }
    : undefined;

const isUntidied = (value: unknown): value is UncleanedCopy =>
  isFields(value) &&
  isId(value.id) &&
  typeof value.description === 'string' &&
  (value.since === undefined || Array.isArray(value.since));

const isProfileEntry = (value: unknown): value is ProfileEntry =>
  isFields(value) &&
  typeof value.baseUrl === 'string' &&
  typeof value.profile === 'string' &&
  isFields(value.original) &&
  Array.isArray(value.touched) &&
  isFields(value.added) &&
  Array.isArray(value.added.cookies) &&
  Array.isArray(value.added.credentials);

/** The content of the file, or the error of reading it. */
async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    return error;
  }
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
