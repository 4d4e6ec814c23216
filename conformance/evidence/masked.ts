/** A service may hide what is secret, and still show that it is there. */
import { isFields } from './read.js';
import { equal } from './values.js';

const wordForIt = /^[<[({]?\s*(?:redacted|masked|hidden|filtered|removed|encrypted|protected)\s*[>\])}]?$/i;

/** Whether a text stands for one that is not shown: `***`, `••••1234`, `[REDACTED]`. */
export const isMasked = (value: unknown): boolean =>
  typeof value === 'string' &&
  (/^(?:x{2,}|#{2,}|\.{2,}|-{2,})$/i.test(value) || /[*•●]{2}/.test(value) || wordForIt.test(value));

/** So many characters of a secret may be shown beside its mask. */
const mostShown = 12;

/** Whether a text shows another but for what its dots leave out: `abcd…`, `abcd...wxyz`. */
function leavesOut(shown: unknown, given: unknown): boolean {
  if (typeof shown !== 'string' || typeof given !== 'string') return false;
  const [, start, end] = /^(.*?)(?:…|\.{3,})(.*)$/s.exec(shown) ?? [];
  if (start === undefined || end === undefined) return false;
  const many = start.length + end.length;
  return many <= Math.min(mostShown, given.length - 1) && given.startsWith(start) && given.endsWith(end);
}

/** Whether one of two texts stands for the other: what is shown is masked, or what it was. A part of a text is no mask of it. */
export const standsFor = (shown: unknown, given: unknown): boolean =>
  ((isMasked(shown) || isMasked(given)) && !isPart(shown, given)) || leavesOut(shown, given) || leavesOut(given, shown);

const isPart = (shown: unknown, given: unknown): boolean =>
  typeof shown === 'string' && typeof given === 'string' && given.includes(shown);

/** Whether what is shown is what was given, apart from texts that are masked. */
export const sameButMasked = (shown: unknown, given: unknown): boolean =>
  equal(shown, given) || equal(shown, withMasks(given, shown));

/** What was given, with the masks of what is shown. */
function withMasks(given: unknown, shown: unknown): unknown {
  if (isMasked(shown)) return shown;
  if (Array.isArray(given) && Array.isArray(shown)) return given.map((one, index) => withMasks(one, shown[index]));
  if (!isFields(given) || !isFields(shown)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, withMasks(one, shown[name])]));
}
