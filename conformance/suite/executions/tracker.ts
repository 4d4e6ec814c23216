/** Keeps account of the executions that a run started: which still run, how long they take, and which wait for room. */

import { isTerminal } from '../../../generated/lifecycle.js';
import { mayHaveStarted } from '../../engine/outcome/outcome.js';
import { accepted, answerBody, removes, startedId } from '../../engine/outcome/read.js';
import { answeredAt, stuckAfterMs } from '../../engine/outcome/when.js';
import { asText, sameId } from '../../engine/rule/values.js';
import { firstPollMs, pollPauseShare } from '../../engine/send/clock.js';
import { NamedQueues } from '../../engine/send/pace.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';
import { declaredMs } from '../target/roles.js';
import { asksToQueue, groupOf, queued } from './view.js';

/** An execution of the run: when it was started, or when it was last seen queued. */
interface Began {
  readonly workflow: string | null;
  readonly group: unknown;
  readonly at: number;
}

/** Patience while nobody knows how long executions take. */
const unmeasuredMs = 600_000;

/** Extra patience, in milliseconds, if patience ran out for a similar execution before. */
const onceMoreMs = 5000;

export class ExecutionTracker {
  readonly started = new Set<string>();
  /** When the first one was requested. */
  firstAt: number | undefined;
  /** Pending requests that may start one, with the scenarios that send them. */
  readonly starting = new Map<Promise<unknown>, string>();
  /** Those among them that are expected to be accepted. */
  readonly meantToStart = new Set<Promise<unknown>>();
  /** Work that sends alone, or is about to, with the scenario that does it. */
  readonly alone = new Map<Promise<unknown>, string>();
  /** Places that were found free for starts that will be sent next. */
  reserved = 0;
  /** Starts without a readable answer that may have started an execution. */
  lost = 0;
  /** Executions that were not seen to end; how many were, and when the last one was. */
  readonly running = new Set<string>();
  ended = 0;
  endedAt = Number.NEGATIVE_INFINITY;
  /** The state in which each was last seen, and since when. */
  readonly #stateOf = new Map<string, { readonly state: string; readonly since: number }>();
  /** When each was last read or heard of. */
  readonly #lookedAt = new Map<string, number>();
  /** Those that nobody waits for any more: they have stopped, or stood still for too long. */
  readonly #standing = new Set<string>();
  /** How many had ended when a start gave up waiting for room. */
  endedWhenFull: number | undefined;
  /** An execution that did not ask to queue began: there was room. */
  hasFoundRoom = false;
  /** Starts that wait for room. */
  readonly roomQueues = new NamedQueues();
  readonly #facts: Facts;
  readonly #began = new Map<string, Began>();
  /** Those that were told to end, to stop or to go on. */
  readonly #steered = new Set<string>();
  /** How long the longest run of each workflow took, to its end or to its expected stop. */
  readonly #took = new Map<string | null, number>();
  /** When patience ran out in a state, if nobody was seen to leave that state since. */
  readonly #spent = new Map<string, number>();
  readonly #left = new Set<string>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** The most executions that there can be, including pending starts. */
  get mostStarted(): number {
    return this.#made + this.starting.size;
  }

  /** The same, if all that should be refused is refused. */
  get likelyStarted(): number {
    return this.#made + this.meantToStart.size;
  }

  get #made(): number {
    return this.started.size + this.lost;
  }

  /** How many places they hold, or take by themselves once one is free. The group has room for its size only. */
  get placesHeld(): number {
    const { profileGroup, size = 0 } = this.#facts.capacity ?? {};
    const inGroup = [...this.running].filter((id) => sameId(this.#began.get(id)?.group, profileGroup));
    return this.running.size - Math.max(0, inGroup.length - size);
  }

  /** Running executions not read for a while (longer, the longer they run). They then count as read. */
  *dueForReading(now: number): Iterable<string> {
    for (const id of [...this.running]) {
      const lookedAt = this.#lookedAt.get(id) ?? Number.NEGATIVE_INFINITY;
      const awayMs = Math.max(firstPollMs, (now - (this.#began.get(id)?.at ?? now)) * pollPauseShare);
      if (!this.running.has(id) || now - lookedAt < awayMs) continue;
      this.#lookedAt.set(id, now);
      yield id;
    }
  }

  /** How many are on their way to an end, as far as is known. */
  get progressing(): number {
    return this.running.size - this.#standing.size;
  }

  /** Notes what an answer says of an execution. */
  noteAnswer(exchange: Exchange): void {
    if (mayHaveStarted(exchange)) this.lost += 1;
    const started = startedId(exchange);
    const status = asText(answerBody(exchange)?.status);
    if (started !== undefined && !this.started.has(started)) {
      this.started.add(started);
      this.running.add(started);
      this.#began.set(started, {
        workflow: exchange.resource,
        group: groupOf(exchange),
        at: exchange.at,
      });
      if (status !== queued && !asksToQueue(exchange)) this.hasFoundRoom = true;
    }
    const executionId = started ?? exchange.resource;
    if (executionId === null || !this.running.has(executionId)) return;
    this.#lookedAt.set(executionId, answeredAt(exchange));
    const state = answerBody(exchange)?.status;
    if (typeof state === 'string' && this.#stateOf.get(executionId)?.state !== state)
      this.#stateOf.set(executionId, { state, since: answeredAt(exchange) });
    const began = this.#began.get(executionId);
    if (status === queued && began) this.#began.set(executionId, { ...began, at: answeredAt(exchange) });
    if (!isTerminal(status) && !(removes(exchange) && accepted(exchange))) return;
    this.#reaches(executionId, answeredAt(exchange));
    this.running.delete(executionId);
    this.#standing.delete(executionId);
    this.ended += 1;
    this.endedAt = answeredAt(exchange);
  }

  /** An execution reached its expected stop, where it may stay for good. */
  noteExpectedStop(id: string, at: number): void {
    this.#reaches(id, at);
    this.stopWaitingFor(id);
  }

  /** Notes that a running execution is told to end, stop or go on: its duration then says nothing of others. */
  noteChangeByRequest(id: string | null): boolean {
    if (id === null || !this.running.has(id)) return false;
    this.#steered.add(id);
    return true;
  }

  /** An execution got where it should: others like it may take as long. */
  #reaches(id: string, at: number): void {
    const began = this.#steered.has(id) ? undefined : this.#began.get(id);
    if (began) this.#took.set(began.workflow, Math.max(this.#took.get(began.workflow) ?? 0, at - began.at));
  }

  /** Nobody waits for this execution any more. */
  stopWaitingFor(id: string): void {
    if (this.running.has(id)) this.#standing.add(id);
  }

  /** Since when it has been seen in its state, whoever read it. */
  inStateSince(id: string): number | undefined {
    return this.#stateOf.get(id)?.since;
  }

  /** An execution was seen to leave a state. */
  noteStateLeft(id: string, state: string): void {
    for (const alike of [state, this.#alike(id, state)]) {
      this.#left.add(alike);
      this.#spent.delete(alike);
    }
  }

  /** Whether patience ran out before any execution was seen to end: a longer wait shows no more. */
  get areStuck(): boolean {
    return this.ended === 0 && this.#spent.size > 0;
  }

  /** Patience ran out for an execution in this state. Others like it will not be given as much. */
  notePatienceSpent(id: string, state: string, at: number): void {
    for (const alike of [state, this.#alike(id, state)]) if (!this.#spent.has(alike)) this.#spent.set(alike, at);
  }

  /**
   * Whether what is queued will begin while it is followed, as far as is known: there was room, it is known how long
   * runs take, and no start has given up waiting for room since the last of them ended.
   */
  get isQueueMoving(): boolean {
    return this.hasFoundRoom && this.longestMs !== undefined && this.endedWhenFull !== this.ended;
  }

  /** Whether this run started it, and saw its end. */
  hasEnded(id: string): boolean {
    return this.started.has(id) && !this.running.has(id);
  }

  /**
   * How long to wait, in milliseconds, for an execution to leave the state it entered at `since`: as the target file
   * says, or a multiple of what runs like it took or should take. One that is queued waits for runs of all kinds.
   */
  patienceMs(id: string, state = '', since = Number.NEGATIVE_INFINITY): number {
    const { patienceSeconds } = this.#facts.pace;
    const longest = state === queued ? this.longestMs : this.longestOf(this.#began.get(id)?.workflow);
    if (this.isPatienceSpent(id, state, since))
      return this.#left.has(this.#alike(id, state)) && longest !== undefined ? 2 * longest + onceMoreMs : 0;
    if (patienceSeconds !== undefined) return patienceSeconds * 1000;
    return longest === undefined ? unmeasuredMs : stuckAfterMs(longest);
  }

  /** Whether patience ran out for one like it before. If none ever left the state, all are alike. */
  isPatienceSpent(id: string, state: string, since: number): boolean {
    const spent = [this.#alike(id, state), ...(this.#left.has(state) ? [] : [state])].map((of) => this.#spent.get(of));
    return spent.some((at) => at !== undefined && since >= at);
  }

  /** How long to wait until other executions of the run make room. They take time to start, and to run. */
  get roomPatienceMs(): number {
    const { patienceSeconds } = this.#facts.pace;
    if (patienceSeconds !== undefined) return this.areStuck ? 0 : patienceSeconds * 1000;
    return this.longestMs === undefined ? 2 * unmeasuredMs : stuckAfterMs(this.longestMs);
  }

  /** How long the longest of all executions took, or is declared to take. */
  get longestMs(): number | undefined {
    const all = [...this.#took.values(), ...Object.values(this.#facts.takes ?? {})];
    return all.length > 0 ? Math.max(...all) : undefined;
  }

  /** How long the longest of a workflow took, or is declared to take. */
  longestOf(workflow: string | null | undefined): number | undefined {
    const all = [workflow === undefined ? undefined : this.#took.get(workflow), declaredMs(workflow, this.#facts)];
    const times = all.filter((ms) => ms !== undefined);
    return times.length > 0 ? Math.max(...times) : undefined;
  }

  #alike(id: string, state: string): string {
    return state === queued ? state : `${this.#began.get(id)?.workflow} ${state}`;
  }
}
