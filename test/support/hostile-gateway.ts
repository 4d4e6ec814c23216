/** A gateway with many failures, over real sockets. */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { seeded } from '../../conformance/engine/send/seeded.js';
import { listen } from './serve.js';

export interface HostileGateway {
  readonly url: string;
  /** How often each misdeed was done. */
  readonly did: Readonly<Record<string, number>>;
  close(): void;
}

const page = (outgoing: ServerResponse, status: number) =>
  outgoing
    .writeHead(status, { 'content-type': 'text/html' })
    .end(`<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`);

const reset = (outgoing: ServerResponse) => outgoing.socket?.resetAndDestroy();

/** What may happen instead of an answer, some of it after the service has handled the request. */
const misdeeds: Readonly<Record<string, (outgoing: ServerResponse, pass: () => Promise<Buffer>) => unknown>> = {
  'a page before it': (outgoing) => page(outgoing, 502),
  'a page after it': async (outgoing, pass) => {
    await pass();
    page(outgoing, 504);
  },
  'a firewall': (outgoing) => page(outgoing, 403),
  'a reset before it': reset,
  'a reset after it': async (outgoing, pass) => {
    await pass();
    reset(outgoing);
  },
  'an answer that is cut': async (outgoing, pass) => {
    const body = await pass();
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length + 9 });
    outgoing.write(body);
    setTimeout(() => reset(outgoing), 5);
  },
};

/** Passes requests on to `target`; this many of a hundred meet a misdeed. The same seed gives the same choices. */
export async function startHostileGateway(target: string, ofHundred: number, seed: number): Promise<HostileGateway> {
  const random = seeded(seed);
  const names = Object.keys(misdeeds);
  const did: Record<string, number> = {};
  const pass = async (incoming: IncomingMessage, chunks: Buffer[], outgoing?: ServerResponse): Promise<Buffer> => {
    const { host: _, connection: __, ...headers } = incoming.headers;
    return new Promise((resolve, reject) => {
      const onward = forward(
        new URL(incoming.url ?? '/', target),
        { method: incoming.method ?? 'GET', headers },
        (answer) => {
          const body: Buffer[] = [];
          answer.on('data', (chunk) => body.push(chunk));
          answer.on('end', () => {
            const whole = Buffer.concat(body);
            outgoing?.writeHead(answer.statusCode ?? 502, answer.headers).end(whole);
            resolve(whole);
          });
        },
      );
      onward.on('error', reject);
      onward.end(Buffer.concat(chunks));
    });
  };
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const name = random() * 100 < ofHundred ? (names[Math.floor(random() * names.length)] ?? '') : '';
      const misdeed = misdeeds[name];
      if (!misdeed) return pass(incoming, chunks, outgoing).catch(() => reset(outgoing));
      did[name] = (did[name] ?? 0) + 1;
      return misdeed(outgoing, () => pass(incoming, chunks));
    });
  });
  // Idle connections are closed without notice, as many gateways do.
  server.keepAliveTimeout = 300;
  return {
    url: await listen(server),
    did,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
