/** Passes HTTP requests on to the service, and its answers back. */

import { createServer, type IncomingMessage, request as overHttp, type ServerResponse, STATUS_CODES } from 'node:http';
import { request as overHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { decodeBody } from '../http/body.js';
import { diagnosis } from '../http/connections.js';
import { mostBytes } from '../recording/raw.js';

/** A request and its answer as they passed the proxy. */
export interface PassedExchange {
  readonly at: number;
  readonly durationMs: number;
  readonly request: PassedMessage & { readonly method: string; readonly url: string };
  readonly response?: PassedMessage & { readonly status: number };
  /** Why the answer is missing or incomplete. */
  readonly failure?: { readonly kind: 'unreachable' | 'timeout' | 'broken' | 'stopped'; readonly message: string };
}

interface PassedMessage {
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  /** Undefined if it was too large to keep, or incomplete. */
  readonly body: Uint8Array | undefined;
}

/** The exchange in the form of a line of a recording. It still contains keys. */
export function lineOf({ at, durationMs, request, response, failure }: PassedExchange) {
  const { method, url } = request;
  return {
    at,
    durationMs,
    request: { method, url, ...messageOf(request) },
    ...(response && { response: { status: response.status, ...messageOf(response) } }),
    ...(failure && { failure }),
  };
}

function messageOf({ headers, body }: PassedMessage) {
  const all: Record<string, string> = {};
  for (const [name, value] of pairsOf(headers)) {
    const key = name.toLowerCase();
    all[key] = all[key] === undefined ? value : `${all[key]}, ${value}`;
  }
  const bytes = body && decodeBody(body, all['content-encoding'], mostBytes);
  const isText = bytes instanceof Uint8Array;
  return { headers: all, body: isText ? { kind: 'text', text: Buffer.from(bytes).toString() } : { kind: 'lost' } };
}

/** Node's flat list of names and values, in pairs. */
const pairsOf = (all: readonly string[]): [string, string][] =>
  all.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, all[index + 1] ?? '']] : []));

/** Headers of one connection; the other one has its own (RFC 9110, 7.6.1). */
const ofConnection = /^(?:connection|keep-alive|proxy-connection|upgrade|http2-settings|expect|te|trailer)$/i;

const withoutConnection = (headers: readonly string[], others: RegExp): string[] =>
  pairsOf(headers).flatMap((pair) => (ofConnection.test(pair[0]) || others.test(pair[0]) ? [] : pair));

/** Marks answers of the proxy itself. */
export const ownAnswerHeader = 'X-Workflow-Contract-Proxy';

function answerItself(response: ServerResponse, status: number, kind: string, message: string): void {
  response.writeHead(status, STATUS_CODES[status], {
    'Content-Type': 'application/json',
    [ownAnswerHeader]: kind,
    Connection: 'close',
  });
  response.end(JSON.stringify({ code: status, message }));
}

export interface PassingOptions {
  /** The service. A path in it is put before those of requests. */
  readonly upstream: string;
  /** Called for every exchange when it is over. */
  readonly passed: (passed: PassedExchange) => void;
  /** How long to wait for an answer. Default: no limit. */
  readonly timeoutMs?: number;
  /** How much of a body is kept for `passed`. */
  readonly limitBytes?: number;
}

const usualLimit = 16 * 1024 * 1024;
/** More than servers accept, so that the service itself refuses. */
const maxHeaderSize = 256 * 1024;

/** Copies a body as it flows, up to a limit. Returns what was copied: undefined if that is not all. */
function copyOf(message: IncomingMessage, limitBytes: number): () => Uint8Array | undefined {
  const pieces: Buffer[] = [];
  let bytes = 0;
  message.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= limitBytes) pieces.push(piece);
  });
  return () => (message.complete && bytes <= limitBytes ? Buffer.concat(pieces) : undefined);
}

const timedOut = new Error('No answer came in time.');

function failureOf(error: unknown): NonNullable<PassedExchange['failure']> {
  if (error === timedOut) return { kind: 'timeout', message: timedOut.message };
  const [kind, why] = diagnosis(error);
  return kind === 'broken'
    ? { kind, message: why }
    : { kind: 'unreachable', message: `The service could not be reached: ${why}` };
}

/** Passes one request on over a connection of its own, so that no other request affects it. */
function pass(request: IncomingMessage, response: ServerResponse, options: PassingOptions): void {
  const { timeoutMs, limitBytes = usualLimit } = options;
  const base = new URL(options.upstream);
  const path = `${base.pathname.replace(/\/$/, '')}${request.url}`;
  const [begun, { method = '', headers, rawHeaders }] = [performance.now(), request];
  const question = copyOf(request, limitBytes);
  let isOver = false;
  const end = (outcome: Pick<PassedExchange, 'response' | 'failure'>) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    options.passed({
      at: performance.timeOrigin + begun,
      durationMs: performance.now() - begun,
      request: { method, url: `${base.origin}${path}`, headers: rawHeaders, body: question() },
      ...outcome,
    });
  };
  const mayHaveBody = /^P/.test(method) && !('content-length' in headers || 'transfer-encoding' in headers);
  const sent = {
    method,
    path,
    headers: [
      ...['Host', base.host, ...withoutConnection(rawHeaders, /^host$/i)],
      // Otherwise Node would announce chunks.
      ...(mayHaveBody ? ['Content-Length', '0'] : []),
    ],
    agent: false,
    ALPNProtocols: ['http/1.1'],
    maxHeaderSize,
  };
  const out = (base.protocol === 'https:' ? overHttps : overHttp)(base, sent);
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => out.destroy(timedOut), timeoutMs);
  request.pipe(out);
  out.on('response', (answer) => {
    clearTimeout(timer);
    const { statusCode: status = 0, statusMessage, rawHeaders: received } = answer;
    const body = copyOf(answer, limitBytes);
    const cut = (message: string) => {
      end({ failure: { kind: 'broken', message } });
      response.destroy();
      out.destroy();
    };
    answer.on('close', () => {
      if (answer.complete) end({ response: { status, headers: received, body: body() } });
      else cut('The answer was cut off.');
    });
    answer.on('error', () => {});
    response.sendDate = false;
    try {
      response.writeHead(status, statusMessage, withoutConnection(received, /^transfer-encoding$/i));
    } catch {
      // A status below 100, or control characters in the reason.
      return cut('The answer is not HTTP.');
    }
    answer.pipe(response);
  });
  out.on('error', (error) => {
    if (response.headersSent || isOver) return;
    const failure = failureOf(error);
    end({ failure });
    // What broke there breaks here.
    if (failure.kind === 'broken') return void response.destroy();
    request.unpipe(out).resume();
    answerItself(response, failure.kind === 'timeout' ? 504 : 502, failure.kind, failure.message);
  });
  response.on('close', () => {
    if (response.writableFinished) return;
    end({ failure: { kind: 'stopped', message: 'The caller disconnected before the answer was complete.' } });
    out.destroy();
  });
}

// The HTTP server of the proxy.

export interface Front {
  readonly url: string;
  /** Accepts no more requests, and resolves when those under way have ended or after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/** Forwards requests and answers: bytes, status and headers in order, but for those of a connection. */
export async function startFront(options: PassingOptions, port = 0, host = '127.0.0.1'): Promise<Front> {
  // The service decides what is wrong with a request.
  const server = createServer({ maxHeaderSize, requestTimeout: 0, requireHostHeader: false }, (request, response) => {
    if (request.url?.startsWith('/')) pass(request, response, options);
    else answerItself(response, 400, 'not-a-path', 'This proxy passes requests on to one service: ask for a path.');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
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
      }),
  };
}
