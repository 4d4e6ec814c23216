/**
 * The formats of the contract, for the generated validators. Those of ajv-formats do not fit: its uuid accepts
 * `urn:uuid:…`, its date-time accepts less than ISO 8601, and a space instead of the T.
 */

import { uuid } from '../../common/values.js';

const date = /^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d)|-W(\d\d)-([1-7])|W(\d\d)([1-7])|-(\d{3})|(\d{3}))$/;
const time = /^(\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,]\d+)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?$/i;

/** The usual form, with a day that every month has: it needs no further checks. */
const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/**
 * ISO 8601 date and time with a T in between. The day must exist, and may be given by month, week or number; the time
 * may have separators, seconds, a fraction and an offset.
 */
function isDateTime(text: string): boolean {
  if (usual.test(text)) return true;
  const [day = '', clock = '', ...rest] = text.split(/T/i);
  return rest.length === 0 && isDay(day) && isTime(clock);
}

function isDay(text: string): boolean {
  const match = date.exec(text);
  if (!match) return false;
  const group = (...places: number[]) => places.map((place) => match[place]).find((one) => one !== undefined);
  const year = Number(match[1]);
  const [month, week, ordinal] = [group(2, 4), group(6, 8), group(10, 11)];
  if (week !== undefined) return Number(week) >= 1 && Number(week) <= weeksIn(year);
  if (ordinal !== undefined) return Number(ordinal) >= 1 && Number(ordinal) <= (isLeap(year) ? 366 : 365);
  const day = Number(group(3, 5));
  return Number(month) >= 1 && Number(month) <= 12 && day >= 1 && day <= daysIn(year, Number(month));
}

/** 24:00 is the end of a day; a 60th second is a leap second, at the end of a minute in any zone. */
function isTime(text: string): boolean {
  const match = time.exec(text);
  if (!match) return false;
  const [hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  if (hour === 24) return minute === 0 && second === 0;
  return (
    hour < 24 &&
    minute < 60 &&
    (second < 60 || (second === 60 && minute % 15 === 14)) &&
    Math.abs(offsetHour) < 24 &&
    offsetMinute < 60
  );
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** A year has 53 weeks if it begins or ends on a Thursday. */
const weeksIn = (year: number): number => {
  const first = new Date(Date.UTC(year, 0, 1)).getUTCDay();
  return first === 4 || (first === 3 && isLeap(year)) ? 53 : 52;
};

export const formats = {
  uuid,
  'date-time': isDateTime,
  int32: {
    type: 'number' as const,
    validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31,
  },
};
