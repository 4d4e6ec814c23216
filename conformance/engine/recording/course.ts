import { contract, type FollowUps, type Rule } from '../contract.js';
import { startedId } from '../outcome/read.js';
import { endOf } from '../outcome/when.js';
import type { Facts, ProfileHistory, Trace } from '../vocabulary.js';
import { type Bounds, usualBounds } from './bounds.js';
import type { Entry, Recorded } from './entry.js';
import { Histories } from './histories.js';
import type { Bench } from './history.js';
import { exchangesOf, type Judged, Judging, type Told } from './judging.js';
import { type Noted, Notes } from './notes.js';
import type { RecordedRun } from './recorded-run.js';
import { addResumed, doubted, noneResumed, type Resumed } from './resumed.js';
import { tidy } from './tidy.js';

export interface CourseOptions {
  readonly bounds?: Bounds;
  /** Of each violation as soon as it is certain. */
  readonly told?: Told;
  /** Of some histories only: what belongs to no single one is left to the course that it becomes a part of. */
  readonly isPart?: boolean;
  /**
   * Whoever has not read an execution for so long does not follow it; an hour. How long to wait before a reading is left
   * open; nobody waits for ever.
   */
  readonly patienceMs?: number;
}

const anHour = 60 * 60_000;

/** What a part of a course came to, to be handed to the whole. */
export interface Part {
  readonly judged: Judged;
  readonly noted: Noted;
  readonly resumed: Resumed;
  readonly baseUrls: readonly string[];
  readonly requests: number;
  readonly foreign: number;
  readonly unrecorded: number;
  readonly repeated: number;
  readonly started: number;
  readonly from: number;
  readonly to: number;
}

/** With what no report may show of it. */
export type HandedPart = Part & { readonly takenOut: readonly string[] };

/** Takes recorded traffic, one item after the other, and adds up what the rules say of it. */
export class Course implements Bench {
  readonly #facts: Facts;
  readonly #judging: Judging;
  readonly #notes: Notes;
  readonly #histories: Histories;
  readonly #timeouts: FollowUps | undefined;
  readonly #patienceMs: number;
  readonly #baseUrls = new Set<string>();
  #requests = 0;
  #foreign = 0;
  #unrecorded = 0;
  #repeated = 0;
  #started = 0;
  #latest = Number.NEGATIVE_INFINITY;
  #resumed = noneResumed;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  readonly glimpse?: Bench;

  constructor(
    facts: Facts,
    selected: (rule: Rule) => boolean,
    { bounds = usualBounds, told, isPart = false, patienceMs = anHour }: CourseOptions = {},
  ) {
    this.#facts = facts;
    this.#patienceMs = patienceMs;
    this.#judging = new Judging(facts, selected, told);
    // An update is judged with those around it, so it is not told before its history is complete.
    if (told) this.glimpse = { trace: (trace) => this.#judging.glimpse(trace), profile: () => {} };
    this.#notes = new Notes(facts);
    this.#histories = new Histories(this, bounds);
    if (!isPart) this.#timeouts = contract().followUps((exchanges) => this.#judging.episode(exchanges));
  }

  take(entry: Entry): void {
    this.#timeouts?.entry(entry);
    if (entry.kind === 'foreign') this.#foreign += 1;
    else if (entry.kind === 'again') this.#repeated += 1;
    else if (entry.kind === 'unrecorded') {
      this.#unrecorded += 1;
      this.#histories.miss(entry.address);
    } else if (entry.kind === 'exchange') this.#exchange(entry);
    else if (entry.entry.kind === 'exchange') this.#latest = Math.max(this.#latest, entry.entry.exchange.at);
  }

  #exchange(recorded: Recorded): void {
    const { exchange, baseUrl } = recorded;
    this.#requests += 1;
    this.#baseUrls.add(baseUrl);
    this.#from = Math.min(this.#from, exchange.at);
    this.#to = Math.max(this.#to, exchange.at + exchange.durationMs);
    if (startedId(exchange) !== undefined) this.#started += 1;
    this.#latest = Math.max(this.#latest, exchange.at);
    this.#judging.exchange(recorded);
    if (!recorded.like) this.#notes.exchange(exchange);
    this.#histories.add(recorded);
  }

  trace(trace: Trace, isPiece: boolean, isLast: boolean): void {
    this.#judging.trace(trace);
    const { start, ...rest } = trace;
    // The start of a further piece was noted with the first.
    this.#notes.trace(isPiece ? rest : trace);
    if (!start || isPiece) return;
    // A recording that ends soon after a start does not show what the caller did next.
    const isOver = trace.readings.length > 0 || (isLast && this.#latest - endOf(start) >= this.#patienceMs);
    if (isOver) this.#judging.episode(exchangesOf(trace), [trace]);
  }

  profile(history: ProfileHistory): void {
    this.#judging.profile(history);
    this.#notes.profile(history);
  }

  /** Leaves a history out, also what was taken of it already; each of its exchanges has been judged by itself. */
  leaveOut(of: string, baseUrl: string): void {
    this.#histories.drop(of, baseUrl);
  }

  /** When the last was sent of all that was taken. */
  get latest(): number {
    return this.#latest;
  }

  /** Of a part there is no more to come. `latest`: when the last was sent in the whole. */
  end(latest: number): Part {
    this.#latest = latest;
    this.#histories.finish();
    return {
      judged: this.#judging.judged,
      noted: this.#notes.finish(),
      resumed: this.#histories.resumed,
      baseUrls: [...this.#baseUrls],
      requests: this.#requests,
      foreign: this.#foreign,
      unrecorded: this.#unrecorded,
      repeated: this.#repeated,
      started: this.#started,
      from: this.#from,
      to: this.#to,
    };
  }

  /** Takes what a part came to; of its histories there is nothing else in any other. */
  join(part: Part): void {
    this.#judging.join(part.judged);
    this.#notes.join(part.noted);
    this.#resumed = addResumed(this.#resumed, part.resumed);
    for (const baseUrl of part.baseUrls) this.#baseUrls.add(baseUrl);
    this.#requests += part.requests;
    this.#foreign += part.foreign;
    this.#unrecorded += part.unrecorded;
    this.#repeated += part.repeated;
    this.#started += part.started;
    this.#from = Math.min(this.#from, part.from);
    this.#to = Math.max(this.#to, part.to);
  }

  /** What came next of a start that was lost, where the exchanges themselves are taken by parts. */
  get timeouts(): FollowUps | undefined {
    return this.#timeouts;
  }

  /** There is no more to come. `unsorted`: the sources that were not in order. */
  finish(unsorted: readonly string[] = []): RecordedRun {
    this.#histories.finish();
    this.#timeouts?.finish();
    const resumed = addResumed(this.#resumed, this.#histories.resumed);
    const { rules, callers } = this.#judging.verdicts();
    return tidy({
      preflight: { usable: true },
      rules: doubted(rules, resumed),
      callers,
      ...this.#notes.finish(),
      exchanges: [...this.#judging.shown.values()],
      requests: this.#requests,
      foreign: this.#foreign,
      unrecorded: this.#unrecorded,
      repeated: this.#repeated,
      resumed,
      unsorted,
      executionsStarted: this.#started,
      baseUrls: [...this.#baseUrls].sort(),
      stateful: this.#facts.stateful,
      // A report tells it by a date, which has whole milliseconds.
      ...(this.#requests > 0 && { span: { from: Math.floor(this.#from), to: this.#to } }),
    });
  }
}
