import { expect, test } from 'vitest';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference } from '../../deviations/index.js';
import { rules } from '../../generated/rules.js';
import { runCase } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';

const musts = new Set<string>(rules.flatMap(({ id, level }) => (level === 'MUST' ? [id] : [])));

test.each([
  'inputs-are-short',
  'one-slow-run-fails',
  'one-slow-run-asks',
  'temp-files-serve-once',
  'odd-texts-are-not-acceptable',
  'fails-in-other-words',
  'group-of-two',
  'clock-is-set',
])('where nothing more may be started to tell, %s is blamed for nothing', async (variation) => {
  const run = await runCase({ variation, at: { minutes: 2, places: 5, executions: 17 } });
  expect(run.rules.filter(({ id, verdict }) => verdict === 'violated' && musts.has(id))).toEqual([]);
  expect(run.rules.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(110);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Falls over a start that is no JSON, in the words of its framework. */
const failing = (service: (request: Request) => Promise<Response>) => async (request: Request) => {
  const text = await request.clone().text();
  return /execute/.test(request.url) && text !== '' && !isJson(text)
    ? Response.json({ message: 'Internal Server Error' }, { status: 500 })
    : service(request);
};

test('what nobody has to take, and is answered so twice, is the service’s own doing where nothing more may be started', async () => {
  const target = toTarget({ ...createReference().target, budget: { executions: 12 } });
  const { rules: judged } = await checkInProcess({ gateway: failing }, { target });
  expect(judged.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id)).toContain('no-server-errors');
});
