/** interface: Limits, softTimeoutMins. */

import { accepted, objectIn, requestBody } from '../../../engine/outcome/read.js';
import { type Bound, bounded } from '../../../engine/rule/probes.js';
import type { Exchange, Judges } from '../../../engine/vocabulary.js';
import { asksOnlyAccepted, namesOnlyOtherFields } from '../asked.js';

const softTimeout = (exchange: Exchange): unknown =>
  objectIn(requestBody(exchange), 'executionOptions').softTimeoutMins;

/** A soft timeout that must be accepted. A refusal counts if the start asks for nothing else that may be refused. */
const softTimeoutOf = (minutes: number, ours: readonly Exchange[]): Bound => ({
  value: `softTimeoutMins ${minutes}`,
  tries: ours.filter((one) => softTimeout(one) === minutes),
  beside: (refused) =>
    asksOnlyAccepted(refused, ['executionOptions'], ours) && !namesOnlyOtherFields(refused, ['executionOptions'])
      ? ours.find((one) => accepted(one) && one.resource === refused.resource)
      : undefined,
});

export const softTimeouts = {
  'soft-timeout-minimum': bounded(
    'soft-timeout-minimum',
    (exchange) => {
      const minutes = softTimeout(exchange);
      return typeof minutes === 'number' && minutes < 1 ? `softTimeoutMins ${minutes}` : undefined;
    },
    // An agent with a hard timeout of one minute would refuse it, so the hard timeout must be declared.
    (ours, { agentHardTimeoutMins: hard }) => (hard === undefined ? [] : [softTimeoutOf(1, ours)]),
  ),

  'soft-timeout-below-hard-timeout': bounded(
    'soft-timeout-below-hard-timeout',
    () => undefined,
    (ours, { agentHardTimeoutMins: hard }) => (hard === undefined ? [] : [softTimeoutOf(hard - 1, ours)]),
  ),
} satisfies Judges;
