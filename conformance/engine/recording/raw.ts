import { isPacked } from '../http/body.js';
import { type Fields, isFields } from '../outcome/read.js';
import { isMasked } from '../rule/masked.js';
import type { Failure } from '../vocabulary.js';

/** A recording that cannot be read: what is wrong, and where. Meant for the user. */
export class RecordingError extends Error {
  override name = 'RecordingError';
  /** conformance.md: usage or configuration. */
  readonly exitCode = 2;
}

/** A recorded request and its answer, whatever file they are from. Keys are in it still. */
export interface Raw {
  /** When it was sent, in milliseconds since the epoch. */
  readonly at: number;
  /** Undefined where the recorder did not know it. */
  readonly durationMs: number | undefined;
  readonly request: Message;
  /** `repeatsKey` where the recording itself tells. */
  readonly response?: Message & { readonly status: number; readonly repeatsKey?: boolean };
  readonly failure?: Failure;
}

export type Headers = Readonly<Record<string, string>>;

export interface Message {
  readonly headers: Headers;
  readonly body: RawBody;
}

/** Empty where there was none. `isWhole` is false where it is known to be cut off, or left out altogether. */
export interface RawBody {
  readonly text: string;
  readonly isWhole: boolean;
}

export const whole = (text: string): RawBody => ({ text, isWhole: true });
export const left: RawBody = { text: '', isWhole: false };

/** What is wrong with one recorded exchange; whoever catches it knows the place. */
export class Malformed extends Error {}

export function fieldsOf(value: unknown, name: string): Fields {
  if (isFields(value)) return value;
  throw new Malformed(`${name} is ${value === undefined ? 'missing' : 'not an object'}`);
}

export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Malformed(`${name} is ${value === undefined ? 'missing' : 'not a text'}`);
}

/** What a header says; several values may stand in a list. */
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

/** Why there is none, nobody says: it may never have been sent. */
export const noAnswer: Failure = { kind: 'unknown', message: 'No answer was seen.' };

/** A year: nothing took longer. */
const longestMs = 3.2e10;

/** How long something took, whatever a clock that was set meanwhile makes of it. */
export const lasting = (ms: unknown): number => (typeof ms === 'number' && ms > 0 ? Math.min(ms, longestMs) : 0);

/** Milliseconds. ECMAScript: the range of a time value, less a year for what is added to it. */
const latest = 8.64e15 - longestMs;

/** What a number of milliseconds is less than, and one of seconds is not: 1973, and 5138. */
const fewestMs = 1e11;
/** Whoever counts in smaller numbers counts from something else. */
const fewestSeconds = 1e8;

/** Milliseconds since the epoch, with fractions of one, which `Date.parse` leaves out; NaN where it is no time. */
export function millis(value: unknown): number {
  if (typeof value === 'number') return value >= fewestSeconds && value < fewestMs ? value * 1000 : value;
  if (typeof value !== 'string') return Number.NaN;
  const [, finer = ''] = /\.\d{3}(\d+)/.exec(value) ?? [];
  return Date.parse(value) + Number(`0.${finer}`);
}

export function timeOf(value: unknown, name: string): number {
  const at = millis(typeof value === 'number' ? value : textOf(value, name));
  // No date is further away.
  if (!(Math.abs(at) <= latest)) throw new Malformed(`${name} is not a date and time`);
  return at;
}

/** What is larger unpacked is not judged. */
export const mostBytes = 64 * 1024 * 1024;

/** What tells that a recorder kept less of a body than there was of it. */

/** NaN where the headers do not tell. */
const lengthIn = (headers: Headers): number => Number.parseInt(headers['content-length'] ?? '', 10);

/** Whether headers tell of a body where none was recorded. */
export const tellsOfBody = (headers: Headers): boolean => lengthIn(headers) > 0;

export const tellsOfNone = (headers: Headers): boolean => lengthIn(headers) === 0;

/** What no text holds: bytes that were taken for letters. */
const unlikeText = /[^\P{Cc}\s]|\ufffd/u;

/** What recorders put behind what they have cut. */
const afterCut = /(?:\.{3}|…|truncated(?:[^"]{0,20}\W)?)\s*$/i;
const shownEnd = 40;

/** Whether a text that is no JSON may be no more than a part of what was sent, or another form of it. */
export function mayBeLess(text: string, headers: Headers): boolean {
  if (text === '') return tellsOfBody(headers);
  // A packed body has another length than what it says.
  if (isPacked(headers['content-encoding'])) return unlikeText.test(text);
  return lengthIn(headers) > Buffer.byteLength(text) || (/^\s*[[{]/.test(text) && afterCut.test(text.slice(-shownEnd)));
}

const idOrTime = /"(?:id|\w+Id|\w+At)"\s*:\s*"([^"]{0,60})"/g;

/** Whether a mask stands in the place of an id or a time: nobody sends these to hide them. */
export const masksIds = (text: string): boolean => [...text.matchAll(idOrTime)].some(([, value]) => isMasked(value));
