/** interface: POST execute/sync, executionResult. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import { answerBody, isFields, status } from '../../../engine/outcome/read.js';
import { answeredStatus, type Reading, readings } from '../../../engine/outcome/readings.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { clockResolutionMs, has, instant, isOther } from '../../../engine/rule/values.js';
import { jsonText } from '../../../engine/rule/words.js';
import { sameIn } from '../../../engine/schemas.js';
import type { Exchange, Finding, Judges } from '../../../engine/vocabulary.js';
import { schemas } from '../../schemas.js';
import { after, isSync } from '../view.js';

const sameResult = sameIn(schemas.fieldsOf('ExecutionResult'));

export const results = {
  /**
   * Seen: an answer, and the first reading after it. Satisfied if both show the same result. Violated if they differ,
   * if the result belongs to another execution, or if it was recorded in time but left out. Readings need not show
   * results; if they do, a result that is missing there was not recorded.
   */
  'sync-result-agrees': {
    trace(trace) {
      const { start, executionId } = trace;
      if (!isSync(start)) return undefined;
      const result = answerBody(start)?.executionResult;
      if (isFields(result) && isOther(result.executionId, executionId))
        return violated(start, `a result of execution ${executionId}`, `one of ${jsonText(result.executionId)}`);
      const [next] = after(trace, start);
      return next && isEnd(start, next) && (!isFields(result) || showsResult(next))
        ? resultAgrees(start, result, next)
        : undefined;
    },
    run({ traces }) {
      const areShown = traces.some((trace) => readings(trace.readings).some(showsResult));
      return traces.flatMap((trace) => {
        const { start, executionId } = trace;
        if (!isSync(start)) return [];
        const [next] = after(trace, start);
        const result = answerBody(start)?.executionResult;
        if (!isFields(result) || isOther(result.executionId, executionId) || !next || showsResult(next)) return [];
        // A result that is recorded after the answer cannot be in it.
        const isEarly = status(start) === 202;
        if (!isEarly && !isEnd(start, next)) return [];
        if (!areShown) return isEarly ? [] : satisfied(start);
        return violated([start, next.exchange], 'no executionResult, as a reading shows none', jsonText(result));
      });
    },
  },
} satisfies Judges;

const showsResult = ({ execution }: Reading): boolean => has(execution, 'executionResult');

/** Whether a call was answered with the end that the next reading shows. */
function isEnd(start: Exchange, next: Reading): boolean {
  const now = answeredStatus(start);
  return status(start) === 200 && now !== undefined && isTerminal(now) && next.status === now;
}

function resultAgrees(start: Exchange, result: unknown, { exchange, execution }: Reading): Finding | undefined {
  const { executionResult: read, terminalAt } = execution;
  const both = [start, exchange];
  if (sameResult(result, read)) return satisfied(both);
  if (isFields(result)) return violated(both, `the result that a reading shows, ${jsonText(read)}`, jsonText(result));
  // If the result is recorded after the end, the call may miss it.
  const [ended, recorded] = [instant(terminalAt), instant(isFields(read) ? read.createdAt : undefined)];
  if (ended === undefined || recorded === undefined) return undefined;
  // A clock with coarse steps does not tell.
  return recorded <= ended && clockResolutionMs(ended, recorded) < 1000
    ? violated(both, `the result that was recorded, ${jsonText(read)}`, 'no executionResult')
    : undefined;
}
