import { expect, test } from 'vitest';
import { parseBody } from '../../conformance/engine/http/body.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { asksToStart } from '../../deviations/change.js';
import { createReference, faults, findFault } from '../../deviations/index.js';
import type { Service } from '../../deviations/variation.js';
import { rules } from '../../generated/rules.js';
import { findVariation, type Outcome, runSetting } from '../../proof/cases.js';
import { checkInProcess } from '../../proof/in-process.js';
import type { Clock } from '../../reference/clock.js';

const musts = new Set<string>(rules.flatMap(({ id, level }) => (level === 'MUST' ? [id] : [])));

/** A service that is odd in several ways at once, whose runs take two minutes, five at once. */
function slowly(executions: number, ...ids: readonly string[]) {
  const ways = ids.map((id) => faults.find((one) => one.id === id) ?? findVariation(id));
  const gateways = ways.flatMap((one) => ('gateway' in one && one.gateway) || []);
  const setting = {
    options: { faults: ways.filter((one) => 'behaviour' in one) },
    gateway: (service: Service, clock: Clock) => gateways.reduce((inner, gateway) => gateway(inner, clock), service),
  };
  return runSetting(setting, {}, 1, { minutes: 2, places: 5, executions });
}

const broken = ({ rules: judged }: Outcome) =>
  judged.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);

test.each([
  [['inputs-are-short', 'temp-files-serve-once', 'odd-texts-are-not-acceptable']],
  [['one-slow-run-fails', 'fails-in-other-words']],
  [['one-slow-run-asks', 'clock-is-set']],
])('where nothing more may be started to tell, %j are blamed for nothing', async (variations) => {
  const run = await slowly(17, ...variations);
  expect(broken(run).filter((id) => musts.has(id))).toEqual([]);
  expect(run.rules.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(110);
});

// Who fills the group alone may wait for what another journey asks of the key.
const withoutWaiting = 'keys-count-in-the-service-header-alone';

test.each([
  { executions: 12, leftOut: ['sync-is-not-idempotent', 'sync-default-timeout'], fault: withoutWaiting },
  { executions: 17, leftOut: [] },
])('a budget of $executions is spent on what was chosen, and leaves out no more than that', async (budget) => {
  const { executions, leftOut, fault } = budget;
  const run = await slowly(executions, ...(fault ? [fault] : []));
  expect(run.executions).toBe(executions - 1);
  expect(run.minutes).toBeGreaterThan(4);
  expect(run.rules.flatMap(({ id, why }) => (why.includes('allow more than') ? id : []))).toEqual(leftOut);
  expect(broken(run)).toEqual(fault ? findFault(fault).breaks : []);
});

test('where runs take minutes and few may be started, it is seen how starts are refused, and what each run has', async () => {
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
  const run = await slowly(17, ...found);
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
