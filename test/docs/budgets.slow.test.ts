import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rules } from '../../generated/rules.js';
import { runCase } from '../../proof/cases.js';

const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
const [, of = '', table = ''] =
  /\| `budget\.executions` \| rules judged, of (\d+) \|\n\|---\|---\|\n((?:\|.*\|\n)+)/.exec(page) ?? [];
const rows = [...table.matchAll(/\| (\d+) \| (\d+|all)/g)].map(([, budget, judged]) => ({
  budget: Number(budget),
  judged,
}));

test('the table of budgets shows what is judged, and a larger budget judges no less', async () => {
  expect(Number(of)).toBe(rules.length);
  const judged: number[] = [];
  for (const { budget } of rows) {
    const run = await runCase({ choices: 'default', at: { executions: budget } });
    judged.push(run.rules.filter(({ verdict }) => verdict === 'passed').length);
    expect(run.executions).toBeLessThanOrEqual(budget);
  }
  // No run of the reference service takes as long as the default of a wait.
  expect(rows.map((row) => (row.judged === 'all' ? rules.length - 1 : Number(row.judged)))).toEqual(judged);
  expect(judged).toEqual(judged.toSorted((a, b) => a - b));
  expect(judged.length).toBeGreaterThan(4);
});
