import { createServer as createSocketServer } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, ProxyAgent, fetch as undiciFetch } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createWorkflowClient,
  type FetchInit,
  type WorkflowClient,
  type WorkflowErrorKind,
} from '../../client/index.js';
// Loaded here already: the clock of these tests does not wait for a module.
import '../../client/files.js';
import { operationIds } from '../../generated/operations.js';
import { deadAddress, listen } from '../support/serve.js';
import { apiKey, callOf, errorOf, execution, executionId, json, scripted, workflowId } from './support.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

const ours = (code: number) => JSON.stringify({ code, message: 'Because.' });
const page = '<html><body>Sorry</body></html>';

/** What came of a start, the kind of its error, and why. */
type Start = [
  came: string,
  answer: () => Response | Promise<Response>,
  kind: WorkflowErrorKind,
  why: string,
  requestSent?: boolean,
];
const starts: readonly Start[] = [
  // Answers
  ...[400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 421, 422, 425, 429, 431, 451, 500, 501, 503, 505, 507, 511].map(
    (status): Start => [
      `${status} with the error body of the contract`,
      () => new Response(ours(status), { status }),
      ({ 401: 'unauthorized', 403: 'forbidden', 404: 'not-found', 429: 'rate-limited' } as const)[status as number] ??
        (status < 500 ? 'refused' : 'server'),
      'the service itself says no',
    ],
  ),
  ...[400, 401, 403, 404, 407, 408, 413, 429, 499, 500, 503, 520, 522, 524, 598].flatMap((status) =>
    ['', page, '{"message":"Forbidden"}', '{"code":400,"mess'].map(
      (body): Start => [
        `${status} with the body ${body || 'of nothing'}`,
        () => new Response(body, { status }),
        'may-have-started',
        'somebody before the service, who does not know what became of the request',
      ],
    ),
  ),
  ...[502, 504, 520, 524, 599].map(
    (status): Start => [
      `${status}, even with the error body of the contract`,
      () => new Response(ours(status), { status }),
      'may-have-started',
      'a status of gateways: the service did not answer them, or not in time',
    ],
  ),
  ...[301, 307, 308].map(
    (status): Start => [
      `a redirect with ${status}`,
      () => new Response(null, { status, headers: { Location: '/elsewhere' } }),
      'malformed-response',
      'it is to be made elsewhere: nothing was done here',
    ],
  ),
  ...[300, 302, 303, 304].map(
    (status): Start => [
      `a redirect with ${status}`,
      () => new Response(null, { status, headers: { Location: '/elsewhere' } }),
      'may-have-started',
      'the answer is elsewhere: it may have been done',
    ],
  ),
  ['200 without an id', () => json({ status: 'starting' }), 'may-have-started', 'a success that names no execution'],
  ['204', () => new Response(null, { status: 204 }), 'may-have-started', 'a success that names no execution'],
  ['200 as a page', () => new Response(page), 'may-have-started', 'it may stand before a service that did it'],
  // No answer
  ...(
    [
      ['a connection that breaks', failing('other side closed', { code: 'UND_ERR_SOCKET' })],
      ['a reset during the answer', failing('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' })],
      ['a network that disappears', failing('read EHOSTUNREACH', { code: 'EHOSTUNREACH', syscall: 'read' })],
      ['a pipe that breaks', failing('write EPIPE', { code: 'EPIPE', syscall: 'write' })],
      ['headers that do not arrive in time', failing('Headers Timeout Error', { code: 'UND_ERR_HEADERS_TIMEOUT' })],
      [
        'an agent that is destroyed during the request',
        failing('The client is destroyed', { code: 'UND_ERR_DESTROYED' }),
      ],
      ['an unknown error', failing('Network connection lost.', {})],
      [
        'two attempts, one of them aborted',
        failing('', {
          code: 'ECONNREFUSED',
          errors: [
            Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
            Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
          ],
        }),
      ],
    ] as const
  ).map(([came, thrown]): Start => [came, thrown, 'may-have-started', 'the request may have arrived', true]),
  ...(
    [
      ['a refused connection', failing('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' })],
      ['an unknown host', failing('getaddrinfo ENOTFOUND', { code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
      ['a resolver that fails', failing('queryA ESERVFAIL', { code: 'ESERVFAIL', syscall: 'queryA' })],
      ['a connection that the system forbids', failing('connect EACCES', { code: 'EACCES', syscall: 'connect' })],
      ['a host that does not answer', failing('connect ETIMEDOUT', { code: 'ETIMEDOUT', syscall: 'connect' })],
      ['a connect timeout', failing('Connect Timeout Error', { code: 'UND_ERR_CONNECT_TIMEOUT' })],
      [
        'several addresses, each refused or silent',
        failing('', {
          code: 'ETIMEDOUT',
          errors: ['ETIMEDOUT', 'ENETUNREACH'].map((code) => Object.assign(new Error(), { code, syscall: 'connect' })),
        }),
      ],
      ['a certificate that is not trusted', failing('self-signed', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })],
      [
        'TLS that ends early',
        failing('Client network socket disconnected before secure TLS connection was established', {
          code: 'ECONNRESET',
        }),
      ],
      ['TLS to the proxy that fails', failing('Secure Proxy Connection failed', { code: 'UND_ERR_PRX_TLS' })],
      ['an agent that is closed', failing('The client is closed', { code: 'UND_ERR_CLOSED' })],
      ['a header that cannot be sent', failing('expect header not supported', { code: 'UND_ERR_NOT_SUPPORTED' })],
      ['a process that may not use the network', failing('Access to this API', { code: 'ERR_ACCESS_DENIED' })],
    ] as const
  ).map(([came, thrown]): Start => [came, thrown, 'network', 'not a byte of it was sent', false]),
];

/** As fetch of Node fails: it says only that it did, and its cause says why. */
function failing(message: string, cause: object): () => Promise<Response> {
  return () => Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(message), cause) }));
}

describe('a start that fails', () => {
  test.each(starts)(
    'because of %s has its kind and reports whether a request was sent',
    async (_, answer, kind, __, requestSent = true) => {
      const { client, sent } = scripted([answer]);
      for (const start of [client.execute, client.executeSync, client.run])
        expect(await errorOf(start(workflowId))).toMatchObject({ kind, requestSent });
      expect(sent).toHaveLength(3);
    },
  );

  const over = (dispatcher: Agent | ProxyAgent, baseUrl: string): WorkflowClient =>
    createWorkflowClient({
      baseUrl,
      apiKey,
      fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }),
    });

  test('because a proxy refuses the tunnel reports that no request was sent', async () => {
    const proxy = createSocketServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')).on('error', () => {});
    });
    const dispatcher = new ProxyAgent(await listen(proxy));
    const error = await errorOf(over(dispatcher, 'https://api.example.com').execute(workflowId));
    expect(error).toMatchObject({ kind: 'network', requestSent: false });
    expect(error.message).toContain('Proxy response (403)');
    await dispatcher.destroy();
    proxy.close();
  });

  test('at every address of a host reports that no request was sent', async () => {
    const lookup = (_: string, __: object, found: (error: null, all: object[]) => void) =>
      found(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
    const { port } = new URL(await deadAddress());
    const dispatcher = new Agent({ connect: { lookup: lookup as never, autoSelectFamily: true } });
    const error = await errorOf(over(dispatcher, `http://two.example:${port}`).execute(workflowId));
    expect(error).toMatchObject({ kind: 'network', requestSent: false });
    expect(error.message).toMatch(/ECONNREFUSED|EADDRNOTAVAIL/);
    await dispatcher.destroy();
  });
});

describe('the fetch of another library', () => {
  const started = JSON.stringify({ executionId, status: 'starting' });
  const answered = (more: object) => ({
    ok: true,
    status: 202,
    headers: new Headers(),
    text: async () => started,
    ...more,
  });
  test.each([
    ['whose body is a stream of Node', { body: Readable.from([started]) }],
    ['whose body can only be read as text', {}],
    ['that compresses', { body: Readable.from([]), headers: new Headers({ 'Content-Encoding': 'gzip' }) }],
  ])('%s starts an execution', async (_, more) => {
    const inits: FetchInit[] = [];
    const { client } = scripted([], {
      fetch: async (_, init) => {
        inits.push(init);
        return answered(more);
      },
    });
    expect(await client.execute(workflowId, { head: true })).toMatchObject({ executionId });
    expect(inits).toMatchObject([{ method: 'POST', body: '{"head":true}', headers: { 'x-api-key': apiKey } }]);
  });

  test('has the limit of maxResponseBytes too', async () => {
    const { client } = scripted([], { fetch: async () => answered({}), maxResponseBytes: 20 });
    expect((await errorOf(client.execute(workflowId))).message).toContain('larger than 20 bytes');
  });
});

describe('an error that a framework throws for its own purposes', () => {
  const thrown: [name: string, value: unknown][] = [
    ['a redirect of Next', Object.assign(new Error('NEXT_REDIRECT'), { digest: 'NEXT_REDIRECT;replace;/login;307;' })],
    [
      'a signal of Next that a page is dynamic',
      Object.assign(new Error('no-store'), { digest: 'DYNAMIC_SERVER_USAGE' }),
    ],
    [
      'a signal of React that it postpones',
      Object.assign(new Error('postponed'), { $$typeof: Symbol.for('react.postpone') }),
    ],
    ['a Response', Response.json({}, { status: 302, headers: { Location: '/login' } })],
    ['a redirect of SvelteKit', { status: 302, location: '/login' }],
    ['a promise that React waits for', Promise.resolve()],
  ];
  test.each(thrown)('%s passes through once, from fetch and from apiKey()', async (_, value) => {
    let throws = 0;
    const fail = () => {
      throws += 1;
      throw value;
    };
    for (const options of [{ fetch: fail }, { apiKey: fail }]) {
      const { client } = scripted([], options);
      for (const call of [
        () => client.getExecution(executionId),
        () => client.waitFor(executionId),
        () => client.execute(workflowId),
        () => client.downloadFiles(executionId).next(),
      ]) {
        throws = 0;
        const [reason] = await Promise.all([
          call().then(
            () => undefined,
            (error: unknown) => [error],
          ),
        ]);
        expect(reason?.[0]).toBe(value);
        expect(throws).toBe(1);
      }
    }
  });
});

describe('no answer comes from a cache', () => {
  const file = { id: executionId, fileName: 'a', filePath: 'a', fileSize: 1, downloadUrl: 'https://files.example/a' };
  const calls: [name: string, call: (client: WorkflowClient) => PromiseLike<unknown>][] = [
    ...operationIds.map((id): [string, (client: WorkflowClient) => Promise<unknown>] => [
      id,
      (client) => callOf(client, id).catch((error: unknown) => error),
    ]),
    ['a wait', (client) => client.waitFor(executionId)],
    ['a download', (client) => client.downloadFiles(executionId, { atLeast: 1 }).next()],
    ['raw', (c) => c.raw.GET('/agents/v2/executions/{executionId}', { params: { path: { executionId } } })],
  ];
  const seen = async (call: (client: WorkflowClient) => PromiseLike<unknown>) => {
    const inits: FetchInit[] = [];
    const body = { id: executionId, executionId, status: 'completed', directories: { downloads: [file] } };
    const fetch = async (_: unknown, init: FetchInit) => {
      inits.push(init);
      return json(body);
    };
    await call(createWorkflowClient({ baseUrl: 'https://api.example.com', apiKey, fetch }));
    expect(inits.length).toBeGreaterThan(0);
    return inits;
  };

  test.each(calls)('of %s', async (_, call) => {
    for (const init of await seen(call)) expect(init.cache).toBe('no-store');
  });

  test.each(calls)('and a runtime that refuses the option does not receive it: %s', async (_, call) => {
    vi.stubGlobal(
      'Request',
      class extends Request {
        constructor(input: string | URL | Request, init?: RequestInit) {
          if (init && 'cache' in init)
            throw new Error("The 'cache' field on 'RequestInitializerDict' is not implemented.");
          super(input, init);
        }
      },
    );
    for (const init of await seen(call)) expect(init).not.toHaveProperty('cache');
  });
});

test.each<[missing: string[], fetch: typeof fetch | undefined, said: string]>([
  [['Headers', 'fetch', 'Request'], undefined, 'there is no Headers, no fetch here'],
  [['fetch'], undefined, 'there is no fetch here'],
  [['Headers'], fetch, 'there is no Headers here'],
])('when %s is missing, one sentence reports it and the way out', (missing, given, said) => {
  for (const name of missing) vi.stubGlobal(name, undefined);
  for (const name of missing) Reflect.deleteProperty(globalThis, name);
  const make = () => createWorkflowClient({ baseUrl: 'https://api.example.com', apiKey, fetch: given });
  expect(make).toThrow(expect.objectContaining({ kind: 'configuration', name: 'WorkflowError' }));
  expect(make).toThrow(
    `createWorkflowClient: ${said}, as under jsdom: use Node as the test environment, or define it first.`,
  );
});

test('when only fetch is missing and the caller passes one, the client works', async () => {
  vi.stubGlobal('Request', undefined);
  const given = async () => execution('running');
  const client = createWorkflowClient({ baseUrl: 'https://api.example.com', apiKey, fetch: given });
  expect((await client.getExecution(executionId)).status).toBe('running');
});
