import { contract } from '../../contract.js';
import { isOutsideContract, isOwnError, outcomeOf } from '../../outcome/outcome.js';
import { accepted, isStart, reads, removes, status, traitsOf } from '../../outcome/read.js';
import { removalsOf } from '../../outcome/readings.js';
import { busy, firstOfErrors, notFound } from '../../outcome/statuses.js';
import type { Exchange, Mark, Target } from '../../vocabulary.js';
import type { Clock } from '../clock.js';
import { Halt } from '../halt.js';
import type { Pace } from '../pace.js';
import type { RequestSpec } from '../request-spec.js';
import { seeded, seedFor, uuidOf } from '../seeded.js';
import { mayBeAsked, pauseBefore } from './again.js';
import type { Liveness, PersistentFailures } from './liveness.js';

/** So often it is looked whether others are heard while a request that starts nothing is refused: looks meet a limit as well. */
export const looks = 4;
/** The pause before a service that is away is asked again. */
const awayMs = 1000;
/** So often in a row what is there is not found by one instance of several, and others are heard. */
const mostAstray = 3;
/** The step of the preflight that has no key. */
const keyless = 'read-unknown-without-key';

/** What the run knows. */
interface Run {
  readonly target: Target;
  readonly seed: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly exchanges: readonly Exchange[];
  readonly executions: { readonly started: ReadonlySet<string> };
  readonly persistentFailures: PersistentFailures;
  last(journey: string, step: string): Exchange | undefined;
  exclude(exchange: Exchange): void;
  end(reason: string): void;
}

/** What it looks with. */
interface Wire {
  readonly pace: Pace;
  readonly liveness: Liveness;
  exchange(mark: Mark, ask: RequestSpec): Promise<Exchange>;
}

/** Looks, by requests of its own, whether the service is there that answered otherwise than it should, and waits until it is. */
export class OutageMonitor {
  readonly #run: Run;
  readonly #wire: Wire;
  /** While nobody is heard: whether the service is there again. */
  #away: Promise<boolean> | undefined;
  /** When nobody was heard, the last time. */
  #lastAway: { readonly from: number; readonly to: number } | undefined;

  constructor(run: Run, wire: Wire) {
    this.#run = run;
    this.#wire = wire;
  }

  /**
   * Whether a service that was there and that nobody heard for a while is there again, so that it may be asked once more.
   * Meanwhile nobody else sends. False where others are answered: then this is its answer. What is answered so again and
   * again is its way, and not looked into each time.
   */
  async isBack(
    journey: string,
    ask: RequestSpec,
    exchange: Exchange,
    giveUp: number,
    looked: number,
  ): Promise<boolean> {
    const isAstray = this.#isAstray(exchange);
    // A deletion may be answered with nothing, and everything for some seconds: it is the service's where others are heard.
    const isSilent = ask.madeUp === true && isEmpty(exchange);
    // Whoever is over a limit is not told that nothing is there.
    const isOfLimit = ask.mayBeOverLimit && !isAstray;
    if (!(mayBeAsked(exchange, ask) || isAstray || isSilent) || isOfLimit || !this.#answered) return false;
    if (this.#run.persistentFailures.isKnown(exchange) || this.#run.signal.aborted) return false;
    const isThere =
      !this.#away && (await (isAstray ? this.#asksForKey(journey, ask) : this.#isHeardInTime(journey, ask)));
    if (looked === 0 && this.#wasAway(exchange)) return true;
    if (isThere) {
      // It may just be over, by the time that somebody was heard, or be the word of one instance: the service's own comes again.
      if ((isAstray && !this.#wasFound(exchange)) || (isSilent && !mayBeAsked(exchange, ask))) return false;
      if (looked < (isAstray ? mostAstray : 1)) return true;
      this.#run.persistentFailures.learns(exchange);
      return false;
    }
    const from = exchange.at - awayMs;
    this.#away ??= this.#waitOut(journey, giveUp).finally(() => {
      this.#away = undefined;
      this.#lastAway = { from, to: this.#run.clock.now() };
    });
    if (await this.#away) return true;
    this.#run.exclude(exchange);
    return false;
  }

  /** Whether somebody was told that nothing is there, of what is, or without having a right to know. */
  #isAstray(exchange: Exchange): boolean {
    const { mark, resource } = exchange;
    if (outcomeOf(exchange).unexpected !== 'not found' || resource === null) return false;
    // What was removed is not there, whoever answers; whether it may be removed again is a question of its own.
    if (!removes(exchange) && removalsOf(this.#run.exchanges, traitsOf(exchange)?.subject, resource).length > 0)
      return false;
    if (mark?.credential !== 'primary' || this.#run.executions.started.has(resource)) return true;
    return (
      JSON.stringify(this.#run.target.facts).includes(resource) ||
      this.#run.exchanges.some((one) => accepted(one) && one.resource === resource)
    );
  }

  /**
   * Whether the same was there before, or may have been: a workflow that no other start was told not to be there, a pool that
   * no deletion has taken. Who has no right to know may be told anything. An execution that was just started may not be there
   * yet.
   */
  #wasFound(exchange: Exchange): boolean {
    const { operation, resource, mark } = exchange;
    if (mark?.credential !== 'primary') return true;
    const same = this.#run.exchanges.filter(
      (one) =>
        one.resource === resource &&
        (one.operation === operation || (isStart(one) && isStart(exchange)) || (reads(one) && reads(exchange))),
    );
    const others = same.filter((one) => one.mark?.credential === 'primary' && one.mark.step !== mark.step);
    if (traitsOf(exchange)?.effect === 'ends') return !same.some(accepted);
    return (
      same.some(accepted) || (isStart(exchange) && !others.some((one) => outcomeOf(one).unexpected === 'not found'))
    );
  }

  /** Whether nobody was heard when it was answered: by the time it is looked into somebody may be there again. */
  #wasAway({ at }: Exchange): boolean {
    return this.#lastAway !== undefined && at >= this.#lastAway.from && at <= this.#lastAway.to;
  }

  /** Takes out of what is judged whatever was answered since somebody was last heard: it was not known yet that nobody was. */
  withdrawSilence(): void {
    const left = this.#run.exchanges.filter(({ mark }) => !mark?.retried);
    const isSilence = (one: Exchange) =>
      isOutsideContract(one) || outcomeOf(one).unexpected !== undefined || isEmpty(one);
    const heard = left.findLastIndex((one) => isAnswer(one) && !isSilence(one));
    const silent = left.slice(heard + 1).filter(isSilence);
    // A deletion may be answered with nothing by the service itself, unless others are as well.
    const isOwn = (one: Exchange) => isEmpty(one) && traitsOf(one)?.essential === null;
    const isEmptied = silent.some((one) => isEmpty(one) && !isOwn(one));
    for (const one of silent) if (isEmptied || !isOwn(one)) this.#run.exclude(one);
  }

  async #waitOut(journey: string, giveUp: number): Promise<boolean> {
    this.withdrawSilence();
    const { ask, isHeard } = this.#look();
    const from = this.#run.clock.now();
    let last: Exchange | undefined;
    while (!this.#run.signal.aborted && this.#run.clock.now() + awayMs < giveUp) {
      this.#wire.pace.pause(awayMs);
      await this.#run.clock.sleep(awayMs, this.#run.signal);
      // Past those who wait for their turn, maybe for one that waits here.
      const exchange = await this.#wire.exchange({ journey, step: ask.step, credential: 'primary' }, ask).catch(halted);
      if (!exchange) continue;
      if (isHeard(exchange)) return true;
      this.#run.exclude(exchange);
      this.withdrawSilence();
      last = exchange;
    }
    if (last && !this.#run.signal.aborted)
      this.#run.end(this.#wire.liveness.gaveUp(last, this.#run.clock.now() - from));
    return false;
  }

  /** A reading that was answered before as it should be; best of something that is there. */
  get #answered(): Exchange | undefined {
    const last = (is: (exchange: Exchange) => boolean) =>
      this.#run.exchanges.findLast(
        (one) =>
          one.operation === contract().look &&
          one.mark?.credential === 'primary' &&
          one.resource &&
          is(one) &&
          isAnswer(one),
      );
    return last(accepted) ?? last(() => true);
  }

  /**
   * A reading that tells whether anybody is heard: the same as was answered before, where one was, and answered alike. Where
   * no connection comes about, one that was open before tells nothing of it.
   */
  #look(always = false): { readonly ask: RequestSpec; readonly isHeard: (exchange: Exchange) => boolean } {
    const before = this.#answered;
    const id = before?.resource ?? uuidOf(seeded(seedFor(this.#run.seed, 'look')));
    return {
      ask: { step: 'look', operation: contract().look, id, fresh: true, ...(always && { always }) },
      // What was not found while everything was is found now.
      isHeard: (exchange) =>
        isAnswer(exchange) && (!before || accepted(exchange) || status(exchange) === status(before)),
    };
  }

  /** What tells whether anybody is there. */
  get ask(): RequestSpec {
    return this.#look().ask;
  }

  /**
   * Whether others are answered where a start was refused with 429 and told when to come back: then it was refused for want
   * of room, and who waits for a state need not stop reading.
   */
  async isHeard(journey: string, { always }: RequestSpec): Promise<boolean> {
    const { ask, isHeard } = this.#look(always);
    return isHeard(await this.#glance(journey, ask, isHeard));
  }

  /** The same, after the pauses that a limit of the pace asks for; where it asks for more and more, somebody is there. */
  async #isHeardInTime(journey: string, { always }: RequestSpec): Promise<boolean> {
    const { ask, isHeard } = this.#look(always);
    for (let attempt = 0; attempt < looks; attempt += 1) {
      const exchange = await this.#glance(journey, ask, isHeard);
      if (status(exchange) !== busy) return isHeard(exchange);
      await this.#run.clock.sleep(
        pauseBefore(exchange, ask, attempt, this.#run.clock.now()) ?? awayMs,
        this.#run.signal,
      );
    }
    return true;
  }

  /**
   * Whether who has no key is answered as in the beginning: a service that is there asks for one, be there what is asked for
   * or not. A reading does not tell where nothing is found: what it found before may have gone.
   */
  async #asksForKey(journey: string, { always }: RequestSpec): Promise<boolean> {
    const before = this.#run.last('preflight', keyless);
    if (!before || status(before) === notFound) return true;
    const ask: RequestSpec = {
      step: keyless,
      operation: contract().look,
      id: before.resource ?? '',
      credential: 'none',
    };
    const isAlike = (exchange: Exchange) => status(exchange) === status(before);
    const exchange = await this.#glance(journey, { ...ask, ...(always && { always }) }, isAlike);
    // Nothing is found, or nobody is heard: else somebody is there, who may turn away whoever has shown wrong keys too often.
    return status(exchange) !== notFound && (status(exchange) ?? firstOfErrors) < firstOfErrors;
  }

  /**
   * Asks before all others; what was not answered as it should be tells of nothing else. What is lost, or cut, is only
   * sometimes a silence: it is asked once more.
   */
  async #glance(journey: string, ask: RequestSpec, isHeard: (exchange: Exchange) => boolean): Promise<Exchange> {
    const mark: Mark = { journey, step: ask.step, credential: ask.credential ?? 'primary' };
    const asker = {
      ...(!ask.always && { signal: this.#run.signal }),
      first: true,
      atOnce: true,
      aside: true,
      by: journey,
    };
    for (let again = 0; ; again += 1) {
      const exchange = await this.#wire.pace.through(() => this.#wire.exchange(mark, ask), asker);
      if (isHeard(exchange) && !isOutsideContract(exchange)) return exchange;
      this.#run.exclude(exchange);
      if (again === 1 || !isOutsideContract(exchange) || exchange.failure?.kind === 'timeout') return exchange;
    }
  }
}

const isAnswer = (exchange: Exchange): boolean =>
  exchange.response !== undefined &&
  status(exchange) !== busy &&
  !isOutsideContract(exchange) &&
  !isOwnError(exchange) &&
  outcomeOf(exchange).unexpected !== 'turned away';

/** A success without a body: what answers the deletion of a pool is not shown. */
const isEmpty = (exchange: Exchange): boolean => accepted(exchange) && exchange.response?.body.kind === 'none';

const halted = (error: unknown): undefined => {
  if (!(error instanceof Halt)) throw error;
};
