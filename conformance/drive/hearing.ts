import type { Exchange, Facts } from '../vocabulary.js';
import type { Clock } from './clock.js';

/** What a gateway answers in place of a service that does not, or has no time. */
const notItsOwn: readonly number[] = [429, 502, 503, 504];
/** So many requests in a row at the end of a run, and there is no service to judge. */
const enoughSilence = 10;

/** Knows whether there is a service that answers. */
export class Hearing {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  /** Requests in a row that the service itself did not answer, and when it last did. */
  #unanswered = 0;
  #heardAt: number;

  constructor(clock: Clock, { patienceSeconds }: Facts['pace']) {
    this.#clock = clock;
    this.#patienceMs = patienceSeconds * 1000;
    this.#heardAt = clock.now();
  }

  /** Why there is no service any more, where that is so. */
  get silence(): string | undefined {
    const silentMs = this.#clock.now() - this.#heardAt;
    const isOver = this.#unanswered >= enoughSilence || (this.#unanswered >= 3 && silentMs > this.#patienceMs);
    return isOver
      ? `The target stopped answering: the last ${this.#unanswered} requests, in ${Math.round(silentMs / 1000)} s, got no answer of its own.`
      : undefined;
  }

  /** Counts what the service does not answer. Gives why a run should end where that has lasted longer than patience. */
  of({ failure, response, at, durationMs }: Exchange): string | undefined {
    // An answer that is too large is one.
    if (failure?.kind === 'stopped' || failure?.kind === 'too-large') return undefined;
    if (response && !notItsOwn.includes(response.status)) {
      this.#unanswered = 0;
      this.#heardAt = Math.max(this.#heardAt, at + durationMs);
      return undefined;
    }
    this.#unanswered += 1;
    return this.#clock.now() - this.#heardAt > this.#patienceMs ? this.silence : undefined;
  }
}
