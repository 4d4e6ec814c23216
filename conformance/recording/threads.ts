import { type Course, type Latest, later } from './course.js';
import type { Entry, EntryReader } from './entry.js';
import { historyBy, historyOf } from './histories.js';
import type { Turn } from './in-time.js';
import { JudgingThread, type Thread } from './judging-thread.js';
import { readerOf } from './reader.js';
import type { Reading } from './reading.js';
import type { RecordedRun } from './recorded-run.js';
import { Misplaced } from './splitter.js';
import { type Brief, courseOf, type Taker } from './taker.js';

/**
 * Judges in several threads: all of one execution, or of one profile, in the same. Here it is only told which those are,
 * without parsing more than the starts, whose executions are named in their answers; and what goes from one execution to
 * another is judged here.
 */
export class Threads implements Taker {
  readonly #reader: EntryReader;
  readonly #course: Course;
  readonly #threads: readonly JudgingThread[];
  readonly #readings: Reading[] = [];
  /** The first item that cannot be read, of those that have come to light. */
  #wrong: { readonly id: number; readonly error: unknown } | undefined;

  /** `start` starts a thread. */
  constructor(brief: Brief, jobs: number, start?: (brief: Brief) => Thread) {
    const { openBytes, exchanges } = brief.bounds;
    const share = { ...brief, bounds: { openBytes: Math.ceil(openBytes / jobs), exchanges } };
    this.#reader = readerOf(brief.facts);
    this.#course = courseOf(brief);
    this.#threads = Array.from(
      { length: jobs },
      () =>
        new JudgingThread(
          share,
          ({ id, source, number, message }) =>
            this.#mistaken(id, this.#readings[source] as Reading, new Misplaced(number, message)),
          start,
        ),
    );
  }

  take(turn: Turn): Promise<void> | undefined {
    const { id, item, reading } = turn;
    const history = this.#historyOf(turn);
    if (this.#wrong) throw this.#wrong.error;
    // What is part of no history may go anywhere.
    const place = (history === undefined ? id : hashOf(history)) % this.#threads.length;
    return this.#threads[place]?.take(id, this.#numberOf(reading), item);
  }

  async mistake(error: unknown): Promise<unknown> {
    await Promise.all(this.#threads.map((thread) => thread.settle()));
    return this.#wrong?.error ?? error;
  }

  async finish(unsorted: readonly string[]): Promise<RecordedRun> {
    const mistake = await this.mistake(undefined);
    if (mistake !== undefined) throw mistake;
    const latest = this.#threads.reduce<Latest | undefined>((last, one) => later(last, one.latest), undefined);
    const { takenOut } = this.#reader;
    for (const part of await Promise.all(this.#threads.map((thread) => thread.end(latest)))) {
      this.#course.join(part);
      takenOut.add(part.takenOut);
    }
    return takenOut.mask(this.#course.finish(unsorted));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  #historyOf(turn: Turn): string | undefined {
    const { method, url } = turn.sight;
    const address = this.#reader.addressOf(method, url);
    if (address && address.operation !== 'execute' && address.operation !== 'executeSync') {
      const { operation, resource } = address;
      if (operation === 'getExecution' && this.#course.timeouts?.isAwaited(resource)) this.#parsed(turn);
      return historyBy(operation, resource);
    }
    // Where nothing is seen, the item says it in another way, or is none.
    const entry = address || url === '' ? this.#parsed(turn) : undefined;
    return entry?.kind === 'exchange' ? historyOf(entry.exchange) : undefined;
  }

  #parsed({ id, item, reading }: Turn): Entry | undefined {
    try {
      const entry = this.#reader.parse(item, id);
      if ('exchange' in entry && entry.exchange)
        this.#course.timeouts?.exchange(entry.exchange, entry.kind === 'elsewhere');
      return entry;
    } catch (error) {
      this.#mistaken(id, reading, error);
      return undefined;
    }
  }

  #mistaken(id: number, reading: Reading, error: unknown): void {
    if (!this.#wrong || id < this.#wrong.id) this.#wrong = { id, error: reading.placed(error) };
  }

  #numberOf(reading: Reading): number {
    const known = this.#readings.indexOf(reading);
    return known === -1 ? this.#readings.push(reading) - 1 : known;
  }
}

/** FNV-1a. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
