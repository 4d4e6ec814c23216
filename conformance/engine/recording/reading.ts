import { RecordingError } from './error.js';
import { bytesOf, type Source } from './source.js';
import { AnySplitter } from './split.js';
import { type Item, Misplaced } from './splitter.js';

/** Reads one source, item after item, from its beginning to its end. Throws a RecordingError that names the place. */
export class Reading {
  readonly #source: Source;
  readonly #signal: AbortSignal | undefined;
  readonly #beside: number;
  readonly #splitter = new AnySplitter();
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
