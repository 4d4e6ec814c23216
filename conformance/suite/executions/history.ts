/** What a recording shows of one execution. */
import {
  accepted,
  awaits,
  isClientError,
  isReadRequest,
  isRerunRequest,
  removes,
  status,
  traitsOf,
} from '../../engine/outcome/read.js';
import { beforeRemoval } from '../../engine/outcome/removals.js';
import { estimatedBytes, type History, type HistoryConsumer, inOrder, Polls } from '../../engine/recording/history.js';
import type { Exchange } from '../../engine/vocabulary.js';

/**
 * The keys with which an execution was started or seen. A 404 with any other key, or with one that was not recorded,
 * tells nothing: the execution may belong to another organization, where it does not exist.
 */
class KeysOfRun {
  readonly #own = new Set<number>();
  readonly #askedWith = new WeakMap<Exchange, number>();

  add(exchange: Exchange, key: number | undefined): void {
    if (key === undefined) return;
    if (accepted(exchange)) this.#own.add(key);
    else this.#askedWith.set(exchange, key);
  }

  mayBeAnothers(exchange: Exchange): boolean {
    return status(exchange) === 404 && !this.#own.has(this.#askedWith.get(exchange) ?? none);
  }
}

/** The number of no key. */
const none = 0;

/** So many are enough to notice a service that answers every start with the same id. */
const mostOtherStarts = 10;

export class ExecutionHistory implements History {
  readonly #executionId: string;
  readonly #keys = new KeysOfRun();
  readonly #readings = new Polls();
  readonly #waits = new Polls();
  readonly #listings = new Polls();
  #start: Exchange | undefined;
  readonly #otherStarts: Exchange[] = [];
  /** The first exchange that may have removed it. What comes later says nothing. */
  #removal: Exchange | undefined;
  #isPiece = false;
  #isWhole = true;
  #bytes = 0;

  constructor(executionId: string) {
    this.#executionId = executionId;
  }

  get length(): number {
    return this.#readings.kept.length + this.#waits.kept.length + this.#listings.kept.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(exchange: Exchange, answer: string, key?: number): void {
    this.#keys.add(exchange, key);
    if (removes(exchange)) {
      if (isClientError(exchange)) return;
      if (!this.#removal) this.#bytes += estimatedBytes(exchange);
      this.#removal ??= exchange;
      return;
    }
    if (traitsOf(exchange)?.resource === 'file') {
      if (this.#listings.add(exchange, answer)) this.#bytes += estimatedBytes(exchange);
      return;
    }
    if (!isReadRequest(exchange)) {
      if (this.#otherStarts.length === mostOtherStarts) return;
      this.#bytes += estimatedBytes(exchange);
      if (this.#start || isRerunRequest(exchange)) this.#otherStarts.push(exchange);
      else this.#start = exchange;
    } else if ((awaits(exchange) ? this.#waits : this.#readings).add(exchange, answer))
      this.#bytes += estimatedBytes(exchange);
  }

  miss(): void {
    this.#isWhole = false;
  }

  judge(bench: HistoryConsumer, isLast: boolean): void {
    const own = (asked: readonly Exchange[]) =>
      inOrder(
        beforeRemoval(asked, this.#removal ? [this.#removal] : []).filter((one) => !this.#keys.mayBeAnothers(one)),
      );
    const trace = {
      executionId: this.#executionId,
      ...(this.#start && { start: this.#start }),
      ...(this.#otherStarts.length > 0 && { otherStarts: [...this.#otherStarts] }),
      readings: own(this.#readings.kept),
      waits: own(this.#waits.kept),
      listings: own(this.#listings.kept),
    };
    bench.trace(trace, this.#isPiece, isLast && this.#isWhole);
  }

  shorten(): void {
    this.#readings.shorten();
    this.#waits.shorten();
    this.#listings.shorten();
    this.#otherStarts.length = 0;
    this.#isPiece = true;
    const left = [this.#start, this.#removal, ...this.#readings.kept, ...this.#waits.kept, ...this.#listings.kept];
    this.#bytes = left.reduce((sum, exchange) => sum + (exchange ? estimatedBytes(exchange) : 0), 0);
  }
}
