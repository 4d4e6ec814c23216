import { accepted, answer, status } from '../evidence/read.js';
import { answeredAt, behindMs } from '../evidence/runs.js';
import { sameId } from '../evidence/values.js';
import type { Exchange } from '../vocabulary.js';
import type { Journal } from './journal.js';

/** Copies of earlier runs that are remembered. */
const mostRemembered = 100;

/** The copies that runs make of the declared profile: this one, and those before it. */
export class Copies {
  /** Those that this run made, and requests under way that may make one. */
  made = 0;
  beingMade = 0;
  readonly #journal: Journal;
  readonly #baseUrl: string;
  readonly #profile: string;
  readonly #madeAt = new Map<string, number>();
  /** What the journal was last told. */
  #remembered: Promise<readonly string[]> = Promise.resolve([]);

  constructor(journal: Journal, baseUrl: string, profile: string) {
    this.#journal = journal;
    this.#baseUrl = baseUrl;
    this.#profile = profile;
  }

  hears(exchange: Exchange): void {
    if (exchange.operation !== 'duplicateProfile' || !accepted(exchange)) return;
    this.made += 1;
    const id = answer(exchange)?.id;
    if (typeof id === 'string' && !sameId(id, exchange.resource)) this.#madeAt.set(id, answeredAt(exchange));
  }

  /** A replica may not know a copy at once: how long to wait before it is asked for again, in milliseconds. */
  pauseBefore(exchange: Exchange): number | undefined {
    const madeAt = this.#madeAt.get(exchange.resource ?? '') ?? Number.NEGATIVE_INFINITY;
    return status(exchange) === 404 && exchange.at - madeAt < behindMs ? behindMs / 4 : undefined;
  }

  /** Their ids, as they are remembered from run to run; after a change, where one is given. */
  remembered(change?: (known: readonly string[]) => readonly string[]): Promise<readonly string[]> {
    // One after the other: of two copies that are made at the same time neither is forgotten.
    this.#remembered = this.#remembered.then(async () => {
      const known = await this.#journal.copies(this.#baseUrl, this.#profile);
      if (!change) return known;
      const now = change(known).slice(0, mostRemembered);
      await this.#journal.writeCopies(this.#baseUrl, this.#profile, now);
      return now;
    });
    return this.#remembered;
  }
}
