import { DateTime } from 'luxon';
import { contract } from '../contract.js';
import { outcomeOf } from '../outcome/outcome.js';
import { accepted, hasNoOptionalParameter, isStartRequest, isWaitingStart, readsOne } from '../outcome/read.js';
import { clocksApartMs } from '../outcome/when.js';
import type { Exchange, Facts } from '../vocabulary.js';
import { asText } from './values.js';

/** Most times are in the form that `Date.parse` reads, which is faster. */
const isUsual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Milliseconds since the epoch, of a time in any form of ISO 8601 or of HTTP. Without an offset it is local. */
export function instant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const time = isUsual.test(value) ? undefined : DateTime.fromISO(value);
  const ms = time?.isValid ? time.toMillis() : Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The precision of a time as it is written, in milliseconds. */
function lastDigit(time: unknown): number {
  const [, minutes, seconds, fraction = ''] = /T\d\d(:?\d\d(:?\d\d)?)?(?:[.,](\d+))?/i.exec(asText(time)) ?? [];
  const unit = seconds !== undefined ? 1000 : minutes !== undefined ? 60_000 : 3_600_000;
  return Math.max(unit / 10 ** fraction.length, 1);
}

/** The precision of a text that is a time; 0 for others. */
export const timePrecisionMs = (time: unknown): number => (instant(time) === undefined ? 0 : lastDigit(time));

/** Whether two texts name the same time, within the precision of the coarser one. */
export function sameInstant(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [one, other] = [instant(a), instant(b)];
  if (one === undefined || other === undefined) return false;
  const [fine, coarse] = [lastDigit(a), lastDigit(b)].sort((x, y) => x - y) as [number, number];
  return one === other || (fine < coarse && Math.abs(one - other) < coarse);
}

/** The resolution of the clock behind these times, in milliseconds: many are cut to seconds or minutes. */
export const clockResolutionMs = (...times: number[]): number => {
  if (times.every((ms) => ms % 60_000 === 0)) return 60_000;
  return [1000, 100, 10].find((step) => times.some((ms) => ms % step === 0)) ?? 1;
};

/** By how many milliseconds a time may appear later than another of the same service, and be the earlier one. */
export const timeToleranceMs = (...times: number[]): number => clocksApartMs + clockResolutionMs(...times);

// Measures how far away a service is, so that answers on time are not called late.

/** Tolerance: the network may be this much slower than the slowest reading. */
const latencySpread = 1.25;

/** Grants waits a grace: the time of the slowest reading, or of the median start that does not wait if that is longer. */
export function withMeasuredLatency(facts: Facts, exchanges: readonly Exchange[]): Facts {
  const starts = exchanges.filter((one) => isStartRequest(one) && !isWaitingStart(one) && accepted(one));
  const usual = starts.map(took).sort((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0;
  return withGrace(facts, Math.max(usual, ...exchanges.map(tookToRead)));
}

/** How long an answer may be under way by a reading; 0 for other exchanges. */
export const tookToRead = (one: Exchange): number =>
  readsOne(one, contract().kinds.started) && hasNoOptionalParameter(one) && outcomeOf(one).own ? took(one) : 0;

const took = ({ durationMs, delayMs = 0 }: Exchange): number => (durationMs - delayMs) * latencySpread;

/** The facts with a grace of at least so much. */
export const withGrace = (facts: Facts, ms: number): Facts => ({
  ...facts,
  pace: { ...facts.pace, latencyGraceMs: Math.round(Math.max(facts.pace.latencyGraceMs, ms)) },
});

/** The facts of a service that is as far away as can be: who is late even so is late for another reason. */
export const endlesslyFar = (facts: Facts): Facts => withGrace(facts, Number.POSITIVE_INFINITY);
