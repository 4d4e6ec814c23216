/** Comparing what was sent with what is shown. */
import { isDeepStrictEqual } from 'node:util';
import { type Fields, isFields } from './read.js';

export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

/** Whatever the case. interface: PATCH agent-profiles, credentialsToUpdate. */
export const sameName = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase();

/** Letters of a UUID mean the same in either case. */
export const sameId = sameName;

/** Null stands for absent: that it is no value of its type is for the schema to say. */
export const shows = (fields: Fields, name: string): boolean => (fields[name] ?? undefined) !== undefined;

export const equal = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a ?? undefined, b ?? undefined);

/** Whether an object has every pair of another. A service may add pairs of its own. */
export const contains = (shown: unknown, given: Fields): boolean =>
  isFields(shown) && Object.entries(given).every(([key, value]) => isDeepStrictEqual(shown[key], value));

/** Milliseconds since the epoch. */
export function instant(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

export const sameInstant = (a: unknown, b: unknown): boolean =>
  a === b || (instant(a) !== undefined && instant(a) === instant(b));

/** The finest step of a clock that showed these times, in milliseconds: many services keep whole seconds. */
export const resolution = (...times: number[]): number => (times.some((ms) => ms % 1000 === 0) ? 1000 : 1);

export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
