/** Gathers recorded exchanges by what they are about, in bounded memory. */
import { createHash } from 'node:crypto';
import type { Address } from '../http/address.js';
import { urlOf } from '../http/address.js';
import { suite } from '../suite.js';
import type { Exchange } from '../vocabulary.js';
import type { History, HistoryConsumer, Recorded } from './history.js';
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

interface Kept {
  readonly history: History;
  /** When its latest exchange was sent. */
  readonly latest: number;
}

/**
 * Gathers exchanges into the histories of executions and profiles. When memory is full, those that have been quiet
 * longest are judged as complete. If a judged history goes on, the rest is judged as another one. A recording may begin
 * anywhere, so that raises no false alarm, and it is counted.
 */
export class Histories {
  readonly #bench: HistoryConsumer;
  readonly #bounds: Bounds;
  /** By name, the one that has been quiet longest first. */
  readonly #kept = new Map<string, Kept>();
  /** The digests of those that were judged early. */
  readonly #judged = new Set<string>();
  #sample: string[] = [];
  readonly #resumed = { executions: 0, profiles: 0 };
  #bytes = 0;

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
    const name = nameOf(of, baseUrl);
    const { history, latest } = this.#before(name, exchange) ?? {
      history: this.#begun(name, exchange),
      latest: exchange.at,
    };
    history.add(exchange, answer, key);
    if (history.length >= this.#bounds.exchanges) {
      history.judge(this.#bench, false);
      history.shorten();
    }
    this.#bytes += history.bytes;
    this.#kept.set(name, { history, latest: Math.max(latest, exchange.at) });
    for (const quietest of this.#kept.keys()) {
      if (this.#bytes <= this.#bounds.openBytes) break;
      this.#judgeEarly(quietest, this.#take(quietest));
    }
  }

  /** Notes that an exchange of a history was not recorded. */
  miss({ operation, resource, baseUrl }: Address): void {
    this.#kept.get(nameOf(suite().histories.by(operation, resource), baseUrl))?.history.miss();
  }

  /** Judges what is left. */
  finish(): void {
    for (const { history } of this.#kept.values()) history.judge(this.#bench, true);
    this.#kept.clear();
  }

  /**
   * What was gathered of a history so far. If time goes back in it, because a clock was set or the recording is not
   * sorted, its order is unknown: what was gathered is judged by itself.
   */
  #before(name: string, exchange: Exchange): Kept | undefined {
    const kept = this.#take(name);
    if (!kept || exchange.at + exchange.durationMs >= kept.latest) return kept;
    this.#judgeEarly(name, kept);
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
    this.#noteJudged(digestOf(nameOf(suite().histories.of(exchange), baseUrl)));
  }

  #noteJudged(digest: string): void {
    if (this.#judged.has(digest)) this.#resumed[digest.startsWith('profile') ? 'profiles' : 'executions'] += 1;
  }

  #take(name: string): Kept | undefined {
    const kept = this.#kept.get(name);
    this.#kept.delete(name);
    this.#bytes -= kept?.history.bytes ?? 0;
    return kept;
  }

  #judgeEarly(name: string, kept: Kept | undefined): void {
    kept?.history.judge(this.#bench, false);
    this.#judged.add(digestOf(name));
  }
}

/** The same id on two services means two things. */
const nameOf = (of: string | undefined, baseUrl: string): string => `${of} at ${urlOf(baseUrl)?.origin ?? baseUrl}`;
