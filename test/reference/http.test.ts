import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys, type Reference, startReference } from '../../reference/index.js';

let reference: Reference;
beforeAll(async () => {
  reference = await startReference();
});
afterAll(() => reference.close());

/** Sends bytes as they are, and gives all that comes back until the connection is closed. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(reference.url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return received;
}

/** Sends a body of that many bytes, as long as the service reads it. */
function upload(path: string, megabytes: number, announced: boolean): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(reference.url + path, {
      method: 'POST',
      headers: {
        'X-Api-Key': keys.full,
        'X-Service-Agents-Api-Key': keys.full,
        'Content-Type': 'application/json',
        ...(announced && { 'Content-Length': megabytes * 1_000_000 }),
      },
    });
    outgoing.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    // Writing goes on after the answer, until the service has had enough.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (!['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) reject(error);
    });
    const chunk = Buffer.alloc(1_000_000, 'x');
    let left = megabytes;
    const write = () => {
      while (left > 0 && !outgoing.destroyed) {
        left--;
        if (!outgoing.write(chunk)) return outgoing.once('drain', write);
      }
      return outgoing.end();
    };
    write();
  });
}

const executeSync = () => `/agents/v2/workflows/${reference.fixtures.workflows.completes}/execute/sync`;

describe('over a socket', () => {
  it.each([
    [true, 50, 413],
    [false, 50, 413],
    [true, 1, 400],
  ])('reads no more of a body than necessary (announced: %s, %i MB)', async (announced, megabytes, status) => {
    const answer = await upload(executeSync(), megabytes, announced);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ code: status, detail: expect.any(String) });
  });

  it('answers a large body with a status that the operation lists', async () => {
    const answer = await upload(`/agents/v2/agent-profiles/${reference.fixtures.profile}/duplicate`, 2, true);
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 400]);
  });

  it.each([
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['text that is not HTTP', 'hello\r\n\r\n', 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['TRACE', 'TRACE /agents/v2/executions/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
    ['a malformed host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['a backslash in the path', 'GET /a\\b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a whole URL as a path', 'GET http://x/agents HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['malformed encoding', 'GET /agents/v2/%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['a raw byte in the path', 'GET /agents/v2/\u00ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['endless headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('answers %s with an error body', async (_what, text, status) => {
    const [head = '', body = ''] = (await raw(text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/content-type: application\/json/i);
    expect(JSON.parse(body)).toMatchObject({ code: status, message: expect.stringMatching(/./) });
  });

  it('names the port that is in use, and the way out', async () => {
    const port = Number(new URL(reference.url).port);
    await expect(startReference({ port })).rejects.toMatchObject({
      message: `port ${port} is in use; choose another one, or 0 for any free port.`,
      exitCode: 2,
    });
  });

  it('answers open requests before it closes, and accepts no new ones', async () => {
    const other = await startReference();
    const ask = {
      method: 'POST',
      headers: { 'X-Api-Key': keys.full, 'Content-Type': 'application/json' },
      body: '{}',
    };
    const url = `${other.url}/agents/v2/workflows/${other.fixtures.workflows.slow}/execute`;
    // The connection of the first call stays open: it must not hold up the end.
    await (await fetch(url, ask)).text();
    const waiting = fetch(`${url}/sync`, ask);
    const list = `${other.url}/agents/v2/executions/${other.fixtures.execution}`;
    await (await fetch(list)).text();
    // Nor must those who have not said yet what they want.
    for (const begun of ['', 'POST /x HTTP/1.1\r\n', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'])
      connect(Number(new URL(other.url).port), '127.0.0.1')
        .on('error', () => {})
        .write(begun);
    await (await fetch(list)).text();
    const closed = other.close();
    // What waits for a run is told where it stands: the wait could take minutes.
    const answer = await waiting;
    expect([answer.status, await answer.json()]).toEqual([
      202,
      { executionId: expect.any(String), status: expect.stringMatching(/^(starting|running)$/) },
    ]);
    await closed;
    await expect(fetch(url, ask)).rejects.toThrow();
  });
});
