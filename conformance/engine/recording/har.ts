import { isUtf8 } from 'node:buffer';
import { UserError } from '../../../common/user-error.js';
import { decodeBody, isEncoded } from '../http/body.js';
import { type Fields, isFields, redirects } from '../outcome/read.js';
import { isMasked, replacementIn } from '../rule/altered.js';
import type { Failure } from '../vocabulary.js';

// A recorded exchange before it is judged, and how its values are read from any kind of file.

/** Says for users what is wrong with a recording, and where. */
export class RecordingError extends UserError {
  override name = 'RecordingError';
}

/** A recorded request and its answer, from any kind of file. It still contains keys. */
export interface RawExchange {
  /** When it was sent, in milliseconds since the epoch. */
  readonly at: number;
  /** Undefined if the recorder did not know. */
  readonly durationMs: number | undefined;
  readonly request: Message;
  /** `repeatsKey` if the recording says so. */
  readonly response?: Message & { readonly status: number; readonly repeatsKey?: boolean };
  readonly failure?: Failure;
}

export type Headers = Readonly<Record<string, string>>;

export interface Message {
  readonly headers: Headers;
  readonly body: RawBody;
}

/** Empty if there was no body. `isWhole` is false if it is known to be cut or missing; `isExact` if it is known not to be. */
export interface RawBody {
  readonly text: string;
  readonly isWhole: boolean;
  readonly isExact?: boolean;
}

export const wholeBody = (text: string): RawBody => ({ text, isWhole: true });
export const omittedBody: RawBody = { text: '', isWhole: false };

/** What is wrong with one exchange. The catcher knows its place. */
export class Malformed extends Error {}

export function fieldsOf(value: unknown, name: string): Fields {
  if (isFields(value)) return value;
  throw new Malformed(`${name} is ${value === undefined ? 'missing' : 'not an object'}`);
}

export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Malformed(`${name} is ${value === undefined ? 'missing' : 'not a text'}`);
}

/** The value of a header. Several values may be a list. */
export function headerOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  if (typeof value === 'object') throw new Malformed(`${name} has a header whose value is not a text`);
  return String(value);
}

export function numberOf(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Malformed(`${name} is ${value === undefined ? 'missing' : 'not a number'}`);
}

/** Some recorders write it as a text. */
export const statusOf = (value: unknown): number =>
  numberOf(typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value, 'response.status');

/** Nobody says why: it may never have been sent. */
export const noAnswer: Failure = { kind: 'unknown', message: 'No answer was recorded.' };

/** A year: no request takes longer. */
const longestMs = 3.2e10;

/** A duration, limited in case the clock was set meanwhile. */
export const boundedDuration = (ms: unknown): number =>
  typeof ms === 'number' && ms > 0 ? Math.min(ms, longestMs) : 0;

/** The latest time in milliseconds: the range of ECMAScript, less a year for what is added to it. */
const latest = 8.64e15 - longestMs;

/** Smaller numbers are seconds (up to the year 5138), larger ones milliseconds (from 1973). */
const fewestMs = 1e11;
/** Smaller numbers do not count from the epoch. */
const fewestSeconds = 1e8;

/** Milliseconds since the epoch, with the fractions that `Date.parse` drops; NaN if it is no time. */
export function epochMs(value: unknown): number {
  if (typeof value === 'number') return value >= fewestSeconds && value < fewestMs ? value * 1000 : value;
  if (typeof value !== 'string') return Number.NaN;
  const [, finer = ''] = /\.\d{3}(\d+)/.exec(value) ?? [];
  return Date.parse(value) + Number(`0.${finer}`);
}

export function timeOf(value: unknown, name: string): number {
  const at = epochMs(typeof value === 'number' ? value : textOf(value, name));
  // Outside the range of dates.
  if (!(Math.abs(at) <= latest)) throw new Malformed(`${name} is not a date and time`);
  return at;
}

/** Larger bodies, once decompressed, are not judged. */
export const mostBytes = 64 * 1024 * 1024;

/** NaN if the headers do not say. */
const lengthIn = (headers: Headers): number => Number.parseInt(headers['content-length'] ?? '', 10);

/** Whether the headers announce a body. */
export const announcesBody = (headers: Headers): boolean => lengthIn(headers) > 0;

export const announcesNoBody = (headers: Headers): boolean => lengthIn(headers) === 0;

/** Characters that show that bytes were taken for text. */
const unlikeText = /[^\P{Cc}\s]|\ufffd/u;

/** What recorders append to a body that they have cut. */
const afterCut = /(?:\.{3}|…|truncated(?:[^"]{0,20}\W)?)\s*$/i;
const shownEnd = 40;

/** Whether a text that is not JSON may be incomplete, or another form of what was sent. */
export function mayBeIncomplete(text: string, headers: Headers): boolean {
  if (text === '') return announcesBody(headers);
  // The length of a compressed body differs from that of its text.
  if (isEncoded(headers['content-encoding'])) return unlikeText.test(text);
  return lengthIn(headers) > Buffer.byteLength(text) || (/^\s*[[{]/.test(text) && afterCut.test(text.slice(-shownEnd)));
}

const idOrTime = /"(?:id|\w+Id|\w+At)"\s*:\s*"([^"]{0,60})"/g;

/** A placeholder without a number stands for any value: `<uuid>`. */
const isForAny = (value: string): boolean =>
  !/\d/.test(value.replaceAll(/0{4,}/g, '')) && replacementIn(value) === value;

/** Whether an id or a time is masked. Callers and services do not mask these, so the recorder did. */
export const masksIds = (text: string): boolean =>
  [...text.matchAll(idOrTime)].some(([, value = '']) => isMasked(value) || isForAny(value));

// Reads an entry of a HAR 1.2 file of a browser, proxy or load generator.

export const isHarEntry = (value: Fields): boolean => 'startedDateTime' in value;

/** Undefined if the answer did not come over the network. */
export function fromHar(entry: Fields): RawExchange | undefined {
  const request = fieldsOf(entry.request, 'request');
  const response = isFields(entry.response) ? entry.response : { status: 0 };
  const status = statusOf(response.status);
  if (!isFromNetwork(entry, response, status)) return undefined;
  const [begun, time] = [timeOf(entry.startedDateTime, 'startedDateTime'), timeIn(entry)];
  const waited = Math.min(beforeSending(entry.timings), time ?? 0);
  return {
    at: begun + waited,
    durationMs: time === undefined ? undefined : time - waited,
    request: messageOf(request),
    // Browsers write 0 for no answer.
    ...(status <= 0
      ? { failure: failureOf(entry._error ?? response._error ?? response._failureText) }
      : {
          response: {
            status,
            ...responseOf(response),
            ...(typeof entry._repeatsKey === 'boolean' && { repeatsKey: entry._repeatsKey }),
          },
        }),
  };
}

/**
 * Whether an answer came over the network: not from a cache, a service worker, which sends requests
 * of its own, a test that intercepts requests, or a browser that redirects because it knows a host by HTTPS alone.
 */
function isFromNetwork(entry: Fields, response: Fields, status: number): boolean {
  const { bodySize, content, headers, _transferSize } = response;
  const { cache, _fetchType = 'Network Load' } = entry;
  const isMarked = Object.entries({ ...entry, ...response }).some(([name, value]) => value && otherSource.test(name));
  return !(
    isMarked ||
    (bodySize === 0 && isFields(content) && isText(content.text)) ||
    (_transferSize === 0 && status > 0) ||
    (isFields(cache) && 'afterRequest' in cache && !('beforeRequest' in cache)) ||
    _fetchType !== 'Network Load' ||
    (redirects.includes(status) && 'non-authoritative-reason' in headersOf(headers, 'response.headers'))
  );
}

/** How recorders name it that an answer did not come over the network: `_fromCache`, `_wasFulfilled`. */
const otherSource = /^_.*(?:cache|fulfilled|intercept|mock|offline|replay|serviceworker|stub)/i;

/** HAR 1.2: `time` is the sum of `timings`. Recorders write null, 0 or -1 for the one that they do not know. */
function timeIn({ time, timings, _timed }: Fields): number | undefined {
  // This suite has measured what it writes, so 0 means 0.
  if (_timed === true) return boundedDuration(time);
  if (boundedDuration(time) > 0) return boundedDuration(time);
  const { ssl: _, ...steps }: Fields = isFields(timings) ? timings : {};
  const sum = Object.values(steps).reduce<number>((ms, step) => ms + boundedDuration(step), 0);
  return sum > 0 ? boundedDuration(sum) : undefined;
}

/** Browsers include the time in their own queue, for which a target is not responsible. */
const beforeSending = (timings: unknown): number =>
  isFields(timings)
    ? boundedDuration(timings.blocked) + boundedDuration(timings.dns) + boundedDuration(timings.connect)
    : 0;

function messageOf(request: Fields): Message {
  const headers = headersOf(request.headers, 'request.headers');
  return { headers, body: requestBody(request, headers) };
}

function headersOf(list: unknown, name: string): Record<string, string> {
  if (list === undefined) return {};
  if (!Array.isArray(list)) throw new Malformed(`${name} is not a list`);
  const headers: Record<string, string> = {};
  for (const item of list) {
    if (!isFields(item) || typeof item.name !== 'string') throw new Malformed(`${name} has an item without a name`);
    const key = item.name.toLowerCase();
    const value = headerOf(item.value, name);
    headers[key] = Object.hasOwn(headers, key) ? `${headers[key]}, ${value}` : value;
  }
  return headers;
}

function requestBody({ postData, bodySize }: Fields, headers: Headers): RawBody {
  const posted = isFields(postData) ? postData : {};
  if (typeof posted.text === 'string' && posted.text !== '')
    return { ...unpackedBody(bodyOf({ size: bodySize, ...posted }), headers), isExact: boundedDuration(bodySize) > 0 };
  const isLabelled = isText(headers['content-type'] ?? posted.mimeType);
  const isNone = announcesNoBody(headers) || posted.text === '' || (bodySize === 0 && !isLabelled);
  if (isNone || !(isLabelled || announcesBody(headers) || boundedDuration(bodySize) > 0)) return wholeBody('');
  return omittedBody;
}

function responseOf(response: Fields): { headers: Headers; body: RawBody } {
  const content = isFields(response.content) ? response.content : {};
  const headers = labelled(headersOf(response.headers, 'response.headers'), content);
  const body = unpackedBody(bodyOf(content), headers);
  if (body !== omittedBody) return { headers, body };
  const isUnlabelled = !('content-type' in headers);
  const isSaid = content.text === '' || response.bodySize === 0 || isUnlabelled;
  const empty = response.status === 204 || announcesNoBody(headers) || (content.size === 0 && isSaid);
  return { headers, body: empty ? wholeBody('') : omittedBody };
}

/** If no headers were recorded at all, the content type that the recorder noted takes their place. */
const labelled = (headers: Headers, { mimeType }: Fields): Headers =>
  Object.keys(headers).length === 0 && isText(mimeType) && mimeType !== 'x-unknown'
    ? { 'content-type': mimeType }
    : headers;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** `bytes`: content that is not text, and may be compressed. */
type Content = RawBody & { readonly bytes?: Buffer };

function bodyOf({ text, size, encoding }: Fields): Content {
  if (typeof text !== 'string' || text === '') return omittedBody;
  const bytes = isInBase64(text, encoding === 'base64') ? Buffer.from(text, 'base64') : undefined;
  const plain = bytes?.toString() ?? text;
  const isWhole = typeof size !== 'number' || size <= Buffer.byteLength(plain);
  return { text: plain, isWhole, ...(bytes && !isUtf8(bytes) && { bytes }) };
}

/** Recorders mark plain text as base64, or do not mark base64. The reading that is JSON counts, else the mark. */
function isInBase64(text: string, isMarked: boolean): boolean {
  const mayBe = /^[\w+/-]+={0,2}$/.test(text.replaceAll(/\s/g, ''));
  if (!mayBe) return false;
  if (isJson(text)) return isMarked && isJson(Buffer.from(text, 'base64').toString());
  return (
    isMarked ||
    (/^[[{]/.test(Buffer.from(text.slice(0, 4), 'base64').toString()) && isJson(Buffer.from(text, 'base64').toString()))
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const gzip = Buffer.from([0x1f, 0x8b]);

/** Some recorders store compressed bodies, and some of these omit the header that says so. */
function unpackedBody(body: Content, headers: Headers): RawBody {
  const { bytes } = body;
  if (!bytes) return body;
  const isGzip = bytes.subarray(0, gzip.length).equals(gzip);
  const plain = decodeBody(bytes, headers['content-encoding'] ?? (isGzip ? 'gzip' : ''), mostBytes);
  if (plain === bytes) return body;
  return plain instanceof Uint8Array ? wholeBody(Buffer.from(plain).toString()) : omittedBody;
}

const kinds: readonly Failure['kind'][] = ['unreachable', 'tls', 'timeout', 'broken', 'too-large', 'stopped'];

/** Messages of browsers and mitmproxy for requests that were never sent: no connection, or blocked by themselves. */
const unsent = new RegExp(
  [
    'CONNECTION_(REFUSED|FAILED|TIMED_OUT)|ECONNREFUSED|ENOTFOUND|could not connect|connect call failed|connection refused',
    '(NAME|HOST)_(NOT_RESOLVED|RESOLUTION_FAILED)|UNKNOWN_(PROXY_)?HOST|name or service not known|nodename nor servname',
    'INTERNET_DISCONNECTED|ADDRESS_(UNREACHABLE|INVALID)|no route to host|network is unreachable',
    'BLOCKED_BY_(CLIENT|ADMINISTRATOR)|(PROXY|TUNNEL)_CONNECTION|ERR_(SSL|CERT)_|SSL_ERROR|certificate verify failed',
  ].join('|'),
  'i',
);

/** Either as this suite writes it (`timeout: …`) or in the recorder's words. */
function failureOf(error: unknown): Failure {
  if (typeof error !== 'string' || error === '') return noAnswer;
  const kind = kinds.find((known) => error.startsWith(`${known}: `));
  if (kind) return { kind, message: error.slice(kind.length + 2) };
  return { kind: unsent.test(error) ? 'unreachable' : 'broken', message: error };
}
