import type { Rule } from '../../generated/rules.js';
import { toTarget } from '../settings/target/target.js';
import type { Facts } from '../vocabulary.js';
import type { Bounds } from './bounds.js';
import { Course } from './course.js';
import { EntryReader } from './entry.js';
import { RecordingError } from './error.js';
import { Malformed } from './raw.js';
import type { RecordedRun } from './recorded-run.js';
import { bytesOf, type Source } from './source.js';
import { AnySplitter } from './split.js';
import { type Item, Misplaced, type Splitter } from './splitter.js';

export interface RecordingOptions {
  /** What is declared of the target. Without it, traffic is judged wherever it went. */
  readonly facts?: Facts;
  /** The rules to judge; all by default. */
  readonly selected?: (rule: Rule) => boolean;
  readonly bounds?: Bounds;
  /** Ends reading: what was read is judged. */
  readonly signal?: AbortSignal;
  /** Told now and then how many exchanges have been read. */
  readonly progress?: (exchanges: number) => void;
}

/** What is known of a target that nobody declared. */
export const unknownTarget: Facts = toTarget({ baseUrl: '' }).facts;

/**
 * Judges traffic that somebody else sent: HAR files, and NDJSON with an entry of a HAR or an exchange a line, packed with
 * gzip or not. Reads each source once, and remembers only what has still to be judged. Throws a RecordingError, that
 * names the place, where a source is anything else.
 */
export async function judgeRecordings(
  sources: Iterable<Source>,
  { facts = unknownTarget, selected = () => true, bounds, signal, progress }: RecordingOptions = {},
): Promise<RecordedRun> {
  const reader = new EntryReader((baseUrl) => facts.baseUrl === '' || sameUrl(baseUrl, facts.baseUrl));
  const course = new Course(facts, selected, bounds);
  let count = 0;
  for (const source of sources) {
    const splitter = new AnySplitter();
    const take = (items: readonly Item[]) => {
      for (const { text, number } of items) {
        count += 1;
        if (count % 10_000 === 0) progress?.(count);
        course.take(read(reader, text, count, number));
      }
    };
    try {
      for await (const chunk of bytesOf(source, signal)) take(splitter.push(chunk));
      if (!signal?.aborted) take(splitter.end());
    } catch (error) {
      throw error instanceof Misplaced ? located(source, splitter, error) : error;
    }
  }
  return course.finish();
}

function read(reader: EntryReader, text: string, id: number, number: number) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The rest of the message repeats the text, in which there may be a key.
    const [place] = /position \d+/.exec((error as Error).message) ?? [];
    throw new Misplaced(number, `is not JSON${place ? ` (at ${place})` : ''}.`);
  }
  try {
    return reader.read(value, id);
  } catch (error) {
    throw error instanceof Malformed ? new Misplaced(number, `is no exchange: ${error.message}.`) : error;
  }
}

function located({ name }: Source, { unit }: Splitter, { number, message }: Misplaced): RecordingError {
  if (number === 0) return new RecordingError(`${name} ${message}`);
  const hint = unit === 'line' && number === 1 ? ' A recording is a HAR, or has one exchange a line.' : '';
  return new RecordingError(
    unit === 'line' ? `${name}:${number}: the line ${message}${hint}` : `${name}: entry ${number} ${message}`,
  );
}

/** Letters of the host, and a port that goes without saying, make no difference. */
const sameUrl = (a: string, b: string): boolean => a === b || normal(a) === normal(b);

const normal = (url: string): string => (URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : url);
