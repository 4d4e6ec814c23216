import type { Body, Exchange, ProfileHistory, Trace } from '../vocabulary.js';

/** Where histories go when they are complete, or have to make room. */
export interface Bench {
  /** `isPiece`: not the first of it. `isLast`: the recording is over, and nothing of it is missing or can follow. */
  trace(trace: Trace, isPiece: boolean, isLast: boolean): void;
  profile(history: ProfileHistory): void;
  /** Shown what has ended, each time that there is more of it: nothing is counted by that. */
  readonly glimpse?: Bench;
}

/** What is remembered of one thing: an execution, or a profile. */
export interface History {
  /** How many exchanges of it are remembered. */
  readonly length: number;
  readonly bytes: number;
  /** Whether it was seen to be over: little more is to be expected. */
  readonly hasEnded: boolean;
  /** `answer` is the body as it was written, `key` the number of the key that it was sent with. */
  add(exchange: Exchange, answer: string, key?: number): void;
  /** There was one more that was not recorded. */
  miss(): void;
  judge(bench: Bench, isLast: boolean): void;
  /** Forgets what was judged, apart from what the next has to be compared with. */
  shorten(): void;
}

/** Of an exchange without bodies, about. */
const frame = 1000;

export const weight = ({ request, response }: Exchange): number =>
  frame + bytes(request.body) + (response ? bytes(response.body) : 0);

const bytes = (body: Body): number => (body.kind === 'none' ? 0 : body.bytes);

/** Recorders write exchanges as they end, and files are named in any order. */
export const inOrder = (exchanges: readonly Exchange[]): Exchange[] => exchanges.toSorted((a, b) => a.at - b.at);

/**
 * Answers to one question that was asked again and again, in order. Of equal answers in a row the first and the last are
 * kept: whatever an answer between them tells about those before and after it, one of these two tells as well, and what
 * it tells by itself has been judged. So an execution that is polled for hours takes no more room than its changes do.
 */
export class Polls {
  readonly #kept: Exchange[] = [];
  #latest = '';
  /** The last two that are kept have the same answer. */
  #repeats = false;

  get kept(): readonly Exchange[] {
    return this.#kept;
  }

  /** `answer` is the body as it was written. Tells whether there is one more to keep. */
  add(exchange: Exchange, answer: string): boolean {
    const last = this.#kept.at(-1);
    const isSame =
      last?.response?.status === exchange.response?.status && answer === this.#latest && inTurn(last, exchange);
    if (isSame && this.#repeats) {
      this.#kept[this.#kept.length - 1] = exchange;
      return false;
    }
    this.#repeats = isSame;
    this.#latest = answer;
    this.#kept.push(exchange);
    return true;
  }

  /** Forgets all but the last. */
  shorten(): void {
    this.#kept.splice(0, this.#kept.length - 1);
    this.#repeats = false;
  }
}

/** Answers to questions that were asked at the same time have no order. */
const inTurn = (earlier: Exchange | undefined, later: Exchange): boolean =>
  earlier !== undefined && earlier.at + earlier.durationMs <= later.at;
