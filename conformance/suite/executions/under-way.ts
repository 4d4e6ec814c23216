import { isTerminal } from '../../../generated/lifecycle.js';
import { mayHaveBegun } from '../../engine/outcome/outcome.js';
import { accepted, answer, removes, startedId } from '../../engine/outcome/read.js';
import { answeredAt, manyTimes } from '../../engine/outcome/when.js';
import { asText } from '../../engine/rule/values.js';
import { firstPollMs, lookAwayShare } from '../../engine/send/clock.js';
import { Lines } from '../../engine/send/pace.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';
import { declaredMs } from '../expected.js';
import { asksToQueue } from './view.js';

/** One that the run started, and since when it did not wait for room, as far as was seen. */
interface Began {
  readonly workflow: string | null;
  readonly at: number;
}

/** How long to wait where nobody knows yet how long runs take. */
const unmeasuredMs = 600_000;

/** Time that one more run may take, in milliseconds, where many times as long was spent in vain on one like it. */
const onceMoreMs = 5000;

/** The executions that a run started: how many there are, which still run, how long they take, and who waits for room. */
export class Executions {
  /** Every one that the run started. */
  readonly started = new Set<string>();
  /** When the first was asked for. */
  firstAt: number | undefined;
  /** Requests under way that may start one, with the journeys that send them. */
  readonly starting = new Map<Promise<unknown>, string>();
  /** Those of them that are not to be refused. */
  readonly meant = new Set<Promise<unknown>>();
  /** Places that were found free for starts that are about to be sent. */
  reserved = 0;
  /** Starts that may have begun one of which no answer told. */
  lost = 0;
  /** Those that were not seen to end, how many were, and when the last of them was. */
  readonly running = new Set<string>();
  ended = 0;
  endedAt = Number.NEGATIVE_INFINITY;
  /** When somebody last asked for one of them, or heard of it. */
  readonly #lookedAt = new Map<string, number>();
  /** Those of them that waited for room when they were last seen. */
  readonly #queued = new Set<string>();
  /** Those of them that nobody waits for any more: they have stopped, or went nowhere for too long. */
  readonly #standing = new Set<string>();
  /** How many had ended when a start gave up waiting for room. */
  fullSince: number | undefined;
  /** One began that would not have waited: there was room. */
  hasFoundRoom = false;
  /** Starts that wait for room. */
  readonly lines = new Lines();
  readonly #facts: Facts;
  readonly #began = new Map<string, Began>();
  /** Those of them that were told to end, to stop or to go on. */
  readonly #steered = new Set<string>();
  /** How long the longest run of each workflow took, to its end or to the stop that it was to reach. */
  readonly #took = new Map<string | null, number>();
  /** When patience ended with one in this state, for those that nobody was seen to leave since. */
  readonly #spent = new Map<string, number>();
  readonly #left = new Set<string>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** How many there are at most, with those that may be about to start. */
  get most(): number {
    return this.#made + this.starting.size;
  }

  /** How many there are at most where whatever is to be refused is refused. */
  get likely(): number {
    return this.#made + this.meant.size;
  }

  get #made(): number {
    return this.started.size + this.lost;
  }

  /** How many places they hold, as far as anybody knows: what is queued holds none. */
  get held(): number {
    return this.running.size - this.#queued.size;
  }

  /** Those that run, and that nobody has looked at for a while: the longer they run, the longer. They count as looked at. */
  *unseen(now: number): Iterable<string> {
    for (const id of [...this.running]) {
      const lookedAt = this.#lookedAt.get(id) ?? Number.NEGATIVE_INFINITY;
      const awayMs = Math.max(firstPollMs, (now - (this.#began.get(id)?.at ?? now)) * lookAwayShare);
      if (!this.running.has(id) || now - lookedAt < awayMs) continue;
      this.#lookedAt.set(id, now);
      yield id;
    }
  }

  /** How many are on their way to an end, as far as anybody knows. */
  get going(): number {
    return this.running.size - this.#standing.size;
  }

  /** Takes note of what an answer says of one. */
  hears(exchange: Exchange): void {
    if (mayHaveBegun(exchange)) this.lost += 1;
    const started = startedId(exchange);
    const status = asText(answer(exchange)?.status);
    if (started !== undefined && !this.started.has(started)) {
      this.started.add(started);
      this.running.add(started);
      this.#began.set(started, { workflow: exchange.resource, at: exchange.at });
      if (status !== 'queued' && !asksToQueue(exchange)) this.hasFoundRoom = true;
    }
    const known = started ?? exchange.resource;
    if (known === null || !this.running.has(known)) return;
    this.#lookedAt.set(known, answeredAt(exchange));
    if (status === 'queued') this.#queued.add(known);
    else if (status !== '') this.#queued.delete(known);
    const began = this.#began.get(known);
    if (status === 'queued' && began) this.#began.set(known, { ...began, at: answeredAt(exchange) });
    if (!isTerminal(status) && !(removes(exchange) && accepted(exchange))) return;
    this.#reaches(known, answeredAt(exchange));
    this.running.delete(known);
    this.#queued.delete(known);
    this.#standing.delete(known);
    this.ended += 1;
    this.endedAt = answeredAt(exchange);
  }

  /** One came to the stop that it was to reach, and may stay there for ever. */
  stops(id: string, at: number): void {
    this.#reaches(id, at);
    this.stands(id);
  }

  /** One is told to go otherwise, if it still runs: how long it takes says nothing of others. */
  steers(id: string | null): boolean {
    if (id === null || !this.running.has(id)) return false;
    this.#steered.add(id);
    return true;
  }

  /** One got where it was to get: others like it take as long. */
  #reaches(id: string, at: number): void {
    const began = this.#steered.has(id) ? undefined : this.#began.get(id);
    if (began) this.#took.set(began.workflow, Math.max(this.#took.get(began.workflow) ?? 0, at - began.at));
  }

  /** Nobody waits for it any more. */
  stands(id: string): void {
    if (this.running.has(id)) this.#standing.add(id);
  }

  /** One was seen to leave a state. */
  leaves(id: string, state: string): void {
    for (const alike of [state, this.#alike(id, state)]) {
      this.#left.add(alike);
      this.#spent.delete(alike);
    }
  }

  /** Patience ended with one in this state: it is spent once for what waits alike. */
  stays(id: string, state: string, at: number): void {
    this.stands(id);
    for (const alike of [state, this.#alike(id, state)]) if (!this.#spent.has(alike)) this.#spent.set(alike, at);
  }

  /** Whether it is one of the run, and was seen to end. */
  hasEnded(id: string): boolean {
    return this.started.has(id) && !this.running.has(id);
  }

  /**
   * How long one may stay in a state that it has been in since then, in milliseconds: as the target file says, else many
   * times as long as runs like it took, or as they are declared to take. What waits for room waits for others.
   */
  patienceMs(id: string, state = '', since = Number.NEGATIVE_INFINITY): number {
    const { patienceSeconds } = this.#facts.pace;
    const longest = state === 'queued' ? this.longestMs : this.#longestOf(this.#began.get(id)?.workflow);
    if (this.isSpent(id, state, since))
      return this.#left.has(this.#alike(id, state)) && longest !== undefined ? 2 * longest + onceMoreMs : 0;
    if (patienceSeconds !== undefined) return patienceSeconds * 1000;
    return longest === undefined ? unmeasuredMs : manyTimes(longest);
  }

  /** Whether patience had ended with one like it before this one came into the state. Where none ever left that, all are. */
  isSpent(id: string, state: string, since: number): boolean {
    const ofAll = this.#left.has(state) ? undefined : this.#spent.get(state);
    return since >= (this.#spent.get(this.#alike(id, state)) ?? ofAll ?? Number.POSITIVE_INFINITY);
  }

  /** How long to wait for room that others of the run are to make: each is waited for while it starts, and while it runs. */
  get roomPatienceMs(): number {
    const { patienceSeconds } = this.#facts.pace;
    if (patienceSeconds !== undefined) return patienceSeconds * 1000;
    return this.longestMs === undefined ? 2 * unmeasuredMs : manyTimes(this.longestMs);
  }

  /** How long the longest of all took, or is declared to take. */
  get longestMs(): number | undefined {
    const all = [...this.#took.values(), ...Object.values(this.#facts.takes ?? {})];
    return all.length > 0 ? Math.max(...all) : undefined;
  }

  #longestOf(workflow: string | null | undefined): number | undefined {
    const all = [workflow === undefined ? undefined : this.#took.get(workflow), declaredMs(workflow, this.#facts)];
    const known = all.filter((ms) => ms !== undefined);
    return known.length > 0 ? Math.max(...known) : undefined;
  }

  #alike(id: string, state: string): string {
    return state === 'queued' ? state : `${this.#began.get(id)?.workflow} ${state}`;
  }
}
