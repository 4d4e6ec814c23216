import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { startReference } from '../../reference/index.js';
import { selfSigned } from '../fixtures/self-signed.js';
import { listen } from '../support/serve.js';

/** What the cases of every runtime call, as plain data: they run in another process, or in no process of ours at all. */
export interface Rig {
  readonly reference: {
    readonly url: string;
    readonly key: string;
    readonly completes: string;
    readonly writesFiles: string;
    readonly execution: string;
    readonly profile: string;
  };
  /** A server that does one thing for all that is sent below `/<behaviour>`; `/ledger/<behaviour>` has what that was. */
  readonly hostile: string;
  readonly unreachable: Readonly<Record<'refused' | 'noSuchHost' | 'forbiddenPort' | 'untrusted' | 'noTls', string>>;
  readonly nature: Nature;
}

/** In what runtimes differ, and a client cannot help it. */
export interface Nature {
  /** Whether it tells why a connection did not come about. */
  readonly tellsUnreachable: boolean;
  /** Whether it tells what a redirect says. */
  readonly tellsRedirects: boolean;
  /** What it sends again by itself when a connection that it kept breaks. RFC 9110 allows that for deletions. */
  readonly repeats: 'nothing' | 'deletions' | 'everything';
}

const cors = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Methods': '*',
};

type Behave = (response: ServerResponse, place: { url: string; times: number }) => void;

const behaviours = {
  'redirects-302': (response, { url }) => response.writeHead(302, { Location: `${url}/elsewhere` }).end(),
  'redirects-307': (response, { url }) => response.writeHead(307, { Location: `${url}/elsewhere` }).end(),
  elsewhere: (response) => response.writeHead(202).end('{}'),
  untouched: (response) => response.writeHead(202).end('{}'),
  breaks: (response) => response.socket?.destroy(),
  hangs: () => {},
  page: (response) => response.end('<h1>Down</h1>'),
  recovers: (response, { times }) =>
    times < 3
      ? response.writeHead(503, { 'Content-Type': 'application/json' }).end('{"code":503,"message":"Soon."}')
      : response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"completed"}'),
  endless(response) {
    const more = () => {
      while (response.writable && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  },
} satisfies Record<string, Behave>;

export type Behaviour = keyof typeof behaviours;

/** Starts all that the cases need; `close` ends it. */
export async function startRig(nature: Nature): Promise<{ rig: Rig; close(): Promise<void> }> {
  const reference = await startReference({ speed: 20, cors: true });
  const ledger = new Map<string, { method: string; hasKey: boolean }[]>();
  const answerAll: RequestListener = (request, response) => respond(request, response, ledger);
  const servers = [
    createServer(answerAll),
    createTlsServer(selfSigned, answerAll) as unknown as Server,
    createServer(answerAll),
  ] as const;
  const [hostile, tls, closed] = [await listen(servers[0]), await listen(servers[1]), await listen(servers[2])];
  await new Promise((resolve) => servers[2].close(resolve));
  const { completes, writesFiles } = reference.fixtures.workflows;
  const { execution, profile } = reference.fixtures;
  return {
    rig: {
      reference: { url: reference.url, key: reference.keys.full, completes, writesFiles, execution, profile },
      hostile,
      unreachable: {
        refused: closed,
        noSuchHost: 'http://nothing.invalid',
        forbiddenPort: 'http://127.0.0.1:6667',
        untrusted: tls.replace('http:', 'https:'),
        noTls: hostile.replace('http:', 'https:'),
      },
      nature,
    },
    async close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
      await reference.close();
    },
  };
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  ledger: Map<string, { method: string; hasKey: boolean }[]>,
): void {
  for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
  const [, first = '', second = ''] = (request.url ?? '').split('/');
  const { method = '', headers } = request;
  if (method === 'OPTIONS') response.writeHead(204).end();
  else if (first === 'ledger') response.end(JSON.stringify(ledger.get(second) ?? []));
  else {
    const seen = ledger.get(first) ?? [];
    ledger.set(first, seen);
    seen.push({ method, hasKey: 'x-api-key' in headers || 'x-service-agents-api-key' in headers });
    const behave = behaviours[first as Behaviour] as Behave | undefined;
    // A connection that is cut before the request has arrived looks like one that never came about.
    request
      .resume()
      .on('end', () =>
        behave
          ? behave(response, { url: `http://${headers.host}`, times: seen.length })
          : response.writeHead(404).end(),
      );
  }
}
