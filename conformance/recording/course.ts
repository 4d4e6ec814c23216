import type { Rule } from '../../generated/rules.js';
import { acceptedExecutionId } from '../evidence/read.js';
import type { Exchange, Facts, ProfileHistory, Trace } from '../vocabulary.js';
import type { Bounds } from './bounds.js';
import type { Entry, Recorded } from './entry.js';
import { Histories } from './histories.js';
import type { Bench } from './history.js';
import { exchangesOf, Judging, type Told } from './judging.js';
import { Notes } from './notes.js';
import type { RecordedRun } from './recorded-run.js';
import { doubted } from './resumed.js';
import { tidy } from './tidy.js';
import { Timeouts } from './timeouts.js';

/** Takes recorded traffic, one item after the other, and adds up what the rules say of it. */
export class Course implements Bench {
  readonly #facts: Facts;
  readonly #judging: Judging;
  readonly #notes: Notes;
  readonly #histories: Histories;
  readonly #timeouts: Timeouts;
  readonly #baseUrls = new Set<string>();
  #requests = 0;
  #foreign = 0;
  #unrecorded = 0;
  #started = 0;
  /** The exchange that was sent last, and when the last answer came. */
  #latest: Exchange | undefined;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  readonly glimpse?: Bench;

  /** `told`: of each violation as soon as it is certain. */
  constructor(facts: Facts, selected: (rule: Rule) => boolean, bounds?: Bounds, told?: Told) {
    this.#facts = facts;
    this.#judging = new Judging(facts, selected, told);
    // An update is judged with those around it, so it is not told before its history is complete.
    if (told) this.glimpse = { trace: (trace) => this.#judging.glimpse(trace), profile: () => {} };
    this.#notes = new Notes(facts);
    this.#histories = new Histories(this, bounds);
    this.#timeouts = new Timeouts((exchanges) => this.#judging.episode(exchanges));
  }

  take(entry: Entry): void {
    if (entry.kind === 'foreign') this.#foreign += 1;
    else if (entry.kind === 'unrecorded') this.#unrecorded += 1;
    else this.#exchange(entry);
  }

  #exchange(recorded: Recorded): void {
    const { exchange, baseUrl } = recorded;
    this.#requests += 1;
    this.#baseUrls.add(baseUrl);
    this.#from = Math.min(this.#from, exchange.at);
    this.#to = Math.max(this.#to, exchange.at + exchange.durationMs);
    if (acceptedExecutionId(exchange) !== undefined) this.#started += 1;
    if (!this.#latest || exchange.at >= this.#latest.at) this.#latest = exchange;
    this.#judging.exchange(recorded);
    this.#notes.exchange(exchange);
    this.#timeouts.exchange(exchange);
    this.#histories.add(recorded);
  }

  trace(trace: Trace, isPiece: boolean, isLast: boolean): void {
    this.#judging.trace(trace);
    const { start, ...rest } = trace;
    // The start of a further piece was noted with the first.
    this.#notes.trace(isPiece ? rest : trace);
    if (start && !isPiece && (trace.readings.length > 0 || isLast))
      this.#judging.episode([...exchangesOf(trace), this.#latest ?? start], [trace]);
  }

  profile(history: ProfileHistory): void {
    this.#judging.profile(history);
    this.#notes.profile(history);
  }

  /** Leaves a history out, also what was taken of it already; each of its exchanges has been judged by itself. */
  leaveOut(of: string, baseUrl: string): void {
    this.#histories.drop(of, baseUrl);
  }

  /** There is no more to come. `unsorted`: the sources that were not in order. */
  finish(unsorted: readonly string[] = []): RecordedRun {
    this.#histories.finish();
    this.#timeouts.finish();
    const { resumed } = this.#histories;
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
      resumed,
      unsorted,
      executionsStarted: this.#started,
      baseUrls: [...this.#baseUrls].sort(),
      stateful: this.#facts.stateful,
      ...(this.#requests > 0 && { span: { from: this.#from, to: this.#to } }),
    });
  }
}
