import { expect, it } from 'vitest';
import type { RuleVerdict } from '../../conformance/engine/vocabulary/report.js';
import { runCases } from '../../proof/pool.js';

it('runs cases in parallel, and returns their results in order', async () => {
  const counts: number[] = [];
  const results = await runCases([{ fault: 'created-at-is-now' }, { choices: 'default' }], (count) =>
    counts.push(count),
  );
  expect(counts).toEqual([1, 2]);
  expect(results.map(({ of }) => of)).toEqual([{ fault: 'created-at-is-now' }, { choices: 'default' }]);
  const violated = results.map(({ outcome }) =>
    outcome.rules.filter(({ verdict }) => verdict === 'violated').map(idOf),
  );
  expect(violated).toEqual([['identity-is-constant'], []]);
});

it('fails if a case cannot be run', async () => {
  await expect(runCases([{ fault: 'no-such-fault' }])).rejects.toThrow(
    'With no-such-fault the suite itself failed: the fault no-such-fault is unknown',
  );
});

const idOf = ({ id }: Pick<RuleVerdict, 'id'>) => id;
