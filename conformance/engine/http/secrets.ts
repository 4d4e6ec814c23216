import { Redactor } from './redact.js';

/** All that nobody may read in a report: keys, and what the target file calls secret. */
export class Secrets {
  /** Finds a key that an answer repeats. */
  readonly #keys: Redactor;
  readonly #all: Set<string>;
  #redactor: { readonly of: number; readonly redactor: Redactor } | undefined;

  constructor(keys: readonly string[], others: readonly string[]) {
    this.#keys = new Redactor(keys);
    this.#all = new Set([...keys, ...others]);
  }

  add(secret: string): void {
    this.#all.add(secret);
  }

  /** Whether a text repeats a key of the target. */
  isRepeatedIn(text: string): boolean {
    return this.#keys.finds(text);
  }

  /** Takes them out of texts. */
  get redactor(): Redactor {
    if (this.#redactor?.of !== this.#all.size)
      this.#redactor = { of: this.#all.size, redactor: new Redactor([...this.#all]) };
    return this.#redactor.redactor;
  }
}
