import { expect, test } from 'vitest';
import { TransportError } from '../../conformance/engine/http/transport.js';
import { accepted } from '../../conformance/engine/outcome/read.js';
import { checkInProcess } from '../../proof/in-process.js';
import { createReference } from '../../reference/index.js';
import { judging, profileAlone, unjudged } from '../support/interrupted.js';
import { usualRun, usualTarget } from '../support/usual-run.js';

test('a synchronous start that was open when the run was stopped is listed as possibly still running', async () => {
  const stop = new AbortController();
  const { fixtures: target } = createReference();
  const run = await checkInProcess(
    {},
    { ...judging('sync-default-timeout'), signal: stop.signal },
    (service) => (request) => {
      if (request.mark.step !== 'sync-default') return service(request);
      return new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(new TransportError('stopped', 'The run was stopped.')));
        stop.abort();
      });
    },
  );
  expect(run.leftBehind).toContainEqual({
    kind: 'execution',
    id: `unknown, of workflow ${target.workflows.slow}`,
    note: 'may have been started by a request that was not answered yet',
  });
});

test('the run makes no more copies than its budget allows, even if every wrong request creates one', async () => {
  const copies = 4;
  const { fixtures: target } = createReference();
  const headers = { 'content-type': 'application/json', 'x-service-agents-api-key': target.apiKeys.primary };
  const run = await checkInProcess(
    { faults: ['unknown-organizations-are-home'] },
    { ...unjudged, target: usualTarget({ ...profileAlone, budget: { copies } }) },
    (service) => (request) =>
      service(request.url.endsWith(`${target.profile}/duplicate`) ? { ...request, headers } : request),
  );
  const made = run.evidence.exchanges.filter((one) => one.operation === 'duplicateProfile' && accepted(one));
  expect(made.length).toBe(copies);
});

test('a run with a spent budget names the rules without evidence', async () => {
  const run = await usualRun({ allow: 'execute', budget: { executions: 3 } });
  expect(run.executionsStarted).toBeLessThanOrEqual(3);
  const left = run.rules.filter(({ why }) => why.includes('allow more than 3 executions (budget.executions)'));
  expect(left.length).toBeGreaterThan(10);
  expect(left.map(({ id }) => id)).toContain('over-capacity-is-rejected');
  expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
});
