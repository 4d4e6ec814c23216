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
    'gateway-timeout: The caller neither looked the execution up nor started it again.',
  ],
  [
    'is stopped after a gateway timeout',
    'gateway-timeout',
    async (given) => {
      await startWith(shown)(given);
      throw new Stopped('it was stopped.');
    },
    'caller-looks-up-after-gateway-timeout',
    'gateway-timeout: The caller was stopped before it ended: it might have looked the execution up later.',
  ],
  [
    'sends its key in the one header that it knows',
    'asynchronous',
    startWith((key) => ({ 'X-Service-Agents-Api-Key': key })),
    'caller-sends-shown-header',
    'asynchronous: expected: the key in X-Api-Key; actual: the key in X-Service-Agents-Api-Key',
  ],
  [
    'sends its key as a bearer token',
    'asynchronous',
    startWith((key) => ({ Authorization: `Bearer ${key}` })),
    'caller-sends-a-key',
    'asynchronous: expected: a key in X-Api-Key; actual: no key but in Authorization',
  ],
])('of a caller that %s it is told', async (_, id, caller, rule, why) => {
  const played = await play(scripts.filter((one) => one.id === id)[0] ?? expect.fail(), caller);
  expect(verdictsOf([played]).find((one) => one.id === rule)?.why).toEqual([why]);
});
