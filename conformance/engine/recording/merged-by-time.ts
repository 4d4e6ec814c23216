/** Reads several recordings as one, in the order of time. */
import { mayBeOfContract } from '../http/address.js';
import { isFields } from '../outcome/read.js';
import { epochMs, RecordingError } from './raw.js';
import { bytesOf, type Source } from './source.js';
import { type Item, Misplaced, Splitter } from './split.js';

/** How many files are open at once. A process may have about a thousand. */
const usuallyOpen = 200;

interface Read {
  /** The parsed item, or a RecordingError if it is not JSON. */
  readonly value: unknown;
  /** Makes an error that names the place of the item. */
  wrong(what: string): RecordingError;
}

interface Turn extends Read {
  readonly id: number;
}

/** A source that is being read, and its next item. */
interface Lane {
  readonly name: string;
  readonly rest: AsyncGenerator<Read>;
  readonly next: Read;
  /** Undefined if the item has no time. */
  readonly span: Span | undefined;
  /** The beginning of the item, or of the one before if it has no time. */
  readonly at: number;
}

/** The beginning and end of an exchange, in milliseconds since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Merges all sources by time: several recorders may have seen one execution, and it is judged as a whole only if its
 * exchanges come together. Each source is read once, forward, so it must be sorted by the time of the requests or of
 * the answers. The names of others are added to `unsorted`.
 */
export async function* mergedByTime(
  sources: readonly Source[],
  unsorted: Set<string>,
  signal?: AbortSignal,
  mostOpen: number = usuallyOpen,
): AsyncGenerator<Turn> {
  const waiting = [...sources];
  const lanes: Lane[] = [];
  // Includes sources that may fail before they have a lane.
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

/** Reads one source. Throws a RecordingError that names the place. */
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
  // If the user stopped reading, an unfinished item is no error.
  if (!signal?.aborted) yield* read(() => splitter.end());
}

function parsed(bytes: Buffer, wrong: Read['wrong']): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    // The rest of the message repeats the text, which may contain a key.
    const [place] = /position \d+/.exec((error as Error).message) ?? [];
    return wrong(`is not JSON${place ? ` (at ${place})` : ''}.`);
  }
}

const isOwn = (value: unknown): boolean =>
  isFields(value) &&
  isFields(value.request) &&
  typeof value.request.url === 'string' &&
  mayBeOfContract(value.request.url);

/** The time of a HAR entry, or of a line of this suite. */
function spanOf(value: unknown): Span | undefined {
  if (!isFields(value)) return undefined;
  const [began, lasted] =
    'startedDateTime' in value ? [value.startedDateTime, value.time] : [value.at, value.durationMs];
  const from = epochMs(began);
  if (!Number.isFinite(from)) return undefined;
  return { from, to: from + (typeof lasted === 'number' && lasted > 0 ? lasted : 0) };
}

/** The index of the lane whose item began first. */
function earliest(lanes: readonly Lane[]): number {
  let found = 0;
  for (const [place, { at }] of lanes.entries()) if (at < (lanes[found] as Lane).at) found = place;
  return found;
}
