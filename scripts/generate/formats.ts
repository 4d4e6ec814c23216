/**
 * The string and number formats that the contract uses, for the generated validators. The ones of ajv-formats do not
 * serve: its uuid takes `urn:uuid:…`, its date-time a space for the T, and its fast date-time 30 February.
 */

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/i;

/** A date-time of ISO 8601 in the extended format, to the minute or finer: a day that exists, and an offset. */
function isDateTime(text: string): boolean {
  const match = dateTime.exec(text);
  if (!match) return false;
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = [1, 2, 3, 4, 5, 6, 8, 9].map((group) =>
    Number(match[group] ?? 0),
  ) as [number, number, number, number, number, number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  return (
    second < 60 || (second === 60 && isLastMinute(hour, minute, match[7] === '-' ? -1 : 1, offsetHour, offsetMinute))
  );
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** A leap second is inserted at the end of a day in UTC. */
function isLastMinute(hour: number, minute: number, sign: number, offsetHour: number, offsetMinute: number): boolean {
  const day = 24 * 60;
  const inUtc = hour * 60 + minute - sign * (offsetHour * 60 + offsetMinute);
  return ((inUtc % day) + day) % day === day - 1;
}

export const formats = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': isDateTime,
  int32: {
    type: 'number' as const,
    validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31,
  },
};
