import { expect, test } from 'vitest';
import type { WireRequest } from '../../conformance/engine/http/transport.js';
import { allExecutions } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';
import { keys } from '../../reference/fixtures.js';
import { usualRun, usualTarget } from '../support/usual-run.js';

/** A service that goes wrong once all scenarios are over. */
const wrongAtLast = async (rule: string, change: (request: WireRequest) => Partial<WireRequest>) => {
  let isWrong = false;
  const { rules } = await checkInProcess(
    {},
    { target: usualTarget({ budget: { executions: allExecutions } }), selected: ({ id }) => id === rule },
    (service) => (request) => {
      isWrong ||= ['full-again', 'sweep'].includes(request.mark.scenario);
      return service(isWrong ? { ...request, ...change(request) } : request);
    },
  );
  return rules;
};

test.each<[string, string, (request: WireRequest) => Partial<WireRequest>]>([
  [
    'takes callers without a key',
    'missing-key-is-401',
    ({ headers }) => ({ headers: { 'X-Api-Key': keys.full, 'X-Service-Agents-Api-Key': keys.full, ...headers } }),
  ],
  [
    'ignores what is wrong in an update',
    'profile-description-length',
    ({ method }) => (method === 'PATCH' ? { body: '{}' } : {}),
  ],
  [
    'stores another description than an update sets',
    'update-applies',
    ({ body }) => (body === undefined ? {} : { body: body.replace('A copy', 'a copy') }),
  ],
  [
    'no longer keeps the limit of a group',
    'over-capacity-is-rejected',
    ({ body }) => (body === undefined ? {} : { body: body.replace(/"profileGroupId":"[^"]+",?/, '') }),
  ],
])('a service that at last %s breaks %s', async (_, rule, change) => {
  expect(await wrongAtLast(rule, change)).toMatchObject([{ id: rule, verdict: 'violated' }]);
});

test('a conformant service is sent at most two requests more of each operation, and fills a group once more', async () => {
  const { evidence } = await usualRun({ budget: { executions: allExecutions } });
  const names = evidence.exchanges.map(({ mark }) => `${mark?.scenario}/${mark?.step}`);
  const afterSweep = names.slice(names.indexOf('sweep/unknown')).filter((name) => !/^sweep|tidied/.test(name));
  expect(afterSweep).toHaveLength(14);
  expect(names).toContain('full-again/over-waited-for');
});
