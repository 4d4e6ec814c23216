/** Request bodies that several journeys send. */
import { type Operation, type OperationId, operations } from '../../../generated/operations.js';
import { samples } from '../../../generated/samples.js';
import type { ExecutionOptions } from '../../../generated/types.js';
import type { Fields } from '../../engine/outcome/read.js';
import type { Portion } from '../../engine/scenario/material/material.js';
import type { Driver } from '../driver.js';

export const startOperations = ['execute', 'executeSync'] as const;

/** A valid body for each operation, for requests with made-up ids, which must change nothing. */
export function validBody(operation: OperationId): Fields | undefined {
  const { requestSchema }: Operation = operations[operation];
  return chosen[operation] ?? (requestSchema ? (samples[requestSchema].minimal as Fields) : undefined);
}

const chosen: { readonly [operation in OperationId]?: Fields } = {
  executeSync: { timeoutSeconds: 1 },
  // An empty update may be refused, with a key or without. This one asks for something, but would change nothing if a
  // service mistook the id for that of a real profile.
  updateProfile: { cookiesToDelete: ['00000000-0000-4000-8000-00000000c00c'] },
};

/** A marker that tells requests apart, and nothing else. */
export const marker = (driver: Driver, step: string): { inputs: Fields; metadata: Fields } => {
  const only = { conformanceMarker: driver.uniqueText(step) };
  return { inputs: only, metadata: only };
};

/** The marker, with values that are easily damaged on the way. */
export const marked = (
  driver: Driver,
  step: string,
  portion: Portion = 'some',
): { inputs: Fields; metadata: Fields } => {
  const { inputs, metadata } = marker(driver, step);
  if (driver.mustUsePlainFields) return { inputs, metadata };
  const material = driver.material(step);
  return {
    inputs: { ...inputs, ...material.inputs(portion) },
    metadata: { ...metadata, ...material.metadata(portion) },
  };
};

/** Below the hard timeout of any agent, as far as is known without a declaration, and long enough to end no run. */
const shortSoftTimeoutMins = 2;
const minuteMs = 60_000;

/** A soft timeout that any agent should accept and no run reaches; none if it is unknown how long runs take. */
export const anySoftTimeout = ({ executions: { longestMs } }: Pick<Driver, 'executions'>): ExecutionOptions =>
  longestMs === undefined
    ? {}
    : { softTimeoutMins: Math.max(shortSoftTimeoutMins, Math.ceil(longestMs / minuteMs) + 1) };

/** The shortest soft timeout, if runs are known to end sooner; else one that no run reaches. */
export const shortSoftTimeout = (driver: Pick<Driver, 'facts' | 'executions'>): ExecutionOptions =>
  (driver.executions.longestMs ?? minuteMs) < minuteMs ? { softTimeoutMins: 1 } : softTimeout(driver);

/** The longest soft timeout that is allowed, if the agent's hard timeout is declared; else as `anySoftTimeout`. */
export const softTimeout = (driver: Pick<Driver, 'facts' | 'executions'>): ExecutionOptions => {
  const { agentHardTimeoutMins: hard } = driver.facts;
  return hard === undefined ? anySoftTimeout(driver) : { softTimeoutMins: hard - 1 };
};

/** A start with everything that the target file declares, and its own inputs. */
export const richBody = (driver: Driver, step: string, portion: Portion = 'some'): Fields => {
  const { publishedVersion, profile } = driver.facts;
  return {
    ...(publishedVersion !== undefined && { version: publishedVersion }),
    ...marked(driver, step, portion),
    executionOptions: softTimeout(driver),
    ...(driver.isDeclared(profile) && { profileId: driver.id(profile) }),
  };
};
