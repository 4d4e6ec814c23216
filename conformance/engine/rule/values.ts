import { memoize } from '../memoize.js';
import { type Fields, isFields } from '../outcome/read.js';

/** Times in the forms of ISO 8601 that engines do not read: without separators, by week or by day of the year, cut short. */

const day = /^(\d{4})(?:-?(\d\d)-?(\d\d)|-?W(\d\d)-?([1-7])|-?(\d{3}))$/i;
const clock = /^(\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,](\d+))?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?$/i;

const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000];

/** Milliseconds since the epoch; without an offset a time is a local one, as it is to engines. */
function isoTime(text: string): number | undefined {
  const [date = '', time = '', ...rest] = text.split(/T/i);
  const [start, since] = [startOf(date), clock.exec(time)];
  if (start === undefined || !since || rest.length > 0) return undefined;
  const [, hours, minutes, seconds, fraction = '', utc, sign, offsetHours, offsetMinutes] = since;
  const unit = seconds !== undefined ? secondMs : minutes !== undefined ? minuteMs : hourMs;
  const ms =
    start +
    Number(hours) * hourMs +
    Number(minutes ?? 0) * minuteMs +
    Number(seconds ?? 0) * secondMs +
    Math.floor(Number(`0.${fraction}`) * unit + 1e-6);
  if (!utc && !sign) return ms + new Date(ms).getTimezoneOffset() * minuteMs;
  const offset = Number(offsetHours ?? 0) * hourMs + Number(offsetMinutes ?? 0) * minuteMs;
  return sign === '-' ? ms + offset : ms - offset;
}

function startOf(date: string): number | undefined {
  const [, year, month, dayOfMonth, week, weekday, dayOfYear] = day.exec(date) ?? [];
  if (year === undefined) return undefined;
  if (week === undefined) return Date.UTC(Number(year), Number(month ?? 1) - 1, Number(dayOfMonth ?? dayOfYear));
  // The fourth of January is always in the first week.
  const fourth = Date.UTC(Number(year), 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
  return monday + ((Number(week) - 1) * 7 + Number(weekday) - 1) * dayMs;
}

/**
 * Comparing what was sent with what is shown, and one answer with another: by what values mean, not by their bytes. A
 * service may normalise what it stores; what is lost or means something else is a difference.
 */

/** How far the clocks of one service may lie apart, in milliseconds: those of its instances, and of workers behind it. */
export const clocksApartMs = 2000;

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

/** A value of an answer as a text; empty for what has no text of its own. `String` throws where a service sends `{"toString": 1}`. */
export const asText = (value: unknown): string => (typeof value === 'object' ? '' : String(value));

/** A text as it stands in a URL. Half of a pair of surrogates, for which there is no code, stands there as what is unknown. */
export const inUrl = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** A text as people read it: however its letters are composed, and without blanks at its ends. */
const plain = (text: string): string => (isPlain.test(text) ? text : text.normalize('NFC').trim());
/** Most texts are, and to compose letters takes long. */
const isPlain = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/** Equal for texts that mean the same. What is no text has none of its own. */
export const textKey = (value: unknown): string | undefined => (typeof value === 'string' ? plain(value) : undefined);

/** Whatever the case. */
export const sameName = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && plain(a).toLowerCase() === plain(b).toLowerCase();

/** Equal for items of the same name. */
export const nameKey = ({ name }: Fields): string | undefined => textKey(name)?.toLowerCase();

/** Letters of a UUID mean the same in either case. */
export const sameId = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase();

export const idKey = ({ id }: Fields): string | undefined => (typeof id === 'string' ? id.toLowerCase() : undefined);

/** Null stands for absent: that it is no value of its type is for the schema to say. */
export const shows = (fields: Fields, name: string): boolean => (fields[name] ?? undefined) !== undefined;

/** Whether two values mean the same; null stands for absent. */
export const equal = (a: unknown, b: unknown): boolean => alike(a ?? undefined, b ?? undefined);

/** Whether an object has every pair of another. A service may add pairs of its own. */
export function contains(shown: unknown, given: Fields): boolean {
  if (!isFields(shown)) return false;
  const pairs = byName(shown);
  return Object.entries(given).every(([key, value]) => alike(pairs.get(plain(key)), value));
}

/** What a free object shows under a name that a caller gave; null stands for nothing. */
export const under = (fields: Fields, name: string): unknown => byName(fields).get(plain(name)) ?? undefined;

/** JSON values of the same meaning. A time within them is a text like any other: whose it is nobody knows. */
function alike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'string' && typeof b === 'string') return plain(a) === plain(b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => alike(item, b[index]));
  if (!isFields(a) || !isFields(b)) return false;
  const [one, other] = [byName(a), byName(b)];
  return one.size === other.size && [...one].every(([key, value]) => other.has(key) && alike(value, other.get(key)));
}

const byName = memoize(
  (fields: Fields): ReadonlyMap<string, unknown> =>
    new Map(Object.entries(fields).map(([name, value]) => [plain(name), value])),
);

/** Most times are written as engines read them. */
const isUsual = /^[\d-]+T[\d:.]+Z$/;

/** With separators, and an hour and a minute at the least: what is written otherwise engines may take for something else. */
const isExtended = /^\d{4}-\d\d-\d\dT\d\d:\d\d/i;

/** Milliseconds since the epoch. What engines parse is less than ISO 8601 knows: offsets without a colon or minutes. */
export function instant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = isUsual.test(value)
    ? Date.parse(value)
    : Date.parse(
        value
          .replace(/(T.*[+-]\d\d)$/i, '$1:00')
          .replace(/(T.*[+-]\d\d)(\d\d)$/i, '$1:$2')
          .replace(',', '.'),
      );
  const read = Number.isNaN(ms) ? undefined : ms;
  return read !== undefined && isExtended.test(value) ? read : (isoTime(value) ?? read);
}

/** What the last digit of a time stands for, in milliseconds. */
function lastDigit(time: unknown): number {
  const [, minutes, seconds, fraction = ''] = /T\d\d(:?\d\d(:?\d\d)?)?(?:[.,](\d+))?/i.exec(asText(time)) ?? [];
  const unit = seconds !== undefined ? 1000 : minutes !== undefined ? 60_000 : 3_600_000;
  return Math.max(unit / 10 ** fraction.length, 1);
}

/** The same of a text that is a time; what is none has no step. */
export const writtenStep = (time: unknown): number => (instant(time) === undefined ? 0 : lastDigit(time));

/** Whether two texts name the same time, as far as the coarser of them tells: the same record may be shown in both. */
export function sameInstant(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [one, other] = [instant(a), instant(b)];
  if (one === undefined || other === undefined) return false;
  const [fine, coarse] = [lastDigit(a), lastDigit(b)].sort((x, y) => x - y) as [number, number];
  return one === other || (fine < coarse && Math.abs(one - other) < coarse);
}

/** The step of the clock that showed these times, in milliseconds, as far as they tell: many cut to seconds, or to minutes. */
export const resolution = (...times: number[]): number => {
  if (times.every((ms) => ms % 60_000 === 0)) return 60_000;
  return [1000, 100, 10].find((step) => times.some((ms) => ms % step === 0)) ?? 1;
};

/** How much later than another of the same service one time may seem to be and be the earlier one, in milliseconds. */
export const blur = (...times: number[]): number => clocksApartMs + resolution(...times);

/** What is in a list; nothing where it is none. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The same array again where all of it are items: what was made of it holds. */
export const listOf = (value: unknown): readonly Fields[] =>
  !Array.isArray(value) ? [] : value.every(isFields) ? value : value.filter(isFields);

/** The ids of items, of those that show one. */
export const idsOf = (items: readonly Fields[]): string[] =>
  items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
