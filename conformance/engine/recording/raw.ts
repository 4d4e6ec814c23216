/** Reads one exchange as it was recorded: an entry of a HAR, or a line as this suite writes it. */

import { isUtf8 } from 'node:buffer';
import { UserError } from '../../../common/user-error.js';
import { isEncoded, truncate } from '../http/body.js';
import { isCut } from '../outcome/outcome.js';
import { type Fields, isFields, redirects } from '../outcome/read.js';
import type { Body, Failure } from '../vocabulary.js';

/** Says for users what is wrong with a recording, and where. */
export class RecordingError extends UserError {
  override name = 'RecordingError';
}

/** What is wrong with one exchange. The catcher knows its place. */
export class Malformed extends Error {}

/** A recorded request and its answer. It still contains keys. */
export interface RawExchange {
  /** When it was sent, in milliseconds since the epoch. */
  readonly at: number;
  /** Undefined if the recorder did not know. */
  readonly durationMs: number | undefined;
  readonly request: Message;
  /** `repeatsKey` if the recording says so. */
  readonly response?: Message & { readonly status: number };
  readonly failure?: Failure;
}

type Headers = Readonly<Record<string, string>>;

export interface Message {
  readonly headers: Headers;
  /** Empty if there was none; undefined if it was not recorded, or not as text. */
  readonly body: string | undefined;
  /** How many bytes were sent, if the recorder says so. */
  readonly size?: number;
  /** The text is as on the wire, unless another length was announced. */
  readonly isWire?: boolean;
  readonly repeatsKey?: boolean;
}

/** Larger bodies, once decompressed, are not judged. */
export const mostBytes = 64 * 1024 * 1024;

const lengthIn = (headers: Headers): number => Number.parseInt(headers['content-length'] ?? '', 10);

/** Characters that show that bytes were taken for text. */
const unlikeText = /[^\P{Cc}\s]|\ufffd/u;
/** What recorders append to JSON that they have cut. */
const afterCut = /^\s*[[{].*(?:\.{3}|…|truncated(?:[^"]{0,20}\W)?)\s*$/is;

/** How many bytes a text should have; NaN if that is unknown. The length of a compressed body differs from it. */
const lengthOf = ({ headers, body, size }: Message): number =>
  size ?? (body && isEncoded(headers['content-encoding']) ? Number.NaN : lengthIn(headers));

/** Words for what was masked in a text: it is shorter for that. */
const masks = /\[(?:masked|redacted|signed)\b|[*•]{3}/;

/** Whether a text is as long as it was announced: a shorter one may lack items of lists. Undefined if that is unknown. */
export function isFull(message: Message): boolean | undefined {
  const { body = '', isWire } = message;
  const rest = lengthOf(message) - Buffer.byteLength(body);
  return rest > 0 && !masks.test(body) ? false : rest === 0 || (Number.isNaN(rest) && isWire) || undefined;
}

/** Whether a body was recorded, and all of it. One that parses is JSON to its end, whatever else is said of it. */
export function isWhole(message: Message, parsed: Body): boolean {
  const { headers, body, size, repeatsKey = false } = message;
  if (body === undefined) return false;
  // It may be shorter because a key was removed from it.
  if (parsed.kind === 'json' || repeatsKey) return true;
  const isShort = lengthOf(message) > Buffer.byteLength(body);
  if (isShort || (isEncoded(headers['content-encoding']) && unlikeText.test(body))) return false;
  // Who cut JSON off is only known if its length was announced.
  return !afterCut.test(body) && ((size ?? lengthIn(headers)) > 0 || !isCut(parsed));
}

/** Undefined if the answer did not come over the network. */
export const rawOf = (fields: Fields): RawExchange | undefined =>
  'startedDateTime' in fields ? fromHar(fields) : fromLine(fields);

function fromLine(value: Fields): RawExchange {
  const { durationMs, untimed, failure } = value;
  const isTimed = typeof durationMs === 'number' && durationMs >= 0 && untimed !== true;
  const common = {
    at: timeOf(value.at, 'at'),
    durationMs: isTimed ? boundedDuration(durationMs) : undefined,
    request: lineMessage(fieldsOf(value.request, 'request'), 'request'),
  };
  if (value.response === undefined) return { ...common, failure: isFields(failure) ? failureIn(failure) : noAnswer };
  const response = fieldsOf(value.response, 'response');
  return { ...common, response: { ...lineMessage(response, 'response'), status: statusOf(response.status) } };
}

/** Nobody says why: it may never have been sent. */
const noAnswer: Failure = { kind: 'unknown', message: 'No answer was recorded.' };

const failureIn = ({ kind, message }: Fields): Failure => ({
  kind: textOf(kind, 'failure.kind') as Failure['kind'],
  message: textOf(message, 'failure.message'),
});

function lineMessage({ headers, body, repeatsKey }: Fields, name: string): Message {
  const { kind, value, text }: Fields = body === undefined ? { kind: 'none' } : isFields(body) ? body : {};
  const message = {
    headers: headersOf(headers, `${name}.headers`),
    ...(typeof repeatsKey === 'boolean' && { repeatsKey }),
  };
  if (kind === 'none') return { ...message, body: '' };
  if (kind === 'lost') return { ...message, body: undefined };
  if (kind === 'json' && value !== undefined) {
    truncate(value);
    return { ...message, body: JSON.stringify(value) };
  }
  if (kind !== 'text' && kind !== 'not-json')
    throw new Malformed(
      `${name}.body has an unknown kind; use none, json with a value, text or not-json with a text, or lost`,
    );
  const sent = textOf(text, `${name}.body.text`);
  // This suite has looked at what it calls no JSON.
  return { ...message, body: sent, ...(kind === 'text' ? { isWire: true } : { size: Buffer.byteLength(sent) }) };
}

function fromHar(entry: Fields): RawExchange | undefined {
  const request = fieldsOf(entry.request, 'request');
  const response = isFields(entry.response) ? entry.response : { status: 0 };
  const status = statusOf(response.status);
  const received = headersOf(response.headers, 'response.headers');
  if (!isFromNetwork(entry, response, received, status)) return undefined;
  const [begun, time] = [timeOf(entry.startedDateTime, 'startedDateTime'), timeIn(entry)];
  const waited = Math.min(beforeSending(entry.timings), time ?? 0);
  const sent = headersOf(request.headers, 'request.headers');
  return {
    at: begun + waited,
    durationMs: time === undefined ? undefined : time - waited,
    request: { headers: sent, ...requestBody(request, sent) },
    // Browsers write 0 for no answer.
    ...(status <= 0
      ? { failure: failureOf(entry._error ?? response._error ?? response._failureText) }
      : {
          response: {
            status,
            headers: received,
            ...responseBody(response, received),
            ...(typeof entry._repeatsKey === 'boolean' && { repeatsKey: entry._repeatsKey }),
          },
        }),
  };
}

/**
 * Whether an answer came over the network: not from a cache, a service worker, which sends requests of its own, a test
 * that intercepts requests, or a browser that redirects because it knows a host by HTTPS alone.
 */
function isFromNetwork(entry: Fields, response: Fields, headers: Headers, status: number): boolean {
  const { bodySize, content, _transferSize } = response;
  const { cache, _fetchType = 'Network Load' } = entry;
  return !(
    Object.entries({ ...entry, ...response }).some(([name, value]) => value && otherSource.test(name)) ||
    (bodySize === 0 && isFields(content) && isText(content.text)) ||
    (_transferSize === 0 && status > 0) ||
    (isFields(cache) && 'afterRequest' in cache && !('beforeRequest' in cache)) ||
    _fetchType !== 'Network Load' ||
    (redirects.includes(status) && 'non-authoritative-reason' in headers)
  );
}

/** How recorders name it that an answer did not come over the network: `_fromCache`, `_wasFulfilled`. */
const otherSource = /^_.*(?:cache|fulfilled|intercept|mock|offline|replay|serviceworker|stub)/i;

/** HAR 1.2: `time` is the sum of `timings`. Recorders write null, 0 or -1 for the one that they do not know. */
function timeIn({ time, timings, _timed }: Fields): number | undefined {
  // This suite has measured what it writes, so 0 means 0.
  if (_timed === true || boundedDuration(time) > 0) return boundedDuration(time);
  const { ssl: _, ...steps }: Fields = isFields(timings) ? timings : {};
  const sum = Object.values(steps).reduce<number>((ms, step) => ms + boundedDuration(step), 0);
  return sum > 0 ? boundedDuration(sum) : undefined;
}

/** Browsers include the time in their own queue, for which a target is not responsible. */
const beforeSending = (timings: unknown): number =>
  isFields(timings)
    ? boundedDuration(timings.blocked) + boundedDuration(timings.dns) + boundedDuration(timings.connect)
    : 0;

function requestBody({ postData, bodySize }: Fields, headers: Headers): Pick<Message, 'body' | 'size'> {
  const posted = isFields(postData) ? postData : {};
  const size = isSize(bodySize) ? { size: bodySize } : {};
  if (isText(posted.text)) return { body: contentOf(posted.text, posted.encoding), ...size };
  const mayBe = isText(headers['content-type'] ?? posted.mimeType) || lengthIn(headers) > 0 || isSize(bodySize);
  return { body: lengthIn(headers) === 0 || posted.text === '' || !mayBe ? '' : undefined };
}

function responseBody(
  { status, content, bodySize }: Fields,
  headers: Headers,
): Pick<Message, 'body' | 'size' | 'isWire'> {
  const { size, text, encoding } = isFields(content) ? content : {};
  if (isText(text)) {
    const body = contentOf(text, encoding);
    const rest = isSize(size) ? size - Buffer.byteLength(body ?? '') : Number.NaN;
    return { body, ...(isSize(size) && rest > 0 && { size }), isWire: rest === 0 };
  }
  const isEmpty = size === 0 && (text === '' || bodySize === 0);
  return { body: status === 204 || lengthIn(headers) === 0 || isEmpty ? '' : undefined };
}

/** Recorders mark plain text as base64, or do not mark base64. The reading that is JSON counts, else the mark. */
function contentOf(text: string, encoding: unknown): string | undefined {
  const bytes = /^[\w+/\s-]+={0,2}\s*$/.test(text) && !isJson(text) ? Buffer.from(text, 'base64') : undefined;
  if (!bytes || !(encoding === 'base64' || isJson(`${bytes}`))) return text;
  return isUtf8(bytes) ? `${bytes}` : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isSize = (value: unknown): value is number => typeof value === 'number' && value > 0;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** As this suite writes it. Other recorders do not say whether the request was sent. */
function failureOf(error: unknown): Failure {
  if (!isText(error)) return noAnswer;
  const [, kind, message] = /^(unreachable|tls|timeout|broken|too-large|stopped): (.*)$/s.exec(error) ?? [];
  return { kind: (kind ?? 'unknown') as Failure['kind'], message: message ?? error };
}

// Single values.

export function fieldsOf(value: unknown, name: string): Fields {
  if (isFields(value)) return value;
  throw new Malformed(`${name} is ${value === undefined ? 'missing' : 'not an object'}`);
}

export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Malformed(`${name} is ${value === undefined ? 'missing' : 'not a text'}`);
}

/** From a list of names and values (HAR), or from an object. */
function headersOf(value: unknown, name: string): Headers {
  const items = Array.isArray(value)
    ? value.map((item: unknown) => fieldsOf(item, `an item of ${name}`))
    : Object.entries(fieldsOf(value ?? {}, name)).map(([header, one]) => ({ name: header, value: one }));
  const headers: Record<string, string> = {};
  for (const item of items) {
    const key = textOf(item.name, `the name of ${name}`).toLowerCase();
    const text = headerOf(item.value, name);
    headers[key] = Object.hasOwn(headers, key) ? `${headers[key]}, ${text}` : text;
  }
  return headers;
}

/** Several values may be a list. */
function headerOf(value: unknown, name: string): string {
  if (Array.isArray(value)) return value.map((one) => headerOf(one, name)).join(', ');
  if (typeof value === 'object' && value !== null)
    throw new Malformed(`${name} has a header whose value is not a text`);
  return `${value ?? ''}`;
}

/** Some recorders write it as a text. */
function statusOf(value: unknown): number {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  if (typeof status === 'number' && Number.isFinite(status)) return status;
  throw new Malformed(`response.status is ${value === undefined ? 'missing' : 'not a number'}`);
}

/** A year: no request takes longer. */
const longestMs = 3.2e10;

/** A duration, limited in case the clock was set meanwhile. */
const boundedDuration = (ms: unknown): number => (isSize(ms) ? Math.min(ms, longestMs) : 0);

/** The latest time in milliseconds: the range of ECMAScript, less a year for what is added to it. */
const latest = 8.64e15 - longestMs;

/** Numbers in this range are seconds (from 1973 to 5138). */
const [fewestSeconds, fewestMs] = [1e8, 1e11];

/** Milliseconds since the epoch, with the fractions that `Date.parse` drops. */
function timeOf(value: unknown, name: string): number {
  const at =
    typeof value === 'number'
      ? value * (value >= fewestSeconds && value < fewestMs ? 1000 : 1)
      : Date.parse(textOf(value, name)) + Number(`0.${/\.\d{3}(\d+)/.exec(textOf(value, name))?.[1] ?? ''}`);
  // Outside the range of dates.
  if (!(Math.abs(at) <= latest)) throw new Malformed(`${name} is not a date and time`);
  return at;
}
