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

/** How long nobody sends where the pace was too fast, and nothing said for how long. */
const slowerMs = 100;
/** So often several requests are sent at once: what limits their pace would refuse them again and again. */
const atOnceTurns = 2;
const betweenTurnsMs = 500;

/** What a request has met so far. */
interface Met {
  /** How often it was sent again, from 0. */
  attempt: number;
  /** How often it was sent again because somebody was heard. */
  looked: number;
  /** When it is not sent again any more. */
  giveUp: number;
  /** The answer before, where it turned it away. */
  turnedAway?: Exchange | undefined;
  /** The answer before, where it was as no contract says. */
  strange?: Exchange | undefined;
}

/** What a session sends by. */
export interface Sending {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Whatever a run makes up comes from it. */
  readonly seed: number;
  readonly signal?: AbortSignal;
  readonly kept?: Kept;
}

/**
 * What a run knows of its target, and how it sends: at the target's pace, and again where an answer was none. The suite keeps
 * account of what requests leave on a target.
 */
export abstract class Session {
  /** What the run started. */
  abstract readonly executions: { readonly started: ReadonlySet<string> };
  /** In the order in which they were sent. */
  readonly exchanges: readonly Exchange[];
  readonly failedWaits: FailedWait[] = [];
  readonly clock: Clock;
  /** What is known of it: what is made for a run is declared when it is there. */
  target: Target;
  /** Whatever a run makes up comes from it. */
  readonly seed: number;
  /** Aborted when the run is to end before its time. */
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  readonly #recorder: Recorder;
  readonly #liveness: Liveness;
  readonly #pace: Pace;
  readonly persistentFailures = new PersistentFailures();
  readonly #notYet = new NotYet();
  readonly #outages: OutageMonitor;
  /** Starts that wait since they were refused with 429, and nobody said for how long. */
  #unsaid = 0;

  constructor(target: Target, how: Sending) {
    this.target = target;
    this.clock = how.clock;
    this.seed = how.seed;
    this.signal = how.signal ? AbortSignal.any([how.signal, this.#end.signal]) : this.#end.signal;
    // Everything that waits listens to it.
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
   * Sends one request and records it. Sends it again, within the target's patience, where it was refused for its pace, and
   * where its answer was lost on the way and it does no harm twice. The first answer stays evidence.
   */
  async send(journey: string, ask: RequestSpec): Promise<Exchange> {
    const met: Met = { attempt: 0, looked: 0, giveUp: Number.POSITIVE_INFINITY };
    for (;;) {
      const exchange = await this.#attempt(journey, ask, met.attempt);
      // From the first answer on: how long a request stood behind others of the run is not the target's doing.
      met.giveUp = Math.min(met.giveUp, this.clock.now() + graceMs(this.target.facts.pace));
      this.#holdAgainstEarlier(exchange, met);
      const notYet = this.#notYet.pauseBefore(exchange);
      const pause = notYet ?? (await this.#pauseBefore(journey, ask, exchange, met));
      if (pause === undefined || this.clock.now() + pause > met.giveUp) return exchange;
      if (pause === 0) met.looked += 1;
      if (await this.#isLast(journey, ask, exchange, met)) return exchange;
      this.#setAside(exchange, met);
      await this.#wait(journey, ask, exchange, pause, met);
      // What is only late, as a copy may be, is no failed attempt.
      if (notYet === undefined) met.attempt += 1;
    }
  }

  /** Sends it in its turn. */
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

  /** What an answer tells of those before it. */
  #holdAgainstEarlier(exchange: Exchange, met: Met): void {
    if (status(exchange) !== busy && !exchange.failure) this.#pace.answered(exchange.at);
    // It was no answer of somebody else's: what is wrong with it, the service did.
    if (met.strange && !isOutsideContract(exchange) && saysNearlyTheSame(met.strange, exchange))
      this.#recorder.include(met.strange);
    const isTurnedAway = outcomeOf(exchange).unexpected === 'turned away';
    if (met.turnedAway && exchange.response && !isTurnedAway) {
      // Answered otherwise a moment later: it was of the pace.
      this.persistentFailures.forgets(met.turnedAway);
      this.#pace.yield(slowerMs);
    }
    met.turnedAway = isTurnedAway && !isPage(exchange) ? exchange : undefined;
  }

  /** How long to wait before it is sent again, in milliseconds; undefined where it is not. */
  async #pauseBefore(journey: string, ask: RequestSpec, exchange: Exchange, met: Met): Promise<number | undefined> {
    const now = this.clock.now();
    const isWay = this.persistentFailures.hears(ask.operation, exchange, now);
    const pause = isWay ? undefined : pauseBefore(exchange, ask, met.attempt, now);
    if (pause !== undefined) return pause;
    return (await this.#outages.isBack(journey, ask, exchange, met.giveUp, met.looked)) ? 0 : undefined;
  }

  /** Whether it may not be sent again for what it may have made, or left room for. */
  async #isLast(journey: string, ask: RequestSpec, exchange: Exchange, { attempt }: Met): Promise<boolean> {
    // What nobody has to take is asked once more all the same: who repeats what was said is the service.
    if (this.isSpent(exchange) && !(ask.startsNothing && isSafe(ask) && attempt === 0)) {
      // Whether it is the service's own word, a reading tells.
      if (!(await this.isHeard(journey, ask))) this.exclude(exchange);
      return true;
    }
    // What may have been done is not done again in vain: a reading, which is sent until patience ends, tells who is there.
    return mayHaveCopied(exchange) && isLost(await this.send(journey, this.#outages.ask));
  }

  /** Takes out of what is judged what is asked for again. */
  #setAside(exchange: Exchange, met: Met): void {
    // An error of the service's own stays one, also where it did not last.
    if (isOwnError(exchange)) this.expectNothing(exchange);
    else this.exclude(exchange);
    // Where a reading is answered with nothing, so may be what is not asked again.
    if (outcomeOf(exchange).form === 'empty' && exchange.operation === contract().look) this.#outages.withdrawSilence();
    met.strange = isOutsideContract(exchange) ? exchange : undefined;
  }

  /** Waits, and makes others wait where that is what the target asks for. */
  async #wait(journey: string, ask: RequestSpec, exchange: Exchange, pause: number, { attempt }: Met): Promise<void> {
    const mayBeRoom = isStart(exchange) && (ask.mayBeAtCapacity || attempt < looks);
    const isPace = isOfPace(exchange) && !(mayBeRoom && (await this.isHeard(journey, ask)));
    if (isPace) this.#pace.hold(pause);
    else if (status(exchange) === unavailable) this.#pace.yield(pause);
    const isUnsaid = status(exchange) === busy && !isOfPace(exchange);
    // Each of those that are not told when to come back waits longer than the one before: together they would be refused again.
    const turnMs = isUnsaid ? this.#unsaid * betweenTurnsMs : 0;
    if (isUnsaid) this.#unsaid += 1;
    await this.clock.sleep(pause + turnMs, ask.always ? undefined : this.signal);
    if (isUnsaid) this.#unsaid -= 1;
  }

  /** Takes note of what an answer says of what the run leaves on the target. */
  protected abstract hears(exchange: Exchange): void;

  /** Whether no more may be made of what a request may have made already. */
  protected abstract isSpent(exchange: Exchange): boolean;

  /**
   * Whether others are answered where a start was refused with 429 and told when to come back: then it was refused for want
   * of room, and who waits for a state need not stop reading.
   */
  isHeard(journey: string, ask: RequestSpec): Promise<boolean> {
    return this.#outages.isHeard(journey, ask);
  }

  /** Lets only this journey send until its work is done: what it is to meet does not last while others are served. */
  alone<T>(journey: string, work: () => Promise<T>): Promise<T> {
    return this.#pace.alone(journey, work);
  }

  /** Whether nobody but this journey may send. */
  isAlone(journey: string): boolean {
    return this.#pace.isAlone(journey);
  }

  /** Ends the run before its time: what was changed is put back, and nothing else is sent. */
  end(reason: string): void {
    this.#end.abort(new Halt(reason));
  }

  /** Throws `Halt` where the run is being stopped. */
  unlessStopped(): void {
    if (this.signal.aborted)
      throw this.signal.reason instanceof Halt ? this.signal.reason : new Halt('The run was stopped.');
  }

  /** Why there is no service any more, where that is so. */
  get silence(): string | undefined {
    return this.#liveness.silence;
  }

  /** Takes everything that nobody may read out of texts. What is judged is what came. */
  get redactor(): Redactor {
    return this.#recorder.redactor;
  }

  /** What was last sent at a step of a journey. */
  last(journey: string, step: string): Exchange | undefined {
    return this.#recorder.last(journey, step);
  }

  /** Says of an exchange that its request is sent again: it is no answer to its question. */
  exclude(exchange: Exchange): void {
    this.remark(exchange, { retried: true });
  }

  /** Says of an exchange that nothing is expected of its answer but what holds for every answer. */
  expectNothing(exchange: Exchange): void {
    this.remark(exchange, { unjudged: true });
  }

  /** Says more of an exchange than was known when it was sent. */
  remark(exchange: Exchange, more: Partial<Mark>): void {
    this.#recorder.remark(exchange, more);
  }

  /** Whether an exchange was taken out of what is judged since it was answered. */
  isExcluded({ id }: Exchange): boolean {
    return this.exchanges.some((one) => one.id === id && one.mark?.retried);
  }

  async #exchange(mark: Mark, ask: RequestSpec): Promise<Exchange> {
    if (!ask.always) this.unlessStopped();
    const exchange = await this.#recorder.exchange(mark, ask, this.signal);
    this.hears(exchange);
    this.#notYet.hears(exchange);
    if (isWithoutRoom(exchange)) this.#pace.crowded();
    // A refusal for want of capacity is an answer.
    const isOfLimit = status(exchange) === busy || saysUnavailable(exchange);
    const over = (ask.mayBeAtCapacity || ask.mayBeOverLimit) && isOfLimit ? undefined : this.#liveness.of(exchange);
    if (over !== undefined) this.end(over);
    return exchange;
  }
}

/** What a gateway with room for few connections does with the others: it refuses or cuts them, or says that it is unavailable. */
const isWithoutRoom = (exchange: Exchange): boolean =>
  exchange.failure?.kind === 'broken' ||
  exchange.failure?.kind === 'unreachable' ||
  (status(exchange) === unavailable && isPage(exchange));
