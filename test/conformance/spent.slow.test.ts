import { expect, test } from 'vitest';
import { rules } from '../../generated/rules.js';
import { runCase } from '../../proof/cases.js';

const musts = new Set<string>(rules.flatMap(({ id, level }) => (level === 'MUST' ? [id] : [])));

test.each([
  'inputs-are-short',
  'one-slow-run-fails',
  'one-slow-run-asks',
  'temp-files-serve-once',
  'odd-texts-are-not-acceptable',
  'fails-in-other-words',
])('where nothing more may be started to tell, %s is blamed for nothing', async (variation) => {
  const run = await runCase({ variation, at: { minutes: 2, places: 5, executions: 17 } });
  expect(run.rules.filter(({ id, verdict }) => verdict === 'violated' && musts.has(id))).toEqual([]);
  expect(run.rules.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(110);
});
