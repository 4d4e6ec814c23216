import { asText } from '../rule/values.js';
import type { Exchange, Facts } from '../vocabulary.js';
import { answerBody, status } from './read.js';

/** When exchanges were under way, and in which order. */
export const answeredAt = ({ at, durationMs }: Exchange): number => at + durationMs;

/** The end of a request in whole milliseconds, since recorders give the beginning so. */
export const endOf = (exchange: Exchange): number => Math.floor(answeredAt(exchange));

/** Whether an exchange surely ended before another was sent: only then the target handled them in this order. */
export const precedes = (earlier: Exchange, later: Exchange): boolean =>
  !earlier.untimed && (answeredAt(earlier) < later.at || (answeredAt(earlier) === later.at && earlier.id < later.id));

/**
 * How long after an answer another request was sent. The clock of a recorder may be set in between: then the dates of both
 * answers tell. A cache may have kept the date of an earlier one.
 */
export function sentAfter(earlier: Exchange, later: Exchange): number {
  const byRecorder = later.at - answeredAt(earlier);
  const [from = Number.NaN, to = Number.NaN] = [earlier, later].map(({ mark, response }) =>
    mark || response?.headers.age ? Number.NaN : Date.parse(response?.headers.date ?? ''),
  );
  const byDates = to - from + dateResolutionMs;
  return byDates < byRecorder ? byDates : byRecorder;
}

const dateResolutionMs = 1000;

/** How far readings may be behind writes, in milliseconds, because of replicas and caches. */
export const replicaLagMs = 2000;

/** Whether a request was sent so long after another that no replica is behind any more. */
export const isAfterReplicaLag = (later: Exchange, earlier: Exchange): boolean =>
  later.at - answeredAt(earlier) >= replicaLagMs;

/** The same of a recording, whose last request may have been sent at any time. A run asks once more if in doubt. */
export const mayBeBehind = (later: Exchange, earlier: Exchange): boolean =>
  later.mark === undefined && !isAfterReplicaLag(later, earlier);

/** A factor beyond which something is not slow but stuck. */
const many = 10;
/** A floor: what ends within one poll is no measure. */
const leastMs = 60_000;

/**
 * When something that usually takes `ms` counts as stuck. The interface sets no time limit, so only a comparison can
 * tell: with executions that ended, or with the time that the operator declared.
 */
export const stuckAfterMs = (ms: number): number => Math.max(many * ms, leastMs);

/** The longest that a service may take to do what it does by itself, where nothing tells how long it usually takes. */
export const longestTurnMs = stuckAfterMs(0);

/** Whether two answers say the same, apart from ids and numbers. */
export const saysTheSame = (a: Exchange, b: Exchange): boolean =>
  status(a) === status(b) && withoutIds(answerBody(a)?.message) === withoutIds(answerBody(b)?.message);

const withoutIds = (text: unknown): string =>
  asText(text).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d+/gi, '');

/** How far apart the clocks of the instances and workers of one service may be, in milliseconds. */
export const clocksApartMs = 2000;
const usualSeconds = 60;

/** How long, in milliseconds, an answer is waited for that may still come. This is not the wait for a state. */
export const graceMs = ({ patienceSeconds = usualSeconds }: Facts['pace']): number => patienceSeconds * 1000;
