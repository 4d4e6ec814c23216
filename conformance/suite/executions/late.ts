/** What readings show late: no rule is broken by it, but callers may want to know. */

import { isTerminal } from '../../../generated/lifecycle.js';
import { type Reading, readings } from '../../engine/outcome/readings.js';
import { has } from '../../engine/rule/values.js';
import { inMs } from '../../engine/rule/words.js';
import type { Evidence, Trace } from '../../engine/vocabulary.js';
import { hasBegun } from './view.js';

const ended = ({ status }: Reading) => isTerminal(status);
const begun = ({ status }: Reading) => hasBegun(status);

/** From when on an execution shows a field, if it does at all. */
const due: { readonly [field: string]: (reading: Reading) => boolean } = {
  executionResult: ended,
  terminalAt: ended,
  duration: ended,
  recordingUrl: ended,
  liveViewUrl: ({ status, execution }) => status === 'running' && has(execution, 'browserLiveViewUrl'),
  inputs: begun,
  metadata: begun,
  executionOptions: begun,
  agentProfileId: begun,
  triggerContext: begun,
};

/** How many milliseconds passed from the first reading that lacked it to the first that had it; 0 if none lacked it. */
function lateMs({ readings: all }: Trace, field: string): number {
  const [first, ...later] = readings(all).filter((reading) => due[field]?.(reading));
  const shown = first && !has(first.execution, field) && later.find(({ execution }) => has(execution, field));
  return shown ? shown.exchange.at - first.exchange.at : 0;
}

/** A remark for each field that was late. */
export const lateRemarks = ({ traces }: Evidence): string[] =>
  Object.keys(due).flatMap((field) => {
    const late = traces.map((trace) => lateMs(trace, field)).filter((ms) => ms > 0);
    return late.length === 0
      ? []
      : `getExecution showed ${field} late, by up to ${inMs(Math.max(...late))} in ${late.length} of ${traces.length} executions. No verdict depends on it; callers have to read again.`;
  });
