/** When exchanges were under way, beside one another. */
import type { Exchange } from '../vocabulary.js';

/** Milliseconds since the epoch. */
export const answeredAt = ({ at, durationMs }: Exchange): number => at + durationMs;

/** When a request was over; recorders give the beginning in whole milliseconds. */
export const endOf = (exchange: Exchange): number => Math.floor(answeredAt(exchange));

/** Whether one exchange was over before the other was sent: only then is their order that of the target. */
export const precedes = (earlier: Exchange, later: Exchange): boolean =>
  answeredAt(earlier) < later.at || (answeredAt(earlier) === later.at && earlier.id < later.id);

/** How far what a service reads may be behind what it wrote, in milliseconds: replicas and caches are. */
export const behindMs = 2000;
