/** Decides whether a service still answers, and which lost answers are permanent or only early. */
import { contract, type OperationId } from '../../contract.js';
import { isHtmlPage, isLost, isOutsideContract, outcomeOf } from '../../outcome/outcome.js';
import { accepted, answerBody, isCopyRequest, isStart, startedId, status, traitsOf } from '../../outcome/read.js';
import { tooManyRequests } from '../../outcome/statuses.js';
import { answeredAt, replicaLagMs } from '../../outcome/when.js';
import { sameId } from '../../rule/values.js';
import type { Exchange, Facts } from '../../vocabulary.js';
import { type Clock, graceMs } from '../clock.js';

/** This many unanswered requests in a row at the end of a run mean that there is no service to judge. */
const enoughSilence = 10;

/** Tells whether the service still answers. */
export class Liveness {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  /** How many requests in a row the service itself did not answer, and when it last answered one. */
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

  /** Why the target counts as gone; undefined while it does not. */
  get outageReason(): string | undefined {
    if (this.#gone !== undefined) return this.#gone;
    const silentMs = this.#clock.now() - this.#heardAt;
    const isOver = this.#unanswered >= enoughSilence || (this.#unanswered >= 3 && silentMs > this.#patienceMs);
    return isOver
      ? `The target stopped answering: the last ${this.#unanswered} requests, in ${Math.round(silentMs / 1000)} s, got no answer from the service itself; the last one: ${this.#last}.`
      : undefined;
  }

  /** A reading that was answered before has failed for `ms`, at last with `last`. Returns why the run ends. */
  giveUpReason(last: Exchange, ms: number): string {
    const hint =
      outcomeOf(last).unexpected === 'turned away'
        ? ' The key was good before: it may be revoked, or a quota used up.'
        : '';
    this.#gone = `The target stopped answering: a reading that it answered before got no such answer for ${Math.round(ms / 1000)} s; the last one: ${inWords(last)}.${hint}`;
    return this.#gone;
  }

  /** Counts unanswered requests. Returns why the run should end once this has lasted longer than the patience. */
  noteAnswer(exchange: Exchange): string | undefined {
    const { failure, response, at, durationMs } = exchange;
    // An answer that is too large is still an answer, and a start may be refused for lack of capacity.
    if (failure?.kind === 'stopped' || failure?.kind === 'too-large') return undefined;
    if (response?.status === tooManyRequests && isStart(exchange)) return undefined;
    this.#hasHeard ||= response !== undefined && !isLost(exchange);
    // Before anything else was answered, a page may be what this target always answers.
    const isItsOwn = response && response.status !== tooManyRequests && outcomeOf(exchange).by !== 'gateway';
    if (isItsOwn && !(this.#hasHeard && isLost(exchange))) {
      this.#unanswered = 0;
      this.#heardAt = Math.max(this.#heardAt, at + durationMs);
      return undefined;
    }
    this.#unanswered += 1;
    this.#last = inWords(exchange);
    return this.#clock.now() - this.#heardAt > this.#patienceMs ? this.outageReason : undefined;
  }
}

function inWords(exchange: Exchange): string {
  const { failure, response } = exchange;
  if (failure) return failure.message.replace(/\.$/, '');
  const { 'retry-after': wait, location } = response?.headers ?? {};
  if (isHtmlPage(exchange)) return `${response?.status} with a page`;
  const more = wait ? `, to be asked again after ${wait}` : location ? `, a redirect to ${location}` : '';
  return `${response?.status}${more}`;
}

/** This many lost answers of an operation in a row, over this time, are no accident. */
const lasting = 24;
const lastingMs = 15_000;
/** After this many requests with the same kind of answer, further ones are not retried. */
const enough = 3;

/** Knows which failures persist, whoever causes them: for these a retry is in vain. */
export class PersistentFailures {
  /** How many answers of an operation in a row were lost, and since when. */
  readonly #lost = new Map<OperationId, { readonly count: number; readonly since: number }>();
  /** How many requests had this kind of answer, outside the contract, while others were answered properly. */
  readonly #ways = new Map<string, number>();

  /** Records an answer. Returns whether it failed in a way that persists. */
  noteAnswer(operation: OperationId, exchange: Exchange, now: number): boolean {
    if (this.isKnown(exchange)) return true;
    if (!isLost(exchange)) {
      this.#lost.delete(operation);
      return false;
    }
    const { count, since } = this.#lost.get(operation) ?? { count: 0, since: exchange.at };
    this.#lost.set(operation, { count: count + 1, since });
    return count >= lasting && now - since > lastingMs;
  }

  /** How many answers of an operation in a row were lost. */
  lostInARow(operation: OperationId): number {
    return this.#lost.get(operation)?.count ?? 0;
  }

  /** The answer was the same when the request was retried, while others were answered. */
  noteRepeated(exchange: Exchange): void {
    const way = wayOf(exchange);
    if (way !== undefined) this.#ways.set(way, (this.#ways.get(way) ?? 0) + 1);
  }

  /** The answer was another one when the request was retried. */
  noteChanged(exchange: Exchange): void {
    this.#ways.delete(wayOf(exchange) ?? '');
  }

  isKnown(exchange: Exchange): boolean {
    return (this.#ways.get(wayOf(exchange) ?? '') ?? 0) >= enough;
  }
}

/** The kind of an answer, apart from what was asked; undefined if nobody, or only a gateway, answered. */
const wayOf = (exchange: Exchange): string | undefined =>
  exchange.response && outcomeOf(exchange).by !== 'gateway'
    ? `${exchange.operation} ${exchange.mark?.credential} ${status(exchange)} ${isOutsideContract(exchange)} ${isHtmlPage(exchange)}`
    : undefined;

/**
 * How long a replica may not know what was made, in milliseconds. Listings get half of that: what they show may not
 * last long. A started execution gets nothing, since rules say whether it has to be readable at once.
 */
function givenMs(exchange: Exchange): number {
  const { effect } = traitsOf(exchange) ?? {};
  if (effect === 'changes' || effect === 'copies') return replicaLagMs;
  return effect === 'reads' && exchange.operation !== contract().readOperation ? replicaLagMs / 2 : 0;
}

/** Knows what the run has just made. A replica may not find it at once. */
export class RecentlyMade {
  /** When each thing was first reported as made, by its id in lower case. */
  readonly #madeAt = new Map<string, number>();

  noteAnswer(exchange: Exchange): void {
    const copy = isCopyRequest(exchange) && accepted(exchange) ? answerBody(exchange)?.id : undefined;
    const id = startedId(exchange) ?? (sameId(copy, exchange.resource) ? undefined : copy);
    if (typeof id !== 'string' || this.#madeAt.has(id.toLowerCase())) return;
    this.#madeAt.set(id.toLowerCase(), answeredAt(exchange));
  }

  /** How long to wait before something that was not found is asked for again, in milliseconds. */
  pauseBefore(exchange: Exchange): number | undefined {
    const madeAt = this.#madeAt.get(exchange.resource?.toLowerCase() ?? '') ?? Number.NEGATIVE_INFINITY;
    const leftMs = madeAt + givenMs(exchange) - exchange.at;
    return status(exchange) === 404 && leftMs > 0 ? Math.min(replicaLagMs / 4, leftMs) : undefined;
  }
}
