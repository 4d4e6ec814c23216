/** Reads files of users, and reports what is wrong with them. */

import { closeSync, openSync, readSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { suggestion } from '../../../common/nearest.js';
import { UserError } from '../../../common/user-error.js';
import { contract } from '../contract.js';
import { urlOf } from '../http/address.js';

export type Known<Options> = Readonly<Record<keyof Options, true>>;

/** Throws a SettingsError for unknown options, which plain JavaScript would ignore. */
export function checkOptions<Options extends object>(of: string, options: Options, known: Known<Options>): void {
  const names = Object.keys(known);
  const misspelt = Object.keys(options).filter((name) => !names.includes(name));
  if (misspelt.length === 0) return;
  throw new SettingsError(
    of,
    misspelt.map((name) => `${of}: ${name} is not an option; ${suggestion(name, names)}`),
  );
}

// Base URLs, durations and folders, as users write or have them.

/** What is wrong with a base URL, as the end of a sentence. Does not quote the URL: it may contain a secret. */
export function baseUrlFault(text: string): string | undefined {
  const url = urlOf(text);
  if (!url && /\.(ya?ml|json)$/i.test(text)) return 'must be a URL; a target file is named by --target.';
  if (!url && /\.(har|ndjson)(\.\w+)?$/i.test(text)) return 'must be a URL; a recording is named by --recording.';
  if (!url && /^[\w-]+(\.[\w-]+)+(\/|$)/.test(text)) return withoutScheme;
  if (!url) return 'must be a URL such as https://staging.example.com.';
  const { protocol, username, password, pathname } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return withoutScheme;
  if (username || password) return 'must hold no user name and no password: keys come from environment variables.';
  if (/[?#]/.test(text)) return 'must end before any ? or #.';
  const { prefix } = contract();
  const path = pathname.replace(/\/*$/, '/');
  const starts = [...prefix.matchAll(/(?<=.)\//g)].map(({ index }) => prefix.slice(0, index + 1));
  if (starts.some((start) => path.endsWith(start) || (start === prefix && path.includes(prefix))))
    return `must end before ${prefix.slice(0, -1)}, which every operation begins with.`;
  return undefined;
}

const withoutScheme = 'must begin with http:// or https://.';

/** Normalises the address of a service. A name below `localhost` stays: it may be another service. */
export function placeOf(baseUrl: string): string {
  const url = urlOf(baseUrl);
  if (!url) return baseUrl;
  if (['localhost', '[::1]'].includes(url.hostname)) url.hostname = '127.0.0.1';
  return url.href.replace(/\/+$/, '');
}

/** Whether a request to this URL stays on this machine. */
export function isLoopback(url: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(urlOf(url)?.hostname ?? '');
}

/** Whether others on the network could read what is sent. */
export const isReadable = (url: string): boolean => urlOf(url)?.protocol === 'http:' && !isLoopback(url);

type Env = Readonly<Record<string, string | undefined>>;

/** The home of this user. In a container the user may have none: then the folder of temporary files. */
function homeOf(find: () => string): string {
  try {
    return find();
  } catch {
    return tmpdir();
  }
}

/** The state folder of this user for this package. */
export function stateFolder(
  env: Env,
  platform: NodeJS.Platform = process.platform,
  findHome: () => string = homedir,
): string {
  const home = homeOf(findHome);
  const base =
    env.XDG_STATE_HOME ||
    (platform === 'win32'
      ? env.LOCALAPPDATA || join(home, 'AppData', 'Local')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : join(home, '.local', 'state'));
  return join(base, 'workflow-contract');
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration such as `90s`, `15m` or `1h30m` in whole milliseconds; undefined for other texts. */
export function milliseconds(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  return Math.ceil(parts.reduce((sum, [, number = '', unit = '']) => sum + Number(number) * (units[unit] ?? 0), 0));
}

export type Path = readonly (string | number)[];

export interface Mistake {
  readonly path: Path;
  readonly text: string;
  /** Its name is wrong, whatever its value. */
  readonly isUnknown?: true;
}

/** For users: everything that is wrong with a file, one line each, with its place. */
export class SettingsError extends UserError {
  override name = 'SettingsError';

  constructor(file: string, lines: readonly string[]) {
    super(lines.length === 1 ? lines[0] : [`${file} has ${lines.length} mistakes:`, ...lines].join('\n  '));
  }
}

const MB = 1024 * 1024;
/** Enough for the JSON report of a long run. A longer text does not fit into a string. */
const longest = 400 * MB;
/** Enough for a list that people maintain, such as a baseline. */
export const longestList = MB;

/** Reads a file, `-` for standard input. Throws a SettingsError if it cannot be read or is too long. */
export function readText(file: string, most = longest): string {
  let bytes: Buffer;
  try {
    bytes = readBytes(file, most);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = { ENOENT: 'does not exist', EISDIR: 'is a folder', EACCES: 'may not be read' }[code ?? ''];
    throw new SettingsError(file, [`${file} ${why ?? `cannot be read: ${message}`}.`]);
  }
  if (bytes.length > most) {
    const limit = most < MB ? `${most / 1024} kB` : `${most / MB} MB`;
    throw new SettingsError(file, [`${file} is longer than ${limit}, which no such file is.`]);
  }
  // PowerShell's `>` writes UTF-16.
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new SettingsError(file, [`${file} is not UTF-8 text; save it as UTF-8.`]);
  }
}

/** The bytes of a file, or of the beginning of one that is longer than `most`: a device may have no end. */
function readBytes(file: string, most: number): Buffer {
  const handle = file === '-' ? 0 : openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= most; ) {
      const chunk = Buffer.alloc(MB);
      const read = readSync(handle, chunk);
      if (read === 0) break;
      chunks.push(chunk.subarray(0, read));
      size += read;
    }
    return Buffer.concat(chunks);
  } finally {
    if (handle !== 0) closeSync(handle);
  }
}
