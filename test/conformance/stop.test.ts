import { expect, test } from 'vitest';
import type { Run } from '../../conformance/check.js';
import { TransportError } from '../../conformance/engine/http/transport.js';
import { accepted, answerBody } from '../../conformance/engine/outcome/read.js';
import { checkInProcess } from '../../proof/in-process.js';
import { createReference } from '../../reference/index.js';
import { changedItself, judging, profileAlone, unjudged } from '../support/interrupted.js';
import { usualRun, usualTarget } from '../support/usual-run.js';

/** The profile as it was last answered at a step, or at one of its parts: `restore-description`. */
const settings = (run: Run, step: string) => {
  const seen = run.evidence.exchanges.findLast(
    (one) => one.mark?.journey === 'profile' && one.mark.step.startsWith(step) && accepted(one),
  );
  const { updatedAt, ...profile } = (seen && answerBody(seen)) ?? {};
  return profile;
};

test('a run that is stopped while it changes a profile puts the profile back', async () => {
  const stop = new AbortController();
  const target = usualTarget(changedItself);
  const run = await checkInProcess({}, { ...unjudged, signal: stop.signal, target }, (service) => async (request) => {
    const answered = await service(request);
    if (request.mark.step === 'many-added') stop.abort();
    return answered;
  });
  expect(stop.signal.aborted).toBe(true);
  expect(run.evidence.exchanges.filter(({ mark }) => mark?.journey === 'profile').length).toBeGreaterThan(2);
  expect(run.evidence.exchanges.some(({ mark }) => mark?.step === 'source-unchanged')).toBe(false);
  expect(settings(run, 'restore')).toEqual(settings(run, 'baseline'));
  expect(run.leftBehind.filter(({ kind }) => kind === 'profile settings')).toEqual([]);
});

test('a synchronous start that was under way when the run was stopped is listed as what may go on', async () => {
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

test('a full run leaves the profile as it was', async () => {
  const run = await usualRun(changedItself);
  expect(settings(run, 'restore')).toEqual(settings(run, 'baseline'));
});

test('what could not be put back is listed', async () => {
  const target = usualTarget(profileAlone);
  const run = await checkInProcess(
    {
      faults: [
        {
          id: 'test-only',
          says: 'keeps the description that it was given first',
          behaviour: (base) => ({
            presentProfile: (...args: Parameters<typeof base.presentProfile>) => ({
              ...base.presentProfile(...args),
              description: String(Math.random()),
            }),
          }),
        },
      ],
    },
    { ...unjudged, target },
  );
  expect(run.leftBehind).toContainEqual(
    expect.objectContaining({
      kind: 'profile settings',
      note: expect.stringMatching(/^could not be put back: description \(was "/),
    }),
  );
});

test('a run that may make too few copies says which rules that left without evidence', async () => {
  const run = await usualRun(changedItself);
  expect(run.leftBehind.filter(({ kind }) => kind === 'profile')).toEqual([]);
  const left = run.rules.filter(({ why }) => why.includes('allow more than 0 copies (budget.copies)'));
  expect(left.map(({ id }) => id)).toContain('duplicate-is-new');
  expect(run.rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
});

test('no more copies are made than may be, where whoever asks for one gets one', async () => {
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

test('a run whose budget is spent says which rules that left without evidence', async () => {
  const run = await usualRun({ allow: 'execute', budget: { executions: 3 } });
  expect(run.executionsStarted).toBeLessThanOrEqual(3);
  const left = run.rules.filter(({ why }) => why.includes('allow more than 3 executions (budget.executions)'));
  expect(left.length).toBeGreaterThan(10);
  const { why } = left.find(({ id }) => id === 'over-capacity-is-rejected') ?? { why: '' };
  expect(why).toMatch(/ Not started: capacity\/hold, capacity\/beside-room\.$/);
  expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
});

test('what puts a profile back after the key was refused for good is not held against the service', async () => {
  const run = await checkInProcess({
    speed: 0.3,
    gateway: (service, clock) => {
      const from = clock.now() + 1500;
      return async (request) =>
        clock.now() > from ? Response.json({ message: 'Unauthorized' }, { status: 401 }) : service(request);
    },
  });
  const last = run.evidence.exchanges.filter(({ mark }) => mark?.journey === 'put-back');
  expect(last.map((one) => [one.response?.status, one.mark?.excluded])).toContainEqual([401, true]);
  expect(run.preflight).toMatchObject({ usable: false });
  expect(run.rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id)).toEqual([]);
});
