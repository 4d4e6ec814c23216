/** Observes the status of successes where the contract leaves it open, as the contract marks them. */
import { type Operation, type OperationId, operationIds, operations } from '../../../generated/operations.js';
import { accepted, answerBody, status } from '../../engine/outcome/read.js';
import { observed } from '../../engine/rule/observing.js';
import type { Observer } from '../../engine/vocabulary.js';

export type SuccessGapId = NonNullable<(typeof operations)[OperationId]['openSuccess']>;

/** The statuses of an operation's successes, with the contents of the body if the contract has no schema for it. */
export const successOf =
  (operation: OperationId, isBodyOpen: boolean): Observer =>
  ({ exchanges }) =>
    observed(
      exchanges
        .filter((exchange) => exchange.operation === operation && accepted(exchange))
        .map((exchange) => {
          if (!isBodyOpen) return `${status(exchange)}`;
          const fields = Object.keys(answerBody(exchange) ?? {}).sort();
          const body = exchange.response?.body.kind === 'none' ? 'without a body' : 'with a body';
          return `${status(exchange)} ${body}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`;
        }),
    );

export const successGaps = Object.fromEntries(
  operationIds.flatMap((id): [string, Observer][] => {
    const { openSuccess, successes }: Operation = operations[id];
    const isBodyOpen = Object.values(successes).some(({ schema }) => schema === null);
    return openSuccess ? [[openSuccess, successOf(id, isBodyOpen)]] : [];
  }),
) as Record<SuccessGapId, Observer>;
