/** interface: POST execute. starting where it can begin, queued only where that was asked for. */

import { accepted, answer, refused, sent } from '../../../engine/outcome/read.js';
import { answeredStatus, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { sameId } from '../../../engine/rule/values.js';
import { shown } from '../../../engine/rule/words.js';
import type { Exchange, Facts, Finding, Judges } from '../../../engine/vocabulary.js';
import { asksToQueue, isQueued } from '../../executions/view.js';
import { isUnbound } from '../asked.js';

/** Sent so soon after an answer that others seldom make room between. */
const soonMs = 2000;

/** A start that was queued for want of a profile, where one that would not wait took one right after it, more than once. */
function queuedThoughFree(exchanges: readonly Exchange[], { profileGroup, capacity }: Facts): Finding | undefined {
  if (profileGroup === undefined || sameId(profileGroup, capacity?.profileGroup)) return undefined;
  const starts = exchanges.filter(
    (one) =>
      one.operation === 'execute' &&
      one.mark?.credential === 'primary' &&
      sameId(sent(one)?.profileGroupId, profileGroup),
  );
  const pairs = starts.filter(isQueued).flatMap((queued) => {
    const next = starts.find((one) => precedes(queued, one));
    const isSoon = next && next.at - answeredAt(queued) < soonMs && answeredStatus(next) === 'starting';
    return isSoon && !asksToQueue(next) ? [queued, next] : [];
  });
  return pairs.length > 2
    ? violated(pairs, 'status starting while the group has a profile to spare', 'status queued, each time')
    : undefined;
}

export const initialStatus = {
  /**
   * Seen: an accepted start. Satisfied where it is starting, or queued if that was asked for; violated where it is anything else,
   * or queued though there is room, each time.
   */
  'execute-initial-status': {
    exchange(exchange) {
      const initial = accepted(exchange) ? answer(exchange)?.status : undefined;
      if (exchange.operation !== 'execute' || typeof initial !== 'string') return undefined;
      if (initial === 'starting' || (initial === 'queued' && asksToQueue(exchange))) return satisfied(exchange);
      // queued-only-when-asked speaks of the start that is queued without asking.
      return initial === 'queued'
        ? undefined
        : violated(exchange, 'status starting, or queued', `status ${shown(initial)}`);
    },
    run({ exchanges, traces }, facts) {
      const falsely = queuedThoughFree(exchanges, facts);
      if (falsely) return falsely;
      const starts = exchanges.filter((one) => one.operation === 'execute' && isUnbound(one) && !one.mark?.probe);
      // Where one was refused for want of capacity, another may have had to wait for it.
      if (
        starts.some(
          (one) => one.mark?.credential === 'primary' && !one.mark.observes && !one.mark.unjudged && refused(one),
        )
      )
        return undefined;
      const taken = starts.filter((one) => one.mark && accepted(one));
      const others = taken.filter((one) => answeredStatus(one) === 'starting');
      const [other] = others;
      // What waits does not begin as soon as it is asked for, each time.
      const asking = traces.flatMap(({ start, readings: all }) =>
        start && taken.includes(start) && asksToQueue(start) ? { start, first: readings(all)[0] } : [],
      );
      const [one] = asking;
      const isFalse = asking.every(({ start, first }) => isQueued(start) && first && first.status !== 'queued');
      return one?.first && other && others.length > 2 && asking.length > 1 && isFalse
        ? violated(
            [one.start, one.first.exchange, other],
            'status starting of a run that begins at once',
            'status queued',
          )
        : undefined;
    },
  },

  /** Seen: a start that does not ask to be queued. Satisfied where neither its answer nor a reading is queued. */
  'queued-only-when-asked': {
    trace({ start, readings: all }) {
      if (!start || asksToQueue(start)) return undefined;
      const queued = [start, ...all].find(isQueued);
      return queued
        ? violated([start, queued], 'no execution queued without onCapacityLimit queue', 'status queued')
        : satisfied(start);
    },
  },
} satisfies Judges;
