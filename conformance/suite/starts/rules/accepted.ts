import { type Operation, operations } from '../../../../generated/operations.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  entryForStatus,
  isFields,
  isIdOf,
  isMeantToPass,
  refused,
  requestFields,
  status,
} from '../../../engine/outcome/read.js';
import { precedes } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { answerText, noAnswer } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges } from '../../../engine/vocabulary.js';
import { asksToQueue, freeOf } from '../../executions/view.js';
import { startsAtOnce } from '../../operations.js';
import { asksOnlyAccepted, isUnbound, refusedTogether, startedTwice } from '../asked.js';

/**
 * Finds starts with empty inputs or metadata that were refused though later ones with the same other fields were
 * accepted. An empty object has nothing in it to refuse.
 */
function refusedEmpty(exchanges: readonly Exchange[]): Finding[] {
  const isEmpty = (value: unknown) => isFields(value) && Object.keys(value).length === 0;
  return exchanges
    .filter((one) => startsAtOnce(one) && isMeantToPass(one) && outcomeOf(one).kind === 'refused')
    .filter((one) => isUnbound(one) && Object.values(freeOf(requestFields(one))).every(isEmpty))
    .flatMap((one) => {
      const later = exchanges.find(
        (other) => startsAtOnce(other) && isUnbound(other) && accepted(other) && !precedes(other, one),
      );
      return later && asksOnlyAccepted(one, [], exchanges)
        ? violated([one, later], 'a start with empty inputs and metadata accepted')
        : [];
    });
}

export const starts = {
  /**
   * Judges a start. Passes if it is answered as the contract says, with an id and a status. Fails if a success is different, two
   * starts have one execution, or an empty object is refused.
   */
  'execute-is-accepted': {
    exchange(exchange) {
      if (!startsAtOnce(exchange)) return undefined;
      const { successes }: Operation = operations.execute;
      const required = `${Object.keys(successes).join(' or ')} with executionId, an id, and status`;
      if (accepted(exchange)) {
        const { executionId, status: initial } = answerBody(exchange) ?? {};
        return entryForStatus(successes, status(exchange) ?? 0) &&
          isIdOf('getExecution', executionId) &&
          typeof initial === 'string'
          ? satisfied(exchange)
          : violated(exchange, required);
      }
      // Refused, though it should be accepted. A service at its limit does that, with a status that is not shown.
      if (!isMeantToPass(exchange) || asksToQueue(exchange)) return undefined;
      if (!exchange.response) return inconclusive(exchange, noAnswer(exchange));
      return refused(exchange)
        ? inconclusive(exchange, `A start that should be accepted was answered ${answerText(exchange)}.`)
        : violated(exchange, required);
    },
    trace(trace, { stateful }) {
      return stateful ? startedTwice(trace, startsAtOnce, 'an execution for each start') : undefined;
    },
    run({ exchanges }, { stateful }) {
      return stateful ? [...refusedEmpty(exchanges), ...refusedTogether('execute', exchanges)] : undefined;
    },
  },
} satisfies Judges;
