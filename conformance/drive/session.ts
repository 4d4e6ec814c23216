import { setMaxListeners } from 'node:events';
import {
  isAstray,
  isOwnError,
  isPage,
  isStrange,
  isTurnedAway,
  mayHaveBegun,
  mayHaveCopied,
  saysUnavailable,
} from '../evidence/lost.js';
import { accepted, isStart, status } from '../evidence/read.js';
import type { Redactor } from '../evidence/redact.js';
import type { Target } from '../settings/target/target.js';
import type { Exchange, FailedWait, Mark, WorkflowRole } from '../vocabulary.js';
import { isOfPace, mayBeAsked, pauseBefore } from './again.js';
import type { Ask } from './ask.js';
import type { Clock } from './clock.js';
import { Copies } from './copies.js';
import { Executions } from './executions.js';
import { Halt } from './halt.js';
import { Hearing } from './hearing.js';
import { type Journal, noJournal } from './journal.js';
import type { Kept } from './kept.js';
import { NotYet } from './not-yet.js';
import { Offence } from './offence.js';
import { Pace } from './pace.js';
import { Recorder } from './recorder.js';
import { seeded, seedFor, uuidOf } from './seeded.js';
import { Snapshots } from './snapshots.js';
import type { Transport } from './transport.js';
import { Ways } from './ways.js';

/** A run that ended otherwise than its workflow is declared to. */
export interface Missed {
  readonly role: WorkflowRole;
  readonly reaches: string;
  readonly exchange: Exchange;
}

const busy = 429;
/** How long nobody sends where the pace was too fast, and nothing said for how long. */
const slowerMs = 100;
/** So often it is looked whether others are heard while a request that starts nothing is refused: looks meet a limit as well. */
const looks = 4;
/** So often several requests are sent at once: what limits their pace would refuse them again and again. */
const atOnceTurns = 2;
/** The pause before a service that is away is asked again. */
const awayMs = 1000;
const unavailable = 503;
const notFound = 404;
/** The step of the preflight that has no key. */
const keyless = 'read-unknown-without-key';

/** What a run knows of its target, and how it sends: at the target's pace, and again where an answer was none. */
export class Session {
  /** In the order in which they were sent. */
  readonly exchanges: readonly Exchange[];
  readonly failedWaits: FailedWait[] = [];
  /** The executions that the run started. */
  readonly executions = new Executions();
  /** Whether starts are refused for what is in free fields. */
  readonly offence = new Offence();
  /** Updates of profiles are refused without a name: each carries one from then on. */
  needsName = false;
  /** What runs of workflows did not show. */
  readonly missed: Missed[] = [];
  /** The copies of profiles that it made. */
  readonly copies: Copies;
  /** What profiles were before it changed them. */
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  readonly target: Target;
  /** Whatever a run makes up comes from it. */
  readonly seed: number;
  /** Aborted when the run is to end before its time. */
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  readonly #recorder: Recorder;
  readonly #hearing: Hearing;
  readonly #pace: Pace;
  readonly ways = new Ways();
  readonly #notYet = new NotYet();
  /** While nobody is heard: whether the service is there again. */
  #away: Promise<boolean> | undefined;
  /** When nobody was heard, the last time. */
  #lastAway: { readonly from: number; readonly to: number } | undefined;

  constructor(
    target: Target,
    how: { transport: Transport; clock: Clock; seed: number; signal?: AbortSignal; journal?: Journal; kept?: Kept },
  ) {
    this.target = target;
    this.clock = how.clock;
    this.seed = how.seed;
    this.signal = how.signal ? AbortSignal.any([how.signal, this.#end.signal]) : this.#end.signal;
    // Everything that waits listens to it.
    setMaxListeners(0, this.signal);
    const { baseUrl, profile = '' } = target.facts;
    const journal = how.journal ?? noJournal;
    this.copies = new Copies(journal, baseUrl, profile);
    this.snapshots = new Snapshots(journal, baseUrl, new Date(how.clock.now()).toISOString());
    this.#recorder = new Recorder(target, how);
    this.exchanges = this.#recorder.exchanges;
    this.#pace = new Pace(how.clock, target.facts.pace);
    this.#hearing = new Hearing(how.clock, target.facts.pace);
  }

  /**
   * Sends one request and records it. Sends it again, within the target's patience, where it was refused for its pace, and
   * where its answer was lost on the way and it does no harm twice. The first answer stays evidence.
   */
  async send(journey: string, ask: Ask): Promise<Exchange> {
    const patienceMs = this.target.facts.pace.patienceSeconds * 1000;
    // From the first answer on: how long a request stood behind others of the run is not the target's doing.
    let giveUp = Number.POSITIVE_INFINITY;
    let turnedAway: Exchange | undefined;
    // What may not be there yet, as a copy, is asked for again beside what was lost.
    let hasLooked = false;
    for (let attempt = 0; ; ) {
      const mark: Mark = {
        journey,
        step: ask.step,
        credential: ask.credential ?? 'primary',
        ...(ask.probe && { probe: ask.probe }),
        ...(ask.asks && { asks: ask.asks }),
        ...(ask.odd && { odd: true }),
        ...(ask.sequence !== undefined && { sequence: ask.sequence }),
      };
      const exchange = await this.#pace.through(() => this.#exchange(mark, ask), {
        ...(!ask.always && { signal: this.signal }),
        ...(ask.first && { first: true }),
        ...(ask.atOnce && attempt < atOnceTurns && { atOnce: true }),
        by: journey,
      });
      giveUp = Math.min(giveUp, this.clock.now() + patienceMs);
      if (status(exchange) !== busy && !exchange.failure) this.#pace.answered();
      if (turnedAway && exchange.response && !isTurnedAway(exchange)) {
        // Answered otherwise a moment later: it was of the pace.
        this.ways.forgets(turnedAway);
        this.#pace.hold(slowerMs);
      }
      turnedAway = isTurnedAway(exchange) && !isPage(exchange) ? exchange : undefined;
      const notYet = this.#notYet.pauseBefore(exchange);
      const pause: number | undefined =
        notYet ??
        (this.ways.hears(ask.operation, exchange, this.clock.now())
          ? undefined
          : pauseBefore(exchange, ask, attempt, this.clock.now())) ??
        ((await this.#isBack(journey, ask, exchange, giveUp, hasLooked)) ? 0 : undefined);
      if (pause === undefined || this.clock.now() + pause > giveUp) return exchange;
      hasLooked ||= pause === 0;
      const { executions, copies } = this.target.facts.budget;
      if (mayHaveBegun(exchange) && this.executions.likely >= executions) return exchange;
      if (mayHaveCopied(exchange) && this.copies.most >= copies) return exchange;
      // An error of the service's own stays one, also where it did not last.
      if (isOwnError(exchange)) this.expectNothing(exchange);
      else this.supersede(exchange);
      const mayBeRoom = isStart(exchange) && (ask.mayBeAtCapacity || attempt < looks);
      const isPace = isOfPace(exchange) && !(mayBeRoom && (await this.isHeard(journey, ask)));
      if (isPace || status(exchange) === unavailable) this.#pace.hold(pause);
      await this.clock.sleep(pause, ask.always ? undefined : this.signal);
      if (notYet === undefined) attempt += 1;
    }
  }

  /**
   * Whether a service that was there and that nobody heard for a while is there again, so that it may be asked once more.
   * Meanwhile nobody else sends. False where others are answered: then this is its answer. What is answered so again and
   * again is its way, and not looked into each time.
   */
  async #isBack(journey: string, ask: Ask, exchange: Exchange, giveUp: number, hasLooked: boolean): Promise<boolean> {
    const isAstray = this.#isAstray(exchange);
    if (!(mayBeAsked(exchange, ask) || isAstray) || ask.mayBeOverLimit || !this.#answered) return false;
    if (this.ways.isKnown(exchange) || this.signal.aborted) return false;
    const isThere =
      !this.#away && (await (isAstray ? this.#asksForKey(journey, ask) : this.#isHeardInTime(journey, ask)));
    if (!hasLooked && this.#wasAway(exchange)) return true;
    if (isThere) {
      // What turned the caller away may just be over: it comes again where it was not that.
      if ((isTurnedAway(exchange) || (isAstray && this.#wasFound(exchange))) && !hasLooked) return true;
      this.ways.learns(exchange);
      return false;
    }
    const from = exchange.at - awayMs;
    this.#away ??= this.#waitOut(journey, giveUp).finally(() => {
      this.#away = undefined;
      this.#lastAway = { from, to: this.clock.now() };
    });
    if (await this.#away) return true;
    this.supersede(exchange);
    return false;
  }

  /** Whether somebody was told that nothing is there, of what is, or without having a right to know. */
  #isAstray(exchange: Exchange): boolean {
    const { mark, resource } = exchange;
    if (!isAstray(exchange) || resource === null) return false;
    if (mark?.credential !== 'primary' || this.executions.started.has(resource)) return true;
    return (
      JSON.stringify(this.target.facts).includes(resource) ||
      this.exchanges.some((one) => accepted(one) && one.resource === resource)
    );
  }

  /** Whether the same was there before; who has no right to know may be told anything. A pool is gone once it was deleted. */
  #wasFound({ operation, resource, mark }: Exchange): boolean {
    if (mark?.credential !== 'primary') return true;
    const same = this.exchanges.filter((one) => one.operation === operation && one.resource === resource);
    return operation !== 'deletePool' && same.some(accepted);
  }

  /** Whether nobody was heard when it was answered: by the time it is looked into somebody may be there again. */
  #wasAway({ at }: Exchange): boolean {
    return this.#lastAway !== undefined && at >= this.#lastAway.from && at <= this.#lastAway.to;
  }

  async #waitOut(journey: string, giveUp: number): Promise<boolean> {
    const { ask, isHeard } = this.#look();
    const from = this.clock.now();
    let last: Exchange | undefined;
    while (!this.signal.aborted && this.clock.now() + awayMs < giveUp) {
      this.#pace.pause(awayMs);
      await this.clock.sleep(awayMs, this.signal);
      // Past those who wait for their turn, maybe for one that waits here.
      const exchange = await this.#exchange({ journey, step: ask.step, credential: 'primary' }, ask).catch(halted);
      if (!exchange) continue;
      if (isHeard(exchange)) return true;
      this.supersede(exchange);
      last = exchange;
    }
    if (last && !this.signal.aborted) this.end(this.#hearing.gaveUp(last, this.clock.now() - from));
    return false;
  }

  /** A reading that was answered before as it should be; best of something that is there. */
  get #answered(): Exchange | undefined {
    const readings = this.exchanges.filter(
      (one) => one.operation === 'getExecution' && one.mark?.credential === 'primary' && one.resource && isAnswer(one),
    );
    return readings.findLast(accepted) ?? readings.at(-1);
  }

  /**
   * A reading that tells whether anybody is heard: the same as was answered before, where one was, and answered alike. Where
   * no connection comes about, one that was open before tells nothing of it.
   */
  #look(): { readonly ask: Ask; readonly isHeard: (exchange: Exchange) => boolean } {
    const before = this.#answered;
    const id = before?.resource ?? uuidOf(seeded(seedFor(this.seed, 'look')));
    return {
      ask: { step: 'look', operation: 'getExecution', id, fresh: true },
      isHeard: (exchange) => isAnswer(exchange) && (!before || status(exchange) === status(before)),
    };
  }

  /**
   * Whether others are answered where a start was refused with 429 and told when to come back: then it was refused for want
   * of room, and who waits for a state need not stop reading.
   */
  async isHeard(journey: string, { always }: Ask): Promise<boolean> {
    const { ask, isHeard } = this.#look();
    return isHeard(await this.#glance(journey, { ...ask, ...(always && { always }) }, isHeard));
  }

  /** The same, after the pauses that a limit of the pace asks for; where it asks for more and more, somebody is there. */
  async #isHeardInTime(journey: string, { always }: Ask): Promise<boolean> {
    const { ask, isHeard } = this.#look();
    for (let attempt = 0; attempt < looks; attempt += 1) {
      const exchange = await this.#glance(journey, { ...ask, ...(always && { always }) }, isHeard);
      if (status(exchange) !== busy) return isHeard(exchange);
      await this.clock.sleep(pauseBefore(exchange, ask, attempt, this.clock.now()) ?? awayMs, this.signal);
    }
    return true;
  }

  /**
   * Whether who has no key is answered as in the beginning: a service that is there asks for one, be there what is asked for
   * or not. A reading does not tell where nothing is found: what it found before may have gone.
   */
  async #asksForKey(journey: string, { always }: Ask): Promise<boolean> {
    const before = this.#recorder.last('preflight', keyless);
    if (!before || status(before) === notFound) return true;
    const ask: Ask = { step: keyless, operation: 'getExecution', id: before.resource ?? '', credential: 'none' };
    const isAlike = (exchange: Exchange) => status(exchange) === status(before);
    const exchange = await this.#glance(journey, { ...ask, ...(always && { always }) }, isAlike);
    return isAlike(exchange) || status(exchange) === busy;
  }

  /** Asks before all others; what was not answered as it should be tells of nothing else. */
  async #glance(journey: string, ask: Ask, isHeard: (exchange: Exchange) => boolean): Promise<Exchange> {
    const mark: Mark = { journey, step: ask.step, credential: ask.credential ?? 'primary' };
    const asker = { ...(!ask.always && { signal: this.signal }), first: true, atOnce: true, by: journey };
    const exchange = await this.#pace.through(() => this.#exchange(mark, ask), asker);
    if (!isHeard(exchange)) this.supersede(exchange);
    return exchange;
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

  /** Why there is no service any more, where that is so. */
  get silence(): string | undefined {
    return this.#hearing.silence;
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
  supersede(exchange: Exchange): void {
    this.#recorder.remark(exchange, { superseded: true });
  }

  /** Says of an exchange that nothing is expected of its answer but what holds for every answer. */
  expectNothing(exchange: Exchange): void {
    this.#recorder.remark(exchange, { odd: true });
  }

  /** Whether an exchange was taken out of what is judged since it was answered. */
  isSuperseded({ id }: Exchange): boolean {
    return this.exchanges.some((one) => one.id === id && one.mark?.superseded);
  }

  async #exchange(mark: Mark, ask: Ask): Promise<Exchange> {
    if (this.signal.aborted && !ask.always)
      throw this.signal.reason instanceof Halt ? this.signal.reason : new Halt('The run was stopped.');
    const exchange = await this.#recorder.exchange(mark, ask, this.signal);
    this.executions.hears(exchange);
    this.copies.hears(exchange);
    this.#notYet.hears(exchange);
    // A refusal for want of capacity is an answer.
    const isOfLimit = status(exchange) === busy || saysUnavailable(exchange);
    const over = (ask.mayBeAtCapacity || ask.mayBeOverLimit) && isOfLimit ? undefined : this.#hearing.of(exchange);
    if (over !== undefined) this.end(over);
    return exchange;
  }
}

const isAnswer = (exchange: Exchange): boolean =>
  exchange.response !== undefined &&
  status(exchange) !== busy &&
  ![isStrange, isOwnError, isTurnedAway].some((is) => is(exchange));

const halted = (error: unknown): undefined => {
  if (!(error instanceof Halt)) throw error;
};
