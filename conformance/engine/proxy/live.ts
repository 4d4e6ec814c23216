/** Judges traffic as it passes the proxy, and writes the record of it. */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Rule } from '../contract.js';
import { isKeyHeader } from '../outcome/read.js';
import { EntryReader } from '../recording/entry.js';
import { usualBounds } from '../recording/histories.js';
import type { OnViolation } from '../recording/judging.js';
import { withoutQueryValues, withoutUser } from '../recording/keyless.js';
import { RecordingPipeline } from '../recording/pipeline.js';
import type { RecordedRun } from '../recording/recorded-run.js';
import type { Entry, Recorded } from '../vocabulary/recording.js';
import type { Facts } from '../vocabulary.js';
import {
  answerBadRequest,
  lineOf,
  maxHeaderSize,
  type PassedExchange,
  Passing,
  type PassingOptions,
  refuseBy,
} from './passing.js';

// The HTTP server of the proxy.

export interface Front {
  readonly url: string;
  /** Accepts no more requests, and resolves when those under way have ended or after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Forwards requests and answers unchanged: bytes, status, headers in order. Only Host is replaced, and a request
 * without a length gets one. Each connection of a caller has its own connection to the service: when one closes or
 * resets, so does the other.
 */
export async function startFront(options: PassingOptions, port = 0, host = '127.0.0.1'): Promise<Front> {
  const passing = new Passing(options);
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    // While closing, a busy connection is kept only until its answer is sent.
    response.once('close', () => setImmediate(() => server.listening || server.closeIdleConnections()));
    passing.pass(request, response);
  };
  // The service decides what is wrong with a request.
  const server = createServer(
    { keepAlive: true, noDelay: true, maxHeaderSize, requestTimeout: 0, requireHostHeader: false },
    pass,
  );
  // The service decides whether it wants the body.
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
  server.on('connect', (_, socket) => refuseBy(socket as Socket, '501 Not Implemented', 'no-tunnel'));
  // The service decides when an idle connection is closed.
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBadRequest(socket as Socket, error));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    close: (graceMs = 2000) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

export type Violation = Parameters<OnViolation>[0];

export interface LiveOptions {
  readonly facts: Facts;
  /** Which rules to judge. Default: all. */
  readonly selected?: (rule: Rule) => boolean;
  /** The memory for all histories. Beyond it, the one that has been quiet longest is judged. */
  readonly openBytes?: number;
  /** Called for each violation as soon as it is certain. */
  readonly onViolation?: OnViolation;
  /** Gets each exchange as a line without keys, which is judged the same when it is read again. */
  readonly record?: (line: string) => void;
}

/** Judges traffic exactly as a recording of it would be judged. */
export class Live {
  readonly #reader = new EntryReader();
  readonly #course: RecordingPipeline;
  readonly #record: ((line: string) => void) | undefined;
  /** Tells the numbers of this proxy's keys from those of another one, whose record may be read with this one's. */
  readonly #name = randomUUID().slice(0, 4);
  #count = 0;

  constructor({ facts, selected = () => true, openBytes, onViolation, record }: LiveOptions) {
    const bounds = { ...usualBounds, ...(openBytes !== undefined && { openBytes }) };
    const { maskedValues } = this.#reader;
    this.#course = new RecordingPipeline(facts, selected, {
      bounds,
      ...(onViolation && { onViolation: (violation) => onViolation(maskedValues.mask(violation)) }),
    });
    this.#record = record;
  }

  take(passed: PassedExchange): void {
    this.#count += 1;
    const line = lineOf(passed);
    const entry = this.#reader.read(line, this.#count);
    const kept = entry.kind === 'exchange' ? recordLine(entry, this.#name) : outline(line, entry);
    if (kept !== undefined) this.#record?.(this.#reader.maskedValues.text(kept));
    this.#course.add(entry);
  }

  finish(): RecordedRun {
    return this.#reader.maskedValues.mask(this.#course.finish());
  }
}

const bodyOf = (text: string) => (text === '' ? { kind: 'none' } : { kind: 'text', text });

/**
 * The outline of an exchange that is not judged itself but affects verdicts: one that is incomplete, or that may have
 * looked up executions in a way that the interface does not show.
 */
function outline({ at, durationMs, request, response, failure }: ReturnType<typeof lineOf>, entry: Entry) {
  const isPart = entry.kind === 'unrecorded';
  if (!isPart && !(entry.kind === 'foreign' && entry.mayLookUp)) return undefined;
  const said = { headers: {}, body: { kind: isPart ? 'lost' : 'none' } };
  return `${JSON.stringify({
    at,
    durationMs,
    request: { method: request.method, url: withoutQueryValues(withoutUser(request.url)), ...said },
    ...(response && { response: { status: response.status, ...said } }),
    ...(failure && { failure }),
  })}\n`;
}

/** The line of a recording from which the same exchange is read. The number of its key stands for that. */
function recordLine({ exchange, question, answer, key }: Recorded, of: string): string {
  const { at, durationMs, request, response, failure } = exchange;
  const { method, url } = request;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      key !== undefined && isKeyHeader(name) ? `key ${of}-${key} (redacted)` : value,
    ]),
  );
  return `${JSON.stringify({
    at,
    durationMs,
    request: { method, url, headers, body: bodyOf(question) },
    ...(response && {
      response: {
        status: response.status,
        headers: response.headers,
        body: bodyOf(answer),
        repeatsKey: response.repeatsKey,
      },
    }),
    ...(failure && { failure }),
  })}\n`;
}
