/** interface: Execution. What is shown only before the end, or only after it. */

import { isTerminal } from '../../../../generated/lifecycle.js';
import type { ExecutionStatus } from '../../../../generated/types.js';
import type { Fields } from '../../../engine/outcome/read.js';
import { eachReading, type Reading, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, graceMs, replicaLagMs } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { has, jsonText } from '../../../engine/rule/values.js';
import type { Finding, Judge, Judges, Trace } from '../../../engine/vocabulary.js';

type JudgeReading = (reading: Reading) => Finding | undefined;

/** What the readings of one execution show: those that are right, and those at the end that are wrong. */
function inTheEnd({ readings: all }: Trace, judge: JudgeReading) {
  const judged = readings(all).flatMap((reading) => {
    const finding = judge(reading);
    return finding ? { at: reading.exchange.at, finding, isRight: finding.kind !== 'violated' } : [];
  });
  const wrong = judged.findIndex(({ isRight }) => !isRight);
  const late = judged.find(({ isRight }, place) => isRight && place > wrong);
  const last = judged.slice(judged.findLastIndex(({ isRight }) => isRight) + 1);
  return {
    right: judged.flatMap(({ finding, isRight }) => (isRight ? finding : [])),
    wrong: last.map(({ finding }) => finding),
    /** How long it was wrong before it was right, and how long it is wrong in the end. */
    lateMs: wrong < 0 || !late ? 0 : late.at - (judged[wrong]?.at ?? 0),
    wrongMs: (last.at(-1)?.at ?? 0) - (last[0]?.at ?? 0),
  };
}

/**
 * Judges what readings show in the end. A reading that is wrong does not count if a later one of the same execution is
 * right: late is not missing. Nor does it if others of the run were wrong for as long before they were right.
 */
export const eventually = (judge: JudgeReading): Judge => {
  const isOfRun = ({ readings: [first] }: Trace) => first?.mark !== undefined;
  return {
    trace(trace) {
      const { right, wrong } = inTheEnd(trace, judge);
      return isOfRun(trace) ? undefined : [...right, ...wrong];
    },
    run({ traces }) {
      const all = traces.filter(isOfRun).map((trace) => inTheEnd(trace, judge));
      const longest = Math.max(0, ...all.map(({ lateMs }) => lateMs));
      const counts = (ms: number) => longest === 0 || ms > longest + replicaLagMs;
      return all.flatMap(({ right, wrong, wrongMs }) => [...right, ...(counts(wrongMs) ? wrong : [])]);
    },
  };
};

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
