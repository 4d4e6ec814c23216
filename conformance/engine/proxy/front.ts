import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { maxHeaderSize, Passing, type PassingOptions, refuse, refuseBy } from './passing.js';

export interface Front {
  readonly url: string;
  /** Takes no more requests, and resolves when those under way are over or `graceMs` have passed. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Passes every request on, and every answer back, as they are: bytes, status, headers in their order. Only Host becomes
 * the service's, and a request without a length says so. Each connection of a caller has one connection to the service and
 * shares its fate: what closes or resets there closes or resets here.
 */
export async function startFront(options: PassingOptions, port = 0, host = '127.0.0.1'): Promise<Front> {
  const passing = new Passing(options);
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    // A connection that was busy when the end began is not waited for longer than its answer.
    response.once('close', () => setImmediate(() => server.listening || server.closeIdleConnections()));
    passing.pass(request, response);
  };
  // What is wrong with a request is for the service to say.
  const server = createServer(
    { keepAlive: true, noDelay: true, maxHeaderSize, requestTimeout: 0, requireHostHeader: false },
    pass,
  );
  // Whether a body is wanted as well.
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
  server.on('connect', (_, socket) => refuseBy(socket as Socket, '501 Not Implemented', 'no-tunnel'));
  // The service decides when a connection has been quiet for too long.
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket as Socket, error));
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
