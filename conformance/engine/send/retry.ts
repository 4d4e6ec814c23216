import { contract, type OperationId } from '../contract.js';
import { hasRightKey } from '../outcome/mark.js';
import { isHtmlPage, isLost, isOutsideContract, isOwnError, outcomeOf } from '../outcome/outcome.js';
import {
  isCopyRequest,
  isReadRequest,
  isStart,
  isStartRequest,
  meaningOf,
  refused,
  status,
  tooManyRequests,
  traitsOf,
  unavailable,
} from '../outcome/read.js';
import { graceMs } from '../outcome/when.js';
import { suite } from '../suite.js';
import type { Exchange, Facts, Response } from '../vocabulary.js';
import type { Clock } from './clock.js';
import type { RequestSpec } from './request-spec.js';

// Whether, when and how often a request is sent again after what became of it.

/** The first pause, in milliseconds, and that after a lost answer. It doubles with each retry, up to the longest. */
const [firstMs, lostMs] = [200, 50];
const longestMs = 5000;
/** The pause before a retry that has to observe something that does not last. */
const soonMs = 20;
/** After a 429 that does not say how long to wait: the first pause, and how often a start is retried. */
const limitMs = 1000;
const mostUnsaid = 7;

/** Whether no service has to accept the body: it is not valid JSON, or violates its schema. */
const isToBeRefused = ({
  operation,
  body,
  raw,
  unjudged,
}: Pick<RequestSpec, 'operation' | 'body' | 'raw' | 'unjudged'>): boolean =>
  raw !== undefined || (unjudged === true && contract().requests[operation]?.(body) === false);

/** Whether a repetition does no harm: the request reads, changes nothing, or has to be refused. */
export const isSafe = (
  ask: Pick<RequestSpec, 'operation' | 'probe' | 'credential' | 'body' | 'raw' | 'unjudged'>,
): boolean => {
  const { probe, credential = 'primary', body, raw } = ask;
  return (
    isReadRequest(ask) ||
    probe !== undefined ||
    credential !== 'primary' ||
    (traitsOf(ask)?.effect === 'changes' && raw === undefined && suite().isNoop(body)) ||
    isToBeRefused(ask)
  );
};

/**
 * Whether a request may be repeated although it may have taken effect: a deletion has no further effect, and one more
 * copy is reported like the others.
 */
const mayTakeEffectTwice = (ask: RequestSpec): boolean =>
  isCopyRequest(ask) || contract().operations[ask.operation].repeatable;

const mostOwnErrors = 2;
/** Enough for half a minute, in which a service is being replaced. */
const maxWhileAway = 11;

/** How often a request is retried, by how its answer was lost. */
function most(exchange: Exchange, ask: RequestSpec): number {
  if (exchange.failure?.kind === 'timeout') return 1;
  // If nobody was ever there, the run is to end soon.
  if (outcomeOf(exchange).form === 'unsent') return 2;
  if (outcomeOf(exchange).by === 'gateway') return maxWhileAway;
  if (!isLost(exchange) || outcomeOf(exchange).by === 'firewall') return 3;
  // The odd part of an unjudged start may be what breaks the connection, and each attempt may have begun an execution.
  return ask.unjudged && isStartRequest(ask) ? 1 : 7;
}

/**
 * Whether an answer allows a retry. A lost request may have taken effect, so it has to be one that does no harm twice;
 * one that was not sent or was refused may always be repeated.
 */
export const mayBeRetried = (exchange: Exchange, ask: RequestSpec): boolean =>
  (isOutsideContract(exchange) ||
    (outcomeOf(exchange).unexpected === 'turned away' && !ask.ifRefused) ||
    // A wrong key is refused for itself, whatever is in use.
    (!hasRightKey(exchange) && saysInUse(exchange))) &&
  (outcomeOf(exchange).form === 'unsent' ||
    (refused(exchange) && !isLost(exchange)) ||
    isSafe(ask) ||
    (mayTakeEffectTwice(ask) && isLost(exchange)));

/** Whether it was refused for the moment, and neither for its key nor at a limit. */
function saysInUse(exchange: Exchange): boolean {
  const { kind, rejectsCaller } = meaningOf(status(exchange));
  return kind === 'temporary' && !rejectsCaller;
}

/** How long to wait before a retry, in milliseconds; undefined for no retry. `attempt` counts from 0. */
export function pauseBefore(exchange: Exchange, ask: RequestSpec, attempt: number, now: number): number | undefined {
  const growing = (first: number) => Math.min(first * 2 ** attempt, longestMs);
  const asked = retryAfter(exchange, now);
  if (status(exchange) === tooManyRequests) {
    // Such a limit may be one of running executions, which lasts.
    const isUnsaid = asked === undefined && (ask.mayBeAtCapacity || (isStartRequest(ask) && attempt > mostUnsaid));
    if (ask.mayBeOverLimit || isUnsaid) return undefined;
    return Math.max(asked ?? growing(limitMs), asked === 0 ? growing(firstMs / 2) : 0);
  }
  if (isOwnError(exchange)) {
    // The service is temporarily unavailable, and says for how long.
    const isAway = status(exchange) === unavailable && asked !== undefined;
    const isOver = !isSafe(ask) || ask.mayBeOverLimit || attempt >= (isAway ? maxWhileAway : mostOwnErrors);
    return isOver ? undefined : Math.max(isAway ? asked : 0, growing(firstMs));
  }
  if (!mayBeRetried(exchange, ask) || attempt >= most(exchange, ask)) return undefined;
  // At its rate limit a service may answer 503 itself, but not with an HTML page.
  if (ask.mayBeOverLimit && !exchange.failure)
    return (isHtmlPage(exchange) || status(exchange) !== unavailable) && attempt < 2 ? soonMs : undefined;
  return Math.max(asked ?? 0, growing(most(exchange, ask) > 3 ? lostMs : firstMs));
}

/**
 * Whether a 429 is about the rate of all requests. For a start, a 429 that does not say when to come back may be about
 * capacity, which only concerns starts.
 */
export const isRateLimit = (exchange: Exchange): boolean =>
  exchange.response?.status === tooManyRequests &&
  (headerOf(exchange.response) !== undefined || !isStartRequest(exchange));

/** Whether an answer says when to come back. */
export const saysWhen = ({ response }: Exchange): boolean => response !== undefined && headerOf(response) !== undefined;

/** Headers that targets send with every answer. They say when to come back only if nothing remains of the limit. */
const limits = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];
const isUsedUp = ({ headers }: Response, limit: string): boolean => !(Number(headers[`${limit}-remaining`]) > 0);
/** The value of the first header that says when to come back. */
const headerOf = (response: Response): string | undefined =>
  [
    response.headers['retry-after'],
    ...limits.filter((limit) => isUsedUp(response, limit)).map((limit) => response.headers[`${limit}-reset`]),
  ].find((value) => value !== undefined);

/** A larger number is not a delay in seconds but a time since the epoch. */
const aYear = 31_536_000;
const aDay = 86_400_000;

/** Milliseconds to wait; undefined if the target does not say. A date is relative to the target's own clock. */
function retryAfter({ response }: Exchange, now: number): number | undefined {
  const value = response && headerOf(response);
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const isNumber = value.trim() !== '' && Number.isFinite(seconds);
  if (isNumber && seconds <= aYear) return Math.max(seconds * 1000, 0);
  const there = Date.parse(response?.headers.date ?? '');
  // A clock that is off by more than a day is ignored.
  const since = Math.abs(there - now) < aDay ? there : now;
  const ms = (isNumber ? seconds * 1000 : Date.parse(value)) - since;
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

// Decides whether a service still answers, and which lost answers are permanent or only early.

/** This many unanswered requests in a row at the end of a run mean that there is no service to judge. */
const enoughSilence = 10;

/** Tells whether the service still answers. */
export class Liveness {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  /** How many requests in a row the service itself did not answer, and when it last answered one. */
  #unanswered = 0;
  heardAt: number;
  #last = '';
  #hasHeard = false;
  /** The operations that the service itself answered. */
  readonly #answered = new Set<Exchange['operation']>();

  constructor(clock: Clock, pace: Facts['pace']) {
    this.#clock = clock;
    this.#patienceMs = graceMs(pace);
    this.heardAt = clock.now();
  }

  /** Why the target may be gone, if it may: at the end of a run, many answers are enough. */
  silence(isEnd: boolean): string | undefined {
    const silentMs = this.#clock.now() - this.heardAt;
    const isLong = this.#unanswered >= 3 && silentMs > this.#patienceMs;
    return isLong || (isEnd && this.#unanswered >= enoughSilence)
      ? `The target stopped answering: the last ${this.#unanswered} requests, in ${Math.round(silentMs / 1000)} s, got no answer from the service itself; the last one: ${this.#last}.`
      : undefined;
  }

  /** Counts unanswered requests. */
  noteAnswer(exchange: Exchange): void {
    const { failure, response, at, durationMs } = exchange;
    // An answer that is too large is still an answer, and a start may be refused for lack of capacity.
    if (failure?.kind === 'stopped' || failure?.kind === 'too-large') return;
    if (response?.status === tooManyRequests && isStart(exchange)) return;
    // Another key is turned away by a service that is there, and by one that turns away everybody.
    if (!hasRightKey(exchange) && meaningOf(response?.status).rejectsCaller) return;
    this.#hasHeard ||= response !== undefined && !isLost(exchange);
    // Before anything else was answered, a page may be what this target always answers.
    const isItsOwn = response && response.status !== tooManyRequests && outcomeOf(exchange).by !== 'gateway';
    const isTurnedAway = outcomeOf(exchange).unexpected === 'turned away';
    // An operation may turn away everybody from the beginning.
    if (isTurnedAway && this.#hasHeard && !this.#answered.has(exchange.operation)) return;
    const isOther = isLost(exchange) || isTurnedAway;
    if (isItsOwn && !(this.#hasHeard && isOther)) {
      this.#unanswered = 0;
      if (hasRightKey(exchange)) this.#answered.add(exchange.operation);
      this.heardAt = Math.max(this.heardAt, at + durationMs);
      return;
    }
    this.#unanswered += 1;
    this.#last = inWords(exchange);
  }
}

function inWords(exchange: Exchange): string {
  const { failure, response } = exchange;
  if (failure) return failure.message.replace(/\.$/, '');
  const { 'retry-after': wait, location } = response?.headers ?? {};
  if (isHtmlPage(exchange)) return `${response?.status} with a page`;
  if (outcomeOf(exchange).unexpected === 'turned away')
    return `${response?.status}. The key was good before: it may be revoked, or a quota used up`;
  const more = wait ? `, to be asked again after ${wait}` : location ? `, a redirect to ${location}` : '';
  return `${response?.status}${more}`;
}

/** This many lost answers of an operation in a row, over this time, are no accident. */
const lasting = 24;
const lastingMs = 15_000;

/** Knows which operations lose all their answers: for these a retry is in vain. */
export class LostAnswers {
  /** How many answers of an operation in a row were lost, and since when. */
  readonly #lost = new Map<OperationId, { readonly count: number; readonly since: number }>();

  /** Records an answer. Returns whether it was lost as others before, for long. */
  noteAnswer(operation: OperationId, exchange: Exchange, now: number): boolean {
    if (!isLost(exchange)) {
      this.#lost.delete(operation);
      return false;
    }
    const { count, since } = this.#lost.get(operation) ?? { count: 0, since: exchange.at };
    this.#lost.set(operation, { count: count + 1, since });
    return count >= lasting && now - since > lastingMs;
  }
}
