/** Times in the forms of ISO 8601 that engines do not read: without separators, by week or by day of the year, cut short. */

const day = /^(\d{4})(?:-?(\d\d)-?(\d\d)|-?W(\d\d)-?([1-7])|-?(\d{3}))$/i;
const clock = /^(\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:[.,](\d+))?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?$/i;

const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000];

/** Milliseconds since the epoch; without an offset a time is a local one, as it is to engines. */
export function isoTime(text: string): number | undefined {
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
