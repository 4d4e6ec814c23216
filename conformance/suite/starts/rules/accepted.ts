import { type Operation, operations } from '../../../../generated/operations.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  answerBody,
  entryForStatus,
  isFields,
  isIdOf,
  isMeantToPass,
  isRerunRequest,
  refused,
  requestBody,
  requestFields,
  startedId,
  status,
} from '../../../engine/outcome/read.js';
import { clocksApartMs, precedes } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { answerText, equal, noAnswer, sameId } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { asksToQueue, freeOf } from '../../executions/view.js';
import { startsAtOnce } from '../../operations.js';
import { asksOnlyAccepted, isUnbound, refusedTogether } from '../asked.js';

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
      const { scenario, step } = one.mark ?? {};
      // It may have been refused several times.
      const first = exchanges.find(({ mark }) => mark?.scenario === scenario && mark?.step === step) ?? one;
      const later = exchanges.find(
        (other) => startsAtOnce(other) && isUnbound(other) && accepted(other) && !precedes(other, first),
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
// Finds two starts that were answered with one execution.
/** Whether two starts are known to ask for different things. A recording may lack their bodies. */
function asksOtherwise(one: Exchange, other: Exchange): boolean {
  const [a, b] = [requestBody(one), requestBody(other)];
  return a !== undefined && b !== undefined && !equal(a, b);
}
/**
 * Whether these are two starts. In a recording they may be one, seen by two recorders with different clocks, each of
 * which lacks other parts of the body.
 */
const areTwo = (one: Exchange, other: Exchange): boolean =>
  (one.mark !== undefined && other.mark !== undefined) ||
  !sameId(one.resource, other.resource) ||
  (asksOtherwise(one, other) && Math.abs(other.at - one.at) > clocksApartMs);
/**
 * Reports starts that were answered with the execution of another one, if `own` holds for them; of one that starts from
 * an execution, if it holds for the one that began that.
 */

export const startedTwice = (
  { start, otherStarts = [] }: Trace,
  own: (start: Exchange) => boolean,
  expected: string,
): Finding[] => {
  const [first, ...others] = [start ?? [], otherStarts].flat();
  return others.flatMap((other) =>
    first && own(isRerunRequest(other) ? first : other) && areTwo(first, other)
      ? violated([other, first], expected, `${startedId(first)} for two`)
      : [],
  );
};
