import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rules } from '../../generated/rules.js';
import { type Outcome, runCase } from '../../proof/cases.js';
import { usualRun } from '../support/usual-run.js';

const page = readFileSync(new URL('../../docs/check.md', import.meta.url), 'utf8');
const [, of = '', table = ''] =
  /\| `budget\.executions` \| rules judged, of (\d+) \|\n\|---\|---\|\n((?:\|.*\|\n)+)/.exec(page) ?? [];
const rows = [...table.matchAll(/\| (\d+) \| (\d+|all)/g)].map(([, budget, judged]) => ({
  budget: Number(budget),
  judged,
}));

const passed = (run: Pick<Outcome, 'rules'>) =>
  run.rules.flatMap(({ id, verdict }) => (verdict === 'passed' ? id : []));

test('the table of budgets has the judged rules; a larger budget judges all rules of a smaller one, and each those without executions', async () => {
  expect(Number(of)).toBe(rules.length);
  const judged: number[] = [];
  let before = passed(await usualRun({ allow: 'read' }));
  for (const { budget } of rows) {
    const run = await runCase({ choices: 'default', at: { executions: budget } });
    const now = passed(run);
    expect(before.filter((id) => !now.includes(id))).toEqual([]);
    judged.push(now.length);
    expect(run.executions).toBeLessThanOrEqual(budget);
    before = now;
  }
  // No run of the reference service takes as long as the default of a wait.
  expect(rows.map((row) => (row.judged === 'all' ? rules.length - 1 : Number(row.judged)))).toEqual(judged);
  expect(judged).toEqual(judged.toSorted((a, b) => a - b));
  expect(judged.length).toBeGreaterThan(4);
});
