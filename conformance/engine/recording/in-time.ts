import { looksOwn } from '../http/address.js';
import { isFields } from '../outcome/read.js';
import { millis, RecordingError } from './raw.js';
import { bytesOf, type Source } from './source.js';
import { type Item, Misplaced, Splitter } from './split.js';

/** So many files are open at once: a process may have about a thousand. */
const usuallyOpen = 200;

/** An item of a source. */
interface Read {
  /** What it says, or the RecordingError where it is no JSON. */
  readonly value: unknown;
  /** The error that says what is wrong with it, and where that is. */
  wrong(what: string): RecordingError;
}

/** An item, in its turn. */
interface Turn extends Read {
  /** Counts up from 1. */
  readonly id: number;
}

/** A source that is being read, and what comes next of it. */
interface Lane {
  readonly name: string;
  readonly rest: AsyncGenerator<Read>;
  readonly next: Read;
  /** Undefined where it does not say. */
  readonly span: Span | undefined;
  /** When it began; where it does not say, when the one before it did. */
  readonly at: number;
}

/** When an exchange began, and when it was over, in milliseconds since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * What is in all sources, by time: what several recorders saw of one execution stands in several files, and is judged
 * whole only where it comes together. Each source is read once, forward, so it has to be in order itself, by when requests
 * were sent or by when they were answered: the names of others are added to `unsorted`.
 */
export async function* inTime(
  sources: readonly Source[],
  unsorted: Set<string>,
  signal?: AbortSignal,
  mostOpen: number = usuallyOpen,
): AsyncGenerator<Turn> {
  const waiting = [...sources];
  const lanes: Lane[] = [];
  // Also one that may turn out to be wrong before it has a lane.
  const opened = new Set<AsyncGenerator<Read>>();
  let latest = Number.NEGATIVE_INFINITY;
  const ahead = async (name: string, rest: Lane['rest'], before: number): Promise<Lane[]> => {
    const { value: next, done } = await rest.next();
    if (done) {
      opened.delete(rest);
      return [];
    }
    const span = spanOf(next.value);
    return [{ name, rest, next, span, at: span?.from ?? before }];
  };
  try {
    for (let id = 1; ; id += 1) {
      for (let source = waiting[0]; source && lanes.length < mostOpen; source = waiting[0]) {
        waiting.shift();
        const rest = itemsOf(source, signal, sources.length);
        opened.add(rest);
        lanes.push(...(await ahead(source.name, rest, Number.NEGATIVE_INFINITY)));
      }
      const place = earliest(lanes);
      const lane = lanes[place];
      if (!lane) return;
      const { name, rest, next, span, at } = lane;
      if (span && isOwn(next.value)) {
        if (span.to < latest) unsorted.add(name);
        latest = Math.max(latest, span.from);
      }
      yield { id, ...next };
      lanes.splice(place, 1, ...(await ahead(name, rest, at)));
    }
  } finally {
    await Promise.all([...opened].map((rest) => rest.return(undefined)));
  }
}

/** Reads one source from its beginning to its end. Throws a RecordingError that names the place. */
async function* itemsOf(source: Source, signal: AbortSignal | undefined, beside: number): AsyncGenerator<Read> {
  const splitter = new Splitter();
  const located = (number: number, what: string) => {
    const place = splitter.unit === 'entry' ? `: entry ${number}` : `:${number}: the line`;
    return new RecordingError(`${source.name}${number === 0 ? '' : place} ${what}`);
  };
  function* read(cut: () => readonly Item[]): Generator<Read> {
    let items: readonly Item[];
    try {
      items = cut();
    } catch (error) {
      throw error instanceof Misplaced ? located(error.number, error.message) : error;
    }
    for (const { bytes, number } of items) {
      const wrong = (what: string) => located(number, what);
      yield { value: parsed(bytes, wrong), wrong };
    }
  }
  for await (const chunk of bytesOf(source, signal, beside)) yield* read(() => splitter.push(chunk));
  // What was cut off by the user is no mistake of the file.
  if (!signal?.aborted) yield* read(() => splitter.end());
}

function parsed(bytes: Buffer, wrong: Read['wrong']): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    // The rest of the message repeats the text, in which there may be a key.
    const [place] = /position \d+/.exec((error as Error).message) ?? [];
    return wrong(`is not JSON${place ? ` (at ${place})` : ''}.`);
  }
}

const isOwn = (value: unknown): boolean =>
  isFields(value) && isFields(value.request) && typeof value.request.url === 'string' && looksOwn(value.request.url);

/** Of an entry of a HAR, or of a line of this suite's. */
function spanOf(value: unknown): Span | undefined {
  if (!isFields(value)) return undefined;
  const [began, lasted] =
    'startedDateTime' in value ? [value.startedDateTime, value.time] : [value.at, value.durationMs];
  const from = millis(began);
  if (!Number.isFinite(from)) return undefined;
  return { from, to: from + (typeof lasted === 'number' && lasted > 0 ? lasted : 0) };
}

/** The place of the lane with what began first. */
function earliest(lanes: readonly Lane[]): number {
  let found = 0;
  for (const [place, { at }] of lanes.entries()) if (at < (lanes[found] as Lane).at) found = place;
  return found;
}
