/** Counts the copies of the declared profile that exist: those of this run and of earlier ones. */

import { mayHaveCopied } from '../../engine/outcome/outcome.js';
import { answerBody, idOfCopy } from '../../engine/outcome/read.js';
import { asText, sameId } from '../../engine/rule/values.js';
import type { KnownCopies, KnownCopy } from '../../engine/send/known-copies.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';

/** Whether the target file declares this profile: it is no copy, whatever a duplication answers. */
export const isDeclared = ({ profile, otherProfile, scratchProfile }: Facts, id: unknown): boolean =>
  [profile, otherProfile, scratchProfile].some((one) => sameId(one, id));

export class Copies {
  /** Duplications of this run that made a copy, or may have. */
  #made = 0;
  /** Pending requests that may make one. */
  beingMade = 0;
  /** Those whose copies are unknown, since no answer came. */
  lost = 0;
  /** Some were not made, for lack of room in the budget. */
  wereTooMany = false;
  /** Copies of earlier runs that may still exist. */
  earlier: readonly KnownCopy[] = [];
  /** All that are known, the latest first. */
  #all: readonly KnownCopy[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #known: KnownCopies;
  readonly #facts: Facts;

  constructor(known: KnownCopies, facts: Facts) {
    this.#known = known;
    this.#facts = facts;
  }

  /** Reads which copies earlier runs made. */
  async load(): Promise<void> {
    const { baseUrl, profile = '' } = this.#facts;
    const { copies = [] } = (await this.#known.of(baseUrl, profile)) ?? {};
    this.#all = this.earlier = copies.filter(({ id }) => !isDeclared(this.#facts, id));
  }

  /** All that exist, for another pass of the run: it uses them again. */
  again(): Copies {
    this.earlier = this.#all;
    this.#made = this.lost;
    return this;
  }

  /** How many exist at most. */
  get existing(): number {
    return this.earlier.length + this.#made + this.beingMade;
  }

  /** Whether a copy is in another organization, where the key may not reach it. */
  isElsewhere(id: string): boolean {
    return this.#all.some((one) => one.isElsewhere && sameId(one.id, id));
  }

  noteAnswer(exchange: Exchange): void {
    const id = idOfCopy(exchange);
    if (id === undefined && !mayHaveCopied(exchange)) return;
    this.#made += 1;
    if (id === undefined) this.lost += 1;
    else if (!isDeclared(this.#facts, id)) {
      const { organizationId, description } = answerBody(exchange) ?? {};
      const isElsewhere = sameId(organizationId, this.#facts.otherOrganization);
      const copy = { id, description: asText(description ?? ''), ...(isElsewhere && { isElsewhere }) };
      this.#all = [copy, ...this.#all];
      this.#write();
    }
  }

  /** Resolves when all copies so far are written down. */
  written(): Promise<void> {
    return this.#writing;
  }

  /** Forgets a copy that is gone, or belongs to somebody else by now. */
  forget(id: string): Promise<void> {
    const isOther = (one: KnownCopy) => !sameId(one.id, id);
    this.earlier = this.earlier.filter(isOther);
    this.#all = this.#all.filter(isOther);
    return this.#write();
  }

  #write(): Promise<void> {
    const { baseUrl, profile = '' } = this.#facts;
    const entry = { baseUrl, profile, copies: this.#all };
    // Writes are queued, so that the last one wins.
    this.#writing = this.#writing.then(() => this.#known.write(entry));
    return this.#writing;
  }
}
