/** What a scenario works with: it sends requests, starts and follows executions, and reads earlier answers. */

import { type Operation, type OperationId, operations } from '../../generated/operations.js';
import type { RuleId } from '../../generated/rules.js';
import { accepted, isWaitingStart, startedId, status, tooManyRequests } from '../engine/outcome/read.js';
import { graceMs } from '../engine/outcome/when.js';
import { isFaultless } from '../engine/rule/probes.js';
import { waitMsOf } from '../engine/rule/times.js';
import { Material } from '../engine/scenario/material.js';
import type { Scenario as Scripted } from '../engine/scenario/schedule.js';
import { type Clock, firstPollMs, nextInterval, Waits } from '../engine/send/clock.js';
import type { Progress } from '../engine/send/recorder.js';
import type { RequestSpec } from '../engine/send/request-spec.js';
import { madeUpLike, seeded, seedFor, uuidOf } from '../engine/send/seeded.js';
import type { LeftBehind } from '../engine/vocabulary/report.js';
import type { Credential, Evidence, Exchange, Facts, SameExcept } from '../engine/vocabulary.js';
import { Budget } from './budget.js';
import type { Copies } from './copies/known.js';
import { type Followed, follow, learnDurations } from './executions/follow.js';
import type { StartingStep } from './executions/steps.js';
import type { ExecutionTracker } from './executions/tracker.js';
import { hasKey } from './keys/headers.js';
import { leastWaitSeconds } from './operations.js';
import type { Editor } from './profiles/editor.js';
import type { DeclaredStep } from './scenarios.js';
import { schemas } from './schemas.js';
import type { Session } from './session.js';
import { isStart, type StartSpec, Starts, withDeclaredInputs } from './starts/starting.js';
import { gather } from './views.js';

/** Names of steps (separated by spaces; `*` matches anything), and the rules that these steps are sent for. */
export type Steps = Readonly<Record<string, readonly RuleId[]>>;

/** The requests without the fault of a probe: declared steps, or any that are the same but for some fields. */
export type ControlSteps = readonly DeclaredStep[] | SameExcept;

/** A scenario of the suite. */
export interface Scenario extends Scripted<Driver> {
  /** The operations that its requests are of. */
  readonly sends: readonly OperationId[];
  /** About how many requests it sends besides starts and polls; absent for a few. */
  readonly requests?: number;
  /** The execution without which it sends nothing. */
  readonly begins?: string;
  /**
   * Which rules each step is sent for; the first name that matches counts. A probe serves the one rule that it names.
   * An empty list means: only the rules that judge every answer. Such a step observes a gap, or is the control of a probe.
   * Steps that start an execution are in `executions/steps.ts`.
   */
  readonly steps?: Steps;
}

/** Creates the driver of each scenario of a run. */
export const driverOf =
  (session: Session, progress: Progress) =>
  ({ id, first }: Pick<Scenario, 'id' | 'first'>): Driver =>
    new Driver(session, id, progress, first);

export class Driver {
  readonly facts: Facts;
  readonly #session: Session;
  readonly #scenario: string;
  readonly #first: boolean;
  readonly #progress: Progress;
  readonly leftBehind: LeftBehind[] = [];
  readonly #waits: Waits;
  readonly #beside: Promise<unknown>[] = [];
  readonly #random: () => number;
  readonly #starts: Starts;
  /** Limits how many executions are started and how many copies are made. */
  readonly budget: Budget;
  /** The copies of the declared profile that exist. */
  readonly copies: Copies;
  readonly executions: ExecutionTracker;
  /** The profiles that the run may change. */
  readonly scratch: readonly Editor[];
  readonly clock: Clock;

  constructor(session: Session, scenario: string, progress: Progress, first = false) {
    this.#first = first;
    this.#session = session;
    this.#scenario = scenario;
    this.#progress = progress;
    this.facts = session.target.facts;
    this.#random = seeded(seedFor(session.seed, scenario));
    this.budget = new Budget(session);
    this.copies = session.copies;
    this.executions = session.executions;
    this.scratch = session.scratch;
    this.clock = session.clock;
    this.#starts = new Starts(this, session, scenario);
    this.#waits = new Waits(() => session.clock.now());
  }

  /** Runs work in parallel with the scenario, which ends only when the work has ended too, even if it fails early. */
  runInParallel<Result>(work: Promise<Result>): Promise<Result> {
    this.#beside.push(work);
    work.catch(() => undefined);
    return work;
  }

  /** Waits for all work that was started with `runInParallel`. */
  async parallelWorkEnded(): Promise<void> {
    while (this.#beside.length > 0) await allOrThrow(this.#beside.splice(0));
  }

  /** Milliseconds spent waiting for the target's states, not for its answers. */
  get waitedMs(): number {
    return this.#waits.totalMs;
  }

  async send(asked: RequestSpec): Promise<Exchange> {
    const body = { ...(asked.body as object), timeoutSeconds: leastWaitSeconds };
    const timely = this.executions.areStuck && isWaitingStart(asked) && !asked.probe ? { ...asked, body } : asked;
    const given = withDeclaredInputs(withinBounds(timely), this.facts);
    const request = this.#first ? { ...given, beforeOthers: true } : given;
    const sending = () => this.budget.send(this.#scenario, request);
    // A probe is refused at once.
    const isWaiting = waitMsOf(request) > 0 && !request.probe;
    return isWaiting ? this.countAsWaiting(sending) : sending();
  }

  /** When the run began, and its seed. */
  get run(): string {
    return this.#session.run;
  }

  /** Adds a profile that the run may change. */
  mayChange(editor: Editor): Editor {
    this.#session.scratch.push(editor);
    return editor;
  }

  /** Whether this step may start its execution: the budget may not have room for it. */
  mayStart(step: StartingStep): boolean {
    return this.#session.mayStart(step);
  }

  /** All that was seen so far. */
  get evidence(): Evidence {
    return gather(this.sent, this.#session.failedWaits);
  }

  /** All exchanges so far, of all scenarios. */
  get sent(): readonly Exchange[] {
    return this.#session.sent;
  }

  /** Whether the target file gives such a key. */
  hasKey(credential: Credential): boolean {
    return hasKey(credential, this.#session.target);
  }

  /** Sends a request with exactly one fault. A start may be refused for want of room nevertheless: then it waits for room. */
  async probe(rule: RuleId, fault: string, controls: ControlSteps, request: RequestSpec): Promise<Exchange> {
    const ask = { ...request, probe: { rule, fault, controls } };
    const { credential = 'primary', mayBeOverLimit } = request;
    const exchange = await this.send(ask);
    const mayWait = credential === 'primary' && !mayBeOverLimit && status(exchange) === tooManyRequests;
    if (!mayWait || !isStart(ask)) return exchange;
    return this.start({ ...ask, replaces: [exchange] });
  }

  /** Starts an execution as soon as there is room for it: see `Starts`. */
  start(request: StartSpec): Promise<Exchange> {
    return this.#starts.start(request);
  }

  /** Starts an execution if there is room for it. If the answer is lost, starts another one instead. */
  startOnce(request: StartSpec): Promise<Exchange> {
    return this.#starts.startOnce(request);
  }

  /** Polls an execution until `done` accepts its status; false if it ends before, or patience runs out. */
  follow(
    executionId: string,
    wanted: string,
    done?: Followed['done'],
    options: Pick<Followed, 'longest' | 'growth'> = {},
  ): Promise<boolean> {
    return follow(this, this.#session, { executionId, wanted, ...(done && { done }), ...options });
  }

  /** Follows what an answer says was started, if anything, until it has completed; false if it does not. */
  async followStarted(answer: Exchange): Promise<boolean> {
    const executionId = startedId(answer);
    return executionId !== undefined && (await this.follow(executionId, 'completed'));
  }

  /**
   * Does work that depends on exact moments, while no other scenario sends. The work has to end by itself. `starts`: how
   * many executions it starts that take a place.
   */
  runExclusively<T>(work: () => Promise<T>, starts = 0): Promise<T> {
    const alone = () =>
      this.budget.withoutOthersProbes(this.#scenario, () => this.#session.runExclusively(this.#scenario, work));
    return starts === 0 ? alone() : this.withPlaces(starts, alone);
  }

  /** Does work that starts this many executions, as soon as the run may hold places for all of them. */
  withPlaces<T>(starts: number, work: () => Promise<T>): Promise<T> {
    return this.budget.withPlaces(this.#scenario, starts, work);
  }

  /** Whether it is known how long executions take: from the target file, or from one that was seen to end. */
  get areDurationsKnown(): boolean {
    return this.executions.longestMs !== undefined;
  }

  /** Waits until that is known, but not forever. */
  waitForDurations(): Promise<void> {
    return learnDurations(this, this.#session);
  }

  /** Repeats a request until its answer satisfies, is not a success, or patience runs out. */
  async pollUntil(
    request: RequestSpec,
    satisfied: (exchange: Exchange) => boolean,
    patienceMs = this.patienceMs,
  ): Promise<Exchange> {
    const giveUp = this.clock.now() + patienceMs;
    for (let interval = firstPollMs; ; interval = nextInterval(interval)) {
      const exchange = await this.send(request);
      if (!accepted(exchange) || satisfied(exchange) || this.clock.now() > giveUp) return exchange;
      this.#progress.step(this.#scenario, `repeats ${request.step}`);
      await this.pause(interval);
    }
  }

  /** Waits. Throws `Halt` if the run is stopped meanwhile, which a loop that only waits would not notice. */
  pause(ms: number): Promise<void> {
    return this.countAsWaiting(async () => {
      await this.clock.sleep(ms, this.#session.signal);
      this.#session.throwIfStopped();
    });
  }

  /** The starts of a workflow so far that had no fault. */
  startsOf(operation: StartSpec['operation'], workflow: string): readonly Exchange[] {
    return [...this.#session.earlier, ...this.sent].filter(
      (one) => one.operation === operation && one.resource === workflow && isFaultless(one),
    );
  }

  /** The last answer to a step of a scenario that is over. */
  lastAnswer(step: DeclaredStep): Exchange | undefined {
    return this.#session.recorder.last(step);
  }

  /** The same values and choices in every run: a fault then shows in the same requests each time. */
  constant(step: string): Material {
    return new Material(1, this.#scenario, step);
  }

  /** An id that nothing has. With a step's name, it does not depend on earlier calls. */
  unknownId(step?: string): string {
    return uuidOf(step === undefined ? this.#random : seeded(seedFor(this.#session.seed, this.#scenario, step, 'id')));
  }

  /** A made-up id of the form that a path parameter asks for; by default the last one of the path. */
  unknownIdOf(operation: OperationId, step?: string): string {
    const { otherIds }: Operation = operations[operation];
    const [other] = Object.values(otherIds);
    return other ? madeUpLike(other.sample, other.pattern, this.#random) : this.unknownId(step);
  }

  /** A short text that no other step of this run uses, nor any other run, whatever its seed. */
  uniqueText(step = this.unknownId()): string {
    return uuidOf(seeded(seedFor(this.#session.uniqueSeed, this.#scenario, step))).slice(0, 8);
  }

  /** Values that differ from run to run, whatever the seed. */
  uniqueMaterial(step: string): Material {
    return new Material(this.#session.uniqueSeed, this.#scenario, step);
  }

  /** The id that the target file declares. A target without state accepts any id: it gets the same one each time. */
  id(declared: string | undefined): string {
    return declared ?? uuidOf(seeded(seedFor(this.#session.seed, 'any')));
  }

  /** Whether the target file declares it. A target without state has everything. */
  isDeclared(declared: unknown): boolean {
    return declared !== undefined || !this.facts.stateful;
  }

  /** Reports progress, in words. */
  reportProgress(text: string): void {
    this.#progress.step(this.#scenario, this.#session.recorder.redactor.text(text));
  }

  addLeftBehind(one: LeftBehind): void {
    this.leftBehind.push(one);
  }

  /** How long to wait for an answer that may still come. */
  get patienceMs(): number {
    return graceMs(this.facts.pace);
  }

  /** Counts the duration of some work as time spent waiting. */
  countAsWaiting<T>(wait: () => Promise<T>): Promise<T> {
    return this.#waits.during(wait);
  }
}

/** Like `Promise.all`, but waits for all tasks even if one fails: nothing may be sent after a scenario is over. */
export async function allOrThrow<const Tasks extends readonly unknown[]>(
  tasks: Tasks,
): Promise<{ -readonly [place in keyof Tasks]: Awaited<Tasks[place]> }> {
  const results = (await Promise.allSettled(tasks)).map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  return results as { -readonly [place in keyof Tasks]: Awaited<Tasks[place]> };
}

/** A request that is not wrong on purpose, no longer than the contract allows: the suite's values know no bounds. */
const withinBounds = (ask: RequestSpec): RequestSpec =>
  ask.probe || ask.body === undefined ? ask : { ...ask, body: schemas.withinBounds(ask.operation, ask.body) };
