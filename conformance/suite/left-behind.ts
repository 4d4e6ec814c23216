/** Lists what a run leaves behind: executions that it did not see end, and copies, which no operation deletes. */

import { isTerminal } from '../../generated/lifecycle.js';
import { mayHaveCopied, mayHaveStarted } from '../engine/outcome/outcome.js';
import { accepted, answerBody, isCopyRequest, isStart, traitsOf } from '../engine/outcome/read.js';
import { successfulReadings } from '../engine/outcome/readings.js';
import { asText, listOf, sameId } from '../engine/rule/values.js';
import type { KnownCopy } from '../engine/send/known-copies.js';
import type { LeftBehind } from '../engine/vocabulary/report.js';
import type { Evidence, Exchange } from '../engine/vocabulary.js';
import { queued } from './executions/view.js';
import { updatesProfile } from './operations.js';
import { isItemOfSuite } from './profiles/settings.js';

const noteOf = (said: string): string =>
  said === queued
    ? 'still queued: it will start when capacity frees, after this run has ended'
    : said
      ? `last seen ${said}`
      : 'its status was never seen';

/** Whether a start with the full key was pending when the run was stopped: its execution may go on. */
const wasUnderWay = (exchange: Exchange): boolean =>
  isStart(exchange) &&
  exchange.failure?.kind === 'stopped' &&
  exchange.mark?.credential === 'primary' &&
  exchange.mark.probe === undefined;

/** `earlier`: copies that earlier runs made, and that are still there. */
export function leftBehind({ traces, exchanges }: Evidence, earlier: readonly KnownCopy[] = []): LeftBehind[] {
  const running = traces.flatMap(({ executionId, start, otherStarts = [], readings }): LeftBehind[] => {
    const [begun] = [start ?? [], otherStarts].flat();
    if (!begun) return [];
    const last = successfulReadings(readings).at(-1)?.execution.status ?? answerBody(begun)?.status;
    const said = asText(last);
    return isTerminal(said) ? [] : [{ kind: 'execution', id: executionId, note: noteOf(said) }];
  });
  const unheard = exchanges.flatMap((start): LeftBehind[] => {
    const why = wasUnderWay(start) ? 'that was not answered yet' : mayHaveStarted(start) && 'whose answer was lost';
    const note = `may have been started by a request ${why}`;
    return why ? [{ kind: 'execution', id: `unknown, of ${traitsOf(start)?.subject} ${start.resource}`, note }] : [];
  });
  const copies = exchanges.flatMap((exchange): LeftBehind[] => {
    const made = isCopyRequest(exchange) && accepted(exchange) ? answerBody(exchange) : undefined;
    if (typeof made?.id !== 'string') {
      const note = 'may have been made by a duplication whose answer was lost, with its cookies and credentials';
      return mayHaveCopied(exchange) ? [{ kind: 'profile', id: `unknown, a copy of ${exchange.resource}`, note }] : [];
    }
    const { id } = made;
    const last = exchanges.findLast((one) => updatesProfile(one) && sameId(one.resource, id) && accepted(one));
    const shown = (last && answerBody(last)) ?? made;
    const isFull = [shown.cookies, shown.credentials].some((list) => !listOf(list).every(isItemOfSuite));
    const what = `a copy of ${exchange.resource}${isFull ? ', with its cookies and credentials' : ''}`;
    return [{ kind: 'profile', id, note: what }];
  });
  // Copies come first: they stay for good and may hold secrets, whereas executions end.
  const others = earlier.map(
    ({ id }): LeftBehind => ({ kind: 'profile', id, note: 'a copy that an earlier run made' }),
  );
  return [...copies, ...others, ...running, ...unheard];
}
