/** Request bodies that several scenarios send. */

import { type Operation, type OperationId, operations } from '../../../generated/operations.js';
import { samples } from '../../../generated/samples.js';
import type { ExecutionOptions } from '../../../generated/types.js';
import type { Fields } from '../../engine/outcome/read.js';
import type { Driver } from '../driver.js';
import { free } from '../executions/view.js';
import { leastSoftTimeoutMins, leastWaitSeconds } from '../operations.js';

/** What makes a start that waits wait as shortly as it may. */
export const briefly = (operation: OperationId): { readonly timeoutSeconds?: number } =>
  operations[operation].waits ? { timeoutSeconds: leastWaitSeconds } : {};

export const startOperations = ['execute', 'executeSync'] as const;

/** A valid body for each operation, for requests with made-up ids, which must change nothing. */
export function validBody(operation: OperationId): Fields | undefined {
  const { requestSchema }: Operation = operations[operation];
  return chosen[operation] ?? (requestSchema ? (samples[requestSchema].minimal as Fields) : undefined);
}

const chosen: { readonly [operation in OperationId]?: Fields } = {
  executeSync: briefly('executeSync'),
  // An empty update may be refused, with a key or without. This one asks for something, but would change nothing if a
  // service mistook the id for that of a real profile.
  updateProfile: { cookiesToDelete: ['00000000-0000-4000-8000-00000000c00c'] },
};

const markOf = (driver: Driver, step: string) => ({ conformanceMarker: driver.uniqueText(step) });

/** Free fields with a marker, which tells starts apart, and a plain text. */
export const marked = (driver: Driver, step: string) =>
  free({ ...markOf(driver, step), note: 'plain' }, markOf(driver, step));

/**
 * The same with plain words under plain names, and values of every JSON type: nobody has a reason to refuse them.
 * interface: POST execute: inputs are free-form, metadata has strings.
 */
export const plainWords = (driver: Driver, step: string) =>
  free(
    {
      ...markOf(driver, step),
      supplier: 'Müller',
      invoices: 3,
      limit: 12.5,
      urgent: true,
      months: ['May', 'June'],
      address: { city: 'Köln', floor: null },
      orders: [
        { id: 'A-17', lines: [{ item: 'Tea', amount: 2 }] },
        { id: 'A-18', lines: [] },
      ],
      approver: null,
    },
    { ...markOf(driver, step), team: 'north', purpose: 'Report of März', 'cost-center': '0042' },
  );

/** Free fields whose values are easily damaged on the way. At `risk` 1 inputs may exceed limits, at 2 metadata too. */
export const hardValues = (driver: Driver, step: string, risk: number) => {
  const material = driver.constant(step);
  return free(
    { ...markOf(driver, step), ...material.inputs(risk > 0) },
    { ...markOf(driver, step), ...material.metadata(risk > 1) },
  );
};

const minuteMs = 60_000;

type Known = Pick<Driver, 'facts' | 'executions'>;

/** The shortest soft timeout, if runs of the workflow are known to end sooner; else one that they do not reach. */
export const shortSoftTimeout = (driver: Known, workflow: string | undefined): ExecutionOptions =>
  (driver.executions.longestOf(workflow) ?? Infinity) < leastSoftTimeoutMins * minuteMs
    ? { softTimeoutMins: leastSoftTimeoutMins }
    : softTimeout(driver, workflow);

/**
 * A soft timeout that runs of the workflow do not reach: the longest that is allowed, if the agent's hard timeout is
 * declared; else one beyond the longest of these runs; none if no such run is known.
 */
export const softTimeout = ({ facts, executions }: Known, workflow: string | undefined): ExecutionOptions => {
  const { agentHardTimeoutMins: hard } = facts;
  const longest = executions.longestOf(workflow);
  if (hard !== undefined) return { softTimeoutMins: hard - 1 };
  return longest === undefined
    ? {}
    : { softTimeoutMins: Math.max(Math.ceil(longest / minuteMs) + 1, leastSoftTimeoutMins) };
};

/** A start with everything that the target file declares, and its own inputs. */
export const richBody = (driver: Driver, step: string): Fields => {
  const { publishedVersion, profile, workflows } = driver.facts;
  return {
    ...(publishedVersion !== undefined && { version: publishedVersion }),
    ...marked(driver, step),
    executionOptions: softTimeout(driver, workflows.completes),
    ...(driver.isDeclared(profile) && { profileId: driver.id(profile) }),
  };
};
