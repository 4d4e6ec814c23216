import { expect, test } from 'vitest';
import { answerBody } from '../../conformance/engine/outcome/read.js';
import { asText, instant } from '../../conformance/engine/rule/values.js';
import { controlSteps } from '../../conformance/suite/executions/control.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference } from '../../deviations/index.js';
import { lasting } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';

/** How many executions of a run were under way at once at most, by the service's own times. What waits in a queue is none. */
function mostAtOnce(run: Awaited<ReturnType<typeof checkInProcess>>): number {
  const spans = run.evidence.traces
    .filter(({ start }) => start && answerBody(start)?.status !== 'queued')
    .flatMap(({ readings }) => {
      const last = readings.map(answerBody).findLast((one) => one?.terminalAt !== undefined);
      const [from, to] = [last?.createdAt, last?.terminalAt].map((at) => instant(asText(at)));
      return from === undefined || to === undefined ? [] : [{ from, to }];
    });
  expect(spans.length).toBeGreaterThan(5);
  return Math.max(...spans.map(({ from }) => spans.filter((one) => one.from <= from && one.to > from).length));
}

const runWith = (places?: number) => {
  const { target } = createReference({ latencyMs: 5 } as Parameters<typeof createReference>[0]);
  const budget = { ...(places !== undefined && { places }) };
  return checkInProcess({ latencyMs: 5 }, { target: toTarget({ ...target, allow: 'execute', budget }) });
};

test('a run takes no more places than it may, beside what it queued and what begins by itself', async () => {
  const run = await runWith(1);
  expect(mostAtOnce(run)).toBeLessThanOrEqual(2);
  expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(run.rules.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(100);
});

test('and holds more where it may', async () => {
  expect(mostAtOnce(await runWith())).toBeGreaterThan(3);
});

/** Runs of two minutes, of which the target file says so. */
const slowRunWith = (places: number, executions: number) => {
  const service = { latencyMs: 5, faults: [lasting(2)], limits: { concurrency: 5 } };
  const { target } = createReference(service as Parameters<typeof createReference>[0]);
  const workflows = Object.fromEntries(
    Object.entries(target.workflows ?? {}).map(([role, id]) => [role, { id: String(id), takes: '2m' }]),
  );
  return checkInProcess(service, {
    target: toTarget({ ...target, allow: 'execute', workflows, budget: { places, executions } }),
  });
};

test('who fills a group alone waits for no place that others keep', async () => {
  const run = await slowRunWith(5, 20);
  expect(run.rules.filter(({ id }) => id === 'over-capacity-is-rejected')[0]?.verdict).toBe('passed');
  // Six runs in the group, one after the other, and what goes on around them.
  expect(run.durationMs).toBeLessThan(13 * 60_000);
  // All that wait look at what runs, each as if it were alone: ten times as often.
  const looks = run.evidence.exchanges.filter(({ mark }) => mark?.step === 'look-for-a-place');
  expect(looks.length / run.executionsStarted).toBeLessThan(50);
});

test('while a start waits for its place nothing is sent that is to be refused beside it', async () => {
  const run = await slowRunWith(1, 17 + controlSteps.filter(({ serves }) => serves.length > 1).length);
  const started = run.evidence.exchanges.filter(({ mark }) => mark?.step === 'over-waited-for');
  expect(started.map((one) => one.response?.status)).toEqual([429]);
  expect(run.executionsStarted).toBeGreaterThan(14);
  expect(mostAtOnce(run)).toBeLessThanOrEqual(2);
});
