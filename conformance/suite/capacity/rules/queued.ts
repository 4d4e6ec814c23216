/** interface: onCapacityLimit queue. A start that finds no room and asks to wait is queued. */

import { isOutsideContract } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  fieldNames,
  isMeantToPass,
  isStart,
  isWaitingStart,
  requestBody,
  startedId,
  status,
  usesOldName,
} from '../../../engine/outcome/read.js';
import { answeredStatus, mustFind } from '../../../engine/outcome/readings.js';
import { isAfterReplicaLag, precedes } from '../../../engine/outcome/when.js';
import { inconclusive, satisfied, violated } from '../../../engine/rule/findings.js';
import { has, sameId } from '../../../engine/rule/values.js';
import { answerText } from '../../../engine/rule/words.js';
import type { Evidence, Exchange, Facts, Finding, Judges } from '../../../engine/vocabulary.js';
import { covers, during, isOfGroup, type Timed, timed } from '../../executions/intervals.js';
import { asksToQueue, groupOf, roomField } from '../../executions/view.js';
import { asksOnlyAccepted } from '../../starts/asked.js';
import { overtaking } from '../view.js';

/** What a start for the filled group says about room and its wait. */
const ofRoom = (start: Exchange): string[] =>
  (['profileGroupId', roomField, 'timeoutSeconds'] as const).flatMap((field) => fieldNames(start, field));

const queuesOldName = ({ exchanges }: Evidence): boolean =>
  exchanges.some((one) => answeredStatus(one) === 'queued' && usesOldName(one, 'profileGroupId'));

/** The executions with which the suite filled the group. */
const holders = ({ traces }: Evidence, { capacity }: Facts): Timed[] =>
  timed(traces)
    .filter(isOfGroup(capacity?.profileGroup))
    .filter(({ trace, mayWait }) => isMeantToPass(trace.start) && !mayWait);

export const queued = {
  /**
   * Judges a start for the filled group that asks to be queued. Passes if it is answered `queued` and can be read;
   * fails if it is refused, begins beside executions that hold the whole group, or is not found.
   */
  'over-capacity-is-queued': {
    run(evidence, facts) {
      const { capacity: group } = facts;
      if (!group) return undefined;
      return evidence.exchanges
        .filter(
          (start) =>
            isStart(start) &&
            isMeantToPass(start) &&
            asksToQueue(start) &&
            !has(requestBody(start) ?? {}, 'tempFiles') &&
            sameId(groupOf(start), group.profileGroup) &&
            // Another rule judges whether the deprecated name still works.
            (!usesOldName(start, 'profileGroupId') || queuesOldName(evidence)),
        )
        .flatMap((start) => {
          const before = holders(evidence, facts).filter(({ trace }) => precedes(trace.start, start));
          const held = before.filter(({ surely }) => covers(surely, during(start)));
          if (before.length < group.size) return inconclusive(start, 'The group could not be filled.');
          if (answeredStatus(start) === 'queued') return found(start, evidence);
          const code = status(start) ?? 0;
          // The status of a refusal at the limit is not shown, but these have other reasons, or other senders.
          const isOther = code === 401 || code === 403 || code >= 500 || (!accepted(start) && isOutsideContract(start));
          // The reason may also be something that no accepted start asked for.
          if (isOther || !start.response || !asksOnlyAccepted(start, ofRoom(start), evidence.exchanges))
            return inconclusive(start, `A start that should be queued was answered ${answerText(start)}.`);
          if (!accepted(start) || held.length >= group.size) return violated(start, '202 with status queued');
          const overtaken = isWaitingStart(start) && overtaking(start, evidence.traces);
          if (overtaken) return overtaken;
          // It may have been queued, and have begun, before it was answered.
          return isWaitingStart(start) ? [] : inconclusive(start, 'The group may not have been full any more.');
        });
    },
  },
} satisfies Judges;

/** Whether a queued execution can be read by the id that was answered. */
export function found(start: Exchange, { traces }: Evidence): Finding {
  const all = traces.find(({ executionId }) => executionId === startedId(start))?.readings ?? [];
  const telling = mustFind(start, all).find(
    (one) => status(one) === 200 || (status(one) === 404 && isAfterReplicaLag(one, start)),
  );
  if (!telling) return inconclusive(start, 'The queued execution could not be read.');
  return status(telling) === 200
    ? satisfied([start, telling])
    : violated([start, telling], 'the queued execution under its id', '404');
}
