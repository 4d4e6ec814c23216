/** Reads the items of recordings: entries of a HAR, or lines. */
import { mayBeOfContract } from '../http/address.js';
import { isFields } from '../outcome/read.js';
import { epochMs, RecordingError } from './raw.js';
import { bytesOf, type Source } from './source.js';
import { type Item, Misplaced, Splitter } from './split.js';

interface Read {
  /** The parsed item, or a RecordingError if it is not JSON. */
  readonly value: unknown;
  /** Makes an error that names the place of the item. */
  wrong(what: string): RecordingError;
}

interface Turn extends Read {
  readonly id: number;
}

/** The beginning and end of an exchange, in milliseconds since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reads sources one after another. The names of those that are not in the order of time are added to `unsorted`. */
export async function* itemsIn(
  sources: readonly Source[],
  unsorted: Set<string>,
  signal?: AbortSignal,
): AsyncGenerator<Turn> {
  let id = 0;
  for (const source of sources) {
    let latest = Number.NEGATIVE_INFINITY;
    for await (const item of itemsOf(source, signal)) {
      const span = isOwn(item.value) ? spanOf(item.value) : undefined;
      if (span && span.to < latest) unsorted.add(source.name);
      latest = Math.max(latest, span?.from ?? latest);
      id += 1;
      yield { id, ...item };
    }
  }
}

/** Reads one source. Throws a RecordingError that names the place. */
async function* itemsOf(source: Source, signal: AbortSignal | undefined): AsyncGenerator<Read> {
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
  for await (const chunk of bytesOf(source, signal)) yield* read(() => splitter.push(chunk));
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
