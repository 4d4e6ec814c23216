/** The bounds of the numbers that a start gives. interface: Limits. */

import { type OperationId, operations } from '../../../generated/operations.js';

const { 'executionOptions.softTimeoutMins': softTimeout, timeoutSeconds } = operations.executeSync.bounds;
export const leastSoftTimeoutMins: number = softTimeout.minimum;
export const leastWaitSeconds: number = timeoutSeconds.minimum;
export const longestWaitSeconds: number = timeoutSeconds.maximum;

/** What makes a start that waits wait as shortly as it may. */
export const briefly = (operation: OperationId): { readonly timeoutSeconds?: number } =>
  operations[operation].waits ? { timeoutSeconds: leastWaitSeconds } : {};
