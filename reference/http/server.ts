/** The HTTP server of the service. */

import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { listen } from '../../common/listening.js';
import type { App } from '../app.js';
import { BrokenConnection, half } from '../disturbances.js';

export interface HttpServer {
  /** Returns the URL. Rejects with a UserError if the address cannot be used. */
  listen(port: number, host: string): Promise<string>;
  /** Resolves when the last request that is being handled has been answered. */
  close(): Promise<void>;
}

export function createHttpServer(app: App, replaceGlobals: boolean): HttpServer {
  const serve = (request: Request, { outgoing }: HttpBindings) => {
    const answer = app(request);
    return answer instanceof Promise ? answer.catch(breaking(outgoing)) : answer;
  };
  const listener = getRequestListener(serve as Parameters<typeof getRequestListener>[0], {
    overrideGlobalObjects: replaceGlobals,
    errorHandler: () => new Response(malformed, { status: 400, headers: { 'Content-Type': 'application/json' } }),
  });
  const connections = new Set<Socket>();
  const underWay = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    void listener(request, response);
  });
  // A slow caller may reuse a connection late; if it is being closed at that moment, its request is lost.
  server.keepAliveTimeout = 75_000;
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  // These do not reach the service: what is not HTTP, and CONNECT, which Node would cut off without an answer.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket as Socket, statusOf(error.code)));
  server.on('connect', (_request, socket) => refuse(socket as Socket, '405 Method Not Allowed'));

  return {
    listen: (port, host) => listen(server, port, host),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Do not wait for requests that have not arrived completely: their senders decide how long that takes.
        const answering = [...underWay].filter(({ req }) => req.complete);
        for (const response of answering) if (!response.headersSent) response.setHeader('Connection', 'close');
        const busy = new Set(answering.map(({ socket }) => socket));
        for (const socket of connections) if (!busy.has(socket)) socket.destroy();
      }),
  };
}

/** Breaks the connection as the error says; rejects with any other error. */
const breaking = (outgoing: ServerResponse) => (error: unknown) => {
  if (!(error instanceof BrokenConnection)) throw error;
  const reset = () => void outgoing.socket?.resetAndDestroy();
  if (error.answer) {
    const { response, text } = error.answer;
    outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), 'content-length': text.length });
    outgoing.write(half(text), reset);
  } else reset();
  return RESPONSE_ALREADY_SENT;
};

const malformed = JSON.stringify({ code: 400, message: 'The request is malformed.' });

const statusOf = (code: string | undefined): string =>
  code === 'HPE_HEADER_OVERFLOW'
    ? '431 Request Header Fields Too Large'
    : code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : '400 Bad Request';

function refuse(socket: Socket, status: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ code: Number.parseInt(status, 10), message: status.replace(/^\d+ /, '') });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
