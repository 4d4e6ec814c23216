/** What certify says speaks of the caller: there is no recording, and all that it did is known. */
import { expect, test } from 'vitest';
import { type Caller, play, Stopped } from '../../certify/play.js';
import { scripts } from '../../certify/scripts.js';
import { verdictsOf } from '../../certify/verdict.js';
import type { CallerRuleId } from '../../generated/rules.js';

const json = { 'Content-Type': 'application/json' };
const starts: Caller = ({ BASE_URL, WORKFLOW_API_KEY, WORKFLOW_ID, CERTIFY_JOB, CERTIFY_REQUEST }) =>
  fetch(`${BASE_URL}/agents/v2/workflows/${WORKFLOW_ID}/execute${CERTIFY_JOB === 'sync' ? '/sync' : ''}`, {
    method: 'POST',
    headers: { 'X-Api-Key': WORKFLOW_API_KEY, ...json },
    body: CERTIFY_REQUEST,
  });

test.each<[string, string, Caller, CallerRuleId, string]>([
  [
    'gives up after a gateway timeout',
    'gateway-timeout',
    starts,
    'caller-looks-up-after-gateway-timeout',
    'gateway-timeout: executeSync (request 1, POST /agents/v2/workflows/f0000001-0000-4000-8000-000000000000/execute/sync): The caller neither looked the execution up nor started it again.',
  ],
  [
    'is stopped after a gateway timeout',
    'gateway-timeout',
    async (given) => {
      await starts(given, AbortSignal.abort());
      throw new Stopped('it was stopped.');
    },
    'caller-looks-up-after-gateway-timeout',
    'gateway-timeout: executeSync (request 1, POST /agents/v2/workflows/f0000001-0000-4000-8000-000000000000/execute/sync): The caller was stopped before it ended: it might have looked the execution up later.',
  ],
  [
    'starts in another way than its job requires',
    'gateway-timeout',
    (given) => starts({ ...given, CERTIFY_JOB: 'async' }, AbortSignal.abort()),
    'caller-looks-up-after-gateway-timeout',
    'gateway-timeout: CERTIFY_JOB was sync, and the command called execute.',
  ],
  [
    'has another body',
    'variant-mode',
    (given) => starts({ ...given, CERTIFY_REQUEST: '{"inputs":{}}' }, AbortSignal.abort()),
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
