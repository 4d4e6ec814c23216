import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

/** Listens on a free port of this machine; the URL has no path. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Served {
  readonly url: string;
  /** Those that arrived, in order. */
  readonly requests: readonly { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

export async function serve(listener: RequestListener, tls?: { key: string; cert: string }): Promise<Served> {
  const requests: Served['requests'][number][] = [];
  const recording: RequestListener = (request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers });
    request.resume();
    listener(request, response);
  };
  const server = tls ? createTlsServer(tls, recording) : createServer(recording);
  const url = await listen(server);
  return {
    url: tls ? url.replace('http:', 'https:') : url,
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
  const { url, close } = await serve(() => {});
  await close();
  return url;
}
