import { contract, type Rule } from '../contract.js';
import type { Facts } from '../vocabulary.js';
import { type Bounds, usualBounds } from './bounds.js';
import { Course } from './course.js';
import { RecordingError } from './error.js';
import { InTime } from './in-time.js';
import { readerOf } from './reader.js';
import type { RecordedRun } from './recorded-run.js';
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
  const inTime = new InTime(signal);
  const reader = readerOf(facts);
  const course = new Course(facts, selected, { bounds });
  let first: RecordingError | undefined;
  let isAny = false;
  await inTime.each([...sources], ({ item, id, reading }) => {
    if (id % 10_000 === 0) progress?.(id);
    const read = reading.read(() => reader.parse(item, id));
    if (read instanceof RecordingError) {
      first ??= read;
      course.leave(read);
    } else {
      isAny = true;
      course.take(read);
    }
  });
  // It is no recording.
  if (first && !isAny) throw first;
  return reader.takenOut.mask(course.finish(inTime.unsorted));
}
