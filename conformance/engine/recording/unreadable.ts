import type { RecordingError } from './error.js';

/** What of recordings is no exchange: how many, and what is wrong with the first of them. */
export interface NotRead {
  readonly count: number;
  readonly first: readonly string[];
}

export const noneUnreadable: NotRead = { count: 0, first: [] };

const mostNamed = 3;

/** Entries that nobody can read: one of them is no reason to leave out the others. */
export class Unreadable {
  #count = 0;
  readonly #first: string[] = [];

  add({ message }: RecordingError): void {
    this.#count += 1;
    if (this.#first.length < mostNamed) this.#first.push(message);
  }

  get all(): NotRead {
    return { count: this.#count, first: this.#first };
  }
}

export const addUnreadable = (a: NotRead, b: NotRead): NotRead => ({
  count: a.count + b.count,
  first: [...a.first, ...b.first].slice(0, mostNamed),
});
