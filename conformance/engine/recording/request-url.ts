/** Where a request went. What records in front of a server writes its path, and the host in a header. */
import { type Fields, isFields } from '../outcome/read.js';
import { textOf } from './raw.js';

/** By its scheme, which is no host with a port. */
const isAbsolute = (url: string): boolean => /^[a-z][a-z\d+.-]*:(?!\d)/i.test(url);

/** Whether nothing of it tells which host it went to. */
export const isPath = (url: string): boolean => url.startsWith('/') && !url.startsWith('//');

/** The URLs that a request may have gone to, the likeliest first: a path and a host do not tell by which scheme. */
export function urlsOf(request: Fields): string[] {
  const header = (name: string) => headerOf(request.headers, name);
  const http2Path = request.url === undefined || request.url === '' ? header(':path') : undefined;
  const url = http2Path ?? textOf(request.url, 'request.url');
  if (isAbsolute(url)) return [url];
  const host = isPath(url) ? (header(':authority') ?? header('host')) : '';
  if (host === undefined) return [url];
  const [scheme] = [header(':scheme') ?? header('x-forwarded-proto')].filter((one) => /^https?$/.test(one ?? ''));
  return (scheme ? [scheme] : ['https', 'http']).map((one) => `${one}://${host}${url.replace(/^\/\//, '')}`);
}

/** A header in the form of either file: a list of names and values, or an object. */
function headerOf(headers: unknown, wanted: string): string | undefined {
  const pairs = Array.isArray(headers)
    ? headers.filter(isFields).map(({ name, value }) => [name, value])
    : Object.entries(isFields(headers) ? headers : {});
  const [, value] = pairs.find(([name]) => typeof name === 'string' && name.toLowerCase() === wanted) ?? [];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
