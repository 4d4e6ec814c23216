import { DateTime } from 'luxon';
import { type HasOperation, isFields, traitsOf } from '../outcome/read.js';
import { clocksApartMs } from '../outcome/when.js';
import type { Exchange } from '../vocabulary.js';
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

/** Whether two texts name the same time, within the precision of the coarser one. */
export function sameInstant(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [one, other] = [instant(a), instant(b)];
  if (one === undefined || other === undefined) return false;
  const [fine, coarse] = [lastDigit(a), lastDigit(b)].sort((x, y) => x - y) as [number, number];
  return one === other || (fine < coarse && Math.abs(one - other) < coarse);
}

/** The step of the clock behind these times, in milliseconds: many are cut to seconds or minutes, or written so. */
export const clockStepMs = (...times: unknown[]): number => {
  const known = times.flatMap((time) => instant(time) ?? []);
  const step = known.every((ms) => ms % 60_000 === 0)
    ? 60_000
    : ([1000, 100, 10].find((each) => known.some((ms) => ms % each === 0)) ?? 1);
  return Math.max(step, ...times.map((time) => (instant(time) === undefined ? 0 : lastDigit(time))));
};

/** By how many milliseconds a time may appear later than another of the same service, and be the earlier one. */
export const timeToleranceMs = (...times: unknown[]): number => clocksApartMs + clockStepMs(...times);

// How long operations wait before they answer: as the field or parameter says that `x-operation.waits` names.

/** What a request says, wherever its operation looks. */
interface Asked extends HasOperation {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** How long a request asks its answer to wait, in milliseconds. What is not allowed asks for nothing else than usual. */
export function waitMsOf(asked: Asked): number {
  const { waits } = traitsOf(asked) ?? {};
  if (!waits) return 0;
  const { name, usual, longest } = waits;
  const said = { ...(isFields(asked.body) && asked.body), ...asked.query }[name];
  // Not every object can be made a number.
  const seconds = typeof said === 'object' ? Number.NaN : Number(said);
  return 1000 * (seconds > 0 ? Math.min(seconds, longest) : usual);
}

/** The same, of a request that was sent. */
export const waitMsIn = ({ operation, request: { url, body } }: Exchange): number =>
  waitMsOf({
    operation,
    body: body.kind === 'json' ? body.value : undefined,
    query: Object.fromEntries(new URL(url, 'http://any').searchParams),
  });
