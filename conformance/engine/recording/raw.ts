/** A recorded exchange before it is judged, and how its values are read from any kind of file. */
import { UserError } from '../../../common/user-error.js';
import { isEncoded } from '../http/body.js';
import { type Fields, isFields } from '../outcome/read.js';
import { isMasked, replacementIn } from '../rule/masked.js';
import type { Failure } from '../vocabulary.js';

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
const isForAny = (value: string): boolean => !/[1-9]/.test(value) && replacementIn(value) === value;

/** Whether an id or a time is masked. Callers and services do not mask these, so the recorder did. */
export const masksIds = (text: string): boolean =>
  [...text.matchAll(idOrTime)].some(([, value = '']) => isMasked(value) || isForAny(value));
