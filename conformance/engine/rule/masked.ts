/** A service may hide what is secret, and still show that it is there. */
import { isFields } from '../outcome/read.js';
import { equal } from './values.js';

/** In brackets, with what it stands for. */
const wordForIt =
  /^(?:[<[({]\s*(?:[\w-]+:?\s+)?)?(?:redacted|masked|hidden|filtered|removed|encrypted|protected)\s*[>\])}]?$/i;

/** Whether a text stands for one that is not shown: `***`, `••••1234`, `[REDACTED]`. */
export const isMasked = (value: unknown): boolean =>
  typeof value === 'string' &&
  (/^(?:x{2,}|#{2,}|\.{2,}|-{2,})$/i.test(value) || /[*•●]{2}/.test(value) || wordForIt.test(value));

/** What is shorter may stand in its own mask: the last four characters of a text are often left. */
const shortestHidden = 5;

/** Whether what is shown is a mask of what was given: one that has the whole text in it hides nothing. */
export const hides = (shown: unknown, given: unknown): boolean =>
  isMasked(shown) && !(typeof given === 'string' && given.length >= shortestHidden && isPart(given, shown));

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
  ((hides(shown, given) || isMasked(given)) && !isPart(shown, given)) ||
  leavesOut(shown, given) ||
  leavesOut(given, shown);

const isPart = (part: unknown, whole: unknown): boolean =>
  typeof part === 'string' && typeof whole === 'string' && whole.includes(part);

/** Whether what is shown is what was given, apart from texts that are masked. */
export const sameButMasked = (shown: unknown, given: unknown): boolean =>
  equal(shown, given) || equal(shown, withMasks(given, shown));

/** What was given, with the masks of what is shown. */
function withMasks(given: unknown, shown: unknown): unknown {
  if (hides(shown, given)) return shown;
  if (Array.isArray(given) && Array.isArray(shown)) return given.map((one, index) => withMasks(one, shown[index]));
  if (!isFields(given) || !isFields(shown)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, withMasks(one, shown[name])]));
}
