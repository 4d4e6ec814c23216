/** Sends requests and records the exchanges, with the keys that were sent redacted. Nothing else holds the keys. */

import { isUtf8 } from 'node:buffer';
import { contract, type Operation } from '../contract.js';
import { pathTo } from '../http/address.js';
import { BodyCache, parseBody } from '../http/body.js';
import { type Redactor, Secrets } from '../http/redact.js';
import { type Transport, TransportError, type WireResponse } from '../http/transport.js';
import { graceMs } from '../outcome/when.js';
import { waitMsOf } from '../rule/times.js';
import { suite } from '../suite.js';
import type { Body, Exchange, Facts, Failure, Mark, Response } from '../vocabulary.js';
import type { Clock } from './clock.js';
import type { RequestSpec, Target } from './request-spec.js';
import { isSafe } from './retry.js';
import { seedFor } from './seeded.js';

/** What a run reports while it runs. conformance/engine/report/progress.ts prints it. */
export interface Progress {
  started(scenario: string): void;
  /** What the scenario does or waits for now: "waiting until completed". */
  step(scenario: string, text: string): void;
  /** `skipped`: it ended early, because of the target or the user. `failed`: by an error of the suite itself. */
  ended(scenario: string, outcome: 'done' | 'failed' | 'skipped'): void;
  /** Something about the run as a whole. */
  note(text: string): void;
  /** Restores the terminal. May be called twice. */
  finish(): void;
}

export const quiet: Progress = { started() {}, step() {}, ended() {}, note() {}, finish() {} };

/** Whether it changes something that the run must undo or report, and is answered as soon as that is done. */
const changes = ({ effect, waits }: Operation): boolean => effect !== 'reads' && !waits;

/** Shorter delays of this process do not affect any verdict. */
const noticeableMs = 50;

const longestRequestMs = 30_000;
/** If an answer waits, that of a gateway comes within this time after the wait. */
const gatewayMs = 10_000;

/** How long to wait for the answer to a request. */
function patienceMs(ask: RequestSpec, pace: Facts['pace']): number {
  const wait = waitMsOf(ask);
  return wait > 0 ? wait + pace.latencyGraceMs + gatewayMs : Math.min(longestRequestMs, graceMs(pace));
}

export class Recorder {
  /** As they were recorded: `settled` says what each counts for. */
  readonly exchanges: Exchange[] = [];
  /** The index of the last exchange of each step. */
  readonly #last = new Map<string, number>();
  /** The steps of each operation, scenario and kind, in the order of their first requests. */
  readonly #stepsOf = new Map<string, Set<string>>();
  readonly #target: Target;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #kept: BodyCache;
  readonly #secrets: Secrets;
  readonly #wrongKey: string;
  /** How many exchanges an earlier pass of the run has: the numbers go on. */
  readonly #before: number;

  constructor(
    target: Target,
    how: { transport: Transport; clock: Clock; seed: number; kept?: BodyCache; before?: number },
  ) {
    this.#target = target;
    this.#before = how.before ?? 0;
    this.#transport = how.transport;
    this.#clock = how.clock;
    this.#kept = how.kept ?? new BodyCache();
    this.#secrets = new Secrets(suite().keys.all(target.keys), target.secrets);
    this.#wrongKey = `not-a-key-${seedFor(how.seed, 'wrong key').toString(36)}`;
  }

  /** Redacts secrets in texts for people. Judges get the answers as they came. */
  get redactor(): Redactor {
    return this.#secrets.redactor;
  }

  /** The last exchange of a step, as `scenario/step`. */
  last(step: string): Exchange | undefined {
    return this.exchanges[this.#last.get(step) ?? -1];
  }

  /** Sends one request, once. `signal` cancels it where that does no harm. */
  async exchange(mark: Mark, ask: RequestSpec, signal: AbortSignal): Promise<Exchange> {
    const { facts, keys, headers } = this.#target;
    const operation = contract().operations[ask.operation];
    const text = ask.raw?.text ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
    const carried = suite().keys.headers(keys, this.#wrongKey, ask.operation, mark.credential);
    // A nearly right key reveals the right one, so it is secret too.
    if (carried.tells !== undefined) this.#secrets.add(carried.tells);
    const type = ask.raw?.type ?? operation.requestTypes[0] ?? 'application/json';
    const defaults = Object.entries({
      accept: 'application/json',
      'user-agent': `workflow-contract/${suite().version} (conformance suite)`,
      ...(text !== undefined && { 'content-type': type }),
    });
    const replaced = Object.keys(headers).map((name) => name.toLowerCase());
    const method = ask.method ?? operation.method;
    const { queryParameters } = operation;
    const url = `${facts.baseUrl}${pathTo({ path: this.#pathOf(ask, mark), queryParameters }, ask)}`;
    const wireHeaders = {
      ...Object.fromEntries(defaults.filter(([name]) => !replaced.includes(name))),
      ...headers,
      ...carried.headers,
    };
    const id = this.#before + this.exchanges.length + 1;
    const at = this.#clock.now();
    const outline: Omit<Exchange, 'id' | 'durationMs'> = {
      operation: ask.method ? null : ask.operation,
      resource: operation.pathParameters.length > 0 ? ask.id : null,
      at,
      request: { method, url, headers: this.redactor.sent(wireHeaders), body: parseBody(text ?? '') },
      mark,
    };
    // The index is taken before sending, so that exchanges are in the order of sending.
    this.#last.set(`${mark.scenario}/${mark.step}`, this.exchanges.length);
    this.exchanges.push({ id, ...outline, durationMs: 0 });
    const lag = this.#clock.lag?.();
    const result = await this.#answer({
      method,
      url,
      headers: wireHeaders,
      ...(text !== undefined && { body: text }),
      timeoutMs: ask.timeoutMs ?? patienceMs(ask, facts.pace),
      ...((ask.newConnection || !isSafe(ask)) && { newConnection: true }),
      // A change is not cancelled: then nobody would know whether it was made.
      ...(!ask.evenIfStopping && !changes(operation) && { signal }),
      mark,
    });
    const delayMs = Math.round(lag?.() ?? 0);
    // The id comes first: an object that begins with a spread would have a hidden class of its own, and be slow to read.
    const exchange: Exchange = {
      id,
      ...outline,
      durationMs: this.#clock.now() - at,
      ...(delayMs >= noticeableMs && { delayMs }),
      ...result,
    };
    this.exchanges[id - 1 - this.#before] = exchange;
    return exchange;
  }

  /**
   * Each step of an operation with several paths has one of them for good. The steps of a scenario take turns at these, and
   * so do its negative tests: a change by one path is then seen by another.
   */
  #pathOf({ operation }: RequestSpec, { scenario, step, probe }: Mark): string {
    const { path, otherPaths } = contract().operations[operation];
    const paths = [path, ...otherPaths];
    const kind = `${operation} ${scenario} ${probe !== undefined}`;
    const steps = this.#stepsOf.get(kind) ?? new Set();
    this.#stepsOf.set(kind, steps.add(step));
    return paths[[...steps].indexOf(step) % paths.length] ?? path;
  }

  async #answer(request: Parameters<Transport>[0]): Promise<{ response: Response } | { failure: Failure }> {
    try {
      return { response: this.#recorded(await this.#transport(request)) };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return { failure: { kind: error.kind, message: error.message } };
    }
  }

  #recorded({ status, headers, bytes }: WireResponse): Response {
    // The byte order mark is kept: sent JSON must not begin with one (RFC 8259).
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    // If only the last character is incomplete, the body was cut off there, and still counts as UTF-8.
    const body: Body = utf8(bytes)
      ? this.#kept.body(text, bytes.length)
      : {
          kind: 'not-json',
          text: text.slice(0, 2000),
          error: `The body is not UTF-8${charsetIn(headers)}.`,
          bytes: bytes.length,
        };
    return {
      status,
      headers,
      body,
      repeatsKey: [text, JSON.stringify(headers)].some((one) => this.#secrets.isRepeatedIn(one)),
    };
  }
}

const charsetIn = (headers: WireResponse['headers']): string => {
  const [, charset] = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '') ?? [];
  return charset && !/^utf-?8$/i.test(charset) ? `: Content-Type says ${charset}` : '';
};

function utf8(bytes: Uint8Array): boolean {
  if (isUtf8(bytes)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
