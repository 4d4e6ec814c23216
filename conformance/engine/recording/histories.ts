/** Gathers recorded exchanges by what they are about, in bounded memory. */
import { createHash } from 'node:crypto';
import { urlOf } from '../http/address.js';
import { suite } from '../suite.js';
import type { Address, History, HistoryConsumer, Recorded } from '../vocabulary/recording.js';
import type { Exchange } from '../vocabulary.js';
import type { Resumed } from './recorded-run.js';

/** How much is kept in memory until it is judged. */
export interface Bounds {
  /** For all histories together, in bytes of bodies. */
  readonly openBytes: number;
  /** For one history, in exchanges. A longer one is judged in pieces. */
  readonly exchanges: number;
}

export const usualBounds: Bounds = { openBytes: 64 * 1024 * 1024, exchanges: 250 };

const mostSampled = 1000;
const digestLength = 16;
/** The kind of a history, and a digest of its name. */
const digestOf = (name: string): string =>
  `${name.split(' ', 1)} ${createHash('sha256').update(name).digest('hex').slice(0, digestLength)}`;
const byDigest = (a: string, b: string): number => (a.slice(-digestLength) < b.slice(-digestLength) ? -1 : 1);

/** Those of names that end in a digest that have the least ones: of what two recordings share, both keep the same. */
export const sampled = (names: readonly string[]): string[] => [...new Set(names)].sort(byDigest).slice(0, mostSampled);

const rememberedOrigins = 1000;
/** A running execution may be quiet this many times as long as an ended one. */
const patience = 10;

interface Kept {
  readonly history: History;
  /** The number of the exchange that was added last. */
  readonly at: number;
  readonly latest: number;
}

/**
 * Gathers exchanges into the histories of executions and profiles. When memory is full, those that have been quiet
 * longest are judged as complete. Ended executions go first, unless running ones have been quiet much longer: many are
 * never followed to their end, and would take all the memory. If a judged history goes on, the rest is judged as
 * another one. A recording may begin anywhere, so that raises no false alarm, and it is counted.
 */
export class Histories {
  readonly #bench: HistoryConsumer;
  readonly #bounds: Bounds;
  /** By name, the one that has been quiet longest first. */
  readonly #ended = new Map<string, Kept>();
  readonly #going = new Map<string, Kept>();
  readonly #origins = new Map<string, string>();
  /** The digests of those that were judged early. */
  readonly #judged = new Set<string>();
  #sample: string[] = [];
  readonly #resumed = { executions: 0, profiles: 0 };
  #bytes = 0;
  #count = 0;

  constructor(bench: HistoryConsumer, bounds: Bounds = usualBounds) {
    this.#bench = bench;
    this.#bounds = bounds;
  }

  /** How many histories went on after they had been judged. */
  get resumed(): Resumed {
    return { ...this.#resumed };
  }

  /** What some histories are, each with the digest of its name. */
  get sample(): readonly string[] {
    return sampled(this.#sample);
  }

  add({ exchange, answer, baseUrl, key }: Recorded): void {
    const of = suite().histories.of(exchange);
    if (of === undefined) return;
    // The same id on two services means two things.
    const name = `${of} at ${this.#originOf(baseUrl)}`;
    const { history, latest } = this.#before(name, exchange) ?? {
      history: this.#begun(name, exchange),
      latest: exchange.at,
    };
    const { length, hasEnded } = history;
    history.add(exchange, answer, key);
    if (this.#bench.preview && (hasEnded || history.hasEnded) && history.length > length)
      history.judge(this.#bench.preview, false);
    if (history.length >= this.#bounds.exchanges) {
      history.judge(this.#bench, false);
      history.shorten();
    }
    this.#bytes += history.bytes;
    this.#count += 1;
    const kept = { history, at: this.#count, latest: Math.max(latest, exchange.at) };
    (history.hasEnded ? this.#ended : this.#going).set(name, kept);
    while (this.#bytes > this.#bounds.openBytes && this.#judgeQuietest());
  }

  /** Notes that an exchange of a history was not recorded. */
  miss({ operation, resource, baseUrl }: Address): void {
    const of = suite().histories.by(operation, resource);
    const name = `${of} at ${this.#originOf(baseUrl)}`;
    (this.#ended.get(name) ?? this.#going.get(name))?.history.miss();
  }

  /** Judges what is left. */
  finish(): void {
    for (const histories of [this.#ended, this.#going]) {
      for (const { history } of histories.values()) history.judge(this.#bench, true);
      histories.clear();
    }
  }

  #originOf(baseUrl: string): string {
    const cached = this.#origins.get(baseUrl);
    if (cached !== undefined) return cached;
    const origin = urlOf(baseUrl)?.origin ?? baseUrl;
    if (this.#origins.size < rememberedOrigins) this.#origins.set(baseUrl, origin);
    return origin;
  }

  /**
   * What was gathered of a history so far. If time goes back in it, because a clock was set or the recording is not
   * sorted, its order is unknown: what was gathered is judged by itself.
   */
  #before(name: string, exchange: Exchange): Kept | undefined {
    const kept = this.#take(name);
    if (!kept || exchange.at + exchange.durationMs >= kept.latest) return kept;
    kept.history.judge(this.#bench, false);
    this.#judged.add(digestOf(name));
    return undefined;
  }

  #begun(name: string, exchange: Exchange): History {
    const digest = digestOf(name);
    this.#noteJudged(digest);
    this.#sample.push(digest);
    if (this.#sample.length > 2 * mostSampled) this.#sample = sampled(this.#sample);
    return suite().histories.begin(name, exchange);
  }

  /** Takes the history of an answer that was judged without it as one that continued. */
  noteLate({ exchange, baseUrl }: Recorded): void {
    this.#noteJudged(digestOf(`${suite().histories.of(exchange)} at ${this.#originOf(baseUrl)}`));
  }

  #noteJudged(digest: string): void {
    if (this.#judged.has(digest)) this.#resumed[digest.startsWith('profile') ? 'profiles' : 'executions'] += 1;
  }

  #take(name: string): Kept | undefined {
    const histories = this.#ended.has(name) ? this.#ended : this.#going;
    const kept = histories.get(name);
    if (!kept) return undefined;
    histories.delete(name);
    this.#bytes -= kept.history.bytes;
    return kept;
  }

  #judgeQuietest(): boolean {
    const [[ended], [going]] = [this.#ended, this.#going];
    const quiet = ([, { at }]: [string, Kept]) => this.#count - at;
    const [name] = (ended && going && quiet(going) > patience * quiet(ended) ? going : (ended ?? going)) ?? [];
    const kept = name === undefined ? undefined : this.#take(name);
    if (name === undefined || !kept) return false;
    kept.history.judge(this.#bench, false);
    this.#judged.add(digestOf(name));
    return true;
  }
}
