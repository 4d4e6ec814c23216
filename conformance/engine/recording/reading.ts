import { RecordingError } from './error.js';
import { bytesOf, type Source } from './source.js';
import { AnySplitter } from './split.js';
import { type Item, Misplaced, type Splitter } from './splitter.js';

/** Reads one source, item after item, from its beginning to its end. Throws a RecordingError that names the place. */
export class Reading {
  readonly #source: Source;
  readonly #signal: AbortSignal | undefined;
  readonly #beside: number;
  readonly #splitter: AnySplitter;
  #chunks: AsyncGenerator<Buffer> | undefined;
  #items: readonly Item[] = [];
  #place = 0;
  #isOver = false;

  /** `beside`: how many sources are read at the same time, this one included. */
  constructor(source: Source, signal?: AbortSignal, beside = 1) {
    this.#source = source;
    this.#signal = signal;
    this.#beside = beside;
    this.#splitter = new AnySplitter();
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
      // What was cut off by the user is no mistake of the file.
      this.#items = this.located(() =>
        !done ? this.#splitter.push(value) : this.#signal?.aborted ? [] : this.#splitter.end(),
      );
      this.#place = 0;
      this.#isOver = done ?? false;
    }
    return this.isReady;
  }

  /** The item that is ready. */
  next(): Item {
    const item = this.#items[this.#place] as Item;
    this.#place += 1;
    return item;
  }

  async close(): Promise<void> {
    await this.#chunks?.return(undefined);
  }

  /** What an item of it says, or what is wrong with it, and where that is. */
  read<T>(act: () => T): T | RecordingError {
    try {
      return act();
    } catch (error) {
      const placed = this.placed(error);
      if (placed instanceof RecordingError) return placed;
      throw placed;
    }
  }

  /** What is wrong with it says where that is. */
  located<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw this.placed(error);
    }
  }

  placed(error: unknown): unknown {
    return error instanceof Misplaced ? located(this.#source, this.#splitter, error) : error;
  }
}

function located({ name }: Source, { unit }: Splitter, { number, message }: Misplaced): RecordingError {
  if (number === 0) return new RecordingError(`${name} ${message}`);
  const hint = unit === 'line' && number === 1 ? ' A recording is a HAR, or has one exchange a line.' : '';
  return new RecordingError(
    unit === 'line' ? `${name}:${number}: the line ${message}${hint}` : `${name}: entry ${number} ${message}`,
  );
}
