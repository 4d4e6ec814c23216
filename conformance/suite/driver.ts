import { type Operation, type OperationId, operations } from '../../generated/operations.js';
import type { RuleId } from '../../generated/rules.js';
import { hasMalformedId } from '../engine/outcome/ids.js';
import { isLost, isOutsideContract, isPage, outcomeOf } from '../engine/outcome/outcome.js';
import { accepted, answer, headerOf, refused, status, steers } from '../engine/outcome/read.js';
import { busy } from '../engine/outcome/statuses.js';
import { saysTheSame } from '../engine/outcome/when.js';
import { isFaultless } from '../engine/rule/probes.js';
import { sameId } from '../engine/rule/values.js';
import { Material } from '../engine/scenario/material/material.js';
import type { Journey as Scripted } from '../engine/scenario/schedule.js';
import { type Clock, firstPollMs, graceMs, longer, Waits } from '../engine/send/clock.js';
import type { Progress } from '../engine/send/progress.js';
import type { DriverPort, RequestSpec } from '../engine/send/request-spec.js';
import { madeUp, seeded, seedFor, uuidOf } from '../engine/send/seeded.js';
import type { Credential, Evidence, Exchange, Facts, FailedWait, LeftBehind, Twins } from '../engine/vocabulary.js';
import { Budget } from './budget.js';
import type { Copies } from './copies/known.js';
import { type Followed, follow } from './executions/follow.js';
import type { StartingStep } from './executions/steps.js';
import { learnTempo } from './executions/tempo.js';
import type { Executions } from './executions/under-way.js';
import { hasKey } from './keys/key-headers.js';
import { isTakenElsewhere } from './keys/other-header.js';
import { unlessInUse } from './profiles/in-use.js';
import { withName } from './profiles/required.js';
import type { Snapshots } from './profiles/snapshots.js';
import type { Session } from './session.js';
import { withDeclaredInputs } from './starts/declared-inputs.js';
import { withoutMaterial } from './starts/start-bodies.js';
import { isStart, type StartSpec, Starts } from './starts/starting.js';
import { gather } from './views.js';

/** Names of steps, with a space between them and `*` for what differs, and the rules that each of them is sent for. */
export type Steps = Readonly<Record<string, readonly RuleId[]>>;

/** A journey of the suite. */
export interface Journey extends Scripted<Driver> {
  /**
   * What its steps are sent for; the first name that fits counts. A probe serves the one rule that it names. An empty list: the
   * rules of every answer only; it is sent to observe a gap, or as the twin of a probe. Steps that start an execution are in
   * `executions/steps.ts`.
   */
  readonly steps?: Steps;
}

/** The driver of each journey of a run. */
export const driverOf =
  (session: Session, progress: Progress) =>
  ({ id, first }: Journey): Driver =>
    new Driver(session, id, progress, first);

/** What a journey sends requests with, and reads earlier answers from. */
export class Driver implements DriverPort {
  readonly facts: Facts;
  readonly #session: Session;
  readonly #journey: string;
  readonly #first: boolean;
  readonly #progress: Progress;
  readonly leftBehind: LeftBehind[] = [];
  /** The sequence whose steps are being sent: they are evidence of their own. */
  sequence: number | undefined;
  readonly #waits: Waits;
  readonly #beside: Promise<unknown>[] = [];
  readonly #random: () => number;
  readonly #starts: Starts;
  /** What may be started and copied yet. */
  readonly budget: Budget;
  /** The copies of profiles that this run made, and earlier ones. */
  readonly copies: Copies;
  readonly executions: Executions;
  /** What profiles were before the run changed them. */
  readonly snapshots: Snapshots;
  readonly clock: Clock;

  constructor(session: Session, journey: string, progress: Progress, first = false) {
    this.#first = first;
    this.#session = session;
    this.#journey = journey;
    this.#progress = progress;
    this.facts = session.target.facts;
    this.#random = seeded(seedFor(session.seed, journey));
    this.budget = new Budget(session);
    this.copies = session.copies;
    this.executions = session.executions;
    this.snapshots = session.snapshots;
    this.clock = session.clock;
    this.#starts = new Starts(this, session, journey);
    this.#waits = new Waits(() => session.clock.now());
  }

  /** What goes on while the journey does other things: the journey is over when all of it is, also where the rest ended early. */
  beside<Result>(work: Promise<Result>): Promise<Result> {
    this.#beside.push(work);
    work.catch(() => undefined);
    return work;
  }

  /** Waits for all that goes on beside the journey. */
  async over(): Promise<void> {
    while (this.#beside.length > 0) await allOrThrow(this.#beside.splice(0));
  }

  /** Milliseconds spent waiting for the target's states, not for its answers. */
  get waitedMs(): number {
    return this.#waits.totalMs;
  }

  async send(asked: RequestSpec): Promise<Exchange> {
    const { needsName, exchanges } = this.#session;
    const given = withDeclaredInputs(asked, this.facts);
    const named = needsName ? withName(given, exchanges) : given;
    const noted = this.snapshots.of(named.id)?.noted(named) ?? named;
    const request = this.#first ? { ...noted, first: true } : noted;
    const isUpdate = request.operation === 'updateProfile';
    if (steers(request) && operations[request.operation].subject === 'profile') {
      await this.snapshots.beforeSending(request);
      await this.copies.beforeSending(request);
    }
    const exchange = await unlessInUse(
      this,
      this.#session,
      (one) => this.budget.send(this.#journey, this.#inSequence(one)),
      request,
    );
    if (isUpdate) this.snapshots.hears(exchange);
    if (exchange.mark?.unjudged && outcomeOf(exchange).by === 'firewall' && isPage(exchange)) this.exclude(exchange);
    if (!this.facts.gentle && mayBeOfGateway(exchange)) await this.#asksWithoutKey(exchange, request);
    return (await this.#isTakenElsewhere(exchange, request)) ? this.#again(exchange, request) : exchange;
  }

  /** Whether the right key was refused in the header that is shown, and is sent in the other one from now on. */
  async #isTakenElsewhere(
    exchange: Exchange,
    { operation, method, credential = 'primary' }: RequestSpec,
  ): Promise<boolean> {
    const { target } = this.#session;
    const isRight = credential === 'primary' || credential === 'restricted';
    if (status(exchange) !== 401 || !isRight || method !== undefined || !this.hasKey('primary')) return false;
    // As it was sent before that was known.
    const wasElsewhere =
      headerOf(exchange.request.headers, operations[operation].keyHeader.toLowerCase()) === undefined;
    const send = (request: RequestSpec) => this.budget.send(this.#journey, request);
    return (
      !wasElsewhere &&
      isTakenElsewhere(target.keys, operation, this.unknownIdOf(operation, { step: 'key header' }), send)
    );
  }

  #again(exchange: Exchange, request: RequestSpec): Promise<Exchange> {
    this.exclude(exchange);
    return this.send(request);
  }

  /** Who has no key is answered 401 by the service, and the same by what stands before it. */
  async #asksWithoutKey(exchange: Exchange, { probe: _, ...request }: RequestSpec): Promise<void> {
    const step = `${request.step}-without-key`;
    const keyless = await this.budget.send(this.#journey, { ...request, step, credential: 'none', unjudged: true });
    this.exclude(keyless);
    if (status(keyless) === status(exchange) && saysTheSame(keyless, exchange))
      this.#session.remark(exchange, { answeredByGateway: true });
  }

  #inSequence(request: RequestSpec): RequestSpec {
    return this.sequence === undefined ? request : { ...request, sequence: this.sequence };
  }

  /** Whether an execution is started at this step: the budget may have no room for it. */
  starts(step: StartingStep): boolean {
    return this.#session.starts(step);
  }

  get failedWaits(): readonly FailedWait[] {
    return this.#session.failedWaits;
  }

  /** All that was seen so far. */
  get evidence(): Evidence {
    return gather(this.#session.exchanges, this.#session.failedWaits);
  }

  /** All that was sent, by all journeys. */
  get sent(): readonly Exchange[] {
    return this.#session.exchanges;
  }

  /** Takes what was answered at a step so far out of what is judged. */
  excludeStep(step: string): void {
    for (const exchange of this.#session.exchanges)
      if (exchange.mark?.journey === this.#journey && exchange.mark.step === step) this.exclude(exchange);
  }

  /** Says of a start that its run went otherwise by somebody's doing: of its states nothing is expected. */
  excludeRun(start: Exchange): void {
    this.#session.remark(start, { notAsDeclared: true });
  }

  /** Whether an exchange was taken out of what is judged. */
  isExcluded(exchange: Exchange): boolean {
    return this.#session.isExcluded(exchange);
  }

  /** Takes an exchange out of what is judged. */
  exclude(exchange: Exchange): void {
    this.#session.exclude(exchange);
  }

  /** Whether there is such a key. */
  hasKey(credential: Credential): boolean {
    return hasKey(credential, this.#session.target);
  }

  /** Sends a request with exactly one fault; without what is in free fields where something before the service bars that. */
  async probe(rule: RuleId, fault: string, twins: Twins, request: RequestSpec): Promise<Exchange> {
    const probe = { rule, fault, twins };
    const exchange = await this.#withRoom({ ...request, probe });
    const body = outcomeOf(exchange).isBarred ? withoutMaterial(request.body) : undefined;
    if (!body) return exchange;
    const plain = await this.#withRoom({ ...request, body, probe });
    this.exclude(outcomeOf(plain).isBarred ? plain : exchange);
    return outcomeOf(plain).isBarred ? exchange : plain;
  }

  /** Sends it. Where a start is told that there is no room, whatever is wrong with it, it waits for room. */
  async #withRoom(request: RequestSpec): Promise<Exchange> {
    const { credential = 'primary', mayBeOverLimit } = request;
    const exchange = await this.send(request);
    const mayWait = credential === 'primary' && !mayBeOverLimit && status(exchange) === busy;
    if (!mayWait || !isStart(request)) return exchange;
    this.exclude(exchange);
    return this.start(request);
  }

  /** Starts an execution as soon as there is room for it: see `Starts`. */
  start(request: StartSpec): Promise<Exchange> {
    return this.#starts.start(request);
  }

  /** As `start`, of what may be refused for what it asks: it waits for room only where the refusal speaks of room. */
  async startSoon(request: StartSpec): Promise<Exchange> {
    const exchange = await this.#starts.simply(request);
    if (!this.#starts.speaksOfRoom(exchange)) return exchange;
    this.exclude(exchange);
    return this.start(request);
  }

  /** Starts an execution, if there is room for it. Instead of one whose start was lost another one is asked for. */
  startOnce(request: StartSpec): Promise<Exchange> {
    return this.#starts.once(request);
  }

  /**
   * As `start`, of a body that a service may refuse for limits that the interface does not show. Where it is refused, its
   * plain twin is sent, and of the refusal nothing is expected but what holds for every answer. For want of room it waits.
   */
  async startOr(risky: StartSpec, plain: StartSpec): Promise<Exchange> {
    const first = await this.startOnce({ ...risky, mayBeAtCapacity: true });
    const isForRoom = this.#starts.speaksOfRoom(first);
    if (isForRoom) this.exclude(first);
    const exchange = isForRoom ? await this.start(risky) : first;
    if (accepted(exchange) && !isLost(exchange)) return exchange;
    this.expectNothing(exchange);
    return this.start(plain);
  }

  /** Whether nothing is to be sent in free fields but what tells one request from another. */
  get isPlain(): boolean {
    return this.#session.fieldRefusals.areLasting;
  }

  /** Says of an exchange that nothing is expected of its answer but what holds for every answer; of a page not even that. */
  expectNothing(exchange: Exchange): void {
    if (isPage(exchange)) this.exclude(exchange);
    else this.#session.expectNothing(exchange);
  }

  /** Polls an execution until `done` says so or its end; resolves to whether it did. */
  follow(
    executionId: string,
    wanted: string,
    done?: Followed['done'],
    options: Pick<Followed, 'longest' | 'growth'> = {},
  ): Promise<boolean> {
    return follow(this, this.#session, { executionId, wanted, ...(done && { done }), ...options });
  }

  /**
   * Does what rests on exact moments while no other journey sends. It has to end by itself. `starts`: how many executions that
   * take a place.
   */
  alone<T>(work: () => Promise<T>, starts = 0): Promise<T> {
    const alone = () => this.#session.alone(this.#journey, work);
    return starts === 0 ? alone() : this.withPlaces(starts, alone);
  }

  /** Does work that starts so many executions, as soon as the run may hold places for all of them. */
  withPlaces<T>(starts: number, work: () => Promise<T>): Promise<T> {
    return this.budget.withPlaces(this.#journey, starts, work);
  }

  /** Whether it is known how long runs take: the target file says so, or one was seen to end. */
  get isTempoKnown(): boolean {
    return this.executions.longestMs !== undefined;
  }

  /** Waits for a while until that is known. */
  knowsTempo(): Promise<void> {
    return learnTempo(this, this.#session);
  }

  /** Repeats a question until its answer satisfies, or patience ends. */
  async pollUntil(
    request: RequestSpec,
    satisfied: (exchange: Exchange) => boolean,
    patienceMs = this.patienceMs,
  ): Promise<Exchange> {
    const giveUp = this.clock.now() + patienceMs;
    for (let interval = firstPollMs; ; interval = longer(interval)) {
      const exchange = await this.send(request);
      if (!accepted(exchange) || satisfied(exchange) || this.clock.now() > giveUp) return exchange;
      this.#progress.step(this.#journey, `repeats ${request.step}`);
      await this.pause(interval);
    }
  }

  /** Waits. Throws `Halt` where the run is stopped meanwhile: a loop that only waits would never see that. */
  pause(ms: number): Promise<void> {
    return this.waiting(async () => {
      await this.clock.sleep(ms, this.#session.signal);
      this.#session.unlessStopped();
    });
  }

  /** The starts of a workflow that nothing is wrong with, as far as they were sent. */
  startsOf(operation: StartSpec['operation'], workflow: string): readonly Exchange[] {
    return this.#session.exchanges.filter(
      (one) => one.operation === operation && one.resource === workflow && isFaultless(one),
    );
  }

  /** What was answered at a step of a journey that is over. */
  lastAnswer(journey: string, step: string): Exchange | undefined {
    return this.#session.last(journey, step);
  }

  /** The name of a profile, as an execution that used it shows it. */
  nameOf(profileId: string): string | undefined {
    const using = this.#session.exchanges.findLast(
      (one) => one.operation === 'getExecution' && sameId(answer(one)?.agentProfileId, profileId),
    );
    const name = using && answer(using)?.agentProfileName;
    return typeof name === 'string' ? name : undefined;
  }

  /** Every update of a profile is to carry its name. */
  needName(): void {
    this.#session.needsName = true;
  }

  /** What to send in free fields. The same seed gives the same to a step of this name again, whatever came before. */
  material(step: string): Material {
    return new Material(this.#session.seed, this.#journey, step);
  }

  /** An id that nothing has. With a step's name it does not depend on what was asked for before. */
  unknownId(step?: string): string {
    return uuidOf(step === undefined ? this.#random : seeded(seedFor(this.#session.seed, this.#journey, step, 'id')));
  }

  /** The same for the path of an operation: the last in it, or that of a name. */
  unknownIdOf(operation: OperationId, { name, step }: { name?: string; step?: string } = {}): string {
    const { pathParameters, otherIds }: Operation = operations[operation];
    const other = otherIds[name ?? pathParameters.at(-1) ?? ''];
    return other ? madeUp(other.sample, other.pattern, this.#random) : this.unknownId(step);
  }

  /** A short text that no other step of this run uses, nor a run with another seed. */
  unique(step?: string): string {
    return this.unknownId(step).slice(0, 8);
  }

  /** The id that the target file declares; on a target without state any id will do, the same for all. */
  id(declared: string | undefined): string {
    return declared ?? uuidOf(seeded(seedFor(this.#session.seed, 'any')));
  }

  /** Whether the target file declares it; on a target without state everything is there. */
  has(declared: unknown): boolean {
    return declared !== undefined || !this.facts.stateful;
  }

  /** Tells what is being done, in words. */
  says(text: string): void {
    this.#progress.step(this.#journey, this.#session.redactor.text(text));
  }

  leaves(one: LeftBehind): void {
    this.leftBehind.push(one);
  }

  /** How long an answer is waited for that may still come. */
  get patienceMs(): number {
    return graceMs(this.facts.pace);
  }

  /** Counts the time that something takes as waited. */
  waiting<T>(wait: () => Promise<T>): Promise<T> {
    return this.#waits.during(wait);
  }
}

/**
 * Whether what is no request of the interface, for its id or for what is no JSON, was refused as no contract says: whatever
 * stands before a service may do so, before it asks for a key. A page for such an id is as good an answer as any.
 */
function mayBeOfGateway(exchange: Exchange): boolean {
  const { mark, request } = exchange;
  if (mark?.credential !== 'primary' || !refused(exchange) || !isOutsideContract(exchange)) return false;
  if (outcomeOf(exchange).by === 'firewall') return false;
  return request.body.kind === 'not-json' || (hasMalformedId(exchange) && !isPage(exchange));
}

/** The results of all. Waits for each, also where one fails: a journey that is over sends nothing any more. */
export async function allOrThrow<const Tasks extends readonly unknown[]>(
  tasks: Tasks,
): Promise<{ -readonly [place in keyof Tasks]: Awaited<Tasks[place]> }> {
  const results = (await Promise.allSettled(tasks)).map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  return results as { -readonly [place in keyof Tasks]: Awaited<Tasks[place]> };
}
