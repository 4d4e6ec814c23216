/** interface: States and transitions, queued. */
import { isTerminal } from '../../../generated/lifecycle.js';
import type { RuleId } from '../../../generated/rules.js';
import { accepted, acceptedExecutionId, sent, status } from '../../evidence/read.js';
import { answeredStatus, asksToQueue, due, isStop, precedes, type Reading, readings } from '../../evidence/runs.js';
import { sameId, shows } from '../../evidence/values.js';
import type { Evidence, Exchange, Facts, Finding, Judge, Trace } from '../../vocabulary.js';
import { heard, meantToPass } from '../expected.js';
import { broken, kept, unclear } from '../findings.js';

const groupOf = (start: Exchange): unknown => sent(start)?.profileGroupId ?? sent(start)?.agentProfilePoolId;

/** The executions by which the suite filled the group. */
const holders = ({ traces }: Evidence, { capacity }: Facts): Trace[] =>
  traces.filter(
    ({ start }) =>
      start &&
      meantToPass(start) &&
      sameId(groupOf(start), capacity?.profileGroup) &&
      answeredStatus(start) === 'starting' &&
      !asksToQueue(start),
  );

/** A reading that proves that a queued execution has started. It may be read as starting while it is queued. */
function started({ readings: all }: Trace): Reading | undefined {
  const seen = readings(all);
  const queued = seen.findIndex((reading) => reading.status === 'queued');
  return seen.find(
    (reading, index) =>
      reading.status === 'running' ||
      reading.status === 'completed' ||
      isStop(reading.status) ||
      (reading.status === 'starting' && queued >= 0 && index > queued),
  );
}

const isStart = ({ operation }: Exchange) => operation === 'execute' || operation === 'executeSync';

const isQueued = (trace: Trace): trace is Trace & { start: Exchange } =>
  trace.start !== undefined && answeredStatus(trace.start) === 'queued';

export const capacity = {
  'over-capacity-is-queued': {
    run(evidence, facts) {
      const { capacity: group } = facts;
      if (!group) return undefined;
      return evidence.exchanges
        .filter(
          (start) =>
            isStart(start) &&
            meantToPass(start) &&
            asksToQueue(start) &&
            !shows(sent(start) ?? {}, 'tempFiles') &&
            sameId(groupOf(start), group.profileGroup),
        )
        .flatMap((start) => {
          const before = holders(evidence, facts).filter((hold) => hold.start && precedes(hold.start, start));
          const held = before.filter((hold) =>
            readings(hold.readings).some((one) => !isTerminal(one.status) && precedes(start, one.exchange)),
          );
          if (before.length < group.size) return unclear(start, 'The group could not be filled.');
          if (answeredStatus(start) === 'queued') return found(start, evidence);
          const code = status(start) ?? 0;
          // A refusal at the limit has a status that is not shown; these have other reasons.
          if (code === 401 || code === 403 || code >= 500 || !start.response)
            return unclear(start, `A start that was to be queued was answered ${heard(start)}.`);
          if (!accepted(start) || held.length >= group.size)
            return broken(start, '202 with status queued', heard(start));
          // It may have been queued, and have had its turn, before it was answered.
          return start.operation === 'executeSync' ? [] : unclear(start, 'The group may not have been full any more.');
        });
    },
  },

  'queued-starts-by-itself': {
    trace(trace) {
      const start = isQueued(trace) ? started(trace) : undefined;
      return start && kept(start.exchange);
    },
    run(evidence, facts) {
      const freed = holders(evidence, facts)
        .flatMap((hold) => readings(hold.readings))
        .find((reading) => isTerminal(reading.status));
      return evidence.traces.filter(isQueued).flatMap((trace) => {
        const last = readings(trace.readings).at(-1);
        if (trace.failedWait?.reason !== 'patience' || started(trace) || !last) return [];
        return freed
          ? broken([last.exchange, freed.exchange], 'a start when capacity frees', `${last.status} for good`)
          : unclear(last.exchange, 'No capacity came free.');
      });
    },
  },

  'queue-is-oldest-first': {
    run({ traces }, facts) {
      const queued = traces.filter(isQueued).toSorted((a, b) => a.start.at - b.start.at);
      return queued.flatMap((older, index) =>
        queued
          .slice(index + 1)
          .filter((newer) => sameId(groupOf(older.start), groupOf(newer.start)) && precedes(older.start, newer.start))
          .flatMap((newer) => order(older, newer, facts) ?? []),
      );
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;

/** That a queued execution exists under the id that was answered. */
function found(start: Exchange, { traces }: Evidence): Finding {
  const all = traces.find(({ executionId }) => executionId === acceptedExecutionId(start))?.readings ?? [];
  const telling = due(start, all).find((one) => status(one) === 200 || status(one) === 404);
  if (!telling) return unclear(start, 'The queued execution could not be read.');
  return status(telling) === 200
    ? kept([start, telling])
    : broken([start, telling], 'the queued execution under its id', '404');
}

/** Which of two executions that wait for the same group started first. */
function order(older: Trace & { start: Exchange }, newer: Trace, { capacity: group }: Facts): Finding | undefined {
  // With one profile only one of them runs at a time: what has not ended when another has started comes after it.
  const single = group?.size === 1 && sameId(group.profileGroup, groupOf(older.start));
  const waits = (reading: Reading) => reading.status === 'queued' || (single && !isTerminal(reading.status));
  const before = (first: Trace, second: Trace): Exchange[] | undefined => {
    const start = started(first);
    const waiting =
      start && readings(second.readings).find((one) => waits(one) && precedes(start.exchange, one.exchange));
    return waiting && [start.exchange, waiting.exchange];
  };
  const overtaken = before(newer, older);
  if (overtaken) return broken(overtaken, 'the execution that was queued first to start first', 'it waits on');
  const inOrder = before(older, newer);
  if (inOrder) return kept(inOrder);
  return older.start.mark && unclear(older.start, 'Which of two queued executions started first was not seen.');
}
