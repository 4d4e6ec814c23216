/** Recognises masked values: a service may hide secrets and still show that they are there. */
import { isFields } from '../outcome/read.js';
import { equal } from './values.js';

/** A word such as `[REDACTED]`, in brackets and with the name of what it hides. */
const wordForIt =
  /^(?:[<[({]\s*(?:[\w-]+:?\s+)?)?(?:redacted|masked|hidden|filtered|removed|encrypted|protected|obfuscated|anonymi[sz]ed)\s*[>\])}]?$/i;

/** Whether a text is a mask: `***`, `••••1234`, `[REDACTED]`. */
export const isMasked = (value: unknown): boolean =>
  typeof value === 'string' && (/^[x#.-]{2,}$/i.test(value) || /[*•●]{2}/.test(value) || wordForIt.test(value));

/** What anonymisers write for a value: `<name>`, `[name]`, `{name}`, `%name%`, a hash. */
const placeholder = /^(?:<[a-z][\w.:-]+>|\[[a-z][\w.:-]+\]|\{[a-z_]+\}|%[a-z][\w.:-]*%|[\da-f]{32,})$/i;
/** And what they write for a part of it: `<NAME_1>`, since small letters may be HTML, `{{name}}`, `${name}`, an id of zeros. */
const placeholderWithin =
  /<[A-Z][A-Z\d_]+>|\[[A-Z][A-Z\d_]+\]|\{\{[\w$.-]+\}\}|\$\{[\w.-]+\}|[xX]{8,}|0{8}-(?:0{4}-){3}0{12}/;

/** The mask or placeholder that stands for a text or for a part of it. */
export const replacementIn = (text: string): string | undefined =>
  isMasked(text) || placeholder.test(text) ? text : placeholderWithin.exec(text)?.[0];

/** A shorter text may occur in its own mask: often the last four characters are shown. */
const shortestHidden = 5;

/** Whether `shown` is a mask of `given`. A mask that contains the whole text hides nothing. */
const isMaskOf = (shown: unknown, given: unknown): boolean =>
  isMasked(shown) && !(typeof given === 'string' && given.length >= shortestHidden && isPart(given, shown));

/** How many characters of a secret may be shown in clear. */
const mostShown = 12;

/** Whether a text is another one with its middle or end replaced by dots: `abcd…`, `abcd...wxyz`. */
function leavesOut(shown: unknown, given: unknown): boolean {
  if (typeof shown !== 'string' || typeof given !== 'string') return false;
  const [, start, end] = /^(.*?)(?:…|\.{3,})(.*)$/s.exec(shown) ?? [];
  if (start === undefined || end === undefined) return false;
  const many = start.length + end.length;
  return many <= Math.min(mostShown, given.length - 1) && given.startsWith(start) && given.endsWith(end);
}

/** Whether one of two texts is a mask of the other. A part of a text is no mask of it. */
export const oneMasksOther = (shown: unknown, given: unknown): boolean =>
  ((isMaskOf(shown, given) || isMasked(given)) && !isPart(shown, given)) ||
  leavesOut(shown, given) ||
  leavesOut(given, shown);

/** Whether one of two texts may be a mask of the other, even one that occurs in it. */
export const mayMask = (shown: unknown, given: unknown): boolean =>
  isMaskOf(shown, given) || oneMasksOther(shown, given);

const isPart = (part: unknown, whole: unknown): boolean =>
  typeof part === 'string' && typeof whole === 'string' && whole.includes(part);

/** Whether `shown` equals `given`, apart from texts that are masked in one of them. */
export const sameButMasked = (shown: unknown, given: unknown): boolean =>
  equal(shown, given) || equal(withMasks(shown, given), withMasks(given, shown));

/** `given`, with the masks of `shown` put in. */
function withMasks(given: unknown, shown: unknown): unknown {
  if (isMaskOf(shown, given)) return shown;
  if (Array.isArray(given) && Array.isArray(shown)) return given.map((one, index) => withMasks(one, shown[index]));
  if (!isFields(given) || !isFields(shown)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, withMasks(one, shown[name])]));
}
