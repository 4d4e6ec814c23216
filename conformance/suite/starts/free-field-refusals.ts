import { outcomeOf } from '../../engine/outcome/outcome.js';
import { status } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** After so many refusals in the words of the contract they count as lasting: a single one may have had a passing cause. */
const enough = 2;

/** Starts that were refused for the contents of their free fields, `inputs` and `metadata`: what these may hold is not shown. */
export class FreeFieldRefusals {
  readonly #at: Exchange[] = [];

  /** Adds a start that was refused, and came through once its free fields were plain. */
  add(exchange: Exchange): void {
    this.#at.push(exchange);
  }

  /** Whether free fields are left plain from now on. */
  get areLasting(): boolean {
    return this.#at.length >= enough || this.#at.some((one) => outcomeOf(one).isBarred);
  }

  /** The remark of the report, where there is one. */
  get text(): string | undefined {
    const [first] = this.#at;
    return first && this.areLasting
      ? `Starts with values in their free-form fields were refused (${status(first) ?? 'broken off'} in exchange #${first.id}) and came through without them; the other starts carried only a marker there.`
      : undefined;
  }
}
