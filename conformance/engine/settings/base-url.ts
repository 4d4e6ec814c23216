/** Base URLs, durations and folders, as users write or have them. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { contract } from '../contract.js';
import { urlOf } from '../http/address.js';

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

/** The state folder of this user for this package. */
export function stateFolder(env: Env, platform: NodeJS.Platform = process.platform, home: string = homedir()): string {
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
