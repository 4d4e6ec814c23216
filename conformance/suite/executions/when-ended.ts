/** When an execution may have gone on, and may have ended. */

import { isTerminal } from '../../../generated/lifecycle.js';
import { endReading, readings } from '../../engine/outcome/readings.js';
import { answeredAt } from '../../engine/outcome/when.js';
import type { Trace } from '../../engine/vocabulary.js';

/** Whether an execution that began before a moment may have gone on at that moment. */
export function mayGoOnAt(trace: Trace, at: number): boolean {
  const end = endReading(trace)?.exchange;
  return trace.start !== undefined && trace.start.at < at && !(end && answeredAt(end) <= at);
}

/** Whether an execution may have ended between two moments, and so made room in the organization. */
export function mayHaveEnded(trace: Trace, from: number, to: number): boolean {
  const end = endReading(trace)?.exchange;
  const going = readings(trace.readings).findLast(({ status }) => !isTerminal(status))?.exchange ?? trace.start;
  return end !== undefined && going !== undefined && answeredAt(end) >= from && going.at <= to;
}
