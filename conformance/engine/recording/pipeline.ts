/** Judges recorded traffic entry by entry, without keeping it all in memory. */

import { contract, type Rule } from '../contract.js';
import { urlOf } from '../http/address.js';
import { startedId } from '../outcome/read.js';
import { endOf } from '../outcome/when.js';
import { type FollowUps, suite } from '../suite.js';
import type { Report } from '../vocabulary/report.js';
import type { Exchange, Facts, ProfileHistory, Trace } from '../vocabulary.js';
import { DuplicateFilter, EntryReader } from './entry.js';
import { type Bounds, Histories, usualBounds } from './histories.js';
import type { Entry, HistoryConsumer, Recorded } from './history.js';
import { exchangesOf, Judging, type OnViolation, StandIns } from './judging.js';
import { Malformed, RecordingError } from './raw.js';
import {
  gapsWith,
  inconclusiveIfCut,
  mergeGaps,
  mergeTransitions,
  normalised,
  type RecordedRun,
} from './recorded-run.js';
import { itemsIn, type Source } from './source.js';

/** How many things of a kind are observed together. */
const batch = 500;

const noEvidence = () => ({ exchanges: [] as Exchange[], traces: [] as Trace[], profiles: [] as ProfileHistory[] });

/** Collects observations of transitions and gaps, batch by batch. */
class Notes {
  readonly #facts: Facts;
  #gaps: Report['gaps'] = [];
  #transitions: Report['transitions'] = [];
  #evidence = noEvidence();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** `put` adds to the evidence, and returns how much of its kind there is. */
  add(put: (evidence: ReturnType<typeof noEvidence>) => number): void {
    if (put(this.#evidence) === batch) this.#observe();
  }

  finish(): Pick<Report, 'gaps' | 'transitions'> {
    this.#observe();
    return { gaps: gapsWith(this.#gaps, this.#transitions), transitions: this.#transitions };
  }

  #observe(): void {
    const evidence = this.#evidence;
    const { gaps } = contract();
    const { observers, transitionGaps, transitions } = suite();
    const observed = gaps.flatMap(({ id, observable }) =>
      observable ? [{ id, observed: id in transitionGaps ? [] : (observers[id]?.(evidence, this.#facts) ?? []) }] : [],
    );
    this.#gaps = mergeGaps([...this.#gaps, ...observed]);
    this.#transitions = mergeTransitions([...this.#transitions, ...transitions(evidence)]);
    this.#evidence = noEvidence();
  }
}

export interface CourseOptions {
  readonly bounds?: Bounds;
  /** Called for each violation as soon as it is certain. */
  readonly onViolation?: OnViolation;
  /** If a recording goes on for so long after a start, its caller does not follow it. Default: an hour. */
  readonly patienceMs?: number;
}

const anHour = 60 * 60_000;
/** How many entries that are no exchange are named. */
const mostNamed = 3;

/** Takes the entries of a recording in order, and adds up what the rules say of them. */
export class RecordingPipeline implements HistoryConsumer {
  readonly #facts: Facts;
  readonly #judging: Judging;
  readonly #notes: Notes;
  readonly #standIns = new StandIns();
  readonly #histories: Histories;
  readonly #timeouts: FollowUps;
  readonly #patienceMs: number;
  readonly #baseUrls = new Set<string>();
  readonly #counts = { requests: 0, foreign: 0, unrecorded: 0, repeated: 0, executionsStarted: 0 };
  readonly #unreadable = { count: 0, first: [] as string[] };
  #latest = Number.NEGATIVE_INFINITY;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  constructor(
    facts: Facts,
    selected: (rule: Rule) => boolean,
    { bounds = usualBounds, onViolation, patienceMs = anHour }: CourseOptions = {},
  ) {
    this.#facts = facts;
    this.#patienceMs = patienceMs;
    this.#judging = new Judging(facts, selected, onViolation);
    this.#notes = new Notes(facts);
    this.#histories = new Histories(this, bounds);
    this.#timeouts = suite().followUps((exchanges) => this.#judging.callerHistory(exchanges));
  }

  add(entry: Entry): void {
    this.#timeouts.entry(entry);
    if (entry.kind === 'foreign') this.#counts.foreign += 1;
    else if (entry.kind === 'again') this.#counts.repeated += 1;
    else if (entry.kind === 'unrecorded') {
      this.#counts.unrecorded += 1;
      this.#histories.miss(entry.address);
    } else this.#exchange(entry);
  }

  /** Counts an entry that is no exchange. The first ones are named. */
  addUnreadable(fault: string): void {
    this.#unreadable.count += 1;
    if (this.#unreadable.first.length < mostNamed) this.#unreadable.first.push(fault);
  }

  #exchange(recorded: Recorded): void {
    const { exchange, baseUrl } = recorded;
    this.#counts.requests += 1;
    this.#baseUrls.add(baseUrl);
    this.#from = Math.min(this.#from, exchange.at);
    this.#to = Math.max(this.#to, exchange.at + exchange.durationMs);
    if (startedId(exchange) !== undefined) this.#counts.executionsStarted += 1;
    this.#latest = Math.max(this.#latest, exchange.at);
    this.#judging.note(recorded);
    const whose = this.#standIns.add(recorded);
    if (whose === 'own') this.#judging.exchange(recorded);
    else if (whose === 'likely') this.#judging.previewExchange(recorded);
    if (whose === 'else') this.#others(1);
    else {
      this.#notes.add(({ exchanges }) => exchanges.push(exchange));
      this.#histories.add(recorded);
    }
  }

  /** Takes requests that something else answered for such whose answer was not recorded. */
  #others(count: number): void {
    this.#counts.requests -= count;
    this.#counts.unrecorded += count;
  }

  trace(trace: Trace, isPiece: boolean, isLast: boolean): void {
    const [readings, listings] = [this.#standIns.without(trace.readings), this.#standIns.without(trace.listings)];
    this.#judging.trace({ ...trace, readings, listings });
    const { start, ...rest } = trace;
    // The start of a further piece was observed with the first one.
    this.#notes.add(({ traces }) => traces.push(isPiece ? rest : trace));
    if (!start || isPiece) return;
    // If the recording ends soon after a start, it does not show what the caller did next.
    const isOver = trace.readings.length > 0 || (isLast && this.#latest - endOf(start) >= this.#patienceMs);
    if (isOver) this.#judging.callerHistory(exchangesOf(trace), [trace]);
  }

  profile(history: ProfileHistory): void {
    this.#judging.profile({ ...history, exchanges: this.#standIns.without(history.exchanges) });
    this.#notes.add(({ profiles }) => profiles.push(history));
  }

  /** Judges what is left. */
  finish(): RecordedRun {
    const { own, others } = this.#standIns.finish();
    for (const recorded of own) this.#judging.exchange(recorded);
    this.#others(others);
    this.#histories.finish();
    this.#timeouts.finish();
    this.#judging.finish();
    for (const recorded of own) this.#histories.noteLate(recorded);
    const { resumed } = this.#histories;
    const { rules, callers } = this.#judging.verdicts();
    return normalised({
      preflight: { usable: true },
      rules: inconclusiveIfCut(rules, resumed),
      callers,
      ...this.#notes.finish(),
      exchanges: [...this.#judging.shown.values()],
      ...this.#counts,
      unreadable: this.#unreadable,
      resumed,
      histories: this.#histories.sample,
      baseUrls: [...this.#baseUrls].sort(),
      stateful: this.#facts.stateful,
      // A report gives it as a date, which has whole milliseconds.
      ...(this.#counts.requests > 0 && { span: { from: Math.floor(this.#from), to: this.#to } }),
    });
  }
}

// Judges traffic that the suite did not send.

export interface RecordingOptions {
  /** Without facts, all traffic is judged, wherever it went. */
  readonly facts?: Facts;
  /** Which rules to judge. Default: all. */
  readonly selected?: (rule: Rule) => boolean;
  readonly bounds?: Bounds;
  /** Ends reading; what was read until then is judged. */
  readonly signal?: AbortSignal;
  /** Called from time to time with the number of exchanges read. */
  readonly progress?: (exchanges: number) => void;
}

/**
 * Judges HAR files, and NDJSON with a HAR entry or an exchange on each line, gzipped or not. Reads the sources once,
 * one after another, and keeps only what is not judged yet. Throws a RecordingError that names the place if a source is
 * anything else.
 */
export async function judgeRecordings(
  sources: Iterable<Source>,
  {
    facts = suite().unknownTarget,
    selected = () => true,
    bounds = usualBounds,
    signal,
    progress,
  }: RecordingOptions = {},
): Promise<RecordedRun> {
  const others = new Set<string>();
  const isOwn = isOf(facts);
  const accepts = (baseUrl: string): boolean => {
    if (!isOwn(baseUrl) && others.size < mostOthers) others.add(baseUrl);
    return isOwn(baseUrl);
  };
  const reader = new EntryReader(accepts, new DuplicateFilter());
  const course = new RecordingPipeline(facts, selected, { bounds });
  let [count, exchanges] = [0, 0];
  let first: string | undefined;
  for (const source of sources)
    for await (const { place, value } of itemsIn(source, signal)) {
      count += 1;
      if (count % 10_000 === 0) progress?.(count);
      try {
        course.add(reader.read(value(), count));
        exchanges += 1;
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        const fault = `${place} is not an exchange: ${error.message}.`;
        first ??= fault;
        course.addUnreadable(fault);
      }
    }
  if (first !== undefined && exchanges === 0)
    throw new RecordingError(
      `${first} A recording is a HAR, or has one exchange a line, as docs/recordings.md shows it.`,
    );
  const run = course.finish();
  return reader.maskedValues.mask(run.requests === 0 ? { ...run, otherBaseUrls: [...others] } : run);
}

/** How many other base URLs are named. */
const mostOthers = 3;

/** Whether a base URL is the target's; always, if none is declared. */
const isOf =
  ({ baseUrl: wanted }: Facts) =>
  (baseUrl: string): boolean =>
    wanted === '' || baseUrl === wanted || normal(baseUrl) === normal(wanted);

/** Ignores the case of the host, and default ports. */
const normal = (url: string): string => urlOf(url)?.href.replace(/\/$/, '') ?? url;
