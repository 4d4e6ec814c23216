import { isLost, isPage, outcomeOf } from '../../outcome/outcome.js';
import { isStart } from '../../outcome/read.js';
import { busy } from '../../outcome/statuses.js';
import type { Exchange, Facts } from '../../vocabulary.js';
import type { Clock } from '../clock.js';
import { graceMs } from '../grace.js';

/** So many requests in a row at the end of a run, and there is no service to judge. */
const enoughSilence = 10;

/** Knows whether there is a service that answers. */
export class Liveness {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  /** Requests in a row that the service itself did not answer, and when it last did. */
  #unanswered = 0;
  #heardAt: number;
  #last = '';
  #hasHeard = false;
  #gone: string | undefined;

  constructor(clock: Clock, pace: Facts['pace']) {
    this.#clock = clock;
    this.#patienceMs = graceMs(pace);
    this.#heardAt = clock.now();
  }

  /** Why there is no service any more, where that is so. */
  get silence(): string | undefined {
    if (this.#gone !== undefined) return this.#gone;
    const silentMs = this.#clock.now() - this.#heardAt;
    const isOver = this.#unanswered >= enoughSilence || (this.#unanswered >= 3 && silentMs > this.#patienceMs);
    return isOver
      ? `The target stopped answering: the last ${this.#unanswered} requests, in ${Math.round(silentMs / 1000)} s, got no answer from the service itself; the last one: ${this.#last}.`
      : undefined;
  }

  /** A reading that was answered before was not any more, for so long, and at last like this. Gives why the run is to end. */
  gaveUp(last: Exchange, ms: number): string {
    const hint =
      outcomeOf(last).unexpected === 'turned away'
        ? ' The key was good before: it may be revoked, or a quota used up.'
        : '';
    this.#gone = `The target stopped answering: a reading that it answered before got no such answer for ${Math.round(ms / 1000)} s; the last one: ${inWords(last)}.${hint}`;
    return this.#gone;
  }

  /** Counts what the service does not answer. Gives why a run should end where that has lasted longer than patience. */
  of(exchange: Exchange): string | undefined {
    const { failure, response, at, durationMs } = exchange;
    // An answer that is too large is one; a start may be refused for want of room.
    if (failure?.kind === 'stopped' || failure?.kind === 'too-large') return undefined;
    if (response?.status === busy && isStart(exchange)) return undefined;
    this.#hasHeard ||= response !== undefined && !isLost(exchange);
    // Before anything else was heard nobody knows that a page is not what always answers there.
    const isItsOwn = response && response.status !== busy && outcomeOf(exchange).by !== 'gateway';
    if (isItsOwn && !(this.#hasHeard && isLost(exchange))) {
      this.#unanswered = 0;
      this.#heardAt = Math.max(this.#heardAt, at + durationMs);
      return undefined;
    }
    this.#unanswered += 1;
    this.#last = inWords(exchange);
    return this.#clock.now() - this.#heardAt > this.#patienceMs ? this.silence : undefined;
  }
}

function inWords(exchange: Exchange): string {
  const { failure, response } = exchange;
  if (failure) return failure.message.replace(/\.$/, '');
  const { 'retry-after': wait, location } = response?.headers ?? {};
  if (isPage(exchange)) return `${response?.status} with a page`;
  const more = wait ? `, to be asked again after ${wait}` : location ? `, a redirect to ${location}` : '';
  return `${response?.status}${more}`;
}
