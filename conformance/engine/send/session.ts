/** What a run knows of its target, and how it sends requests and retries them. */

import { setMaxListeners } from 'node:events';
import { contract } from '../contract.js';
import type { BodyCache } from '../http/body.js';
import type { Transport } from '../http/transport.js';
import { hasRightKey, keyOf } from '../outcome/mark.js';
import {
  isHtmlPage,
  isLost,
  isOutsideContract,
  isOwnError,
  mayHaveCopied,
  outcomeOf,
  saysUnavailable,
} from '../outcome/outcome.js';
import {
  accepted,
  idOfCopy,
  isReadRequest,
  isStart,
  startedId,
  status,
  tooManyRequests,
  traitsOf,
  unavailable,
} from '../outcome/read.js';
import { removalsOf } from '../outcome/removals.js';
import { settled } from '../outcome/settled.js';
import { answeredAt, graceMs, replicaLagMs } from '../outcome/when.js';
import { sameId } from '../rule/values.js';
import { Halt } from '../scenario/schedule.js';
import type { Exchange, FailedWait, Mark } from '../vocabulary.js';
import type { Clock } from './clock.js';
import { Pace } from './pace.js';
import { Recorder } from './recorder.js';
import type { RequestSpec, Target } from './request-spec.js';
import { isRateLimit, isSafe, Liveness, LostAnswers, pauseBefore, saysWhen } from './retry.js';
import { seeded, seedFor, uuidOf } from './seeded.js';

/** The pause after a rate limit whose answer does not say how long to wait. */
const limitMs = 100;
/** How often requests are sent at once: a rate limit would refuse them again and again. */
const mostWithoutSpacing = 2;
/** A service whose readings fail is asked again for so long; a failure that lasts longer is its own. */
const [awayMs, longestAwayMs] = [1000, 8000];
/** How often, and after which first pause, something that is there is asked for again; and how often in vain. */
const [mostMissed, missedMs, mostInVain] = [4, 200, 3];
/** So often a start that is refused at a limit is taken to be refused for want of room. */
const mostForRoom = 4;

/** The state of a request between its attempts. */
interface RetryState {
  /** How often it was retried. */
  attempt: number;
  /** The time after which it is not retried. */
  giveUp: number;
}

export interface SessionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** The seed of all generated values. */
  readonly seed: number;
  readonly signal?: AbortSignal;
  readonly kept?: BodyCache;
  /** How many exchanges an earlier pass of the run has. */
  readonly before?: number;
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
  /** The seed of values that must be unique: another one for each run, whatever its seed. */
  readonly uniqueSeed: number;
  /** Aborted when the run is to end early. */
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  /** Sends and records each request. */
  readonly recorder: Recorder;
  readonly #liveness: Liveness;
  readonly #pace: Pace;
  readonly #lostAnswers = new LostAnswers();
  /** How often things that are there were asked for in vain, by operation and key, or by a resource that was never found. */
  readonly #missed = new Map<string, number>();
  /** Ids of exchanges whose requests are sent again, or another in their place. */
  readonly #replaced = new Set<number>();
  /** Why the target counts as gone; undefined while it does not. */
  outageReason: string | undefined;
  /** Since when. What is still sent then undoes changes: its answers tell nothing of the rules. */
  #goneAt: number | undefined;
  /** When a reading last failed after an error of the service. */
  #awayAt = Number.NEGATIVE_INFINITY;
  /** Since when readings have failed; undefined while they are answered. */
  #awaySince: number | undefined;

  constructor(target: Target, how: SessionOptions) {
    this.target = target;
    this.clock = how.clock;
    this.seed = how.seed;
    this.uniqueSeed = seedFor(how.seed, String(how.clock.now()));
    this.signal = how.signal ? AbortSignal.any([how.signal, this.#end.signal]) : this.#end.signal;
    // Every wait adds a listener.
    setMaxListeners(0, this.signal);
    this.recorder = new Recorder(target, how);
    this.exchanges = this.recorder.exchanges;
    this.#pace = new Pace(how.clock, target.facts.pace);
    this.#liveness = new Liveness(how.clock, target.facts.pace);
  }

  /**
   * Sends one request and records it. Retries it, within the target's patience, if a rate limit refused it, or if its
   * answer was lost and a repetition does no harm. The first answer stays in the record.
   */
  async send(scenario: string, request: RequestSpec): Promise<Exchange> {
    const state: RetryState = { attempt: 0, giveUp: Number.POSITIVE_INFINITY };
    for (const { id } of request.replaces ?? []) this.#replaced.add(id);
    for (;;) {
      const exchange = await this.#attempt(scenario, request, state.attempt);
      await this.endIfGone(scenario, request);
      if (status(exchange) !== tooManyRequests && !exchange.failure) this.#pace.requestAnswered();
      // Patience counts from the first answer: how long the request was queued here is not the target's doing.
      state.giveUp = Math.min(state.giveUp, this.clock.now() + graceMs(this.target.facts.pace));
      const pause = await this.#pauseBefore(scenario, request, exchange, state.attempt);
      if (pause === undefined || this.clock.now() + pause > state.giveUp) return exchange;
      if (await this.#isLast(scenario, exchange)) return exchange;
      this.#replaced.add(exchange.id);
      await this.#wait(scenario, request, exchange, pause, state);
      state.attempt += 1;
    }
  }

  /** All that was sent so far, and what each answer counts for. */
  get sent(): Exchange[] {
    return settled(this.exchanges, this.#replaced, this.#goneAt);
  }

  /** Sends it once, when it is its turn. */
  #attempt(scenario: string, request: RequestSpec, attempt: number): Promise<Exchange> {
    const mark: Mark = {
      scenario,
      step: request.step,
      credential: request.credential ?? 'primary',
      ...(request.probe && { probe: request.probe }),
      ...(request.observes && { observes: request.observes }),
      ...(request.unjudged && { unjudged: true }),
      ...(request.excluded && { excluded: true }),
      ...(request.ifRefused && { ifRefused: request.ifRefused }),
      ...(request.repeats && { repeats: request.repeats.map(({ id }) => id) }),
    };
    return this.#pace.schedule(() => this.#exchange(mark, request), {
      by: scenario,
      ...(!request.evenIfStopping && { signal: this.signal }),
      ...(request.beforeOthers && { beforeOthers: true }),
      ...(request.withoutSpacing && attempt < mostWithoutSpacing && { withoutSpacing: true }),
    });
  }

  /** How long to wait before a retry, in milliseconds; undefined for no retry. */
  async #pauseBefore(
    scenario: string,
    request: RequestSpec,
    exchange: Exchange,
    attempt: number,
  ): Promise<number | undefined> {
    const now = this.clock.now();
    const isLasting = this.#lostAnswers.noteAnswer(request.operation, exchange, now);
    const pause = isLasting ? undefined : pauseBefore(exchange, request, attempt, now);
    if (pause !== undefined) return pause;
    // What a listing that is sent before others is to show does not last.
    const isBrief = request.beforeOthers && isReadRequest(request) && request.operation !== contract().readOperation;
    const isOwn = isOwnError(exchange) && isSafe(request) && !request.mayBeOverLimit && !isBrief;
    return isOwn ? this.#pauseIfAway(scenario, request, exchange) : this.#pauseIfMissed(exchange, attempt, isBrief);
  }

  /** A service that fails at readings too may be restarting. */
  async #pauseIfAway(scenario: string, request: RequestSpec, exchange: Exchange): Promise<number | undefined> {
    if (await this.#answersReadings(scenario, request)) {
      this.#awaySince = undefined;
      return exchange.at <= this.#awayAt ? limitMs : undefined;
    }
    this.#awayAt = this.clock.now();
    this.#awaySince ??= this.#awayAt;
    return this.#awayAt - this.#awaySince > longestAwayMs ? undefined : awayMs;
  }

  /** Something that is there is asked for again where it is not found: something else may answer for a while. */
  #pauseIfMissed(exchange: Exchange, attempt: number, isBrief = false): number | undefined {
    const { operation, resource } = exchange;
    if (outcomeOf(exchange).unexpected !== 'not found' || resource === null) return undefined;
    const isGone = removalsOf(this.exchanges, traitsOf(exchange)?.subject, resource).length > 0;
    // A replica may not know what was just made. Whether an execution has to be readable at once is judged.
    const made = this.exchanges.find((one) => sameId(startedId(one) ?? idOfCopy(one), resource));
    const lagMs = operation === contract().readOperation ? 0 : made && isStart(made) ? replicaLagMs / 2 : replicaLagMs;
    const isNew = made !== undefined && exchange.at - answeredAt(made) < lagMs;
    const wasFound = isNew || this.exchanges.some((one) => accepted(one) && one.resource === resource);
    const mayBeThere = !hasRightKey(exchange) || JSON.stringify(this.target.facts).includes(resource);
    if (!(wasFound || mayBeThere) || isGone || (isBrief && !isNew)) return undefined;
    const [way, most] = wasFound ? [`${operation} ${keyOf(exchange)}`, mostMissed] : [resource, 1];
    const inVain = this.#missed.get(way) ?? 0;
    if (attempt >= most || !wasFound) this.#missed.set(way, inVain + 1);
    return attempt >= most || inVain >= (wasFound ? mostInVain : 1) ? undefined : missedMs * 2 ** attempt;
  }

  /** Whether a retry might make more executions or copies than the budget allows. */
  async #isLast(scenario: string, exchange: Exchange): Promise<boolean> {
    if (this.isBudgetSpent(exchange)) return true;
    // A copy that may have been made is not requested again in vain: a reading, retried until patience ends, tells
    // whether the service is there.
    return mayHaveCopied(exchange) && isLost(await this.send(scenario, this.#look()));
  }

  /** Waits before a retry, and makes others wait too where the target asks for that. */
  async #wait(
    scenario: string,
    request: RequestSpec,
    exchange: Exchange,
    pause: number,
    { attempt }: RetryState,
  ): Promise<void> {
    const mayBeRoom = isStart(exchange) && (request.mayBeAtCapacity || attempt < mostForRoom);
    const isPace = isRateLimit(exchange) && !(mayBeRoom && (await this.#answersReadings(scenario, request)));
    if (isPace || (status(exchange) === unavailable && saysWhen(exchange))) this.#pace.pause(pause);
    await this.clock.sleep(pause, request.evenIfStopping ? undefined : this.signal);
  }

  /** Takes note of what an answer says about things that the run leaves on the target. */
  protected abstract noteAnswer(exchange: Exchange): void;

  /** Whether the budget is spent, counting what this request may have made already. */
  protected abstract isBudgetSpent(exchange: Exchange): boolean;

  /** Whether readings are answered while a start is refused: then a limit is one of capacity, and others need not pause. */
  async #answersReadings(
    scenario: string,
    { evenIfStopping = false, timeoutMs }: Pick<RequestSpec, 'evenIfStopping' | 'timeoutMs'>,
  ): Promise<boolean> {
    const request = { ...this.#look(), evenIfStopping, ...(timeoutMs !== undefined && { timeoutMs }) };
    for (let again = 0; ; again += 1) {
      const exchange = await this.#pace.schedule(
        () => this.#exchange({ scenario, step: request.step, credential: 'primary', excluded: true }, request),
        {
          ...(!evenIfStopping && { signal: this.signal }),
          beforeOthers: true,
          withoutSpacing: true,
          evenIfExclusive: true,
          by: scenario,
        },
      );
      if (this.#isAnswer(exchange)) return true;
      if (again === 1 || !isOutsideContract(exchange) || exchange.failure?.kind === 'timeout') return false;
    }
  }

  /** A reading, if there is one of something that was found. On a new connection, which an open one tells nothing about. */
  #look(): RequestSpec {
    const found = this.exchanges.findLast(
      (one) => one.operation === contract().readOperation && hasRightKey(one) && accepted(one),
    );
    const id = found?.resource ?? uuidOf(seeded(seedFor(this.seed, 'look')));
    return { step: 'look', operation: contract().readOperation, id, newConnection: true, excluded: true };
  }

  #isAnswer(exchange: Exchange): boolean {
    const isOf = outcomeOf(exchange).unexpected === undefined && !isOwnError(exchange);
    return (
      exchange.response !== undefined && isOf && status(exchange) !== tooManyRequests && !isOutsideContract(exchange)
    );
  }

  /** Lets only this scenario send until its work is done: what it is to observe ends when others are served. */
  runExclusively<T>(scenario: string, work: () => Promise<T>): Promise<T> {
    return this.#pace.runExclusively(scenario, work);
  }

  /** Whether only this scenario may send. */
  isExclusive(scenario: string): boolean {
    return this.#pace.isExclusive(scenario);
  }

  /** Throws `Halt` if the run is being stopped. */
  throwIfStopped(): void {
    if (this.signal.aborted)
      throw this.signal.reason instanceof Halt ? this.signal.reason : new Halt('The run was stopped.');
  }

  /**
   * Ends the run if the service itself answered nothing for too long, at the end of a run nothing of late, and does not
   * answer one more reading either. What came since it last answered is not judged.
   */
  async endIfGone(scenario: string, request: Pick<RequestSpec, 'evenIfStopping'>, isEnd = false): Promise<void> {
    const reason = this.#liveness.silence(isEnd);
    if (reason === undefined || this.outageReason !== undefined) return;
    const asked = { ...request, timeoutMs: graceMs(this.target.facts.pace) / 4 };
    // At the end there is time to obey a limit.
    const isThere = isEnd
      ? this.#isAnswer(await this.send(scenario, { ...this.#look(), ...asked }))
      : await this.#answersReadings(scenario, asked);
    if (isThere) return;
    this.outageReason = reason;
    this.#goneAt = this.#liveness.heardAt;
    this.#end.abort(new Halt(reason));
  }

  async #exchange(mark: Mark, request: RequestSpec): Promise<Exchange> {
    if (!request.evenIfStopping) this.throwIfStopped();
    const exchange = await this.recorder.exchange(mark, request, this.signal);
    this.noteAnswer(exchange);
    if (isWithoutRoom(exchange)) this.#pace.connectionFailed();
    // Being refused for capacity is an answer of the service.
    const isOfLimit = status(exchange) === tooManyRequests || saysUnavailable(exchange);
    if (!((request.mayBeAtCapacity || request.mayBeOverLimit) && isOfLimit)) this.#liveness.noteAnswer(exchange);
    return exchange;
  }
}

/** What a gateway without room does with connections: it refuses or cuts them, or says that it is unavailable. */
const isWithoutRoom = (exchange: Exchange): boolean =>
  exchange.failure?.kind === 'broken' ||
  exchange.failure?.kind === 'unreachable' ||
  (status(exchange) === unavailable && isHtmlPage(exchange));
