/** What every run sends at its end: a service may go wrong after a while, or after many requests. */
import { operationIds } from '../../generated/operations.js';
import { hasValidRequestBody } from '../engine/outcome/outcome.js';
import { accepted, hasMalformedId, refused, requestBody, startedId } from '../engine/outcome/read.js';
import type { Exchange, Probe } from '../engine/vocabulary.js';
import { followAll } from './capacity/group-starts.js';
import { fillAgain } from './capacity/scenarios.js';
import { allOrThrow, type Driver } from './driver.js';
import { marked } from './starts/requests.js';

/**
 * Sends of each operation once more what no state of the service makes right: the last body or id that was refused for
 * its form, and the last request without a key for something made up. Then starts one more execution, if the budget has
 * one left; with room for more, where a group is full.
 */
export async function lastRound(driver: Driver): Promise<void> {
  await allOrThrow(
    operationIds.flatMap((operation) => refusedOnce(driver, operation)).map((one) => again(driver, one)),
  );
  const { capacity: group, stateful, workflows } = driver.facts;
  const left = driver.budget.executionsLeft;
  if (!stateful || workflows.completes === undefined || driver.executions.started.size === 0 || left <= 0) return;
  const freed = driver.lastAnswer('capacity', 'free-1');
  if (group && freed && accepted(freed) && left > group.size + 1) return fillAgain(driver, group);
  const asked = {
    step: 'start',
    operation: 'execute',
    id: workflows.completes,
    body: marked(driver, 'start'),
  } as const;
  await followAll(driver, [startedId(await driver.startOnce(asked))]);
}

type Refused = Exchange & { readonly probe: Probe };

function refusedOnce({ sent }: Driver, operation: (typeof operationIds)[number]): Refused[] {
  const all = sent.flatMap((one): Refused[] =>
    one.operation === operation && one.mark?.probe && !one.mark.excluded && refused(one)
      ? [{ ...one, probe: one.mark.probe }]
      : [],
  );
  const isFull = ({ mark }: Refused) => mark?.credential === 'primary';
  return [
    all.findLast((one) => isFull(one) && requestBody(one) && !hasValidRequestBody(one)) ??
      all.findLast((one) => isFull(one) && hasMalformedId(one)),
    all.findLast(({ mark }) => mark?.credential === 'none' && mark.scenario === 'keys-and-ids'),
  ].filter((one) => one !== undefined);
}

const again = (driver: Driver, one: Refused): Promise<Exchange> => {
  const { operation, resource, mark, probe } = one;
  return driver.probe(probe.rule, probe.fault, probe.controls, {
    step: `again-${mark?.step}`,
    operation: operation as (typeof operationIds)[number],
    id: resource ?? '',
    credential: mark?.credential ?? 'primary',
    ...(requestBody(one) && { body: requestBody(one) }),
    ...(hasMalformedId(one) && { hasMadeUpId: true }),
  });
};
