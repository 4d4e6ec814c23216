import { isObject } from '../common/values.js';

/** Checks of option values, by the words that a message uses for them. The command line uses the same checks. */
export const optionValues = {
  'true or false': (value: unknown) => typeof value === 'boolean',
  'a string': (value: unknown) => typeof value === 'string',
  'a string or an object': (value: unknown) => typeof value === 'string' || isObject(value),
  'a clock with now, setTimeout and clearTimeout': (value: unknown) =>
    isObject(value) && ['now', 'setTimeout', 'clearTimeout'].every((name) => typeof value[name] === 'function'),
  'a list': (value: unknown) => Array.isArray(value),
  'a function': (value: unknown) => typeof value === 'function',
  'an object': isObject,
  'a whole number': (value: unknown) => Number.isInteger(value),
  'a whole number from 0': (value: unknown) => isCount(value, 0),
  'a whole number from 1': (value: unknown) => isCount(value, 1),
  'a number above 0': (value: unknown) => typeof value === 'number' && value > 0,
  'milliseconds from 0 to a day': (value: unknown) => isBetween(value, 0, 86_400_000),
  'a port from 0 to 65535': (value: unknown) => Number.isInteger(value) && isBetween(value, 0, 65_535),
  'a path such as /gateway': (value: unknown) => typeof value === 'string' && /^(?:(?:\/[\w.~-]+)+)?$/.test(value),
} as const satisfies Record<string, (value: unknown) => boolean>;

/** Infinity means no limit. */
function isCount(value: unknown, least: number): boolean {
  return (value === Infinity || Number.isInteger(value)) && Number(value) >= least;
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}
