/** What callers get is HTTP by the letter: a library that reads it strictly is not to be blamed for the stage. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { play } from '../../certify/play.js';
import type { Assignment, Script } from '../../certify/script.js';
import { scripts } from '../../certify/scripts.js';
import { listen } from '../support/serve.js';

interface Answer {
  readonly types: readonly string[];
  readonly body: string;
  readonly faults: readonly string[];
  /** Whether the connection ended before the body was complete. */
  readonly isCut: boolean;
}

/** Sends a request on its own connection. Node reads an answer strictly: what it refuses and what it tolerates are faults. */
async function ask(url: string, method: string, headers = {}, body = ''): Promise<Answer> {
  const lost = { types: [], body: '', faults: [], isCut: true };
  const failed = ({ code = '' }: NodeJS.ErrnoException) =>
    code.startsWith('HPE_') ? { ...lost, faults: [code], isCut: false } : lost;
  try {
    const asking = request(url, { method, headers, agent: false });
    asking.end(body);
    const broken = once(asking, 'error').then(([error]) => failed(error));
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    const pieces = await Promise.race([answer.toArray(), broken]);
    if (!Array.isArray(pieces)) return pieces;
    const valuesOf = (wanted: string) =>
      answer.rawHeaders.filter((_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === wanted);
    const names = answer.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    const lengths = valuesOf('content-length').length + valuesOf('transfer-encoding').length;
    const isBodiless = method === 'HEAD' || answer.statusCode === 204;
    return {
      types: valuesOf('content-type'),
      body: Buffer.concat(pieces).toString(),
      faults: [
        ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} twice`),
        ...(answer.statusCode === 204 && lengths > 0 ? ['a length of 204'] : []),
        ...(!isBodiless && lengths !== 1 ? ['no length, or two'] : []),
      ],
      isCut: !answer.complete,
    };
  } catch (error) {
    return failed(error as NodeJS.ErrnoException);
  }
}

const json = { 'Content-Type': 'application/json' };
const id = '00000000-0000-4000-8000-00000000ffff';

/** What the script asks of a caller, and what no caller should send. */
async function asked(given: Assignment): Promise<Answer[]> {
  const keys = { 'X-Api-Key': given.WORKFLOW_API_KEY, 'X-Service-Agents-Api-Key': given.WORKFLOW_API_KEY };
  const send = (method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = keys) =>
    ask(`${given.BASE_URL}/agents/v2${path}`, method, { ...headers, ...(body !== undefined && json) }, body);
  const start = `/workflows/${given.WORKFLOW_ID}/execute${given.CERTIFY_JOB === 'sync' ? '/sync' : ''}`;
  const own = `/executions/${given.CERTIFY_EXECUTION_ID}`;
  const profile = `/agent-profiles/${given.PROFILE_ID}`;
  const inOrder: Answer[] = [await send('POST', start, given.CERTIFY_REQUEST)];
  for (let reading = 0; reading < 3; reading += 1) inOrder.push(await send('GET', own));
  const others = [
    send('GET', `${own}/files`),
    send('PATCH', profile, '{"description":"Seen."}'),
    send('POST', `${profile}/duplicate`),
    send('DELETE', `/agent-profile-pools/${given.POOL_ID}`),
    send('GET', `/executions/${id}`),
    send('GET', own, undefined, {}),
    send('POST', start, '{'),
    send('HEAD', own),
    send('OPTIONS', own),
    send('PUT', own),
    send('GET', '/elsewhere'),
  ];
  return [...inOrder, ...(await Promise.all(others))];
}

/** What is lost on purpose. */
const loses = ({ mishap }: Script): boolean =>
  [1, 2].some((nth) =>
    (['execute', 'executeSync', 'getExecution'] as const).some((operation) =>
      ['cut', 'break'].includes(mishap?.({ operation, nth })?.kind ?? ''),
    ),
  );

describe.concurrent('an answer to a caller', () => {
  test.each(scripts.map((script) => [script.id, script] as const))('is well formed: %s', async (_, script) => {
    let answers: Answer[] = [];
    await play(
      script,
      async (given) => {
        answers = await asked(given);
      },
      10,
    );
    expect(answers.flatMap(({ faults }, index) => faults.map((fault) => `${index}: ${fault}`))).toEqual([]);
    expect(answers.filter(({ isCut }) => isCut)).toHaveLength(loses(script) ? 1 : 0);
    for (const { types, body, isCut } of answers)
      if (!isCut && body !== '') {
        expect(types).toEqual(['application/json']);
        expect(() => JSON.parse(body)).not.toThrow();
      }
  });
});

test.each([
  ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', []],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', []],
  ['HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ncontent-type: a/b\r\nContent-Length: 0\r\n\r\n', ['content-type twice']],
  ['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n{}', [expect.stringMatching(/^HPE_/)]],
  ['HTTP/1.1 200 OK\r\n\r\n{}', ['no length, or two']],
  ['HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', ['a length of 204']],
  ['HTTP/1.1 200 OK\r\nContent-Length 0\r\n\r\n', [expect.stringMatching(/^HPE_/)]],
])('the reader of these tests finds the faults of %j', async (answer, faults) => {
  const server = createServer((socket) => socket.once('data', () => socket.end(answer)));
  expect(await ask(await listen(server), 'GET')).toMatchObject({ faults, isCut: false });
  server.close();
});
