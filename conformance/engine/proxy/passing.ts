import {
  Agent,
  type IncomingMessage,
  type OutgoingMessage,
  request as overHttp,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { request as overHttps, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import { diagnosis } from '../http/diagnosis.js';
import { type Passed, Tap } from './passed.js';

/** What the proxy says itself, where the service says nothing. */

/** Tells the proxy's own answers from the service's. */
export const ownAnswerHeader = 'X-Workflow-Contract-Proxy';

/** What Node calls headers beyond it. */
const tooLong = 'HPE_HEADER_OVERFLOW';

/** Answers what is no request, without the service. */
export function refuse(socket: Socket, { code }: NodeJS.ErrnoException): void {
  if (!socket.writable || code === 'ECONNRESET') socket.destroy();
  else if (code === tooLong) refuseBy(socket, '431 Request Header Fields Too Large', 'too-large');
  else refuseBy(socket, '400 Bad Request', 'not-http');
}

export function refuseBy(socket: Socket, status: string, reason: string): void {
  socket.end(`HTTP/1.1 ${status}\r\n${ownAnswerHeader}: ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

const timedOut = Object.assign(new Error('No answer came in time.'), { code: 'TIMED_OUT' });

/** What Node reads, and nobody may send: a status below 100, a reason with control characters in it. */
const nonsense = Object.assign(new Error('What was answered is not HTTP.'), { code: 'HPE_NONSENSE' });

const isNonsense = ({ code = '' }: NodeJS.ErrnoException): boolean => code.startsWith('HPE_');

function failureOf(error: NodeJS.ErrnoException): NonNullable<Passed['failure']> {
  const { code = '' } = error;
  if (error === timedOut) return { kind: 'timeout', message: 'No answer came in time.' };
  if (code === tooLong) return { kind: 'broken', message: 'The headers of the answer are larger than 256 KB.' };
  if (isNonsense(error)) return { kind: 'broken', message: 'What was answered is not HTTP.' };
  if (code === 'ECONNRESET' || code === 'EPIPE') return { kind: 'broken', message: 'The connection broke.' };
  const [, why] = diagnosis(error);
  return { kind: 'unreachable', message: `The service could not be reached: ${why}` };
}

function answerItself(
  response: ServerResponse,
  status: number,
  { kind, message }: { kind: string; message: string },
): void {
  const body = JSON.stringify({ code: status, message });
  response.writeHead(status, STATUS_CODES[status], {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    [ownAnswerHeader]: kind,
    Connection: 'close',
  });
  response.end(body);
}

/** Headers as they were sent: names in their letters, in their order, each as often as it was there. */

/** Names and values, as Node has them one after the other. */
const pairsOf = (all: readonly string[]): [string, string][] =>
  all.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, all[index + 1] ?? '']] : []));

/** `GET http://host/path HTTP/1.1` is allowed, and means the path. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');

const ofChunks = /^(?:transfer-encoding|trailer)$/i;

/** HTTP/1.0 knows no chunks: there a body is over when the connection is. */
const framedFor = ({ httpVersion }: IncomingMessage, headers: string[]): string[] =>
  httpVersion === '1.0' ? pairsOf(headers).flatMap((pair) => (ofChunks.test(pair[0]) ? [] : pair)) : headers;

/** Methods whose requests have no body unless they say so. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** The headers of a request as they go to the service. */
function forwarded({ rawHeaders, method, headers }: IncomingMessage, host: string): string[] {
  const all: string[] = [];
  let hasHost = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const lower = name.toLowerCase();
    // No other protocol goes through here.
    if (lower === 'upgrade' || lower === 'http2-settings') continue;
    hasHost ||= lower === 'host';
    all.push(name, lower === 'host' ? host : value);
  }
  if (!hasHost) all.unshift('Host', host);
  const hasLength = 'content-length' in headers || 'transfer-encoding' in headers;
  // Else Node would say that chunks follow.
  if (!hasLength && !bodiless.has(method ?? '')) all.push('Content-Length', '0');
  return all;
}

export interface PassingOptions {
  /** Where requests go; a path of its own stands before theirs. */
  readonly upstream: string;
  /** Told of every exchange when it is over, however it ended. */
  readonly passed: (passed: Passed) => void;
  /** For how long an answer is waited for; without end by default. */
  readonly timeoutMs?: number;
  /** Of a body, so much is kept for whoever is told. */
  readonly limitBytes?: number;
}

const usualLimit = 16 * 1024 * 1024;
/** More than servers take, so that it is the service that refuses. */
export const maxHeaderSize = 256 * 1024;

/** Passes requests of callers on to the service, and its answers back. */
export class Passing {
  readonly #options: PassingOptions;
  readonly #base: URL;
  readonly #prefix: string;
  readonly #agents = new WeakMap<Socket, Agent>();
  readonly #known = new WeakSet<Socket>();

  constructor(options: PassingOptions) {
    this.#options = options;
    this.#base = new URL(options.upstream);
    this.#prefix = this.#base.pathname.replace(/\/$/, '');
  }

  pass(request: IncomingMessage, response: ServerResponse): void {
    const { timeoutMs, limitBytes = usualLimit } = this.#options;
    const begun = performance.now();
    const at = performance.timeOrigin + begun;
    const [sent, answered] = [new Tap(limitBytes), new Tap(limitBytes)];
    const path = `${this.#prefix}${pathOf(request.url ?? '/')}`;
    let over = false;
    const tell = (outcome: Pick<Passed, 'response' | 'failure'>) => {
      if (over) return;
      over = true;
      const line = { method: request.method ?? '', url: `${this.#base.origin}${path}` };
      const durationMs = performance.now() - begun;
      // Of a body that did not come to its end nobody knows what it would have said.
      const body = request.complete ? sent.body : undefined;
      this.#options.passed({
        at,
        durationMs,
        request: { ...line, headers: request.rawHeaders, body },
        ...outcome,
      });
    };

    const out = (this.#base.protocol === 'https:' ? overHttps : overHttp)({
      protocol: this.#base.protocol,
      hostname: this.#base.hostname.replace(/^\[|\]$/g, ''),
      port: this.#base.port,
      method: request.method,
      path,
      headers: forwarded(request, this.#base.host),
      agent: this.#agentOf(request.socket),
      setHost: false,
      maxHeaderSize,
    });
    out.on('socket', (socket) => {
      this.#bind(socket, request.socket);
      // Asked before the one before it was answered, on a connection that the service has closed by now: nobody would hear of it.
      if (!request.socket.writable) out.destroy();
    });
    request.on('data', (piece: Buffer) => sent.take(piece));
    passOn(request, out);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => out.destroy(timedOut), timeoutMs);

    // Headers do not wait for a body that takes its time, or that waits to be asked for.
    if ('content-length' in request.headers || 'transfer-encoding' in request.headers)
      setImmediate(() => out.writableEnded || out.flushHeaders());
    // 100 that the caller waits for, 103 with what it may load already; HTTP/1.0 knows neither.
    out.on('information', ({ statusCode, statusMessage, rawHeaders }) => {
      if (request.httpVersion === '1.0') return;
      // Written by hand, Node would not count it, and close the connection after the answer.
      if (statusCode === 100) return response.writeContinue();
      const lines = pairsOf(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
      response.socket?.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
    });
    out.on('response', (answer) => {
      clearTimeout(timer);
      response.sendDate = false;
      // What the service did not send is not added: neither how long the connection is kept nor how the body is framed.
      response.removeHeader('connection');
      response.removeHeader('transfer-encoding');
      try {
        response.writeHead(answer.statusCode ?? 0, answer.statusMessage ?? '', framedFor(request, answer.rawHeaders));
      } catch {
        return void out.destroy(nonsense);
      }
      answer.on('data', (piece: Buffer) => answered.take(piece));
      passOn(answer, response);
      answer.on('end', () => {
        if (answer.complete)
          tell({ response: { status: answer.statusCode ?? 0, headers: answer.rawHeaders, body: answered.body } });
      });
      answer.on('close', () => {
        if (answer.complete) return;
        tell({ failure: { kind: 'broken', message: 'The answer was cut off.' } });
        response.destroy();
      });
      // 'close' says the same.
      answer.on('error', () => {});
    });
    out.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (response.headersSent || over) return;
      const failure = failureOf(error);
      tell({ failure });
      if (failure.kind === 'broken' && !isNonsense(error))
        // Only of a reset it is known in which call it was met: what was closed just ended.
        return void (error.syscall ? response.socket?.resetAndDestroy() : response.socket?.destroy());
      request.unpipe(out);
      request.resume();
      const status = failure.kind === 'timeout' ? 504 : 502;
      answerItself(response, status, failure);
    });
    response.on('close', () => {
      clearTimeout(timer);
      if (response.writableFinished) return;
      tell({ failure: { kind: 'stopped', message: 'The caller went away before the answer was whole.' } });
      out.destroy();
    });
    request.on('error', () => out.destroy());
  }

  #agentOf(caller: Socket): Agent {
    const known = this.#agents.get(caller);
    if (known) return known;
    const options = { keepAlive: true, maxSockets: 1 };
    const made =
      this.#base.protocol === 'https:'
        ? new SecureAgent({ ...options, ALPNProtocols: ['http/1.1'] })
        : new Agent(options);
    this.#agents.set(caller, made);
    caller.once('close', () => made.destroy());
    return made;
  }

  /** What the service closes while nothing is under way is closed for the caller as well. */
  #bind(service: Socket, caller: Socket): void {
    if (this.#known.has(service)) return;
    this.#known.add(service);
    service.once('close', () => {
      if (!caller.destroyed) caller.destroySoon();
    });
  }
}

/** The body, and what is said after it. */
function passOn(from: IncomingMessage, to: OutgoingMessage): void {
  from.pipe(to, { end: false });
  from.on('end', () => {
    const trailers = pairsOf(from.rawTrailers);
    if (trailers.length > 0) to.addTrailers(trailers);
    to.end();
  });
}
