/** interface: Execution. What is shown only before the end, or only after it. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import type { ExecutionStatus } from '../../../../generated/types.js';
import type { Fields } from '../../../engine/outcome/read.js';
import { eachReading, eventually, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, graceMs } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { has, jsonText } from '../../../engine/rule/values.js';
import type { Judge, Judges } from '../../../engine/vocabulary.js';

/** Judges a reading in a state that does not allow the field. Passes if the field is absent. */
const only = (field: string, allowed: (status: ExecutionStatus) => boolean): Judge =>
  eachReading(({ exchange, execution, status }) => {
    if (allowed(status)) return undefined;
    return hasUrl(execution, field)
      ? violated(exchange, `no ${field} while ${status}`, `${field} ${jsonText(execution[field])}`)
      : satisfied(exchange);
  });

export const onlyWhen = {
  'duration-only-when-terminal': only('duration', isTerminal),

  /**
   * Judges a reading of a running execution that shows either live-view URL. Passes if it shows liveViewUrl, violated
   * if it shows only the deprecated one.
   */
  'live-view-is-shown': eventually(({ exchange, execution, status }) => {
    if (status !== 'running') return undefined;
    if (hasUrl(execution, 'liveViewUrl')) return satisfied(exchange);
    return hasUrl(execution, 'browserLiveViewUrl')
      ? violated(exchange, 'the liveViewUrl of an execution that can be watched', 'browserLiveViewUrl alone')
      : undefined;
  }),

  /**
   * Judges a run that showed a liveViewUrl, and has ended. Passes if it then shows a recordingUrl, fails if it
   * shows none for a while after its end.
   */
  'recording-is-shown': {
    trace({ readings: all }, { pace }) {
      const seen = readings(all);
      const live = seen.find(({ status, execution }) => status === 'running' && hasUrl(execution, 'liveViewUrl'));
      const ended = seen.filter(({ status }) => isTerminal(status));
      const [first, last] = [ended[0], ended.at(-1)];
      if (!live || !first || !last) return undefined;
      if (hasUrl(last.execution, 'recordingUrl')) return satisfied([last.exchange, live.exchange]);
      // The recording may take a while to appear.
      return last.exchange.at - answeredAt(first.exchange) >= graceMs(pace)
        ? violated([last.exchange, live.exchange], 'the recordingUrl of a run that had a liveViewUrl', 'none')
        : undefined;
    },
  },

  'recording-only-when-terminal': only('recordingUrl', isTerminal),

  'live-view-never-when-terminal': only('liveViewUrl', (status) => !isTerminal(status)),

  'live-view-not-before-start': only('liveViewUrl', (status) => status !== 'queued' && status !== 'starting'),
} satisfies Judges;

/** Whether a URL is shown. An empty text is none. */
const hasUrl = (execution: Fields, field: string): boolean => has(execution, field) && execution[field] !== '';
