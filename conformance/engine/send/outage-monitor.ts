import { contract } from '../contract.js';
import { hasOwnFields, isOutsideContract, isOwnError, outcomeOf } from '../outcome/outcome.js';
import {
  accepted,
  firstServerError,
  isReadRequest,
  isStart,
  notFound,
  removes,
  status,
  tooManyRequests,
  traitsOf,
} from '../outcome/read.js';
import { removalsOf } from '../outcome/readings.js';
import type { Exchange, Mark } from '../vocabulary.js';
import { Halt } from './halt.js';
import type { Pace } from './pace.js';
import type { RequestSpec } from './request-spec.js';
import { type Liveness, mayBeRetried, pauseBefore } from './retry.js';
import { seeded, seedFor, uuidOf } from './seeded.js';
import type { Session } from './session.js';

// Finds out by requests of its own ("checks") whether a service that failed is there, and waits until it is.

/** How often a check is tried: checks are subject to rate limits as well. */
export const checkAttempts = 4;
/** The pause between two checks of a service that is away. */
const awayMs = 1000;
/** How often a 404 for an existing thing is retried while the service answers: one instance may not find it. */
const mostUnexpected404s = 3;
/** The request of the preflight without a key. */
const keyless = 'read-unknown-without-key';

interface Wire {
  readonly pace: Pace;
  readonly liveness: Liveness;
  exchange(mark: Mark, request: RequestSpec): Promise<Exchange>;
}

export class OutageMonitor {
  readonly #run: Session;
  readonly #wire: Wire;
  /** While the service is away: whether it came back. */
  #away: Promise<boolean> | undefined;
  /** The last time that the service was away. */
  #lastAway: { readonly from: number; readonly to: number } | undefined;

  constructor(run: Session, wire: Wire) {
    this.#run = run;
    this.#wire = wire;
  }

  /**
   * Whether the request is to be retried because a service that had been away is back. Meanwhile nobody else sends.
   * False if the service answers others: then the unexpected answer is its answer to this request. An answer that keeps
   * coming is remembered as persistent, and not looked into again.
   */
  async isBack(
    scenario: string,
    request: RequestSpec,
    exchange: Exchange,
    giveUp: number,
    serviceChecks: number,
  ): Promise<boolean> {
    const isUnexpected404 = this.#isUnexpected404(exchange);
    // To a deletion the service may answer nothing; in an outage, everything may be. Others tell which.
    const isEmptyAnswer = request.hasMadeUpId === true && isEmpty(exchange);
    // A 404 is never the answer to exceeding a limit.
    const isOfLimit = request.mayBeOverLimit && !isUnexpected404;
    if (!(mayBeRetried(exchange, request) || isUnexpected404 || isEmptyAnswer) || isOfLimit || !this.#answered)
      return false;
    if (this.#run.persistentFailures.isKnown(exchange) || this.#run.signal.aborted) return false;
    const isThere =
      !this.#away &&
      (await (isUnexpected404 ? this.#demandsKey(scenario, request) : this.#answersReadingsInTime(scenario, request)));
    if (serviceChecks === 0 && this.#isFromLastOutage(exchange)) return true;
    if (isThere) {
      // The outage may be over, or one instance answered. The service's own answer comes again.
      if ((isUnexpected404 && !this.#wasFound(exchange)) || (isEmptyAnswer && !mayBeRetried(exchange, request)))
        return false;
      if (serviceChecks < (isUnexpected404 ? mostUnexpected404s : 1)) return true;
      this.#run.persistentFailures.noteRepeated(exchange);
      return false;
    }
    const from = exchange.at - awayMs;
    this.#away ??= this.#waitUntilBack(scenario, giveUp).finally(() => {
      this.#away = undefined;
      this.#lastAway = { from, to: this.#run.clock.now() };
    });
    if (await this.#away) return true;
    this.#run.exclude(exchange);
    return false;
  }

  /** Whether something that exists was answered 404, or a caller without the right to know was. */
  #isUnexpected404(exchange: Exchange): boolean {
    const { mark, resource } = exchange;
    if (outcomeOf(exchange).unexpected !== 'not found' || resource === null) return false;
    // A removed thing is not found, whoever answers. Removing it again is another question.
    if (!removes(exchange) && removalsOf(this.#run.exchanges, traitsOf(exchange)?.subject, resource).length > 0)
      return false;
    if (mark?.credential !== 'primary' || this.#run.executions.started.has(resource)) return true;
    return (
      JSON.stringify(this.#run.target.facts).includes(resource) ||
      this.#run.exchanges.some((one) => accepted(one) && one.resource === resource)
    );
  }

  /**
   * Whether the same thing was found before, or may well be there: a workflow that no other start was refused as
   * unknown, a pool that no deletion has removed. A caller without the right key may be told anything. A just started
   * execution may not be there yet.
   */
  #wasFound(exchange: Exchange): boolean {
    const { operation, resource, mark } = exchange;
    if (mark?.credential !== 'primary') return true;
    const same = this.#run.exchanges.filter(
      (one) =>
        one.resource === resource &&
        (one.operation === operation ||
          (isStart(one) && isStart(exchange)) ||
          (isReadRequest(one) && isReadRequest(exchange))),
    );
    const others = same.filter((one) => one.mark?.credential === 'primary' && one.mark.step !== mark.step);
    if (traitsOf(exchange)?.effect === 'ends') return !same.some(accepted);
    return (
      same.some(accepted) || (isStart(exchange) && !others.some((one) => outcomeOf(one).unexpected === 'not found'))
    );
  }

  /** Whether the answer dates from the last outage: by the time of the check it may be over. */
  #isFromLastOutage({ at }: Exchange): boolean {
    return this.#lastAway !== undefined && at >= this.#lastAway.from && at <= this.#lastAway.to;
  }

  /** Excludes all failures since the last proper answer: it was not known yet that the service was away. */
  excludeOutage(): void {
    const left = this.#run.exchanges.filter(({ mark }) => !mark?.excluded);
    const isOutage = (one: Exchange) =>
      isOutsideContract(one) || outcomeOf(one).unexpected !== undefined || isEmpty(one);
    const lastProper = left.findLastIndex((one) => isAnswer(one) && !isOutage(one));
    const silent = left.slice(lastProper + 1).filter(isOutage);
    // The service itself may answer a deletion with nothing, unless others get empty answers too.
    const isOwn = (one: Exchange) => isEmpty(one) && traitsOf(one)?.essential === null;
    const isEmptied = silent.some((one) => isEmpty(one) && !isOwn(one));
    for (const one of silent) if (isEmptied || !isOwn(one)) this.#run.exclude(one);
  }

  async #waitUntilBack(scenario: string, giveUp: number): Promise<boolean> {
    this.excludeOutage();
    const { request, isAnswered } = this.#check();
    const from = this.#run.clock.now();
    let last: Exchange | undefined;
    while (!this.#run.signal.aborted && this.#run.clock.now() + awayMs < giveUp) {
      this.#wire.pace.pause(awayMs);
      await this.#run.clock.sleep(awayMs, this.#run.signal);
      // Sent past the queue: those in it may be waiting for this.
      const exchange = await this.#wire
        .exchange({ scenario, step: request.step, credential: 'primary' }, request)
        .catch(halted);
      if (!exchange) continue;
      if (isAnswered(exchange)) return true;
      this.#run.exclude(exchange);
      this.excludeOutage();
      last = exchange;
    }
    // The service itself answers: what was read before is gone.
    if (last && isAnswer(last) && hasOwnFields(last)) return true;
    if (last && !this.#run.signal.aborted)
      this.#run.end(this.#wire.liveness.giveUpReason(last, this.#run.clock.now() - from));
    return false;
  }

  /** The last proper answer to a reading, preferably of something that exists. */
  get #answered(): Exchange | undefined {
    const last = (is: (exchange: Exchange) => boolean) =>
      this.#run.exchanges.findLast(
        (one) =>
          one.operation === contract().readOperation &&
          one.mark?.credential === 'primary' &&
          one.resource &&
          is(one) &&
          isAnswer(one),
      );
    return last(accepted) ?? last(() => true);
  }

  /**
   * A reading that tells whether the service is there: repeats one that was answered before, and expects the same
   * status. On a new connection, since an open one says nothing about whether new ones can be made.
   */
  #check(evenIfStopping = false): {
    readonly request: RequestSpec;
    readonly isAnswered: (exchange: Exchange) => boolean;
  } {
    const before = this.#answered;
    const id = before?.resource ?? uuidOf(seeded(seedFor(this.#run.seed, 'look')));
    return {
      request: {
        step: 'look',
        operation: contract().readOperation,
        id,
        newConnection: true,
        ...(evenIfStopping && { evenIfStopping }),
      },
      // A thing that is found now, and was not then, is also a proper answer.
      isAnswered: (exchange) =>
        isAnswer(exchange) && (!before || accepted(exchange) || status(exchange) === status(before)),
    };
  }

  get checkRequest(): RequestSpec {
    return this.#check().request;
  }

  /**
   * Whether readings are answered while a start is refused with 429 and told when to come back. Then the limit is one
   * of capacity, not of the rate of requests, and others need not pause.
   */
  async answersReadings(scenario: string, { evenIfStopping }: RequestSpec): Promise<boolean> {
    const { request, isAnswered } = this.#check(evenIfStopping);
    return isAnswered(await this.#sendCheck(scenario, request, isAnswered));
  }

  /** As `answersReadings`, after the pauses that a rate limit asks for. If it keeps asking for more, the service is there. */
  async #answersReadingsInTime(scenario: string, { evenIfStopping }: RequestSpec): Promise<boolean> {
    const { request, isAnswered } = this.#check(evenIfStopping);
    for (let attempt = 0; attempt < checkAttempts; attempt += 1) {
      const exchange = await this.#sendCheck(scenario, request, isAnswered);
      if (status(exchange) !== tooManyRequests) return isAnswered(exchange);
      await this.#run.clock.sleep(
        pauseBefore(exchange, request, attempt, this.#run.clock.now()) ?? awayMs,
        this.#run.signal,
      );
    }
    return true;
  }

  /**
   * Whether a request without a key is answered as in the preflight: a service that is there asks for a key, whether
   * the thing exists or not. A reading cannot tell after 404s, since what it found before may be gone.
   */
  async #demandsKey(scenario: string, { evenIfStopping }: RequestSpec): Promise<boolean> {
    const before = this.#run.last('preflight', keyless);
    if (!before || status(before) === notFound) return true;
    const request: RequestSpec = {
      step: keyless,
      operation: contract().readOperation,
      id: before.resource ?? '',
      credential: 'none',
    };
    const isAlike = (exchange: Exchange) => status(exchange) === status(before);
    const exchange = await this.#sendCheck(
      scenario,
      { ...request, ...(evenIfStopping && { evenIfStopping }) },
      isAlike,
    );
    // Any answer but a 404 or a server error is the service's. It may turn away who has shown many wrong keys.
    return status(exchange) !== notFound && (status(exchange) ?? firstServerError) < firstServerError;
  }

  /** Sends a check before all other requests, twice if its answer is lost. Failed checks are excluded. */
  async #sendCheck(
    scenario: string,
    request: RequestSpec,
    answersReadings: (exchange: Exchange) => boolean,
  ): Promise<Exchange> {
    const mark: Mark = { scenario, step: request.step, credential: request.credential ?? 'primary' };
    const options = {
      ...(!request.evenIfStopping && { signal: this.#run.signal }),
      beforeOthers: true,
      withoutSpacing: true,
      evenIfExclusive: true,
      by: scenario,
    };
    for (let again = 0; ; again += 1) {
      const exchange = await this.#wire.pace.schedule(() => this.#wire.exchange(mark, request), options);
      if (answersReadings(exchange) && !isOutsideContract(exchange)) return exchange;
      this.#run.exclude(exchange);
      if (again === 1 || !isOutsideContract(exchange) || exchange.failure?.kind === 'timeout') return exchange;
    }
  }
}

const isAnswer = (exchange: Exchange): boolean =>
  exchange.response !== undefined &&
  status(exchange) !== tooManyRequests &&
  !isOutsideContract(exchange) &&
  !isOwnError(exchange) &&
  outcomeOf(exchange).unexpected !== 'turned away';

/** The interface does not show the success of a deletion, so it may have no body. */
const isEmpty = (exchange: Exchange): boolean => accepted(exchange) && exchange.response?.body.kind === 'none';

const halted = (error: unknown): undefined => {
  if (!(error instanceof Halt)) throw error;
};
