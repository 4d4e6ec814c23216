/** The bodies that several journeys send. */
import type { OperationId } from '../../../generated/operations.js';
import type { Fields } from '../../evidence/read.js';
import type { Driver } from '../driver.js';

export const both = ['execute', 'executeSync'] as const;

/** A valid body for each operation: to be sent with made-up ids, so that nothing comes of it. */
export const validBody: { readonly [operation in OperationId]: Fields | undefined } = {
  execute: {},
  executeSync: { timeoutSeconds: 1 },
  getExecution: undefined,
  listExecutionFiles: undefined,
  // One that asks for a change: whether an empty update is taken is left open, also where it comes without a key.
  updateProfile: { description: 'conformance' },
  duplicateProfile: {},
  deletePool: undefined,
};

/** Inputs and metadata by which an execution is told from every other, with values that are easily spoilt on the way. */
export const marked = (driver: Driver): { inputs: Fields; metadata: Fields } => {
  const marker = driver.unique();
  return {
    inputs: {
      conformanceMarker: marker,
      nested: {
        list: [1, 'two', null, -2.5, 12345678901],
        ok: true,
        no: false,
        text: 'ünïcode "<&>"',
        blank: '',
        none: {},
      },
    },
    metadata: { conformanceMarker: marker, 'with space': 'ünïcode', blank: '' },
  };
};

/** A start that uses all that the target file declares, each request with inputs of its own. */
export const richBody = (driver: Driver): Fields => {
  const { publishedVersion, agentHardTimeoutMins, profile } = driver.facts;
  return {
    ...(publishedVersion !== undefined && { version: publishedVersion }),
    ...marked(driver),
    executionOptions: { softTimeoutMins: agentHardTimeoutMins === undefined ? 20 : agentHardTimeoutMins - 1 },
    ...(driver.has(profile) && { profileId: driver.id(profile) }),
  };
};
