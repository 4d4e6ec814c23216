/** A service may hide what is secret, and still show that it is there. */
import { isDeepStrictEqual } from 'node:util';
import { isFields } from './read.js';

const wordForIt = /^[<[({]?\s*(?:redacted|masked|hidden|filtered|removed|encrypted|protected)\s*[>\])}]?$/i;

/** Whether a text stands for one that is not shown: `***`, `••••1234`, `[REDACTED]`. */
export const isMasked = (value: unknown): boolean =>
  typeof value === 'string' && (/^(?:x+|#+|\.+|-+)$/i.test(value) || /[*•●]{2}/.test(value) || wordForIt.test(value));

/** Whether what is shown is what was given, apart from texts that are masked. */
export function sameButMasked(shown: unknown, given: unknown): boolean {
  if (Array.isArray(given))
    return (
      Array.isArray(shown) &&
      shown.length === given.length &&
      given.every((one, index) => sameButMasked(shown[index], one))
    );
  if (isFields(given))
    return (
      isFields(shown) &&
      isDeepStrictEqual(Object.keys(shown).sort(), Object.keys(given).sort()) &&
      Object.entries(given).every(([key, one]) => sameButMasked(shown[key], one))
    );
  return isDeepStrictEqual(shown, given) || isMasked(shown);
}
