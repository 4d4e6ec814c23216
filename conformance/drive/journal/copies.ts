import { mayHaveCopied } from '../../evidence/lost.js';
import { answer } from '../../evidence/read.js';
import { sameId } from '../../evidence/values.js';
import type { Exchange } from '../../vocabulary.js';
import type { Journal } from './journal.js';

/** Copies of earlier runs that are remembered. */
const mostRemembered = 100;

/** The copies that runs make of the declared profile: this one, and those before it. */
export class Copies {
  /** Those that this run made, or may have made, and requests under way that may make one. */
  #made = 0;
  beingMade = 0;
  /** Those of them of which no answer told. */
  lost = 0;
  readonly #journal: Journal;
  readonly #baseUrl: string;
  readonly #profile: string;
  /** What the journal was last told. */
  #remembered: Promise<readonly string[]> = Promise.resolve([]);

  constructor(journal: Journal, baseUrl: string, profile: string) {
    this.#journal = journal;
    this.#baseUrl = baseUrl;
    this.#profile = profile;
  }

  /** How many there are at most, with those that are about to be made. */
  get most(): number {
    return this.#made + this.beingMade;
  }

  hears(exchange: Exchange): void {
    if (!mayHaveCopied(exchange)) return;
    this.#made += 1;
    if (answer(exchange)?.id === undefined) this.lost += 1;
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

  /** Ids of those that earlier runs made: no exchange of this one did. */
  async earlier(exchanges: readonly Exchange[]): Promise<readonly string[]> {
    const made = exchanges.filter(({ operation }) => operation === 'duplicateProfile');
    const known = await this.remembered();
    return known.filter((id) => !made.some((exchange) => sameId(answer(exchange)?.id, id)));
  }

  /** One that is gone, or somebody else's by now. */
  forget(id: string): Promise<unknown> {
    return this.remembered((known) => known.filter((one) => one !== id));
  }
}
