import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type Front, startFront } from '../../../../conformance/engine/proxy/live.js';
import { ownAnswerHeader, type PassedExchange } from '../../../../conformance/engine/proxy/passing.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service that answers what is asked, piece by piece: `answer` is told all that came, and gives what is sent next. */
async function upstream(answer: (asked: string) => string | undefined): Promise<number> {
  const server = createServer((socket) => {
    let asked = '';
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      asked += piece.toString('latin1');
      const next = answer(asked);
      if (next !== undefined) socket.write(next, 'latin1');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function proxied(port: number): Promise<Front & { port: number; passed: PassedExchange[] }> {
  const passed: PassedExchange[] = [];
  const front = await startFront({ upstream: `http://127.0.0.1:${port}`, passed: (one) => passed.push(one) });
  closing.push(() => front.close(0));
  return { ...front, port: Number(new URL(front.url).port), passed };
}

/** What comes back, until it ends as is wanted. The next piece is sent when something came, or at once. */
const say = (port: number, pieces: readonly string[], isOver: (told: string) => boolean): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const rest = [...pieces];
    let told = '';
    const over = () => {
      socket.destroy();
      resolve(told);
    };
    socket.on('error', over).on('close', over);
    socket.on('data', (piece) => {
      told += piece.toString('latin1');
      const next = rest.shift();
      if (next !== undefined) socket.write(next, 'latin1');
      else if (isOver(told)) over();
    });
    socket.write(rest.shift() ?? '', 'latin1');
  });

const path = '/agents/v2/executions/1';
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const isOk = (told: string) => told.endsWith('\r\n\r\nok');
const head = (asked: string) => asked.includes('\r\n\r\n');

test('interim responses pass in their order', async () => {
  const early =
    'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nX-A: gr\u00f6\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n';
  const front = await proxied(await upstream((asked) => (head(asked) ? early + ok : undefined)));
  expect(await say(front.port, [`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`], isOk)).toBe(early + ok);
  expect(front.passed).toMatchObject([{ response: { status: 200 } }]);
  expect(await say(front.port, [`GET ${path} HTTP/1.0\r\n\r\n`], isOk)).toBe(ok);
});

describe('a caller that waits for 100 Continue before its body', () => {
  const question = `POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`;

  test('gets it when the service sends it', async () => {
    let whole = '';
    const port = await upstream((asked) => {
      whole = asked;
      if (asked.endsWith('abc')) return ok;
      return head(asked) ? 'HTTP/1.1 100 Continue\r\n\r\n' : undefined;
    });
    const told = await say((await proxied(port)).port, [question, 'abc'], isOk);
    expect(told).toBe(`HTTP/1.1 100 Continue\r\n\r\n${ok}`);
    expect(whole).toMatch(/expect: 100-continue/i);
  });

  test('may send its next request on the same connection', async () => {
    const port = await upstream((asked) => {
      if (asked.endsWith('abc') || asked.endsWith('\r\n\r\nnext')) return ok;
      return head(asked) ? 'HTTP/1.1 100 Continue\r\n\r\n' : undefined;
    });
    const next = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nnext`;
    const told = await say((await proxied(port)).port, [question, 'abc', next], (all) => all.split(ok).length === 3);
    expect(told).toBe(`HTTP/1.1 100 Continue\r\n\r\n${ok}${ok}`);
  });

  test('gets a refusal of the service without it', async () => {
    const refusal = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nok';
    const port = await upstream((asked) => (head(asked) ? refusal : undefined));
    expect(await say((await proxied(port)).port, [question], isOk)).toBe(refusal);
  });
});

test.each([
  ['answered', ok],
  ['aborted', undefined],
])(
  'a request that was %s before it was complete is not judged by the part of its body that arrived',
  async (_, answer) => {
    const port = await upstream((asked) => (asked.endsWith('{"a":') ? answer : undefined));
    const front = await proxied(port);
    const question = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 300\r\n\r\n{"a":`;
    if (answer === undefined) connect(front.port, '127.0.0.1').end(question);
    else await say(front.port, [question], isOk);
    await expect.poll(() => front.passed.length, { timeout: 60_000 }).toBe(1);
    expect(front.passed[0]?.request.body).toBeUndefined();
  },
);

test('headers pass before the body does', async () => {
  const port = await upstream((asked) => (head(asked) ? 'HTTP/1.1 102 Processing\r\n\r\n' : undefined));
  const front = await proxied(port);
  const question = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n`;
  expect(await say(front.port, [question], head)).toBe('HTTP/1.1 102 Processing\r\n\r\n');
});

/** That the proxy would have refused, were it a server. */
test.each([
  ['an unknown expectation', 'GET', 'Host: a\r\nExpect: something\r\n'],
  ['no host', 'GET', 'X-A: b\r\n'],
])('a request with %s is passed on, for the service to refuse', async (_, method, headers) => {
  const port = await upstream((asked) => (head(asked) ? ok : undefined));
  const front = await proxied(port);
  expect(await say(front.port, [`${method} ${path} HTTP/1.1\r\n${headers}\r\n`], isOk)).toBe(ok);
});

test('a request without a body stays one without a length, unless it might have a body', async () => {
  let seen = '';
  const front = await proxied(
    await upstream((asked) => {
      seen = asked;
      return head(asked) ? ok : undefined;
    }),
  );
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'POST', 'PATCH']) {
    await say(front.port, [`${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`], isOk);
    expect(seen.includes('Content-Length: 0'), method).toBe(method.startsWith('P'));
    expect(seen).not.toMatch(/transfer-encoding/i);
  }
});

test.each([
  ['a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', 501, 'no-tunnel'],
  ['endless headers', `GET ${path} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(300_000)}\r\n\r\n`, 431, 'too-large'],
  ['bytes that are not HTTP', '\u0016\u0003\u0001\r\n\r\n', 400, 'not-http'],
])('%s is refused by the proxy in its own name', async (_, question, status, reason) => {
  const front = await proxied(await upstream(() => ok));
  const told = await say(front.port, [question], () => false);
  expect(told).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\w ]+\\r\\n${ownAnswerHeader}: ${reason}\\r\\n`));
  expect(front.passed).toEqual([]);
});

test.each([
  ['a reason with control characters', 'HTTP/1.1 200 O\u0001K'],
  ['a status below 100', 'HTTP/1.1 099 OK'],
  ['no status', 'HTTP/1.1 000 OK'],
])('an answer with %s is a 502, and the proxy continues', async (_, line) => {
  const lines = [line, 'HTTP/1.1 200 OK'];
  const port = await upstream((asked) =>
    head(asked) ? ok.replace('HTTP/1.1 200 OK', lines.shift() ?? '') : undefined,
  );
  const front = await proxied(port);
  const question = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const told = await say(front.port, [question], () => false);
  expect(told).toMatch(/^HTTP\/1.1 502 Bad Gateway\r\n.*"The answer is not HTTP."\}$/s);
  expect(front.passed).toMatchObject([{ failure: { kind: 'broken' } }]);
  expect(await say(front.port, [question], isOk)).toBe(ok);
});

test('a caller with HTTP/1.0 gets no chunks', async () => {
  const chunked =
    'HTTP/1.1 200 OK\r\nX-A: b\r\nTransfer-Encoding: chunked\r\nTrailer: X-B\r\n\r\n2\r\nok\r\n0\r\nX-B: c\r\n\r\n';
  const front = await proxied(await upstream((asked) => (head(asked) ? chunked : undefined)));
  const told = await say(front.port, [`GET ${path} HTTP/1.0\r\n\r\n`], () => false);
  expect(told).toBe('HTTP/1.1 200 OK\r\nX-A: b\r\n\r\nok');
});

test('a request on a connection that the answer closes does not reach the service', async () => {
  const connections: string[] = [];
  const server = createServer((socket) => {
    const own = connections.push('') - 1;
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      connections[own] += piece.toString('latin1');
      socket.end(ok.replace('\r\n', '\r\nConnection: close\r\n'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const front = await proxied((server.address() as AddressInfo).port);
  const ask = (number: number) => `POST ${path}${number} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
  const told = await say(front.port, [ask(1) + ask(2)], () => false);
  expect(told.match(/^HTTP/gm)).toHaveLength(1);
  await expect.poll(() => front.passed.length, { timeout: 60_000 }).toBe(2);
  expect(connections.join('')).not.toContain(`${path}2`);
});

test.each([
  ['http://b.example/a?c', '/a?c'],
  ['http://b.example?c', '/?c'],
  ['http://b.example', '/'],
])('%s is requested by its path', async (url, want) => {
  let seen = '';
  const port = await upstream((asked) => {
    seen = asked;
    return head(asked) ? ok : undefined;
  });
  await say((await proxied(port)).port, [`GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`], isOk);
  expect(seen.split(' ')[1]).toBe(want);
});

test('an answer with endless headers is a 502 that reports them', async () => {
  const port = await upstream((asked) =>
    head(asked) ? ok.replace('Content', `X: ${'x'.repeat(300_000)}\r\nContent`) : undefined,
  );
  const told = await say((await proxied(port)).port, [`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`], () => false);
  expect(told).toMatch(/^HTTP\/1.1 502 .*"The headers of the answer are larger than 256 KB."\}$/s);
});
