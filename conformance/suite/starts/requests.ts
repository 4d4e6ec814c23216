/** The bodies that several journeys send. */
import { type Operation, type OperationId, operations } from '../../../generated/operations.js';
import { samples } from '../../../generated/samples.js';
import type { ExecutionOptions } from '../../../generated/types.js';
import type { Fields } from '../../engine/outcome/read.js';
import type { Portion } from '../../engine/scenario/material/material.js';
import type { Driver } from '../driver.js';

export const both = ['execute', 'executeSync'] as const;

/** A valid body for each operation: to be sent with made-up ids, so that nothing comes of it. */
export function validBody(operation: OperationId): Fields | undefined {
  const { requestSchema }: Operation = operations[operation];
  return chosen[operation] ?? (requestSchema ? (samples[requestSchema].minimal as Fields) : undefined);
}

const chosen: { readonly [operation in OperationId]?: Fields } = {
  executeSync: { timeoutSeconds: 1 },
  // Whether an empty update is taken is left open, also where it comes without a key. This one asks for something, and
  // changes nothing of a profile that a service which is wrong takes for the one that is meant.
  updateProfile: { cookiesToDelete: ['00000000-0000-4000-8000-00000000c00c'] },
};

/** What tells one request from another, and nothing else. */
export const marker = (driver: Driver, step: string): { inputs: Fields; metadata: Fields } => {
  const only = { conformanceMarker: driver.unique(step) };
  return { inputs: only, metadata: only };
};

/** Inputs and metadata by which an execution is told from every other, with what is easily spoilt on the way. */
export const marked = (
  driver: Driver,
  step: string,
  portion: Portion = 'some',
): { inputs: Fields; metadata: Fields } => {
  const { inputs, metadata } = marker(driver, step);
  if (driver.isPlain) return { inputs, metadata };
  const material = driver.material(step);
  return {
    inputs: { ...inputs, ...material.inputs(portion) },
    metadata: { ...metadata, ...material.metadata(portion) },
  };
};

/** Below the hard timeout of whatever agent, as far as it is not declared; it ends no run. */
const shortSoftTimeoutMins = 2;
const minuteMs = 60_000;

/** One that every agent takes, as far as anybody knows, and that no run comes to; none where nobody knows how long they take. */
export const anySoftTimeout = ({ executions: { longestMs } }: Pick<Driver, 'executions'>): ExecutionOptions =>
  longestMs === undefined
    ? {}
    : { softTimeoutMins: Math.max(shortSoftTimeoutMins, Math.ceil(longestMs / minuteMs) + 1) };

/** The shortest there is, where runs are known to be over before; else one that no run comes to. */
export const shortSoftTimeout = (driver: Pick<Driver, 'facts' | 'executions'>): ExecutionOptions =>
  (driver.executions.longestMs ?? minuteMs) < minuteMs ? { softTimeoutMins: 1 } : softTimeout(driver);

/** The longest that the agent of workflows.completes takes, where its hard timeout is declared: it ends no run. */
export const softTimeout = (driver: Pick<Driver, 'facts' | 'executions'>): ExecutionOptions => {
  const { agentHardTimeoutMins: hard } = driver.facts;
  return hard === undefined ? anySoftTimeout(driver) : { softTimeoutMins: hard - 1 };
};

/** A start that uses all that the target file declares, each request with inputs of its own. */
export const richBody = (driver: Driver, step: string, portion: Portion = 'some'): Fields => {
  const { publishedVersion, profile } = driver.facts;
  return {
    ...(publishedVersion !== undefined && { version: publishedVersion }),
    ...marked(driver, step, portion),
    executionOptions: softTimeout(driver),
    ...(driver.has(profile) && { profileId: driver.id(profile) }),
  };
};
