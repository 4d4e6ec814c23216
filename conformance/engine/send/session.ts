/** What a run knows of its target, and how it sends requests and retries them. */
import { setMaxListeners } from 'node:events';
import { contract } from '../contract.js';
import type { Kept } from '../http/kept.js';
import type { Redactor } from '../http/redact.js';
import type { Transport } from '../http/transport.js';
import {
  isLost,
  isOutsideContract,
  isOwnError,
  isPage,
  mayHaveCopied,
  outcomeOf,
  saysUnavailable,
} from '../outcome/outcome.js';
import { isStart, status } from '../outcome/read.js';
import { busy, unavailable } from '../outcome/statuses.js';
import { saysNearlyTheSame } from '../outcome/when.js';
import type { Exchange, FailedWait, Mark, Target } from '../vocabulary.js';
import { type Clock, graceMs } from './clock.js';
import { Halt } from './halt.js';
import { Pace } from './pace.js';
import { Recorder } from './recorder.js';
import type { RequestSpec } from './request-spec.js';
import { isOfPace, isSafe, pauseBefore } from './retry/again.js';
import { Liveness, NotYet, PersistentFailures } from './retry/liveness.js';
import { looks, OutageMonitor } from './retry/outage-monitor.js';

/** The pause after a rate limit whose answer does not say how long to wait. */
const slowerMs = 100;
/** How often requests are sent at once: a rate limit would refuse them again and again. */
const atOnceTurns = 2;
const betweenTurnsMs = 500;

/** The state of a request between its attempts. */
interface Met {
  /** How often it was retried. */
  attempt: number;
  /** How often it was retried because the service was seen to be there. */
  looked: number;
  /** The time after which it is not retried. */
  giveUp: number;
  /** The previous answer, if that turned the caller away. */
  turnedAway?: Exchange | undefined;
  /** The previous answer, if that is outside the contract. */
  strange?: Exchange | undefined;
}

export interface Sending {
  readonly transport: Transport;
  readonly clock: Clock;
  /** The seed of all generated values. */
  readonly seed: number;
  readonly signal?: AbortSignal;
  readonly kept?: Kept;
}

/**
 * Sends at the target's pace, and retries where an answer tells nothing of the service. The suite's subclass keeps
 * account of what requests leave on the target.
 */
export abstract class Session {
  /** The executions that the run started. */
  abstract readonly executions: { readonly started: ReadonlySet<string> };
  readonly exchanges: readonly Exchange[];
  readonly failedWaits: FailedWait[] = [];
  readonly clock: Clock;
  /** The target. It changes during a run: what is made for the run is declared once it exists. */
  target: Target;
  /** The seed of all generated values. */
  readonly seed: number;
  /** Aborted when the run is to end early. */
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  readonly #recorder: Recorder;
  readonly #liveness: Liveness;
  readonly #pace: Pace;
  readonly persistentFailures = new PersistentFailures();
  readonly #notYet = new NotYet();
  readonly #outages: OutageMonitor;
  /** How many starts wait after a 429 that did not say for how long. */
  #unsaid = 0;

  constructor(target: Target, how: Sending) {
    this.target = target;
    this.clock = how.clock;
    this.seed = how.seed;
    this.signal = how.signal ? AbortSignal.any([how.signal, this.#end.signal]) : this.#end.signal;
    // Every wait adds a listener.
    setMaxListeners(0, this.signal);
    this.#recorder = new Recorder(target, how);
    this.exchanges = this.#recorder.exchanges;
    this.#pace = new Pace(how.clock, target.facts.pace);
    this.#liveness = new Liveness(how.clock, target.facts.pace);
    this.#outages = new OutageMonitor(this, {
      pace: this.#pace,
      liveness: this.#liveness,
      exchange: (mark, ask) => this.#exchange(mark, ask),
    });
  }

  /**
   * Sends one request and records it. Retries it, within the target's patience, if a rate limit refused it, or if its
   * answer was lost and a repetition does no harm. The first answer stays in the record.
   */
  async send(journey: string, ask: RequestSpec): Promise<Exchange> {
    const met: Met = { attempt: 0, looked: 0, giveUp: Number.POSITIVE_INFINITY };
    for (;;) {
      const exchange = await this.#attempt(journey, ask, met.attempt);
      // Patience counts from the first answer: how long the request was queued here is not the target's doing.
      met.giveUp = Math.min(met.giveUp, this.clock.now() + graceMs(this.target.facts.pace));
      this.#holdAgainstEarlier(exchange, met);
      const notYet = this.#notYet.pauseBefore(exchange);
      const pause = notYet ?? (await this.#pauseBefore(journey, ask, exchange, met));
      if (pause === undefined || this.clock.now() + pause > met.giveUp) return exchange;
      if (pause === 0) met.looked += 1;
      if (await this.#isLast(journey, ask, exchange, met)) return exchange;
      this.#setAside(exchange, met);
      await this.#wait(journey, ask, exchange, pause, met);
      // Waiting for something that a replica does not know yet is no failed attempt.
      if (notYet === undefined) met.attempt += 1;
    }
  }

  /** Sends it once, when it is its turn. */
  #attempt(journey: string, ask: RequestSpec, attempt: number): Promise<Exchange> {
    const mark: Mark = {
      journey,
      step: ask.step,
      credential: ask.credential ?? 'primary',
      ...(ask.probe && { probe: ask.probe }),
      ...(ask.observes && { observes: ask.observes }),
      ...(ask.unjudged && { unjudged: true }),
      ...(ask.sequence !== undefined && { sequence: ask.sequence }),
    };
    return this.#pace.through(() => this.#exchange(mark, ask), {
      ...(!ask.always && { signal: this.signal }),
      ...(ask.first && { first: true }),
      ...(ask.aside && { aside: true }),
      ...(ask.atOnce && attempt < atOnceTurns && { atOnce: true }),
      by: journey,
    });
  }

  /** Re-evaluates the previous answer to the request in the light of this one. */
  #holdAgainstEarlier(exchange: Exchange, met: Met): void {
    if (status(exchange) !== busy && !exchange.failure) this.#pace.answered(exchange.at);
    // The service itself says the same, so the previous answer was the service's too.
    if (met.strange && !isOutsideContract(exchange) && saysNearlyTheSame(met.strange, exchange))
      this.#recorder.include(met.strange);
    const isTurnedAway = outcomeOf(exchange).unexpected === 'turned away';
    if (met.turnedAway && exchange.response && !isTurnedAway) {
      // The answer changed within a moment, so being turned away was a rate limit.
      this.persistentFailures.forgets(met.turnedAway);
      this.#pace.yield(slowerMs);
    }
    met.turnedAway = isTurnedAway && !isPage(exchange) ? exchange : undefined;
  }

  /** How long to wait before a retry, in milliseconds; undefined for no retry. */
  async #pauseBefore(journey: string, ask: RequestSpec, exchange: Exchange, met: Met): Promise<number | undefined> {
    const now = this.clock.now();
    const isWay = this.persistentFailures.hears(ask.operation, exchange, now);
    const pause = isWay ? undefined : pauseBefore(exchange, ask, met.attempt, now);
    if (pause !== undefined) return pause;
    return (await this.#outages.isBack(journey, ask, exchange, met.giveUp, met.looked)) ? 0 : undefined;
  }

  /** Whether a retry might make more executions or copies than the budget allows. */
  async #isLast(journey: string, ask: RequestSpec, exchange: Exchange, { attempt }: Met): Promise<boolean> {
    // A request that must be refused is sent once more: the service itself would answer the same again.
    if (this.isSpent(exchange) && !(ask.startsNothing && isSafe(ask) && attempt === 0)) {
      // If a reading is not answered either, this answer was not the service's.
      if (!(await this.isHeard(journey, ask))) this.exclude(exchange);
      return true;
    }
    // A copy that may have been made is not requested again in vain: a reading, retried until patience ends, tells
    // whether the service is there.
    return mayHaveCopied(exchange) && isLost(await this.send(journey, this.#outages.ask));
  }

  /** Excludes an answer whose request is retried. */
  #setAside(exchange: Exchange, met: Met): void {
    // An error of the service itself stays one, even if the retry succeeds.
    if (isOwnError(exchange)) this.expectNothing(exchange);
    else this.exclude(exchange);
    // If readings get empty answers, requests that are not retried may have got some as well.
    if (outcomeOf(exchange).form === 'empty' && exchange.operation === contract().look) this.#outages.withdrawSilence();
    met.strange = isOutsideContract(exchange) ? exchange : undefined;
  }

  /** Waits before a retry, and makes others wait too where the target asks for that. */
  async #wait(journey: string, ask: RequestSpec, exchange: Exchange, pause: number, { attempt }: Met): Promise<void> {
    const mayBeRoom = isStart(exchange) && (ask.mayBeAtCapacity || attempt < looks);
    const isPace = isOfPace(exchange) && !(mayBeRoom && (await this.isHeard(journey, ask)));
    if (isPace) this.#pace.hold(pause);
    else if (status(exchange) === unavailable) this.#pace.yield(pause);
    const isUnsaid = status(exchange) === busy && !isOfPace(exchange);
    // Starts that are not told when to come back are spread out: if all came back at once, all would be refused again.
    const turnMs = isUnsaid ? this.#unsaid * betweenTurnsMs : 0;
    if (isUnsaid) this.#unsaid += 1;
    await this.clock.sleep(pause + turnMs, ask.always ? undefined : this.signal);
    if (isUnsaid) this.#unsaid -= 1;
  }

  /** Takes note of what an answer says about things that the run leaves on the target. */
  protected abstract hears(exchange: Exchange): void;

  /** Whether the budget is spent, counting what this request may have made already. */
  protected abstract isSpent(exchange: Exchange): boolean;

  /** Whether readings are answered while a start is refused: see OutageMonitor. */
  isHeard(journey: string, ask: RequestSpec): Promise<boolean> {
    return this.#outages.isHeard(journey, ask);
  }

  /** Lets only this journey send until its work is done: what it is to observe ends when others are served. */
  alone<T>(journey: string, work: () => Promise<T>): Promise<T> {
    return this.#pace.alone(journey, work);
  }

  /** Whether only this journey may send. */
  isAlone(journey: string): boolean {
    return this.#pace.isAlone(journey);
  }

  /** Ends the run early: changes are undone, and nothing else is sent. */
  end(reason: string): void {
    this.#end.abort(new Halt(reason));
  }

  /** Throws `Halt` if the run is being stopped. */
  unlessStopped(): void {
    if (this.signal.aborted)
      throw this.signal.reason instanceof Halt ? this.signal.reason : new Halt('The run was stopped.');
  }

  /** Why the target counts as gone; undefined while it does not. */
  get silence(): string | undefined {
    return this.#liveness.silence;
  }

  /** Redacts secrets in texts for people. Judges get the answers as they came. */
  get redactor(): Redactor {
    return this.#recorder.redactor;
  }

  /** The last exchange of a step. */
  last(journey: string, step: string): Exchange | undefined {
    return this.#recorder.last(journey, step);
  }

  /** Excludes an exchange from what is judged. */
  exclude(exchange: Exchange): void {
    this.remark(exchange, { retried: true });
  }

  /** Holds the answer of an exchange only to what every answer must be. */
  expectNothing(exchange: Exchange): void {
    this.remark(exchange, { unjudged: true });
  }

  /** Adds to the mark what became known after sending. */
  remark(exchange: Exchange, more: Partial<Mark>): void {
    this.#recorder.remark(exchange, more);
  }

  /** Whether an exchange was excluded since it was answered. */
  isExcluded({ id }: Exchange): boolean {
    return this.exchanges.some((one) => one.id === id && one.mark?.retried);
  }

  async #exchange(mark: Mark, ask: RequestSpec): Promise<Exchange> {
    if (!ask.always) this.unlessStopped();
    const exchange = await this.#recorder.exchange(mark, ask, this.signal);
    this.hears(exchange);
    this.#notYet.hears(exchange);
    if (isWithoutRoom(exchange)) this.#pace.crowded();
    // Being refused for capacity is an answer of the service.
    const isOfLimit = status(exchange) === busy || saysUnavailable(exchange);
    const over = (ask.mayBeAtCapacity || ask.mayBeOverLimit) && isOfLimit ? undefined : this.#liveness.of(exchange);
    if (over !== undefined) this.end(over);
    return exchange;
  }
}

/** What a gateway without room does with connections: it refuses or cuts them, or says that it is unavailable. */
const isWithoutRoom = (exchange: Exchange): boolean =>
  exchange.failure?.kind === 'broken' ||
  exchange.failure?.kind === 'unreachable' ||
  (status(exchange) === unavailable && isPage(exchange));
