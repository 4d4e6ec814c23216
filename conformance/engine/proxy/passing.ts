import { Agent, type IncomingMessage, type OutgoingMessage, request as overHttp, type ServerResponse } from 'node:http';
import { request as overHttps, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import { answerItself, failureOf, isNonsense, nonsense, timedOut } from './own-answers.js';
import { type Passed, Tap } from './passed.js';
import { forwarded, framedFor, pairsOf, pathOf } from './raw-headers.js';

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
