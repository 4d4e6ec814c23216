import type { Rule } from '../../generated/rules.js';
import { toTarget } from '../settings/target/target.js';
import type { Facts } from '../vocabulary.js';
import type { Bounds } from './bounds.js';
import { Course } from './course.js';
import { EntryReader } from './entry.js';
import { InTime } from './in-time.js';
import type { RecordedRun } from './recorded-run.js';
import type { Source } from './source.js';

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
 * gzip or not. Reads each source once, all of them together in the order of time, and remembers only what has still to be
 * judged. Throws a RecordingError, that names the place, where a source is anything else.
 */
export async function judgeRecordings(
  sources: Iterable<Source>,
  { facts = unknownTarget, selected = () => true, bounds, signal, progress }: RecordingOptions = {},
): Promise<RecordedRun> {
  const reader = new EntryReader((baseUrl) => facts.baseUrl === '' || sameUrl(baseUrl, facts.baseUrl));
  const course = new Course(facts, selected, bounds);
  const inTime = new InTime(reader, signal);
  let count = 0;
  await inTime.each([...sources], (entry) => {
    count += 1;
    if (count % 10_000 === 0) progress?.(count);
    course.take(entry);
  });
  return course.finish(inTime.unsorted);
}

/** Letters of the host, and a port that goes without saying, make no difference. */
const sameUrl = (a: string, b: string): boolean => a === b || normal(a) === normal(b);

const normal = (url: string): string => (URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : url);
