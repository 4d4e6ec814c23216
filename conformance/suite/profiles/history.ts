/** What a recording shows of one profile. */
import { estimatedBytes, inOrder } from '../../engine/recording/history.js';
import type { History, HistoryConsumer } from '../../engine/vocabulary/recording.js';
import type { Exchange } from '../../engine/vocabulary.js';

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
    this.#bytes += estimatedBytes(exchange);
  }

  miss(): void {}

  judge(bench: HistoryConsumer): void {
    bench.profile({ profileId: this.#profileId, exchanges: inOrder(this.#exchanges) });
  }

  shorten(): void {
    this.#exchanges = [];
    this.#bytes = 0;
  }
}
