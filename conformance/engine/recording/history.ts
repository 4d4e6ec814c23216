/** What is kept of the exchanges about one execution or profile. */

import type { OperationId } from '../contract.js';
import type { Address } from '../http/address.js';
import type { Body, Exchange, ProfileHistory, Trace } from '../vocabulary.js';

/** Estimated bytes of an exchange without its bodies. */
const frame = 1000;

export const estimatedBytes = ({ request, response }: Exchange): number =>
  frame + bytes(request.body) + (response ? bytes(response.body) : 0);

const bytes = (body: Body): number => (body.kind === 'none' ? 0 : body.bytes);

/** Recorders write exchanges when they end, and files come in any order. */
export const inOrder = (exchanges: readonly Exchange[]): Exchange[] => exchanges.toSorted((a, b) => a.at - b.at);

/**
 * The answers to one polled request, in order. Of equal answers in a row only the first and the last are kept: they
 * show as much about the answers around them as those between, each of which has been judged by itself. So an execution
 * that is polled for hours takes no more memory than its changes do.
 */
export class Polls {
  readonly #kept: Exchange[] = [];
  #latest = '';
  /** Whether the last two that are kept are equal. */
  #repeats = false;

  get kept(): readonly Exchange[] {
    return this.#kept;
  }

  /** `answer` is the body as text. Returns whether one more is kept. */
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

/** Answers to concurrent requests have no order. */
const inTurn = (earlier: Exchange | undefined, later: Exchange): boolean =>
  earlier !== undefined && earlier.at + earlier.durationMs <= later.at;

// What is read of a recording, and what is kept of it.

/** What one entry of a recording is. */
export type Entry =
  | ({ readonly kind: 'exchange' } & Recorded)
  | { readonly kind: 'foreign'; readonly mayLookUp?: true }
  /** A request of this API whose body or answer was not recorded. */
  | { readonly kind: 'unrecorded'; readonly address: Address }
  /** A duplicate. */
  | { readonly kind: 'again' };

export interface Recorded {
  readonly exchange: Exchange & { readonly operation: OperationId };
  readonly baseUrl: string;
  /** The body of the answer as text, by which answers are compared. */
  readonly answer: string;
  /** The request body as text. */
  readonly question: string;
  /** Whether the bodies are as long as they were announced; undefined if that is unknown. */
  readonly isFull: { readonly [message in 'request' | 'response']?: boolean | undefined };
  /** Whether a key in the answer would have been recognised. */
  readonly showsKey: boolean;
  /** The number of the key that it was sent with, which says nothing else about it; absent if none was recorded. */
  readonly key?: number;
}

/** Takes histories that are complete, or that have to make room. */
export interface HistoryConsumer {
  /** `isPiece`: a further piece of a trace. `isLast`: the recording is over, and nothing of the trace is missing. */
  trace(trace: Trace, isPiece: boolean, isLast: boolean): void;
  profile(history: ProfileHistory): void;
}

/** What is kept of one execution or profile. */
export interface History {
  /** How many exchanges are kept. */
  readonly length: number;
  readonly bytes: number;
  /** `answer` is the body as text, `key` the number of the key of the request. */
  add(exchange: Exchange, answer: string, key?: number): void;
  /** Notes an exchange that was not recorded. */
  miss(): void;
  judge(bench: HistoryConsumer, isLast: boolean): void;
  /** Forgets what was judged, except for what later exchanges are compared with. */
  shorten(): void;
}

/**
 * A cache of limited size, in two halves: when the younger half is full, the older one is dropped at once. Looking for
 * the oldest entry of a `Map` each time would take longer than everything else here.
 */
export class Recent<Key, Value> {
  readonly #half: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #size = 0;

  constructor(room: number, sizeOf: (value: Value) => number) {
    this.#half = room / 2;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    this.#size += this.#sizeOf(value);
    this.#young.set(key, value);
    if (this.#size <= this.#half) return;
    [this.#old, this.#young, this.#size] = [this.#young, new Map(), 0];
  }
}
