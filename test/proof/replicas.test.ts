import { expect, it } from 'vitest';
import { faults, variations } from '../../deviations/index.js';
import type { Outcome } from '../../proof/cases.js';
import { replicaCases, replicaFaults, replicaFigures, rowsOf } from '../../proof/replicas.js';

const outcome = (...rules: Outcome['rules']) => ({ executions: 1, minutes: 1, rules });
const violated = (id: Outcome['rules'][number]['id'], isOfSoak?: true) =>
  ({ id, verdict: 'violated', why: 'expected: a; actual: b', ...(isOfSoak && { isOfSoak }) }) as const;

it('the sample has about forty faults that a replica can have, each at three rates, and fifteen conformant ways or more', () => {
  expect(replicaFaults.length).toBeGreaterThan(35);
  const all = replicaCases(replicaFaults);
  expect(all.filter((of) => 'fault' in of)).toHaveLength(3 * replicaFaults.length);
  const ways = all.flatMap((of) => ('variation' in of ? of.variation : []));
  expect(ways.length).toBeGreaterThan(15);
  expect(ways.filter((id) => !variations.some((one) => one.id === id))).toEqual([]);
  expect(replicaFaults.filter((id) => !faults.some((one) => one.id === id))).toEqual([]);
});

it('a fault counts as found by the run that shows a violated rule, or by the soak alone, and a violated rule of a conformant service is an alarm', () => {
  const at = { behind: 'two-replicas', soakMs: 60_000 };
  const found = rowsOf([
    { of: { fault: 'a', ...at }, outcome: outcome(violated('identity-is-constant')) },
    { of: { fault: 'b', ...at }, outcome: outcome(violated('identity-is-constant', true)) },
    { of: { fault: 'c', ...at }, outcome: outcome({ id: 'identity-is-constant', verdict: 'passed', why: '' }) },
    { of: { variation: 'charset', ...at }, outcome: outcome(violated('json-is-labelled')) },
  ]);
  expect(found.rows[0]).toEqual({ rate: '1 of 2', faults: 3, inRun: 1, withSoak: 2, missed: ['c'] });
  expect(found.alarms).toEqual(['charset, two-replicas: json-is-labelled: expected: a; actual: b']);
  expect(replicaFigures(found)).toContain('| 1 of 2 | 3 | 1 | 2 |\n');
});
