import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFields, isId } from '../outcome/read.js';
import { placeOf } from '../settings/file.js';
import type { Facts } from '../vocabulary.js';

// Locks in files, which keep two runs of one user from changing the same things.

/**
 * Makes a folder that only the user can read, and its parents. Not with `recursive`: below /proc, mkdir reports ENOENT
 * although the parent exists, and Node then never returns.
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

const beatMs = 5000;
/** The lock of a run that was killed is not touched any more. */
const deadAfterMs = 6 * beatMs;
const lookMs = 250;

interface Holder {
  /** Distinguishes locks of the same process. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** Releases the locks. */
export type Release = () => Promise<void>;

/**
 * Locks things of a service for one run of this user, each by a file in the folder, and waits for other runs. `waits`
 * is called once, with the run that holds a lock. Undefined if the signal ended the wait. Throws if the folder cannot
 * be written.
 */
export async function acquireLocks(
  folder: string,
  things: readonly string[],
  signal: AbortSignal,
  waits: (holder: string) => void,
): Promise<Release | undefined> {
  await makeFolder(folder);
  const files = [...new Set(things)]
    .map((thing) => join(folder, `lock-${createHash('sha256').update(thing).digest('hex').slice(0, 32)}.json`))
    // Every run locks in the same order, so no two wait for one another.
    .sort();
  const own: Holder = { id: randomUUID(), pid: process.pid, host: hostname(), since: new Date().toISOString() };
  const held: string[] = [];
  const release = async () => {
    clearInterval(beating);
    await Promise.all(held.map((file) => letGo(file, own)));
  };
  const beating = setInterval(() => {
    const now = new Date();
    for (const file of held) utimes(file, now, now).catch(() => undefined);
  }, beatMs).unref();
  try {
    let isTold = false;
    for (const file of files) {
      while (!(await take(file, own))) {
        if (signal.aborted) return void (await release());
        const holder = await holderOf(file);
        if (holder && !isTold) waits(`process ${holder.pid} on ${holder.host}, since ${holder.since}`);
        isTold ||= holder !== undefined;
        await delay(lookMs, undefined, { signal }).catch(() => undefined);
      }
      held.push(file);
    }
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Tries to take the lock. */
async function take(file: string, own: Holder): Promise<boolean> {
  if (await claim(file, own)) return true;
  if (await isAlive(file)) return false;
  // Only one run at a time removes a dead lock, and checks again: meanwhile another run may have taken it.
  const clearing = `${file}.clearing`;
  if (await claim(clearing, own)) {
    if (!(await isAlive(file))) await rm(file, { force: true });
    await rm(clearing, { force: true });
  } else if (!(await isAlive(clearing))) await rm(clearing, { force: true });
  return false;
}

/** Creates the file; false if it exists. */
async function claim(file: string, own: Holder): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** If the run was suspended for long, the lock may belong to another one by now. */
async function letGo(file: string, own: Holder): Promise<void> {
  if ((await holderOf(file))?.id === own.id) await rm(file, { force: true });
}

async function isAlive(file: string): Promise<boolean> {
  const [stats, holder] = [await stat(file).catch(() => undefined), await holderOf(file)];
  if (!stats) return false;
  if (Date.now() - stats.mtimeMs > deadAfterMs) return false;
  if (!holder || holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function holderOf(file: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isFields(value) && typeof value.pid === 'number' ? (value as unknown as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** Another run still uses what this one would change. */
export class BusyError extends Error {
  /** The exit code of an incomplete run. */
  readonly exitCode = 3;
}

export interface Waiting {
  /** The folder of the locks. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Reports why the run waits, or why locking failed. */
  readonly say: (text: string) => void;
}

/** The ids of what a run changes: two runs at once would blame the service for each other's changes. */
export function changedBy({ allow, stateful, profile, scratchProfile, profileGroup, capacity, pool }: Facts): string[] {
  if (allow === 'read' || !stateful) return [];
  return [profile, scratchProfile, profileGroup, capacity?.profileGroup, pool].filter((id) => id !== undefined);
}

/**
 * Locks what this run would change, and reports if it waits for another run. Throws a BusyError if the signal ends the
 * wait. Returns what releases the locks.
 */
export async function lockTarget(
  baseUrl: string,
  ids: readonly string[],
  { folder, signal, say }: Waiting,
): Promise<Release> {
  if (ids.length === 0) return async () => {};
  const things = ids.map((id) => `${placeOf(baseUrl)} ${id}`);
  const waits = (holder: string) =>
    say(`another run uses what this one would change (${holder}); waiting until it ends.`);
  const held = await acquireLocks(folder, things, signal, waits).catch((error: Error) => {
    say(
      `cannot tell whether another run uses the same things: ${error.message}. Name another folder by --state, or by XDG_STATE_HOME.`,
    );
    return async () => {};
  });
  if (!held) throw new BusyError('another run still uses what this one would change: nothing was sent.');
  return held;
}

// The copies that runs made, kept in a file: later runs use them again, and count them.

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
  const fileOf = (baseUrl: string, profile: string) => {
    const name = createHash('sha256')
      .update(`${placeOf(baseUrl)}\n${profile}`)
      .digest('hex')
      .slice(0, 32);
    return join(folder, `copies-${name}.json`);
  };
  return {
    async of(baseUrl, profile) {
      const file = fileOf(baseUrl, profile);
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
      writeWhole(folder, fileOf(entry.baseUrl, entry.profile), JSON.stringify(entry)).catch((error) =>
        tell(
          `${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? error}): a later run does not know the copies of this one. Name another folder by --state, or by XDG_STATE_HOME.`,
        ),
      ),
  };
}

function copyIn(value: unknown): KnownCopy[] {
  const { id, description, isElsewhere } = isFields(value) ? value : {};
  if (!isId(id)) return [];
  return [
    { id, ...(typeof description === 'string' && { description }), ...(isElsewhere === true && { isElsewhere }) },
  ];
}

/** Writes a new file and renames it: a run that is killed meanwhile leaves the old text or the new one. */
async function writeWhole(folder: string, file: string, text: string): Promise<void> {
  await makeFolder(folder);
  const beside = `${file}.${randomUUID().slice(0, 8)}`;
  try {
    await writeFile(beside, text, { flag: 'wx', mode: 0o600, flush: true });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
