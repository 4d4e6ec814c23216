/** What callers get is HTTP by the letter: a library that reads it strictly is not to be blamed for the stage. */
import { describe, expect, test } from 'vitest';
import { play } from '../../certify/play.js';
import type { Assignment, Script } from '../../certify/script.js';
import { scripts } from '../../certify/scripts.js';
import { askRaw, type RawAnswer, readAnswer } from '../support/raw-http.js';

const json = { 'Content-Type': 'application/json' };
const id = '00000000-0000-4000-8000-00000000ffff';

/** What the script asks of a caller, and what no caller should send. */
async function asked(given: Assignment): Promise<RawAnswer[]> {
  const keys = { 'X-Api-Key': given.WORKFLOW_API_KEY, 'X-Service-Agents-Api-Key': given.WORKFLOW_API_KEY };
  const ask = (method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = keys) =>
    askRaw(given.BASE_URL, method, `/agents/v2${path}`, { ...headers, ...(body !== undefined && json) }, body);
  const start = `/workflows/${given.WORKFLOW_ID}/execute${given.CERTIFY_JOB === 'sync' ? '/sync' : ''}`;
  const own = `/executions/${given.CERTIFY_EXECUTION_ID}`;
  const profile = `/agent-profiles/${given.PROFILE_ID}`;
  const inOrder: RawAnswer[] = [await ask('POST', start, given.CERTIFY_REQUEST)];
  for (let reading = 0; reading < 3; reading += 1) inOrder.push(await ask('GET', own));
  const others = [
    ask('GET', `${own}/files`),
    ask('PATCH', profile, '{"description":"Seen."}'),
    ask('POST', `${profile}/duplicate`),
    ask('DELETE', `/agent-profile-pools/${given.POOL_ID}`),
    ask('GET', `/executions/${id}`),
    ask('GET', own, undefined, {}),
    ask('POST', start, '{'),
    ask('HEAD', own),
    ask('OPTIONS', own),
    ask('PUT', own),
    ask('GET', '/elsewhere'),
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
    let answers: RawAnswer[] = [];
    await play(
      script,
      async (given) => {
        answers = await asked(given);
      },
      10,
    );
    expect(answers.flatMap(({ faults }, index) => faults.map((fault) => `${index}: ${fault}`))).toEqual([]);
    expect(answers.filter(({ isCut }) => isCut)).toHaveLength(loses(script) ? 1 : 0);
    for (const { headers, body, isCut } of answers)
      if (!isCut && body !== '') {
        expect(
          headers.filter(([name, value]) => /^content-type$/i.test(name) && value === 'application/json'),
        ).toHaveLength(1);
        expect(() => JSON.parse(body)).not.toThrow();
      }
  });
});

test.each([
  ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', []],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', []],
  ['HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ncontent-type: a/b\r\nContent-Length: 0\r\n\r\n', ['content-type twice']],
  ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}', ['more bytes than its length']],
  ['HTTP/1.1 200 OK\r\n\r\n{}', ['no length, or two']],
  ['HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', ['a length of 204']],
  ['HTTP/1.1 200 OK\r\nContent-Length 0\r\n\r\n', ['header "Content-Length 0"', 'no length, or two']],
])('the reader of these tests finds the faults of %j', (sent, faults) => {
  expect(readAnswer(Buffer.from(sent), 'GET').faults).toEqual(faults);
});
