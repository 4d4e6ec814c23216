import { expect, test } from 'vitest';
import { parseBody } from '../../conformance/engine/http/body.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { asksToStart } from '../../deviations/change.js';
import { createReference, findFault } from '../../deviations/index.js';
import type { Service } from '../../deviations/variation.js';
import { checkInProcess } from '../../proof/in-process.js';
import { broken, slowly } from '../support/slowly.js';

/** What is found where runs take minutes and few may be started: how starts are refused, and what each run has. */
const found = [
  // A start that is to be refused waits for a place that the run itself holds.
  'the-last-temp-file-counts',
  // The files of each execution are listed.
  'the-head-has-no-files',
  // Those of a run are held against those of the run before it.
  'uploads-stay-with-the-profile',
  // A start that is refused under the deprecated names is asked for under those of today.
  'dynamicData-is-refused',
];

test('a budget is spent on what was chosen, and leaves out no more than that', async () => {
  const run = await slowly(17, ...found);
  expect(run.executions).toBe(16);
  expect(run.minutes).toBeGreaterThan(4);
  expect(run.rules.flatMap(({ id, why }) => (why.includes('allow more than') ? id : []))).toEqual([]);
  expect(broken(run).toSorted()).toEqual(found.flatMap((id) => findFault(id).breaks).toSorted());
});

/** Falls over a start that is no JSON, in the words of its framework. */
const failing = (service: Service) => async (request: Request) => {
  const { kind } = parseBody(await request.clone().text());
  return asksToStart(request) && kind === 'not-json'
    ? Response.json({ message: 'Internal Server Error' }, { status: 500 })
    : service(request);
};

test('what nobody has to take, and is answered so twice, is the service’s own doing where nothing more may be started', async () => {
  const target = toTarget({ ...createReference().target, allow: 'execute', budget: { executions: 12 } });
  const { rules: judged } = await checkInProcess({ gateway: failing }, { target });
  expect(broken({ rules: judged })).toContain('no-server-errors');
});
