import { contract } from '../contract.js';
import { memoize } from '../memoize.js';
import { starts } from '../outcome/traits.js';
import type { Course } from './course.js';
import { type Entry, type EntryReader, foreign } from './entry.js';
import type { Turn } from './in-time.js';
import { JudgingThread, type Thread } from './judging-thread.js';
import { readerOf } from './reader.js';
import type { Reading } from './reading.js';
import type { RecordedRun } from './recorded-run.js';
import { isPartial } from './request-url.js';
import type { Asked } from './sight.js';
import { Misplaced } from './splitter.js';
import { type Brief, courseOf, type Taker } from './taker.js';

/** To read and hand over an exchange takes so many times what it takes to judge one. */
const readingCost = 1 / 4;

/** How much this thread judges, so that all have as much to do; nothing, where reading for the others is enough. */
const ownShare = (jobs: number): number => Math.max(0, (1 - (jobs - 1) * readingCost) / jobs);

/**
 * Judges in several threads: all of one execution, or of one profile, in the same. This one reads, tells which those are,
 * without parsing more for others than the starts, whose executions are named in their answers, and judges its share; what
 * goes from one execution to another is judged here.
 */
export class Threads implements Taker {
  readonly #reader: EntryReader;
  readonly #course: Course;
  /** What is judged in this thread. */
  readonly #own: Course;
  readonly #share: number;
  readonly #threads: readonly JudgingThread[];
  readonly #readings: Reading[] = [];
  /** The first item that cannot be read, of those that have come to light. */
  #wrong: { readonly id: number; readonly error: unknown } | undefined;

  /** `jobs`: how many there are, this one included. `start` starts a thread. */
  constructor(brief: Brief, jobs: number, start?: (brief: Brief) => Thread) {
    const { openBytes, exchanges } = brief.bounds;
    this.#share = ownShare(jobs);
    const judging = this.#share > 0 ? jobs : jobs - 1;
    const share = { ...brief, bounds: { openBytes: Math.ceil(openBytes / judging), exchanges } };
    this.#reader = readerOf(brief.facts);
    this.#course = courseOf(brief);
    this.#own = courseOf(share, true);
    this.#threads = Array.from(
      { length: jobs - 1 },
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
    const { history, entry } = this.#seen(turn);
    if (entry?.kind === 'again') {
      this.#course.take(entry);
      return undefined;
    }
    // What is part of no history may go anywhere.
    const hash = hashOf(history ?? String(id));
    const isOwn = hash < this.#share * 2 ** 32;
    const own = isOwn ? (entry ?? this.#parsed(turn)) : undefined;
    if (this.#wrong) throw this.#wrong.error;
    if (!isOwn) return this.#threads[hash % this.#threads.length]?.take(id, this.#numberOf(reading), item);
    if (own) this.#own.take(own);
    return undefined;
  }

  async mistake(error: unknown): Promise<unknown> {
    await Promise.all(this.#threads.map((thread) => thread.settle()));
    return this.#wrong?.error ?? error;
  }

  async finish(unsorted: readonly string[]): Promise<RecordedRun> {
    const mistake = await this.mistake(undefined);
    if (mistake !== undefined) throw mistake;
    const latest = Math.max(this.#own.latest, ...this.#threads.map((thread) => thread.latest));
    const { takenOut } = this.#reader;
    this.#course.join(this.#own.end(latest));
    for (const part of await Promise.all(this.#threads.map((thread) => thread.end(latest)))) {
      this.#course.join(part);
      takenOut.add(part.takenOut);
    }
    return takenOut.mask(this.#course.finish(unsorted));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  /** What the exchange of a turn is part of, and what it says where that had to be parsed. */
  #seen(turn: Turn): { readonly history: string | undefined; readonly entry?: Entry | undefined } {
    const { asked } = turn.sight;
    const { method, url } = asked;
    const { address } = this.#addressOf(asked);
    if (address && !starts(address)) {
      const { operation, resource } = address;
      const isAwaited = operation === contract().look && this.#course.timeouts?.isAwaited(resource);
      // What was read before is known again where it was read.
      return {
        history: contract().histories.by(operation, resource) ?? resource,
        ...(isAwaited && { entry: this.#told(turn) }),
      };
    }
    // Where nothing is seen, or not enough, the item says it in another way, or is none.
    const entry = address || isPartial(url) ? this.#told(turn) : undefined;
    if (!address && !isPartial(url)) this.#course.timeouts?.entry(foreign(method, url));
    return { history: entry && entered(entry), entry };
  }

  readonly #addressOf = memoize(({ method, url }: Asked) => ({ address: this.#reader.addressOf(method, url) }));

  /** Parsed, and known to what goes from one execution to another. */
  #told(turn: Turn): Entry | undefined {
    const entry = this.#parsed(turn);
    if (entry) this.#course.timeouts?.entry(entry);
    return entry;
  }

  #parsed({ id, item, reading }: Turn): Entry | undefined {
    try {
      return this.#reader.parse(item, id);
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

/** What an entry is part of. */
function entered(entry: Entry): string | undefined {
  if (entry.kind === 'exchange') return contract().histories.of(entry.exchange);
  if (entry.kind === 'elsewhere') return entered(entry.entry);
  return entry.kind === 'unrecorded'
    ? contract().histories.by(entry.address.operation, entry.address.resource)
    : undefined;
}

/** FNV-1a. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
