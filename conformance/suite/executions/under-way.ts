import { isTerminal } from '../../../generated/lifecycle.js';
import { mayHaveBegun } from '../../engine/outcome/lost.js';
import { answer, startedId } from '../../engine/outcome/read.js';
import { asText } from '../../engine/rule/values.js';
import { Lines } from '../../engine/send/line.js';
import type { Exchange } from '../../engine/vocabulary.js';

/** The executions that a run started: how many there are, which still run, and who waits for room. */
export class Executions {
  /** Every one that the run started. */
  readonly started = new Set<string>();
  /** Requests under way that may start one, with the journeys that send them. */
  readonly starting = new Map<Promise<unknown>, string>();
  /** Those of them that are not to be refused. */
  readonly meant = new Set<Promise<unknown>>();
  /** Starts that may have begun one of which no answer told. */
  lost = 0;
  /** Those that were not seen to end, and how many were. */
  readonly running = new Set<string>();
  ended = 0;
  /** How many had ended when a start gave up waiting for room. */
  fullSince: number | undefined;
  /** Starts that wait for room. */
  readonly lines = new Lines();
  /** States that executions were seen to leave, and those in which patience ended and that none ever left. */
  readonly #left = new Set<string>();
  readonly stuck = new Set<string>();

  /** How many there are at most, with those that may be about to start. */
  get most(): number {
    return this.#made + this.starting.size;
  }

  /** How many there are at most where whatever is to be refused is refused. */
  get likely(): number {
    return this.#made + this.meant.size;
  }

  get #made(): number {
    return this.started.size + this.lost;
  }

  /** Takes note of what an answer says of one. */
  hears(exchange: Exchange): void {
    if (mayHaveBegun(exchange)) this.lost += 1;
    const started = startedId(exchange);
    if (started !== undefined && !this.started.has(started)) {
      this.started.add(started);
      this.running.add(started);
    }
    const known = started ?? exchange.resource;
    if (isTerminal(asText(answer(exchange)?.status)) && known !== null && this.running.delete(known)) this.ended += 1;
  }

  /** One was seen to leave a state. */
  leaves(state: string): void {
    this.#left.add(state);
    this.stuck.delete(state);
  }

  /** Patience ended with one in this state. Where none ever left it, it is not waited for again. */
  stays(state: string): void {
    if (!this.#left.has(state)) this.stuck.add(state);
  }
}
