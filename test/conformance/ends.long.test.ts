import { describe, expect, test } from 'vitest';
import { type Transport, TransportError, type WireResponse } from '../../conformance/engine/http/transport.js';
import { conclude } from '../../conformance/engine/rule/verdicts.js';
import type { ReferenceOptions } from '../../deviations/index.js';
import type { ExecutionStatus } from '../../generated/types.js';
import { workflowIds } from '../../reference/fixtures.js';
import type { ScenarioName } from '../../reference/scenarios.js';
import { profileAlone, stage } from '../support/interrupted.js';

const answering = (status: number, headers: Record<string, string> = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  bytes: new TextEncoder().encode(JSON.stringify({ code: status, message: 'no' })),
});

const patienceSeconds = 20;
const pace = { requestsPerSecond: 50, concurrency: 8, patienceSeconds, latencyGraceMs: 200 };

/** How long a run took, in seconds, and what came of it. */
async function ending(
  between: (service: Transport) => Transport,
  declared: Record<string, unknown> = {},
  maxTimeMs?: number,
  options: ReferenceOptions = {},
) {
  const { run, clock, close } = stage(options, { pace, ...declared }, between);
  const from = clock.now();
  const outcome = await run(undefined, maxTimeMs === undefined ? {} : { maxTimeMs });
  await close();
  if (!outcome) throw new Error('The run did not end.');
  return { seconds: (clock.now() - from) / 1000, run: outcome, ...conclude(outcome, { today: '2026-01-01' }) };
}

const hasBegun = ({ mark }: { mark: { scenario: string } }) => mark.scenario !== 'preflight';

describe('a run ends', () => {
  test('within two times the patience if executions make no progress', async () => {
    const stuck =
      (service: Transport): Transport =>
      async (request) => {
        const answer = await service(request);
        if (answer.status !== 200 || request.mark.step !== 'read') return answer;
        const { terminalAt, executionResult, duration, ...execution } = JSON.parse(
          new TextDecoder().decode(answer.bytes),
        );
        return { ...answer, bytes: new TextEncoder().encode(JSON.stringify({ ...execution, status: 'running' })) };
      };
    const { seconds, rules } = await ending(stuck);
    // And a quarter of a minute, for which the first run goes alone.
    expect(seconds).toBeLessThan(2 * patienceSeconds + 15);
    expect(rules.find(({ id }) => id === 'execution-progresses')).toMatchObject({
      verdict: 'inconclusive',
      why: expect.stringMatching(/still running after \d+ s.*to wait longer, declare/),
    });
  });

  /** The workflow never gets further than that, and the target file says nothing of patience. */
  const standing = (role: ScenarioName | undefined, ...statuses: ExecutionStatus[]): ReferenceOptions => ({
    faults: [
      {
        id: 'standing',
        behaviour: (base) => ({
          stepsOf: (run) =>
            role === undefined || run.workflow.id === workflowIds[role]
              ? statuses.map((status, place) => ({ status, ...(place < statuses.length - 1 && { ms: 20 }) }))
              : base.stepsOf(run),
        }),
      },
    ],
  });
  const unmeasuredSeconds = 600;

  test.each(['running', 'paused'] as const)(
    'after two times the patience and a healthy run if all stay %s',
    async (status) => {
      const ended = (options: ReferenceOptions) =>
        ending(
          (service) => service,
          { pace: { ...pace, requestsPerSecond: 400, patienceSeconds: 8 } },
          undefined,
          options,
        );
      const { seconds } = await ended({});
      expect((await ended(standing(undefined, 'starting', status))).seconds).toBeLessThan(2 * 8 + seconds);
    },
  );

  test.each([
    ['completes', 'starting'],
    ['slow', 'starting'],
    ['holds', 'starting'],
    ['pauses', 'starting'],
  ] as const)('within two times the patience if %s stays %s', async (role, status) => {
    const { run, clock, close } = stage(standing(role, status), {
      pace: { requestsPerSecond: 50, concurrency: 8 },
      budget: { executions: 60 },
    });
    const from = clock.now();
    const outcome = await run();
    await close();
    expect((clock.now() - from) / 1000).toBeLessThan(2 * unmeasuredSeconds);
    if (!outcome) throw new Error('The run did not end.');
    expect(conclude(outcome, { today: '2026-01-01' })).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
    expect(outcome.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    expect(outcome.rules.find(({ id }) => id === 'execution-progresses')?.verdict).toBe('inconclusive');
  });

  test('without repeating a start that is refused because the workflow does not exist', async () => {
    const nobody = '00000000-0000-4000-8000-0000000000ff';
    const { run } = await ending((service) => service, { workflows: { completes: nobody, fails: nobody } });
    const starts = run.evidence.exchanges.filter(({ resource, mark }) => resource === nobody && mark !== undefined);
    const steps = starts.map(({ mark }) => `${mark?.scenario}/${mark?.step}`);
    expect(steps.length).toBeGreaterThan(20);
    // Once more at most with plainer inputs, and once under other names: these may be what was refused. Only the first may have
    // met an instance that finds nothing, and is asked again for that. There are two passes.
    const often = steps.filter((step) => steps.filter((other) => other === step).length > 2 * 3);
    expect(new Set(often).size).toBeLessThan(2);
    expect(run.remarks).toContain(
      `workflows.fails of the target file (${nobody}) does not exist on the target: it was answered 404 each time.`,
    );
  });

  test('with inconclusive rules that name an id of the target file that does not exist', async () => {
    const nobody = '00000000-0000-4000-8000-0000000000ff';
    const { run, close } = stage({}, { profile: nobody, pace });
    const { rules } = (await run()) ?? {};
    expect(rules?.find(({ id }) => id === 'update-applies')).toMatchObject({
      verdict: 'inconclusive',
      why: 'To judge it, correct profile in the target file: the service has nothing with this id.',
    });
    await close();
  });

  test.each([
    [
      'answers no more',
      () => Promise.reject(new TransportError('timeout', 'No answer.')),
      patienceSeconds * 1000,
      'stopped answering',
    ],
    [
      'refuses connections',
      () => Promise.reject(new TransportError('unreachable', 'Nothing listens.')),
      0,
      'stopped answering',
    ],
    [
      'answers 429 with Retry-After: 0',
      () => Promise.resolve(answering(429, { 'retry-after': '0' })),
      20,
      'stopped answering',
    ],
    ['is down behind its gateway', () => Promise.resolve(answering(503)), 20, 'stopped answering'],
    ['refuses the key from then on', () => Promise.resolve(answering(401)), 20, 'The key was good before'],
    ['has a spent quota', () => Promise.resolve(answering(403)), 20, 'The key was good before'],
  ])('as unusable if the target %s', async (_, answer, delayMs, reason) => {
    let clockOf: { sleep(ms: number): Promise<void> } | undefined;
    const gone =
      (service: Transport): Transport =>
      async (request) => {
        if (!hasBegun(request)) return service(request);
        await clockOf?.sleep(Math.min(delayMs, request.timeoutMs));
        return answer();
      };
    const { run, clock, close } = stage({}, { pace }, gone);
    clockOf = clock;
    const from = clock.now();
    const outcome = await run();
    expect((clock.now() - from) / 1000).toBeLessThan(3 * patienceSeconds);
    expect(outcome?.preflight).toMatchObject({ usable: false, reason: expect.stringContaining(reason) });
    const violated = outcome?.rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
    expect(violated?.filter((id) => id !== 'no-server-errors')).toEqual([]);
    await close();
  });

  test('after its time limit, with a report of the results so far, and the profile restored', async () => {
    const { run, clock, profile, close } = stage({}, { ...profileAlone, pace });
    const before = await profile();
    const from = clock.now();
    const outcome = await run(undefined, { maxTimeMs: 600 });
    expect(clock.now() - from).toBeLessThan(2000);
    if (!outcome) throw new Error('The run did not end.');
    expect(conclude(outcome, { today: '2026-01-01' })).toMatchObject({
      verdict: 'incomplete',
      exitCode: 3,
      reason: 'The run was ended after 0.6 s (--max-time).',
    });
    expect(outcome.rules.some(({ verdict }) => verdict === 'passed')).toBe(true);
    expect(await profile()).toEqual(before);
    await close();
  });

  test('conformant a second time, although the first run deleted its pool', async () => {
    const { run, close } = stage();
    await run();
    const second = await run();
    const pool = second?.rules.filter(({ id }) => id === 'pool-is-deleted' || id === 'deleted-pool-is-gone') ?? [];
    for (const { verdict, why } of pool)
      expect({ verdict, why }).toEqual({
        verdict: 'untested',
        why: 'The pool does not exist (any more). To judge it, declare one that is created for each run.',
      });
    await close();
  });
});
