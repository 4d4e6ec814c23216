import { contract, type Rule } from '../contract.js';
import { urlOf } from '../http/address.js';
import type { Facts } from '../vocabulary.js';
import { Course } from './course.js';
import { EntryReader, Twins } from './entry.js';
import { type Bounds, usualBounds } from './histories.js';
import { inTime } from './in-time.js';
import type { RecordedRun } from './merge.js';
import { Malformed, RecordingError } from './raw.js';
import type { Source } from './source.js';

/** What of a recording is judged, and with how much memory. */
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

/**
 * Judges traffic that somebody else sent: HAR files, and NDJSON with an entry of a HAR or an exchange a line, packed with
 * gzip or not. Reads each source once, all of them together in the order of time, and remembers only what has still to be
 * judged. Throws a RecordingError, that names the place, where a source is anything else.
 */
export async function judgeRecordings(
  sources: Iterable<Source>,
  {
    facts = contract().unknownTarget,
    selected = () => true,
    bounds = usualBounds,
    signal,
    progress,
  }: RecordingOptions = {},
): Promise<RecordedRun> {
  const unsorted = new Set<string>();
  const reader = new EntryReader(isOf(facts), new Twins());
  const course = new Course(facts, selected, { bounds });
  let first: RecordingError | undefined;
  let isAny = false;
  for await (const { id, value, ...item } of inTime([...sources], unsorted, signal)) {
    if (id % 10_000 === 0) progress?.(id);
    try {
      if (value instanceof RecordingError) throw value;
      course.take(reader.read(value, id));
      isAny = true;
    } catch (error) {
      const wrong = error instanceof Malformed ? item.wrong(`is not an exchange: ${error.message}.`) : error;
      if (!(wrong instanceof RecordingError)) throw wrong;
      first ??= wrong;
      course.leave(wrong);
    }
  }
  if (first && !isAny)
    throw new RecordingError(
      `${first.message} A recording is a HAR, or has one exchange a line, as docs/recordings.md shows it.`,
    );
  return reader.takenOut.mask(course.finish([...unsorted]));
}

/** Tells what went to the target; all of it, where nobody says which that is. */
const isOf =
  ({ baseUrl: wanted }: Facts) =>
  (baseUrl: string): boolean =>
    wanted === '' || baseUrl === wanted || normal(baseUrl) === normal(wanted);

/** Letters of the host, and a port that goes without saying, make no difference. */
const normal = (url: string): string => urlOf(url)?.href.replace(/\/$/, '') ?? url;
