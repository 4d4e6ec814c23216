/** The HTTP server of the proxy. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerBadRequest, maxHeaderSize, Passing, type PassingOptions, refuseBy } from './passing.js';

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
