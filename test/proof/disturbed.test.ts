import { expect, it } from 'vitest';
import { faults } from '../../deviations/index.js';
import { disturbedCases, rowsOf, sampleOf } from '../../proof/disturbed.js';

it('every part of the interface has a fault in the sample', () => {
  const partOf = (id: string) => faults.find((one) => one.id === id)?.breaks[0];
  const sample = sampleOf(faults);
  expect(sample.length).toBeGreaterThan(35);
  expect(sample.length).toBeLessThan(50);
  expect(new Set(sample.map(partOf)).size).toBeGreaterThan(30);
});

it('each fault is tried without and behind each disturbance, with each seed', () => {
  const cases = disturbedCases(['created-at-is-now'], 2);
  expect(cases).toHaveLength(10);
  expect(cases.slice(0, 3)).toEqual([
    { fault: 'created-at-is-now', seed: 1 },
    { fault: 'created-at-is-now', seed: 2 },
    { fault: 'created-at-is-now', seed: 1, behind: 'page-of-maintenance' },
  ]);
});

it('a violated rule that the fault does not declare is a false alarm, and a declared rule that passes is a miss', () => {
  const [quiet, maintained] = rowsOf([
    {
      of: { fault: 'created-at-is-now', behind: 'page-of-maintenance', seed: 1 },
      outcome: {
        executions: 1,
        minutes: 1,
        rules: [
          { id: 'identity-is-constant', verdict: 'passed', why: '' },
          { id: 'status-is-current', verdict: 'violated', why: 'expected: a; actual: b' },
        ],
      },
    },
  ]);
  expect(quiet).toMatchObject({ behind: 'nothing', faults: 0 });
  expect(maintained).toMatchObject({
    count: { violated: 0, passed: 1 },
    blamed: ['created-at-is-now, seed 1: status-is-current violated: expected: a; actual: b'],
    missed: ['created-at-is-now, seed 1: identity-is-constant passed'],
  });
});

it('a rule that a fault may violate behind a disturbance is a false alarm without one alone', () => {
  const outcome = {
    executions: 1,
    minutes: 1,
    rules: [{ id: 'execution-progresses', verdict: 'violated', why: 'a' }],
  } as const;
  const [quiet, maintained] = rowsOf([
    { of: { fault: 'ends-are-read-late' }, outcome },
    { of: { fault: 'ends-are-read-late', behind: 'page-of-maintenance' }, outcome },
  ]);
  expect(quiet?.blamed).toEqual(['ends-are-read-late, seed 1: execution-progresses violated: a']);
  expect(maintained?.blamed).toEqual([]);
});
