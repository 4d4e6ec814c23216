import { isTerminal } from '../../../generated/lifecycle.js';
import { accepted, answer as answered, status } from '../outcome/read.js';
import { asText } from '../rule/values.js';
import type { Body, Exchange, ProfileHistory, Trace } from '../vocabulary.js';
import { Polls } from './polls.js';

/** Where histories go when they are complete, or have to make room. */
export interface Bench {
  /** `isPiece`: not the first of it. `isLast`: the recording is over, and nothing of it is missing or can follow. */
  trace(trace: Trace, isPiece: boolean, isLast: boolean): void;
  profile(history: ProfileHistory): void;
  /** Shown what has ended, each time that there is more of it: nothing is counted by that. */
  readonly glimpse?: Bench;
}

/** What is remembered of one execution, or of one profile. */
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

/**
 * The keys by which one execution was started or seen. To a key of another organization it does not exist: that it is not
 * found with one by which it never was tells nothing.
 */
class KeysOfRun {
  readonly #own = new Set<number>();
  readonly #askedWith = new WeakMap<Exchange, number>();

  add(exchange: Exchange, key: number | undefined): void {
    if (key === undefined) return;
    if (accepted(exchange)) this.#own.add(key);
    else this.#askedWith.set(exchange, key);
  }

  isAnothers(exchange: Exchange): boolean {
    const key = this.#askedWith.get(exchange);
    return key !== undefined && this.#own.size > 0 && status(exchange) === 404 && !this.#own.has(key);
  }
}

/** A service that answers every start alike is known by a few. */
const mostOtherStarts = 10;

export class ExecutionHistory implements History {
  readonly #executionId: string;
  readonly #keys = new KeysOfRun();
  readonly #readings = new Polls();
  readonly #listings = new Polls();
  #start: Exchange | undefined;
  readonly #otherStarts: Exchange[] = [];
  #isPiece = false;
  #isWhole = true;
  #bytes = 0;
  #hasEnded = false;

  constructor(executionId: string) {
    this.#executionId = executionId;
  }

  get length(): number {
    return this.#readings.kept.length + this.#listings.kept.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  add(exchange: Exchange, answer: string, key?: number): void {
    this.#keys.add(exchange, key);
    if (exchange.operation === 'listExecutionFiles') {
      if (this.#listings.add(exchange, answer)) this.#bytes += weight(exchange);
      return;
    }
    // The status of an answer, of a start or a reading, is in the same field.
    this.#hasEnded = isTerminal(asText(answered(exchange)?.status));
    if (exchange.operation !== 'getExecution') {
      if (this.#otherStarts.length === mostOtherStarts) return;
      this.#bytes += weight(exchange);
      if (this.#start) this.#otherStarts.push(exchange);
      else this.#start = exchange;
    } else if (this.#readings.add(exchange, answer)) this.#bytes += weight(exchange);
  }

  miss(): void {
    this.#isWhole = false;
  }

  judge(bench: Bench, isLast: boolean): void {
    const own = (asked: readonly Exchange[]) => inOrder(asked.filter((one) => !this.#keys.isAnothers(one)));
    const trace = {
      executionId: this.#executionId,
      ...(this.#start && { start: this.#start }),
      ...(this.#otherStarts.length > 0 && { otherStarts: [...this.#otherStarts] }),
      readings: own(this.#readings.kept),
      listings: own(this.#listings.kept),
    };
    bench.trace(trace, this.#isPiece, isLast && this.#isWhole);
  }

  shorten(): void {
    this.#readings.shorten();
    this.#listings.shorten();
    this.#otherStarts.length = 0;
    this.#isPiece = true;
    const left = [...this.#readings.kept, ...this.#listings.kept, ...(this.#start ? [this.#start] : [])];
    this.#bytes = left.reduce((sum, exchange) => sum + weight(exchange), 0);
  }
}

export class UpdateHistory implements History {
  readonly #profileId: string;
  #exchanges: Exchange[] = [];
  #bytes = 0;
  readonly hasEnded = false;

  constructor(profileId: string) {
    this.#profileId = profileId;
  }

  get length(): number {
    return this.#exchanges.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    this.#bytes += weight(exchange);
  }

  miss(): void {}

  judge(bench: Bench): void {
    bench.profile({ profileId: this.#profileId, exchanges: inOrder(this.#exchanges) });
  }

  shorten(): void {
    this.#exchanges = [];
    this.#bytes = 0;
  }
}

/** Of an exchange without bodies, about. */
const frame = 1000;

const weight = ({ request, response }: Exchange): number =>
  frame + bytes(request.body) + (response ? bytes(response.body) : 0);

const bytes = (body: Body): number => (body.kind === 'none' ? 0 : body.bytes);

/** Recorders write exchanges as they end, and files are named in any order. */
const inOrder = (exchanges: readonly Exchange[]): Exchange[] => exchanges.toSorted((a, b) => a.at - b.at);
