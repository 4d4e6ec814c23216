import { expect, test } from 'vitest';
import { parseBody } from '../../conformance/engine/http/body.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { asksToStart } from '../../deviations/change.js';
import { createReference, findFault } from '../../deviations/index.js';
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

test.each([
  { executions: 12, leftOut: ['sync-is-not-idempotent', 'sync-default-timeout'] },
  { executions: 17, leftOut: [] },
])('a budget of $executions is spent on what was chosen, and leaves out no more than that', async (budget) => {
  const { executions, leftOut } = budget;
  const run = await runCase({ choices: 'default', at: { minutes: 2, places: 5, executions } });
  expect(run.executions).toBe(executions - 1);
  expect(run.rules.flatMap(({ id, why }) => (why.includes('allow more than') ? id : []))).toEqual(leftOut);
});

test.each([
  // What a run that is over at once could have shown.
  { variation: 'runs-of-no-time' },
  // A start that is refused for what is in its free fields, and then for want of room.
  { variation: 'inputs-are-short' },
  // No duration is shown, by which a run is known to be too long.
  { choices: 'minimal' },
  { choices: 'status-read-while-queued=starting' },
])('where few executions may be started, no MUST is in doubt of %o', async (of) => {
  const run = await runCase({ ...of, at: { minutes: 2, places: 5, executions: 12 } });
  expect(run.rules.filter(({ id, verdict }) => verdict === 'inconclusive' && musts.has(id))).toEqual([]);
});

test.each([
  ['a start that is to be refused waits for a place that the run itself holds', 'the-last-temp-file-counts'],
  ['the files of each execution are listed', 'the-head-has-no-files'],
  ['those of a run are held against those of the run before it', 'uploads-stay-with-the-profile'],
  ['a start that is refused under the deprecated names is asked for under those of today', 'dynamicData-is-refused'],
])('where runs take minutes and few may be started, %s', async (_, fault) => {
  const run = await runCase({ fault, at: { minutes: 2, places: 5, executions: 17 } });
  const broken = run.rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  expect(broken).toEqual(expect.arrayContaining([...findFault(fault).breaks]));
});

test.each(['group-of-two', 'group-of-three'])('of a %s is seen in which order its queue moves', async (variation) => {
  const run = await runCase({ variation, at: { minutes: 2, places: 5, executions: 12 } });
  const inTurn = run.rules.filter(({ id }) => ['queue-is-oldest-first', 'queue-is-not-overtaken'].includes(id));
  expect(inTurn.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
});

/** Falls over a start that is no JSON, in the words of its framework. */
const failing = (service: (request: Request) => Promise<Response>) => async (request: Request) => {
  const { kind } = parseBody(await request.clone().text());
  return asksToStart(request) && kind === 'not-json'
    ? Response.json({ message: 'Internal Server Error' }, { status: 500 })
    : service(request);
};

test('what nobody has to take, and is answered so twice, is the service’s own doing where nothing more may be started', async () => {
  const target = toTarget({ ...createReference().target, budget: { executions: 12 } });
  const { rules: judged } = await checkInProcess({ gateway: failing }, { target });
  expect(judged.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id)).toContain('no-server-errors');
});
