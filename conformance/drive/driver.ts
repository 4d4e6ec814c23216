import { isTerminal } from '../../generated/lifecycle.js';
import type { OperationId } from '../../generated/operations.js';
import type { RuleId } from '../../generated/rules.js';
import { gather } from '../evidence/evidence.js';
import { isBarred, isGateways, isLost, isPage } from '../evidence/lost.js';
import { accepted, answer, type Fields, isFields, refused, status } from '../evidence/read.js';
import { behindMs } from '../evidence/runs.js';
import { isIdle } from '../evidence/settings.js';
import { equal, sameId } from '../evidence/values.js';
import { budgetSpent, copiesSpent } from '../judge/needs.js';
import type { Credential, Effect, Evidence, Exchange, Facts, FailedWait, LeftBehind } from '../vocabulary.js';
import type { Ask } from './ask.js';
import type { Clock } from './clock.js';
import type { ProfileEntry } from './journal.js';
import { Material } from './material/material.js';
import { isNearKey, nearKey } from './near-keys.js';
import type { Progress } from './progress.js';
import { seeded, seedFor } from './seeded.js';
import { Halt, type Missed, type Session } from './session.js';
import type { Snapshot } from './snapshot.js';

/** A short scripted conversation with the target. It sends what the rules need and judges nothing. */
export interface Journey {
  readonly id: string;
  /** The worst that it does to the target. */
  readonly effect: Effect;
  /** Needs of the register's kind; the journey is left out where one is not declared. */
  readonly needs: readonly string[];
  /** Journeys that have to be over before: they use the same profile, or send its twins. */
  readonly after?: readonly string[];
  /** Its requests go before those of others: what it waits for is soon over. */
  readonly first?: true;
  /** Worth sending to a target that keeps no state. */
  readonly stateless?: true;
  run(driver: Driver): Promise<void>;
}

const firstPollMs = 40;
const longestPollMs = 2000;
const pollGrowth = 1.2;
const gatewayMs = 10_000;
/** interface: Errors rule 2: a start over capacity fails, in a way that is not shown. These say of something else what is wrong. */
const neverOfCapacity: readonly number[] = [401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 431];
const mayBeOfCapacity = (code: number): boolean => code < 500 && !neverOfCapacity.includes(code);

/** Executions that are asked for instead of one whose start was lost. */
const othersForLost = 2;
/** A refusal for want of room comes sooner. */
const soonRefusedMs = 500;
const executeOperations: readonly OperationId[] = ['execute', 'executeSync'];

const profileOperations: readonly OperationId[] = ['updateProfile', 'duplicateProfile'];
/** One that must be refused, or goes to an id that nothing has, makes no copy. */
const isMeantToCopy = ({ operation, credential = 'primary', probe, odd, sequence }: Ask): boolean =>
  operation === 'duplicateProfile' && credential === 'primary' && !probe && (!odd || sequence !== undefined);
const firstUseMs = 200;
/** Others may take all room for a while. */
const longestRoomMs = 10_000;
const roomPollMs = 500;
/** Nobody uses a profile for longer than a run can wait for. */
const longestUseMs = 20_000;

/** Whether a refusal may be for want of a profile that somebody else uses, which the interface shows no status for. */
function mayBeInUse(exchange: Exchange, { probe, odd, asks, mayBeRefused, body }: Ask, isOpened: boolean): boolean {
  const code = status(exchange);
  // What is to be refused was refused: a look could only show more than was asked for.
  if (probe) return false;
  if (code === 409 || code === 423) return true;
  const isAsked = odd || asks !== undefined || mayBeRefused;
  return code === 400 && isOpened && !isAsked && !isLost(exchange) && body !== undefined;
}

/** What a start may be refused with for a while by a service that others use as well, beside what it says of a full group. */
const mayPass = (exchange: Exchange, full: Exchange | undefined, since: number, now: number): boolean =>
  [409, 423, 429, full && refused(full) ? status(full) : 0].includes(status(exchange)) && now - since < longestRoomMs;

type StartAsk = Ask & { readonly operation: 'execute' | 'executeSync' };

/** What a journey says and hears. */
export class Driver {
  readonly facts: Facts;
  readonly #session: Session;
  readonly #journey: string;
  readonly #first: boolean;
  readonly #progress: Progress;
  readonly leftBehind: LeftBehind[] = [];
  /** The sequence whose steps are being sent: they are evidence of their own. */
  sequence: number | undefined;
  readonly #waits: [from: number, to: number][] = [];
  readonly #random: () => number;

  constructor(session: Session, journey: string, progress: Progress, first = false) {
    this.#first = first;
    this.#session = session;
    this.#journey = journey;
    this.#progress = progress;
    this.facts = session.target.facts;
    this.#random = seeded(seedFor(session.seed, journey));
  }

  /** Milliseconds spent waiting for the target's states; waits side by side count once. */
  get waitedMs(): number {
    let total = 0;
    let end = Number.NEGATIVE_INFINITY;
    for (const [from, to] of this.#waits.toSorted(([a], [b]) => a - b)) {
      total += Math.max(0, to - Math.max(from, end));
      end = Math.max(end, to);
    }
    return total;
  }

  async send(asked: Ask): Promise<Exchange> {
    const ask = this.#first ? { ...asked, first: true } : asked;
    const snapshot = ask.operation === 'updateProfile' ? this.snapshot(ask.id) : undefined;
    await snapshot?.asks(ask);
    const exchange = await this.#unlessInUse(ask, await this.#send(ask));
    snapshot?.hears(exchange);
    return exchange;
  }

  /**
   * Waits for a profile that others use to be free, and asks again: it may refuse whatever it is asked then. What it refuses
   * when it takes an update that changes nothing, it refuses for what was asked.
   */
  async #unlessInUse(ask: Ask, first: Exchange): Promise<Exchange> {
    const { clock, signal } = this.#session;
    const opened = this.snapshot(ask.id);
    const isLook = isIdle(ask.body);
    if (!profileOperations.includes(ask.operation) || (ask.credential ?? 'primary') !== 'primary' || ask.always)
      return first;
    const giveUp = clock.now() + Math.min(this.patienceMs, longestUseMs);
    let exchange = first;
    let isAskedAgain = false;
    for (
      let pause = firstUseMs;
      mayBeInUse(exchange, ask, opened !== undefined);
      pause = Math.min(pause * 2, longestPollMs)
    ) {
      const look =
        isLook || !opened
          ? exchange
          : await this.#send({ step: 'look', operation: 'updateProfile', id: ask.id, body: opened.noop });
      const isFree = accepted(look);
      if (isFree && isAskedAgain) return exchange;
      if (!isFree) {
        if (clock.now() + pause > giveUp || signal.aborted) return exchange;
        if (look !== exchange) this.withdraw(look);
        this.says('waits for the profile, which somebody else may use');
        await this.pause(pause);
        if (!isLook && opened) continue;
      }
      const again = await this.#send(ask);
      isAskedAgain = true;
      if (status(again) === status(exchange) && isFree) return exchange;
      this.withdraw(exchange);
      exchange = again;
    }
    return exchange;
  }

  async #send(asked: Ask): Promise<Exchange> {
    const ask = this.sequence === undefined ? asked : { ...asked, sequence: this.sequence };
    if (isMeantToCopy(ask)) return this.#duplicate(ask);
    const mayStart = executeOperations.includes(ask.operation) && (ask.credential ?? 'primary') === 'primary';
    if (!mayStart) return this.#session.send(this.#journey, ask);
    const { started, starting } = this.#session;
    const { executions } = this.facts.budget;
    // A start whose answer was lost may have begun one.
    while (started.size + starting.size + this.#session.maybeStarted >= executions) {
      // While this journey sends alone, those that are about to start wait for it.
      if (starting.size === 0 || this.#session.isAlone(this.#journey)) throw new Halt(budgetSpent(executions));
      await Promise.race(starting);
    }
    const sending = this.#session.send(this.#journey, ask);
    const over: Promise<unknown> = sending.catch(() => undefined).then(() => starting.delete(over));
    starting.add(over);
    return sending;
  }

  /** Sends a duplication, as long as the budget lasts. */
  async #duplicate(ask: Ask): Promise<Exchange> {
    if (this.copiesLeft <= 0) throw new Halt(copiesSpent(this.facts.budget.copies));
    this.#session.copying += 1;
    try {
      return await this.#session.send(this.#journey, ask);
    } finally {
      this.#session.copying -= 1;
    }
  }

  /** How many copies of profiles may be made yet. */
  get copiesLeft(): number {
    const { copies, copying } = this.#session;
    return this.facts.budget.copies - copies - copying;
  }

  /** How many requests were sent, by all journeys. */
  get sent(): number {
    return this.#session.exchanges.length;
  }

  get failedWaits(): readonly FailedWait[] {
    return this.#session.failedWaits;
  }

  /** All that was seen so far. */
  get evidence(): Evidence {
    return gather(this.#session.exchanges, this.#session.failedWaits);
  }

  /** All that was sent since so many exchanges. */
  sentSince(place: number): readonly Exchange[] {
    return this.#session.exchanges.slice(place);
  }

  /** How many executions may be started yet. */
  get executionsLeft(): number {
    const { started, starting, maybeStarted } = this.#session;
    return this.facts.budget.executions - started.size - starting.size - maybeStarted;
  }

  /** Takes what was answered at a step so far out of what is judged. */
  withdrawStep(step: string): void {
    for (const exchange of this.#session.exchanges)
      if (exchange.mark?.journey === this.#journey && exchange.mark.step === step) this.withdraw(exchange);
  }

  /** Whether an exchange was taken out of what is judged. */
  isWithdrawn(exchange: Exchange): boolean {
    return this.#session.isSuperseded(exchange);
  }

  /** Takes an exchange out of what is judged. */
  withdraw(exchange: Exchange): void {
    this.#session.supersede(exchange);
  }

  /** Whether there is such a key; not every key can be spoilt in every way. */
  hasKey(credential: Credential): boolean {
    return !isNearKey(credential) || nearKey(credential, this.#session.target.keys.primary ?? '') !== undefined;
  }

  /** Sends a request with exactly one fault. */
  probe(rule: RuleId, fault: string, twins: readonly string[], ask: Ask): Promise<Exchange> {
    return this.send({ ...ask, probe: { rule, fault, twins } });
  }

  /**
   * Starts an execution. A refusal while other executions of the run hold capacity, or may be about to, is no answer yet:
   * it is tried again, at once when one of them has ended, until patience ends. A start whose answer was lost is never
   * sent again, as it may have begun an execution: another one is asked for, within the budget.
   */
  async start(asked: StartAsk): Promise<Exchange> {
    const { lines, ended, clock } = this.#session;
    const room = roomOf(asked);
    const at = clock.now();
    // Whoever comes while others wait would ask in vain.
    if (lines.isAwaited(room)) return lines.turn(room, (next) => this.#startInTurn(asked, next));
    const exchange = await this.#startSimply(asked);
    return mayBeFull(exchange)
      ? lines.turn(room, (next) => this.#startInTurn(asked, next, { exchange, ended, at }))
      : exchange;
  }

  /** Tries until there is room, or patience ends. `first` is what was heard before; when it was asked, and how many had ended. */
  async #startInTurn(
    asked: StartAsk,
    next: () => void,
    first?: { readonly exchange: Exchange; readonly ended: number; readonly at: number },
  ): Promise<Exchange> {
    const session = this.#session;
    const { now } = session.clock;
    const since = now();
    // Since then something may have ended, while others had their turn.
    let heard = first?.ended === session.ended ? first : undefined;
    if (first && !heard) session.supersede(first.exchange);
    for (let ended = -1, giveUp = 0, interval = 0; ; interval = Math.min(interval * pollGrowth, longestPollMs)) {
      const before = heard?.ended ?? session.ended;
      if (before > ended)
        [ended, giveUp, interval] = [
          before,
          (heard?.at ?? now()) + this.patienceMs,
          Math.max(firstPollMs, interval / 2),
        ];
      const exchange = heard?.exchange ?? (await this.#unlessLong(asked, next));
      heard = undefined;
      if (!mayBeFull(exchange)) return exchange;
      const isAlone = session.running.size + session.starting.size === 0 && session.ended === ended;
      // What an execution held may be free a while after its end.
      const full = this.heard('capacity', 'over-default');
      if (isAlone) interval = Math.max(interval, roomPollMs);
      if (now() > giveUp || (isAlone && !mayPass(exchange, full, since, now()))) session.fullSince = session.ended;
      // Patience was spent already, and nothing has ended since: it is not spent again by each that waits for room.
      if (session.fullSince === session.ended || !this.facts.stateful) return exchange;
      session.supersede(exchange);
      this.#progress.step(this.#journey, 'waits for capacity');
      await this.#until(() => session.ended > ended, interval);
    }
  }

  /** Lets the next one try where this one is not refused soon: a synchronous start is answered at its end. */
  #unlessLong(asked: StartAsk, next: () => void): Promise<Exchange> {
    let isAnswered = false;
    if (asked.operation === 'executeSync')
      void this.#session.clock.sleep(soonRefusedMs, this.#session.signal).then(() => isAnswered || next());
    return this.#startSimply(asked).finally(() => {
      isAnswered = true;
    });
  }

  /** Where something before the service takes offence at what is in free fields, starts the execution without it. */
  async #startSimply(asked: StartAsk): Promise<Exchange> {
    const exchange = await this.startOnce({ ...asked, mayBeAtCapacity: true });
    const body = withoutMaterial(asked.body);
    if (!isBarred(exchange) || !body) return exchange;
    const plain = await this.startOnce({ ...asked, body, mayBeAtCapacity: true });
    this.expectNothing(accepted(plain) ? exchange : plain);
    this.#session.isPlain ||= accepted(plain);
    return accepted(plain) ? plain : exchange;
  }

  /** Whether nothing is to be sent in free fields but what tells one request from another. */
  get isPlain(): boolean {
    return this.#session.isPlain;
  }

  /** Starts an execution, if there is room for it. Instead of one whose start was lost another one is asked for. */
  async startOnce(asked: StartAsk): Promise<Exchange> {
    let ask = asked;
    for (let others = othersForLost; ; others -= 1) {
      const exchange = await this.#timedStart(ask);
      if (!isLost(exchange) || exchange.failure?.kind === 'timeout' || others === 0) return exchange;
      // Whether there is somebody to ask, a reading tells, which is sent again until patience ends.
      const look = await this.send({ step: 'look', operation: 'getExecution', id: this.unknownId('look') });
      if (isLost(look)) return exchange;
      if (isPage(exchange) && !isGateways(exchange)) this.withdraw(exchange);
      else this.#lose(exchange);
      ask = { ...ask, body: another(ask.body, this.unique()) };
    }
  }

  /** Takes a start whose answer was lost out of what is judged, and tells of the execution that it may have begun. */
  #lose(exchange: Exchange): void {
    this.#session.supersede(exchange);
    this.#session.maybeStarted += 1;
    const note = 'may have been begun by a start whose answer was lost';
    this.leaves({ kind: 'execution', id: `unknown, of workflow ${exchange.resource}`, note });
  }

  async #timedStart(ask: StartAsk): Promise<Exchange> {
    if (ask.operation === 'execute') return this.send(ask);
    const { timeoutSeconds = 25 } = ask.body as { timeoutSeconds?: number };
    const timeoutMs = timeoutSeconds * 1000 + this.facts.pace.latencyGraceMs + gatewayMs;
    return this.#waiting(() => this.send({ ...ask, timeoutMs }));
  }

  /**
   * As `start`, of a body that a service may refuse for limits that the interface does not show. Where it is refused, its
   * plain twin is sent, and of the refusal nothing is expected but what holds for every answer.
   */
  async startOr(bold: StartAsk, plain: StartAsk): Promise<Exchange> {
    const exchange = await this.startOnce(bold);
    if (accepted(exchange)) return exchange;
    this.expectNothing(exchange);
    return this.start(plain);
  }

  /** Says of an exchange that nothing is expected of its answer but what holds for every answer. */
  expectNothing(exchange: Exchange): void {
    this.#session.expectNothing(exchange);
  }

  /**
   * Polls an execution until `done` says so or its end, and records a failedWait where that does not come. An answer that is
   * no reading (401, 5xx, no JSON) ends the wait at once: it is not retried into a pass; a replica may not know it yet. `turns` multiplies the patience
   * with an execution that has to wait for others to end; `longest` is how long it may look away, in milliseconds.
   */
  async follow(
    executionId: string,
    wanted: string,
    done: (status: string) => boolean = isTerminal,
    { turns = 1, longest = longestPollMs }: { readonly turns?: number; readonly longest?: number } = {},
  ): Promise<boolean> {
    const { now } = this.#session.clock;
    const from = now();
    let since = from;
    let last: string | undefined;
    let interval = firstPollMs;
    const failedWait = (reason: FailedWait['reason']) => {
      this.#session.failedWaits.push({ executionId, wanted, waitedMs: now() - from, reason });
      return false;
    };
    try {
      for (;;) {
        // The first one tells whether the start's own answer was right, and soon no more.
        const isFirst = last === undefined;
        const reading = await this.send({
          step: 'read',
          operation: 'getExecution',
          id: executionId,
          ...(isFirst && { first: true }),
        });
        const seen = status(reading) === 200 ? answer(reading)?.status : undefined;
        if (status(reading) === 404 && isFirst && now() - from < behindMs + longestPollMs) {
          await this.pause(interval);
          interval = Math.min(interval * pollGrowth, longest);
          continue;
        }
        if (typeof seen !== 'string') return failedWait('unreadable');
        if (last !== undefined && seen !== last) this.#session.leaves(last);
        if (done(seen)) return true;
        if (isTerminal(seen)) return false;
        if (this.#session.stuck.has(seen)) return failedWait('stuck');
        if (seen !== last) {
          since = now();
          interval = firstPollMs;
          last = seen;
        }
        if (now() - since > this.patienceMs * turns) {
          this.#session.stays(seen);
          return failedWait('patience');
        }
        this.says(`waits for ${wanted}, now ${seen}`);
        const { ended } = this.#session;
        await this.pause(interval);
        // What ends makes room: the next state of one that waits may be short.
        interval = this.#session.ended > ended ? firstPollMs : Math.min(interval * pollGrowth, longest);
      }
    } catch (error) {
      if (error instanceof Halt) failedWait('stopped');
      throw error;
    }
  }

  /** Does what rests on exact moments while no other journey sends. It has to end by itself. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#session.alone(this.#journey, work);
  }

  /** Repeats a question until its answer satisfies, or patience ends. */
  async ask(ask: Ask, satisfied: (exchange: Exchange) => boolean): Promise<Exchange> {
    const giveUp = this.#session.clock.now() + this.patienceMs;
    for (let interval = firstPollMs; ; interval = Math.min(interval * pollGrowth, longestPollMs)) {
      const exchange = await this.send(ask);
      if (!accepted(exchange) || satisfied(exchange) || this.#session.clock.now() > giveUp) return exchange;
      this.#progress.step(this.#journey, `repeats ${ask.step}`);
      await this.pause(interval);
    }
  }

  pause(ms: number): Promise<void> {
    return this.#waiting(() => this.#session.clock.sleep(ms, this.#session.signal));
  }

  /** Remembers what a run of a workflow did not show. */
  misses(missed: Missed): void {
    this.#session.missed.push(missed);
  }

  /** What runs of workflows did not show. */
  get missed(): readonly Missed[] {
    return this.#session.missed;
  }

  /** Whether an execution of the run was seen to end. */
  hasEnded(executionId: string): boolean {
    const { started, running } = this.#session;
    return started.has(executionId) && !running.has(executionId);
  }

  /** What was answered at a step of a journey that is over. */
  heard(journey: string, step: string): Exchange | undefined {
    return this.#session.exchanges.findLast(({ mark }) => mark?.journey === journey && mark.step === step);
  }

  /** The name of a profile, as an execution that used it shows it. */
  nameOf(profileId: string): string | undefined {
    const using = this.#session.exchanges.findLast(
      (one) => one.operation === 'getExecution' && sameId(answer(one)?.agentProfileId, profileId),
    );
    const name = using && answer(using)?.agentProfileName;
    return typeof name === 'string' ? name : undefined;
  }

  /** What to send in free fields. The same seed gives the same to a step of this name again, whatever came before. */
  material(step: string): Material {
    return new Material(this.#session.seed, this.#journey, step);
  }

  /** An id that nothing has. With a step's name it does not depend on what was asked for before. */
  unknownId(step?: string): string {
    const random = step === undefined ? this.#random : seeded(seedFor(this.#session.seed, this.#journey, step, 'id'));
    const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** A short text that no other step of this run uses, nor a run with another seed. */
  unique(step?: string): string {
    return this.unknownId(step).slice(0, 8);
  }

  /** The id that the target file declares; on a target without state any id will do. */
  id(declared: string | undefined): string {
    return declared ?? this.unknownId();
  }

  /** Whether the target file declares it; on a target without state everything is there. */
  has(declared: unknown): boolean {
    return declared !== undefined || !this.facts.stateful;
  }

  /** Keeps what a profile is before it is changed; what it was before is kept until it is put back. */
  keep(profile: string, original: Fields): void {
    this.#session.keep(profile, original);
  }

  /** Takes over what an ended run left changed. */
  resume(entry: ProfileEntry): void {
    this.#session.resume(entry);
  }

  /** What a profile was before the run changed it. */
  snapshot(profile: string): Snapshot | undefined {
    return this.#session.snapshots.get(profile);
  }

  /** All of them. */
  get snapshots(): readonly Snapshot[] {
    return [...this.#session.snapshots.values()];
  }

  get clock(): Clock {
    return this.#session.clock;
  }

  /** Tells what is being done, in words. */
  says(text: string): void {
    this.#progress.step(this.#journey, this.#session.redactor.text(text));
  }

  leaves(one: LeftBehind): void {
    this.leftBehind.push(one);
  }

  get patienceMs(): number {
    return this.facts.pace.patienceSeconds * 1000;
  }

  /** Waits for a condition of the run, or until time is up. */
  async #until(condition: () => boolean, ms: number): Promise<void> {
    const giveUp = this.#session.clock.now() + ms;
    while (!condition() && this.#session.clock.now() < giveUp && !this.#session.signal?.aborted)
      await this.pause(Math.min(firstPollMs, ms));
  }

  async #waiting<T>(wait: () => Promise<T>): Promise<T> {
    const from = this.#session.clock.now();
    try {
      return await wait();
    } finally {
      this.#waits.push([from, this.#session.clock.now()]);
    }
  }
}

/** Whether a start was refused, maybe for want of room. */
const mayBeFull = (exchange: Exchange): boolean => refused(exchange) && mayBeOfCapacity(status(exchange) ?? 0);

/** What a start may have to wait for: starts with the same name wait for the same. */
const roomOf = ({ body }: StartAsk): string => {
  const { profileId, agentProfileId, profileGroupId, agentProfilePoolId }: Fields = isFields(body) ? body : {};
  return JSON.stringify([profileId ?? agentProfileId, profileGroupId ?? agentProfilePoolId]);
};

/** The body without what is sent in free fields, but for the marker; undefined where there is no more in it. */
function withoutMaterial(body: unknown): Fields | undefined {
  if (!isFields(body)) return undefined;
  const entries = Object.entries(body).map(([field, value]) => [
    field,
    isFields(value) && 'conformanceMarker' in value ? { conformanceMarker: value.conformanceMarker } : value,
  ]);
  const plain = Object.fromEntries(entries);
  return equal(plain, body) ? undefined : plain;
}

/** The body of a start like it, of an execution of its own. */
function another(body: unknown, marker: string): unknown {
  if (!isFields(body)) return body;
  const entries = Object.entries(body).map(([field, value]) => [
    field,
    isFields(value) && 'conformanceMarker' in value ? { ...value, conformanceMarker: marker } : value,
  ]);
  return Object.fromEntries(entries);
}

/** Waits for all, also where one fails: a journey that is over sends nothing any more. */
export async function together(tasks: readonly unknown[]): Promise<void> {
  for (const outcome of await Promise.allSettled(tasks)) if (outcome.status === 'rejected') throw outcome.reason;
}
