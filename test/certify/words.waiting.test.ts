/** What certify says speaks of the caller: there is no recording, and all that it did is known. */
import { expect, test } from 'vitest';
import { type Caller, play, Stopped } from '../../certify/play.js';
import { scripts } from '../../certify/scripts.js';
import { verdictsOf } from '../../certify/verdict.js';
import type { CallerRuleId } from '../../generated/rules.js';

const json = { 'Content-Type': 'application/json' };
const startWith =
  (headers: (key: string) => Record<string, string>): Caller =>
  ({ BASE_URL, WORKFLOW_API_KEY, WORKFLOW_ID, CERTIFY_JOB, CERTIFY_REQUEST }) =>
    fetch(`${BASE_URL}/agents/v2/workflows/${WORKFLOW_ID}/execute${CERTIFY_JOB === 'sync' ? '/sync' : ''}`, {
      method: 'POST',
      headers: { ...headers(WORKFLOW_API_KEY), ...json },
      body: CERTIFY_REQUEST,
    });
const shown = (key: string) => ({ 'X-Api-Key': key });

test.each<[string, string, Caller, CallerRuleId, string]>([
  [
    'gives up after a gateway timeout',
    'gateway-timeout',
    startWith(shown),
    'caller-looks-up-after-gateway-timeout',
    'gateway-timeout: executeSync (request 1, POST /agents/v2/workflows/f0000001-0000-4000-8000-000000000000/execute/sync): The caller neither looked the execution up nor started it again.',
  ],
  [
    'is stopped after a gateway timeout',
    'gateway-timeout',
    async (given) => {
      await startWith(shown)(given, AbortSignal.abort());
      throw new Stopped('it was stopped.');
    },
    'caller-looks-up-after-gateway-timeout',
    'gateway-timeout: executeSync (request 1, POST /agents/v2/workflows/f0000001-0000-4000-8000-000000000000/execute/sync): The caller was stopped before it ended: it might have looked the execution up later.',
  ],
  [
    'sends its key in the wrong header',
    'asynchronous',
    startWith((key) => ({ 'X-Service-Agents-Api-Key': key })),
    'caller-sends-shown-header',
    'asynchronous: execute (request 1, POST /agents/v2/workflows/f0000001-0000-4000-8000-000000000000/execute): expected: the key in X-Api-Key; actual: the key in X-Service-Agents-Api-Key',
  ],
  [
    'sends its key as a bearer token',
    'asynchronous',
    startWith((key) => ({ Authorization: `Bearer ${key}` })),
    'caller-sends-a-key',
    'asynchronous: execute (request 1, POST /agents/v2/workflows/f0000001-0000-4000-8000-000000000000/execute): expected: a key in X-Api-Key; actual: no key but in Authorization',
  ],
  [
    'starts in another way than its job requires',
    'gateway-timeout',
    (given) => startWith(shown)({ ...given, CERTIFY_JOB: 'async' }, AbortSignal.abort()),
    'caller-looks-up-after-gateway-timeout',
    'gateway-timeout: CERTIFY_JOB was sync, and the command called execute.',
  ],
  [
    'has another body',
    'variant-mode',
    (given) => startWith(shown)({ ...given, CERTIFY_REQUEST: '{"inputs":{}}' }, AbortSignal.abort()),
    'caller-gives-variant-key',
    'variant-mode: the command has a body of its own for its starts, whatever CERTIFY_REQUEST is.',
  ],
  [
    'sends no request',
    'queued',
    async () => {},
    'caller-follows-by-polling',
    'queued: no request of the command shows it. A good caller: reads on: a queued execution starts by itself.',
  ],
  [
    'sends the same wrong request twice',
    'profile',
    async (given) => {
      const patch = () =>
        fetch(`${given.BASE_URL}/agents/v2/agent-profiles/${given.PROFILE_ID}`, {
          ...{
            method: 'PATCH',
            headers: { 'X-Service-Agents-Api-Key': given.WORKFLOW_API_KEY, ...json },
            body: '{"name":""}',
          },
        });
      await patch();
      await patch();
    },
    'caller-stays-within-limits',
    'profile: updateProfile (request 1, PATCH /agents/v2/agent-profiles/b0000001-0000-4000-8000-000000000000; and 1 more): expected: a request of updateProfile that matches its schema; actual: /name is "", shorter than 1',
  ],
])('the reason is named for a caller that %s', async (_, id, caller, rule, why) => {
  const played = await play(scripts.filter((one) => one.id === id)[0] ?? expect.fail(), caller);
  expect(verdictsOf([played]).find((one) => one.id === rule)?.why).toEqual([why]);
});

test('a caller that reads on after the end is stopped, and breaks a rule', async () => {
  const [script = expect.fail()] = scripts.filter(({ id }) => id === 'fails');
  let turns = 0;
  const played = await play(
    script,
    async (given, signal) => {
      await startWith(shown)(given, signal);
      for (; !signal.aborted && turns < 2000; turns += 1)
        await fetch(`${given.BASE_URL}/agents/v2/executions/${given.CERTIFY_EXECUTION_ID}`, {
          headers: { 'X-Service-Agents-Api-Key': given.WORKFLOW_API_KEY },
        });
      throw new Stopped('it reads on.');
    },
    20,
  );
  expect(turns).toBeLessThan(2000);
  expect(verdictsOf([played]).find(({ id }) => id === 'caller-polls-to-the-end')).toMatchObject({
    verdict: 'violated',
    why: [expect.stringContaining('no reading again and again after its end')],
  });
});
