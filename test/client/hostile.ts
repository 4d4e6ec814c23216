import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export interface Hostile {
  baseUrl: string;
  /** What arrived, in order. */
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

/** A server on this machine that answers everything in the one way that it is told to. */
export async function startHostile(behaviour: Behaviour): Promise<Hostile> {
  const requests: Hostile['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    request.resume();
    behaviour(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An address of this machine at which nothing listens. */
export async function deadAddress(): Promise<string> {
  const server = await startHostile(() => {});
  await server.close();
  return server.baseUrl;
}

const jsonType = { 'Content-Type': 'application/json' };

export const answers =
  (status: number, body = '', headers: Record<string, string> = jsonType): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(body);

export const html = (status: number): Behaviour =>
  answers(status, '<html><body>Bad Gateway</body></html>', { 'Content-Type': 'text/html' });

/** Promises more bytes than it sends, then breaks the connection. */
export const resetsMidBody =
  (status = 200): Behaviour =>
  (response) => {
    response.writeHead(status, { ...jsonType, 'Content-Length': '1000' });
    response.write('{"executionId":"');
    setImmediate(() => response.destroy());
  };

export const resets: Behaviour = (response) => void response.destroy();

export const hangs: Behaviour = () => {};

export const hangsMidBody: Behaviour = (response) => {
  response.writeHead(200, jsonType);
  response.write('{"id":');
};

export const redirects =
  (to: string, status = 307): Behaviour =>
  (response) =>
    void response.writeHead(status, { Location: to }).end();
