import { outcomeOf } from '../../engine/outcome/outcome.js';
import { status } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** So many refusals count as lasting: a single one may have had a passing cause. */
const enough = 2;

/** Remembers starts that were refused for the contents of their free fields, which the interface does not limit. */
export class FreeFieldRefusals {
  readonly #at: Exchange[] = [];

  /** Adds a start that was refused, but accepted once its free fields were plain. */
  add(exchange: Exchange): void {
    this.#at.push(exchange);
  }

  /** Whether free fields must stay plain from now on. */
  get areLasting(): boolean {
    return this.#at.length >= enough || this.#at.some((one) => outcomeOf(one).isBarred);
  }

  /** The remark for the report, if there is one. */
  get text(): string | undefined {
    const [first] = this.#at;
    return first && this.areLasting
      ? `Starts with values in their free-form fields were refused (${status(first) ?? 'broken off'} in exchange #${first.id}) and accepted without them; the remaining starts carried only a marker in these fields.`
      : undefined;
  }
}
