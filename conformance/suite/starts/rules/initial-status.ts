/** interface: POST execute. `starting` if it can begin, `queued` only if that was asked for. */

import { hasRightKey, isObservation, isOfRun, isProbe, isUnjudged } from '../../../engine/outcome/mark.js';
import { accepted, answerBody, refused, requestFields } from '../../../engine/outcome/read.js';
import { answeredStatus, readings } from '../../../engine/outcome/readings.js';
import { answeredAt, precedes } from '../../../engine/outcome/when.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { jsonText, sameId } from '../../../engine/rule/values.js';
import type { Evidence, Exchange, Facts, Finding, Judges } from '../../../engine/vocabulary.js';
import { overlaps, timed } from '../../executions/intervals.js';
import { asksToQueue, isQueued, roomField } from '../../executions/view.js';
import { startsAtOnce } from '../../operations.js';
import { isUnbound } from '../asked.js';

/** So soon after an answer, others seldom make room in between. */
const soonMs = 2000;

/**
 * Finds starts queued for want of a profile, when nothing else of the run went on, though one that would not wait got one
 * right after; more than once, as others may use the group.
 */
function queuedThoughFree({ exchanges, traces }: Evidence, { profileGroup, capacity }: Facts): Finding | undefined {
  if (profileGroup === undefined || sameId(profileGroup, capacity?.profileGroup)) return undefined;
  const starts = exchanges.filter(
    (one) => startsAtOnce(one) && hasRightKey(one) && sameId(requestFields(one).profileGroupId, profileGroup),
  );
  const isAlone = ({ at }: Exchange) =>
    !timed(traces).some(
      ({ waiting, possibly }) => overlaps(waiting, { from: at, to: at }) || overlaps(possibly, { from: at, to: at }),
    );
  const pairs = starts.filter(isQueued).flatMap((queued) => {
    const next = starts.find((one) => precedes(queued, one));
    const isSoon = next && next.at - answeredAt(queued) < soonMs && answeredStatus(next) === 'starting';
    return isSoon && !asksToQueue(next) && isAlone(queued) ? [[queued, next]] : [];
  });
  return pairs.length > 1
    ? violated(pairs.flat(), 'status starting while the group has a profile to spare', 'status queued, each time')
    : undefined;
}

export const initialStatus = {
  /**
   * Judges an accepted start. Passes if it is starting, or queued if that was asked for. Fails if it has another
   * status, or is always queued though there is room.
   */
  'execute-initial-status': {
    exchange(exchange) {
      const initial = accepted(exchange) ? answerBody(exchange)?.status : undefined;
      if (!startsAtOnce(exchange) || typeof initial !== 'string') return undefined;
      const known = answeredStatus(exchange);
      if (known === 'starting' || (known === 'queued' && asksToQueue(exchange))) return satisfied(exchange);
      // A start that is queued without asking is judged by queued-only-when-asked.
      return known === 'queued'
        ? undefined
        : violated(exchange, 'status starting, or queued', `status ${jsonText(initial)}`);
    },
    run(evidence, facts) {
      const falsely = queuedThoughFree(evidence, facts);
      if (falsely) return falsely;
      const { exchanges, traces } = evidence;
      const starts = exchanges.filter((one) => startsAtOnce(one) && isUnbound(one) && !isProbe(one));
      // If one was refused for want of capacity, another may rightly have been queued.
      if (starts.some((one) => hasRightKey(one) && !isObservation(one) && !isUnjudged(one) && refused(one)))
        return undefined;
      const taken = starts.filter((one) => isOfRun(one) && accepted(one));
      const others = taken.filter((one) => answeredStatus(one) === 'starting');
      const [other] = others;
      // Queued executions do not all begin as soon as they are asked for.
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

  /** Judges a start that does not ask to be queued. Passes if neither its answer nor a reading is `queued`. */
  'queued-only-when-asked': {
    trace({ start, readings: all }) {
      if (!start || asksToQueue(start)) return undefined;
      const queued = [start, ...all].find(isQueued);
      return queued
        ? violated([start, queued], `no execution queued without ${roomField} queue`, 'status queued')
        : satisfied(start);
    },
  },
} satisfies Judges;
