/** Judges traffic that the suite did not send. */
import type { Rule } from '../contract.js';

import { urlOf } from '../http/address.js';
import { suite } from '../suite.js';
import type { Facts } from '../vocabulary.js';
import { DuplicateFilter, EntryReader } from './entry.js';
import { type Bounds, usualBounds } from './histories.js';
import { itemsIn } from './items.js';
import { RecordingPipeline } from './pipeline.js';
import { Malformed, RecordingError } from './raw.js';
import type { RecordedRun } from './recorded-run.js';
import type { Source } from './source.js';

export interface RecordingOptions {
  /** Without facts, all traffic is judged, wherever it went. */
  readonly facts?: Facts;
  /** Which rules to judge. Default: all. */
  readonly selected?: (rule: Rule) => boolean;
  readonly bounds?: Bounds;
  /** Ends reading; what was read until then is judged. */
  readonly signal?: AbortSignal;
  /** Called from time to time with the number of exchanges read. */
  readonly progress?: (exchanges: number) => void;
}

/**
 * Judges HAR files, and NDJSON with a HAR entry or an exchange on each line, gzipped or not. Reads the sources once,
 * one after another, and keeps only what is not judged yet. Throws a RecordingError that names the place if a source is
 * anything else.
 */
export async function judgeRecordings(
  sources: Iterable<Source>,
  {
    facts = suite().unknownTarget,
    selected = () => true,
    bounds = usualBounds,
    signal,
    progress,
  }: RecordingOptions = {},
): Promise<RecordedRun> {
  const unsorted = new Set<string>();
  const others = new Set<string>();
  const isOwn = isOf(facts);
  const accepts = (baseUrl: string): boolean => {
    if (!isOwn(baseUrl) && others.size < mostOthers) others.add(baseUrl);
    return isOwn(baseUrl);
  };
  const reader = new EntryReader(accepts, new DuplicateFilter());
  const course = new RecordingPipeline(facts, selected, { bounds });
  let first: RecordingError | undefined;
  let isAny = false;
  for await (const { id, value, ...item } of itemsIn([...sources], unsorted, signal)) {
    if (id % 10_000 === 0) progress?.(id);
    try {
      if (value instanceof RecordingError) throw value;
      course.add(reader.read(value, id));
      isAny = true;
    } catch (error) {
      const wrong = error instanceof Malformed ? item.wrong(`is not an exchange: ${error.message}.`) : error;
      if (!(wrong instanceof RecordingError)) throw wrong;
      first ??= wrong;
      course.addUnreadable(wrong);
    }
  }
  if (first && !isAny)
    throw new RecordingError(
      `${first.message} A recording is a HAR, or has one exchange a line, as docs/recordings.md shows it.`,
    );
  const run = course.finish([...unsorted]);
  return reader.maskedValues.mask(run.requests === 0 ? { ...run, otherBaseUrls: [...others] } : run);
}

/** How many other base URLs are named. */
const mostOthers = 3;

/** Whether a base URL is the target's; always, if none is declared. */
const isOf =
  ({ baseUrl: wanted }: Facts) =>
  (baseUrl: string): boolean =>
    wanted === '' || baseUrl === wanted || normal(baseUrl) === normal(wanted);

/** Ignores the case of the host, and default ports. */
const normal = (url: string): string => urlOf(url)?.href.replace(/\/$/, '') ?? url;
