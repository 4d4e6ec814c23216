import { contract, type Rule } from '../contract.js';
import type { Facts } from '../vocabulary.js';
import { type Bounds, usualBounds } from './bounds.js';
import { InTime } from './in-time.js';
import type { RecordedRun } from './recorded-run.js';
import type { Source } from './source.js';
import { Here, type Taker } from './taker.js';
import { Threads } from './threads.js';

/** What of a recording is judged, and with how much memory. */
export interface RecordingOptions {
  /** What is declared of the target. Without it, traffic is judged wherever it went. */
  readonly facts?: Facts;
  /** The rules to judge; all by default. */
  readonly selected?: (rule: Rule) => boolean;
  readonly bounds?: Bounds;
  /** Threads to judge in, the one that reads included. 1 is usual. What is found is the same. */
  readonly jobs?: number;
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
    jobs = 1,
    signal,
    progress,
  }: RecordingOptions = {},
): Promise<RecordedRun> {
  const brief = {
    facts,
    rules: contract()
      .rules.filter(selected)
      .map(({ id }) => id),
    bounds,
  };
  return judgeBy(jobs > 1 ? new Threads(brief, jobs) : new Here(brief), sources, {
    ...(signal && { signal }),
    ...(progress && { progress }),
  });
}

/** Reads all sources, and has them judged. */
export async function judgeBy(
  taker: Taker,
  sources: Iterable<Source>,
  { signal, progress }: Pick<RecordingOptions, 'signal' | 'progress'> = {},
): Promise<RecordedRun> {
  const inTime = new InTime(signal);
  try {
    await inTime.each([...sources], (turn) => {
      if (turn.id % 10_000 === 0) progress?.(turn.id);
      return taker.take(turn);
    });
    return await taker.finish(inTime.unsorted);
  } catch (error) {
    throw await taker.mistake(error);
  } finally {
    await taker.stop();
  }
}
