/** interface: POST execute/sync, executionResult. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import { answerBody, isFields, status } from '../../../engine/outcome/read.js';
import { answeredStatus, type Reading, readings } from '../../../engine/outcome/readings.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { clockStepMs, instant } from '../../../engine/rule/times.js';
import { has, isOther, jsonText } from '../../../engine/rule/values.js';
import { sameIn } from '../../../engine/schemas.js';
import type { Exchange, Finding, Judges, Trace } from '../../../engine/vocabulary.js';
import { schemas } from '../../schemas.js';
import { after, isSync } from '../view.js';

const sameResult = sameIn(schemas.fieldsOf('ExecutionResult'));

export const results = {
  /**
   * Judges an answer, and the readings after it. Passes if one of them shows the same result. Fails if they show
   * another one, if the result belongs to another execution, or if it was recorded in time but left out. Readings need
   * not show results; if those of the run do, a result that none of its execution shows was not recorded.
   */
  'sync-result-agrees': {
    trace(trace) {
      const { start, executionId } = trace;
      if (!isSync(start)) return undefined;
      const result = answerBody(start)?.executionResult;
      if (isFields(result) && isOther(result.executionId, executionId))
        return violated(start, `a result of execution ${executionId}`, `one of ${jsonText(result.executionId)}`);
      const [next] = after(trace, start);
      const ended = endsAfter(trace, start);
      const shown = ended.find(shows(result)) ?? ended.findLast(showsResult);
      // What was recorded too late for the answer, the next reading may lack as well.
      const read = isFields(result) ? shown : ended.find((one) => one === next);
      return read && resultAgrees(start, result, read);
    },
    run({ traces }) {
      const areShown = traces.some((trace) => readings(trace.readings).some(showsResult));
      return traces.flatMap((trace) => {
        const { start, executionId } = trace;
        if (!isSync(start)) return [];
        const later = after(trace, start);
        const result = answerBody(start)?.executionResult;
        if (!isFields(result) || isOther(result.executionId, executionId) || later.some(shows(result))) return [];
        // A result that is recorded after the answer cannot be in it.
        const isEarly = status(start) === 202;
        const read = isEarly ? later.slice(0, 1) : endsAfter(trace, start);
        const last = read.at(-1);
        if (!last || read.some(showsResult)) return [];
        if (!areShown) return isEarly ? [] : satisfied(start);
        return violated([start, last.exchange], 'no executionResult, as a reading shows none', jsonText(result));
      });
    },
  },
} satisfies Judges;

const showsResult = ({ execution }: Reading): boolean => has(execution, 'executionResult');

const shows =
  (result: unknown) =>
  ({ execution }: Reading): boolean =>
    sameResult(result, execution.executionResult);

/** The readings after a call that show the end that it was answered with. */
function endsAfter(trace: Trace, start: Exchange): Reading[] {
  const now = answeredStatus(start);
  if (status(start) !== 200 || now === undefined || !isTerminal(now)) return [];
  return after(trace, start).filter((later) => later.status === now);
}

function resultAgrees(start: Exchange, result: unknown, { exchange, execution }: Reading): Finding | undefined {
  const { executionResult: read, terminalAt } = execution;
  const both = [start, exchange];
  if (sameResult(result, read)) return satisfied(both);
  if (isFields(result)) return violated(both, `the result that a reading shows, ${jsonText(read)}`, jsonText(result));
  // If the result is recorded after the end, the call may miss it.
  const createdAt = isFields(read) ? read.createdAt : undefined;
  const [ended, recorded] = [instant(terminalAt), instant(createdAt)];
  if (ended === undefined || recorded === undefined) return undefined;
  // A clock with coarse steps does not tell.
  return recorded <= ended && clockStepMs(terminalAt, createdAt) < 1000
    ? violated(both, `the result that was recorded, ${jsonText(read)}`, 'no executionResult')
    : undefined;
}
