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
import { decodeBody } from '../http/body.js';
import { diagnosis } from '../http/connections.js';
import { mostBytes } from '../recording/har.js';

/** A request and its answer as they passed the proxy: bytes, and headers with their order and case. */
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

/** Keeps a copy of a body, up to a limit. */
export class BodyCopy {
  readonly #limitBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  append(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= this.#limitBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Undefined if it was too large. */
  get body(): Uint8Array | undefined {
    return this.#bytes > this.#limitBytes ? undefined : Buffer.concat(this.#pieces);
  }
}

/** The exchange in the form of a line of a recording. It still contains keys. */
export function lineOf({ at, durationMs, request, response, failure }: PassedExchange) {
  const { method, url, ...asked } = request;
  const { body, ...headers } = messageOf(asked);
  const question = { ...headers, body: body.kind === 'unreadable' ? { kind: 'lost' } : body };
  const whole = response && messageOf(response);
  const isUnreadable = whole?.body.kind === 'unreadable';
  return {
    at,
    durationMs,
    request: { method, url, ...question },
    ...(response && !isUnreadable && { response: { status: response.status, ...whole } }),
    ...(isUnreadable && { failure: { kind: 'broken', message: 'The body is not encoded as Content-Encoding says.' } }),
    ...(failure && { failure }),
  };
}

function messageOf({ headers, body }: PassedMessage) {
  const all: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index]?.toLowerCase(), headers[index + 1]];
    all[name] = all[name] === undefined ? value : `${all[name]}, ${value}`;
  }
  return { headers: all, body: bodyIn(body, all['content-encoding']) };
}

function bodyIn(body: Uint8Array | undefined, encoding = '') {
  if (!body) return { kind: 'lost' };
  const bytes = decodeBody(body, encoding, mostBytes);
  if (!(bytes instanceof Uint8Array)) return { kind: bytes.why === 'unreadable' ? 'unreadable' : 'lost' };
  return { kind: 'text', text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() };
}

/** Forwards requests and answers, and answers itself if the service does not. */

/** Marks answers of the proxy itself. */
export const ownAnswerHeader = 'X-Workflow-Contract-Proxy';

/** Node's error code for headers beyond the limit. */
const tooLong = 'HPE_HEADER_OVERFLOW';

/** Answers what is not a valid request, without asking the service. */
export function answerBadRequest(socket: Socket, { code }: NodeJS.ErrnoException): void {
  if (!socket.writable || code === 'ECONNRESET') socket.destroy();
  else if (code === tooLong) refuseBy(socket, '431 Request Header Fields Too Large', 'too-large');
  else refuseBy(socket, '400 Bad Request', 'not-http');
}

export function refuseBy(socket: Socket, status: string, reason: string): void {
  socket.end(`HTTP/1.1 ${status}\r\n${ownAnswerHeader}: ${reason}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}

const timedOut = Object.assign(new Error('No answer came in time.'), { code: 'TIMED_OUT' });

/** An answer that Node parses but cannot send: a status below 100, control characters in the reason. */
const nonsense = Object.assign(new Error('The answer is not HTTP.'), { code: 'HPE_NONSENSE' });

const isNonsense = ({ code = '' }: NodeJS.ErrnoException): boolean => code.startsWith('HPE_');

function failureOf(error: NodeJS.ErrnoException): NonNullable<PassedExchange['failure']> {
  const { code = '' } = error;
  if (error === timedOut) return { kind: 'timeout', message: 'No answer came in time.' };
  if (code === tooLong) return { kind: 'broken', message: 'The headers of the answer are larger than 256 KB.' };
  if (isNonsense(error)) return { kind: 'broken', message: 'The answer is not HTTP.' };
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

/** Node's flat list of names and values, in pairs. */
const pairsOf = (all: readonly string[]): [string, string][] =>
  all.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, all[index + 1] ?? '']] : []));

/** The path of a request target. An absolute URL is allowed there. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');

const ofChunks = /^(?:transfer-encoding|trailer)$/i;

/** HTTP/1.0 has no chunks: there a body ends with the connection. */
const framedFor = ({ httpVersion }: IncomingMessage, headers: string[]): string[] =>
  httpVersion === '1.0' ? pairsOf(headers).flatMap((pair) => (ofChunks.test(pair[0]) ? [] : pair)) : headers;

const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** The headers for the service. */
function forwarded({ rawHeaders, method, headers }: IncomingMessage, host: string): string[] {
  const all: string[] = [];
  let hasHost = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]];
    const lower = name.toLowerCase();
    // The proxy supports no other protocol.
    if (lower === 'upgrade' || lower === 'http2-settings') continue;
    hasHost ||= lower === 'host';
    all.push(name, lower === 'host' ? host : value);
  }
  if (!hasHost) all.unshift('Host', host);
  const hasLength = 'content-length' in headers || 'transfer-encoding' in headers;
  // Otherwise Node would announce chunks.
  if (!hasLength && !bodiless.has(method ?? '')) all.push('Content-Length', '0');
  return all;
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
export const maxHeaderSize = 256 * 1024;

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
    const [sent, answered] = [new BodyCopy(limitBytes), new BodyCopy(limitBytes)];
    const path = `${this.#prefix}${pathOf(request.url ?? '/')}`;
    let over = false;
    const tell = (outcome: Pick<PassedExchange, 'response' | 'failure'>) => {
      if (over) return;
      over = true;
      const line = { method: request.method ?? '', url: `${this.#base.origin}${path}` };
      const durationMs = performance.now() - begun;
      // An incomplete body tells nothing.
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
      // A pipelined request on a connection that the service has closed: nobody would get the answer.
      if (!request.socket.writable) out.destroy();
    });
    request.on('data', (piece: Buffer) => sent.append(piece));
    passOn(request, out);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => out.destroy(timedOut), timeoutMs);

    // Send the headers without waiting for a slow body, or for one that the caller only sends when asked.
    if ('content-length' in request.headers || 'transfer-encoding' in request.headers)
      setImmediate(() => out.writableEnded || out.flushHeaders());
    // Interim answers, such as 100 and 103. HTTP/1.0 has none.
    out.on('information', ({ statusCode, statusMessage, rawHeaders }) => {
      if (request.httpVersion === '1.0') return;
      // If it were written by hand, Node would close the connection after the answer.
      if (statusCode === 100) return response.writeContinue();
      const lines = pairsOf(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
      response.socket?.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
    });
    out.on('response', (answer) => {
      clearTimeout(timer);
      response.sendDate = false;
      // Nothing is added that the service did not send, such as Keep-Alive or Transfer-Encoding.
      response.removeHeader('connection');
      response.removeHeader('transfer-encoding');
      try {
        response.writeHead(answer.statusCode ?? 0, answer.statusMessage ?? '', framedFor(request, answer.rawHeaders));
      } catch {
        return void out.destroy(nonsense);
      }
      answer.on('data', (piece: Buffer) => answered.append(piece));
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
      // 'close' is handled instead.
      answer.on('error', () => {});
    });
    out.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (response.headersSent || over) return;
      const failure = failureOf(error);
      tell({ failure });
      if (failure.kind === 'broken' && !isNonsense(error))
        // Only a reset has a system call: reset the caller as well, else just close.
        return void (error.syscall ? response.socket?.resetAndDestroy() : response.socket?.destroy());
      request.unpipe(out);
      request.resume();
      const status = failure.kind === 'timeout' ? 504 : 502;
      answerItself(response, status, failure);
    });
    response.on('close', () => {
      clearTimeout(timer);
      if (response.writableFinished) return;
      tell({ failure: { kind: 'stopped', message: 'The caller disconnected before the answer was complete.' } });
      out.destroy();
    });
    request.on('error', () => out.destroy());
  }

  #agentOf(caller: Socket): Agent {
    const cached = this.#agents.get(caller);
    if (cached) return cached;
    const options = { keepAlive: true, maxSockets: 1 };
    const made =
      this.#base.protocol === 'https:'
        ? new SecureAgent({ ...options, ALPNProtocols: ['http/1.1'] })
        : new Agent(options);
    this.#agents.set(caller, made);
    caller.once('close', () => made.destroy());
    return made;
  }

  /** When the service closes an idle connection, so does the proxy towards the caller. */
  #bind(service: Socket, caller: Socket): void {
    if (this.#known.has(service)) return;
    this.#known.add(service);
    service.once('close', () => {
      if (!caller.destroyed) caller.destroySoon();
    });
  }
}

/** Forwards the body and the trailers. */
function passOn(from: IncomingMessage, to: OutgoingMessage): void {
  from.pipe(to, { end: false });
  from.on('end', () => {
    const trailers = pairsOf(from.rawTrailers);
    if (trailers.length > 0) to.addTrailers(trailers);
    to.end();
  });
}
