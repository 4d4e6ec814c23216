import { contract, type OperationId } from '../../contract.js';
import { isLost, isOutsideContract, isPage, outcomeOf } from '../../outcome/outcome.js';
import { accepted, answer, copies, isStart, startedId, status, traitsOf } from '../../outcome/read.js';
import { busy } from '../../outcome/statuses.js';
import { answeredAt, behindMs } from '../../outcome/when.js';
import { sameId } from '../../rule/values.js';
import type { Exchange, Facts } from '../../vocabulary.js';
import { type Clock, graceMs } from '../clock.js';

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

/** Answers of an operation that are lost one after the other, and for how long, until it is no accident any more. */
const lasting = 24;
const lastingMs = 15_000;
/** So many requests that are answered alike, whatever they ask, and others are not asked again for it. */
const enough = 3;

/** Knows what comes again and again in place of answers: whoever makes it, to ask once more is in vain. */
export class PersistentFailures {
  /** By operation, how many answers in a row were lost, and since when. */
  readonly #lost = new Map<OperationId, { readonly count: number; readonly since: number }>();
  /** By operation, status and words, how many requests were answered as no contract says while others were heard. */
  readonly #ways = new Map<string, number>();

  /** Takes in an answer: whether it is no accident, since it came again and again to no avail, and nothing else. */
  hears(operation: OperationId, exchange: Exchange, now: number): boolean {
    if (this.isKnown(exchange)) return true;
    if (!isLost(exchange)) {
      this.#lost.delete(operation);
      return false;
    }
    const { count, since } = this.#lost.get(operation) ?? { count: 0, since: exchange.at };
    this.#lost.set(operation, { count: count + 1, since });
    return count >= lasting && now - since > lastingMs;
  }

  /** How many answers of an operation were lost since one was heard. */
  lostInARow(operation: OperationId): number {
    return this.#lost.get(operation)?.count ?? 0;
  }

  /** What was answered so, also when it was asked again, while others were heard. */
  learns(exchange: Exchange): void {
    const way = wayOf(exchange);
    if (way !== undefined) this.#ways.set(way, (this.#ways.get(way) ?? 0) + 1);
  }

  /** What was answered so, and otherwise when it was asked again. */
  forgets(exchange: Exchange): void {
    this.#ways.delete(wayOf(exchange) ?? '');
  }

  isKnown(exchange: Exchange): boolean {
    return (this.#ways.get(wayOf(exchange) ?? '') ?? 0) >= enough;
  }
}

/** How an operation is answered to which key, and in whose words, apart from what was asked; undefined where nobody answered. */
const wayOf = (exchange: Exchange): string | undefined =>
  exchange.response && outcomeOf(exchange).by !== 'gateway'
    ? `${exchange.operation} ${exchange.mark?.credential} ${status(exchange)} ${isOutsideContract(exchange)} ${isPage(exchange)}`
    : undefined;

/**
 * How long a replica may not know what was made, in milliseconds. What is listed of something that goes on is to be seen
 * while it does, also where that is short. Whether what was started is there at once is for the rules to say.
 */
function givenMs(exchange: Exchange): number {
  const { effect } = traitsOf(exchange) ?? {};
  if (effect === 'changes' || effect === 'copies') return behindMs;
  return effect === 'reads' && exchange.operation !== contract().look ? behindMs / 2 : 0;
}

/** Knows what the run has just made, which a replica may not know at once. */
export class NotYet {
  /** By id in lower case, when each was first told of. */
  readonly #madeAt = new Map<string, number>();

  hears(exchange: Exchange): void {
    const copy = copies(exchange) && accepted(exchange) ? answer(exchange)?.id : undefined;
    const id = startedId(exchange) ?? (sameId(copy, exchange.resource) ? undefined : copy);
    if (typeof id !== 'string' || this.#madeAt.has(id.toLowerCase())) return;
    this.#madeAt.set(id.toLowerCase(), answeredAt(exchange));
  }

  /** How long to wait before what is not found is asked for again, in milliseconds. */
  pauseBefore(exchange: Exchange): number | undefined {
    const madeAt = this.#madeAt.get(exchange.resource?.toLowerCase() ?? '') ?? Number.NEGATIVE_INFINITY;
    const leftMs = madeAt + givenMs(exchange) - exchange.at;
    return status(exchange) === 404 && leftMs > 0 ? Math.min(behindMs / 4, leftMs) : undefined;
  }
}
