import type { Facts } from '../vocabulary.js';
import type { Bounds } from './bounds.js';
import { Course } from './course.js';
import type { EntryReader } from './entry.js';
import type { Turn } from './in-time.js';
import { readerOf } from './reader.js';
import type { RecordedRun } from './recorded-run.js';

/** What is to be judged, and by what; it can be handed to another thread. */
export interface Brief {
  readonly facts: Facts;
  /** Ids of the rules. */
  readonly rules: readonly string[];
  readonly bounds: Bounds;
}

/** Judges what it is given, in turn. */
export interface Taker {
  /** Gives something to wait for when it can take no more at the moment. */
  take(turn: Turn): Promise<void> | undefined;
  /** Reading ended with an error: that, or an earlier one that had not come to light yet. */
  mistake(error: unknown): Promise<unknown>;
  finish(unsorted: readonly string[]): Promise<RecordedRun>;
  stop(): Promise<void>;
}

export const courseOf = ({ facts, rules, bounds }: Brief, isPart = false): Course => {
  const wanted = new Set(rules);
  return new Course(facts, ({ id }) => wanted.has(id), { bounds, isPart });
};

/** Judges in the thread that reads. */
export class Here implements Taker {
  readonly #reader: EntryReader;
  readonly #course: Course;

  constructor(brief: Brief) {
    this.#reader = readerOf(brief.facts);
    this.#course = courseOf(brief);
  }

  take({ item, id, reading }: Turn): undefined {
    this.#course.take(reading.located(() => this.#reader.parse(item, id)));
  }

  async mistake(error: unknown): Promise<unknown> {
    return error;
  }

  async finish(unsorted: readonly string[]): Promise<RecordedRun> {
    return this.#reader.takenOut.mask(this.#course.finish(unsorted));
  }

  async stop(): Promise<void> {}
}
