import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { samples } from '../../generated/samples.js';
import { front } from '../../mock/front.js';
import { listen } from '../support/serve.js';

const document = JSON.parse(await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8'));
const { id } = samples.Execution.full;

function request(method: string, url: string, body: string[] = []): IncomingMessage {
  return Object.assign(Readable.from(body.map((text) => Buffer.from(text))), { method, url, headers: {} }) as never;
}

describe('without an answer from Prism', () => {
  it.each([
    ['that cannot be started', () => Promise.reject(new Error('no Prism')), 'no Prism'],
    ['that has died', () => Promise.resolve('http://127.0.0.1:1'), 'ECONNREFUSED'],
  ])('%s, a request gets a 500 in the error body of its operation', async (_, origin, why) => {
    const answer = front({ origin, stop: async () => {} }, document, '');
    const path = `/agents/v2/workflows/${id}/execute`;
    const { status, body } = await answer(request('POST', path, ['{}']));
    const message = expect.stringContaining(why);
    expect(status).toBe(500);
    expect(JSON.parse(String(body))).toMatchObject({ code: 500, message, detail: message, instance: path });
  });
});

describe('an answer of Prism that violates the contract', () => {
  const running = { ...document.components.examples['execution-running'].value, id };
  /** What a Prism that gives these bodies, one after another, makes the front answer to a reading. */
  async function read(...bodies: object[]) {
    let asked = 0;
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(bodies[Math.min(asked, bodies.length - 1)]));
      asked += 1;
    });
    const url = await listen(server);
    const origin = async () => url;
    const answer = front({ origin, stop: async () => {} }, document, '');
    const { status, headers, body } = await answer(request('GET', `/agents/v2/executions/${id}`));
    server.close();
    return { status, note: headers['mock-answer'], body: JSON.parse(String(body)), asked };
  }

  it('is requested again', async () => {
    const answer = await read({ ...running, duration: 1 }, { ...running, status: 'no word' }, running);
    expect(answer).toEqual({ status: 200, note: undefined, body: running, asked: 3 });
  });

  it('is replaced by an example of the status after 20 attempts, and a note reports that', async () => {
    const { value } = document.components.examples['execution-completed'];
    const note = 'the example completed, since 20 made-up answers broke the contract';
    expect(await read({ ...running, duration: 1 })).toEqual({ status: 200, note, body: value, asked: 20 });
  });
});

describe('an error of an operation:', () => {
  const answer = front({ origin: () => Promise.reject(new Error('not asked')), stop: async () => {} }, document, '/b');
  it.each([
    ['/b/agents/v2/workflows/%ZZ/execute', 'POST', 'code,message,detail,instance,status,type'],
    ['/b/agents/v2/workflows/%ZZ/execute/sync', 'POST', 'code,message,detail,instance,status,type'],
    ['/b/agents/v2/executions/%ZZ', 'GET', 'code,message'],
    ['/b/agents/v2/executions/%ZZ/files', 'GET', 'code,message'],
    ['/b/agents/v2/agent-profiles/%ZZ', 'PATCH', 'code,message'],
    ['/b/elsewhere', 'GET', 'code,message'],
    ['/agents/v2/executions/a', 'GET', 'code,message'],
    ['*', 'OPTIONS', 'code,message'],
  ])('%s %s has the body with %s', async (path, method, fields) => {
    const { body } = await answer(request(method, path));
    expect(Object.keys(JSON.parse(String(body))).join()).toBe(fields);
  });
});
