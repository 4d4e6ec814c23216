import { looksOwn } from '../http/address.js';
import { isFields } from '../outcome/read.js';
import { millis, RecordingError } from './raw.js';
import { bytesOf, type Source } from './source.js';
import { type Item, Misplaced, Splitter } from './split.js';

/** Reads one source, item after item, from its beginning to its end. Throws a RecordingError that names the place. */
export class Reading {
  readonly #source: Source;
  readonly #signal: AbortSignal | undefined;
  readonly #beside: number;
  readonly #splitter = new Splitter();
  #chunks: AsyncGenerator<Buffer> | undefined;
  #items: readonly Item[] = [];
  #place = 0;
  #isOver = false;

  /** `beside`: how many sources are read at the same time, this one included. */
  constructor(source: Source, signal?: AbortSignal, beside = 1) {
    this.#source = source;
    this.#signal = signal;
    this.#beside = beside;
  }

  get name(): string {
    return this.#source.name;
  }

  /** Whether the next item can be had without waiting. */
  get isReady(): boolean {
    return this.#place < this.#items.length;
  }

  /** Reads on until an item is ready; false where there is none left. */
  async more(): Promise<boolean> {
    while (!this.isReady && !this.#isOver) {
      this.#chunks ??= bytesOf(this.#source, this.#signal, this.#beside);
      const { value, done } = await this.#chunks.next();
      try {
        // What was cut off by the user is no mistake of the file.
        this.#items = !done ? this.#splitter.push(value) : this.#signal?.aborted ? [] : this.#splitter.end();
      } catch (error) {
        throw error instanceof Misplaced ? this.#located(error.number, error.message) : error;
      }
      this.#place = 0;
      this.#isOver = done ?? false;
    }
    return this.isReady;
  }

  /** What the item says that is ready, or the error where it is no JSON. */
  next(): unknown {
    const { bytes } = this.#items[this.#place] as Item;
    this.#place += 1;
    try {
      return JSON.parse(bytes.toString());
    } catch (error) {
      // The rest of the message repeats the text, in which there may be a key.
      const [place] = /position \d+/.exec((error as Error).message) ?? [];
      return this.wrong(`is not JSON${place ? ` (at ${place})` : ''}.`);
    }
  }

  /** The error that says what is wrong with the item that was read last, and where that is. */
  wrong(what: string): RecordingError {
    return this.#located(this.#items[this.#place - 1]?.number ?? 0, what);
  }

  async close(): Promise<void> {
    await this.#chunks?.return(undefined);
  }

  #located(number: number, what: string): RecordingError {
    const { name } = this;
    const { unit } = this.#splitter;
    if (number === 0) return new RecordingError(`${name} ${what}`);
    if (unit === 'entry') return new RecordingError(`${name}: entry ${number} ${what}`);
    return new RecordingError(`${name}:${number}: the line ${what}`);
  }
}

/** So many files are open at once: a process may have about a thousand. */
const usuallyOpen = 200;

/** An item, in its turn. */
interface Turn {
  /** Counts up from 1. */
  readonly id: number;
  /** What it says, or the RecordingError where it is no JSON. */
  readonly value: unknown;
  /** Where it is from. */
  readonly reading: Reading;
}

/** A source that is being read, and what comes next of it. */
interface Lane {
  readonly reading: Reading;
  readonly value: unknown;
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
 * were sent or by when they were answered.
 */
export class InTime {
  readonly #signal: AbortSignal | undefined;
  readonly #mostOpen: number;
  readonly #unsorted = new Set<string>();
  #latest = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(signal?: AbortSignal, mostOpen: number = usuallyOpen) {
    this.#signal = signal;
    this.#mostOpen = mostOpen;
  }

  /** Sources with something in them that had ended before what was taken earlier began. */
  get unsorted(): readonly string[] {
    return [...this.#unsorted];
  }

  async each(sources: readonly Source[], take: (turn: Turn) => void): Promise<void> {
    const waiting = sources.map((source) => new Reading(source, this.#signal, sources.length));
    const lanes: Lane[] = [];
    // Those in lanes, and one that may turn out to be wrong before it has a lane.
    const opened = new Set<Reading>();
    const close = (reading: Reading) => {
      opened.delete(reading);
      return reading.close();
    };
    const open = async () => {
      while (lanes.length < this.#mostOpen) {
        const reading = waiting.shift();
        if (!reading) return;
        opened.add(reading);
        if (await reading.more()) lanes.push(next(reading, Number.NEGATIVE_INFINITY));
        else await close(reading);
      }
    };
    try {
      for (await open(); lanes.length > 0; ) {
        const place = earliest(lanes);
        const lane = lanes[place] as Lane;
        const { value, reading } = lane;
        this.#watch(lane);
        this.#count += 1;
        take({ id: this.#count, value, reading });
        if (reading.isReady || (await reading.more())) lanes[place] = next(reading, lane.at);
        else {
          lanes.splice(place, 1);
          await close(reading);
          await open();
        }
      }
    } finally {
      await Promise.all([...opened].map(close));
    }
  }

  #watch({ value, span, reading }: Lane): void {
    const { url } = isFields(value) && isFields(value.request) ? value.request : {};
    if (!span || typeof url !== 'string' || !looksOwn(url)) return;
    if (span.to < this.#latest) this.#unsorted.add(reading.name);
    this.#latest = Math.max(this.#latest, span.from);
  }
}

function next(reading: Reading, before: number): Lane {
  const value = reading.next();
  const span = spanOf(value);
  return { reading, value, span, at: span?.from ?? before };
}

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
