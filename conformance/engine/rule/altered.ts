/** Describes how a value came back altered: which part, and in which way. */

import { isFields } from '../outcome/read.js';
import type { Exchange, Finding } from '../vocabulary.js';
import { violated } from './findings.js';
import { equal, jsonText, shorten } from './values.js';

// Recognises masked values: a service may hide secrets and still show that they are there.

/** A word such as `[REDACTED]`, in brackets and with the name of what it hides. */
const wordForIt =
  /^(?:[<[({]\s*(?:[\w-]+:?\s+)?)?(?:redacted|masked|hidden|filtered|removed|encrypted|protected|obfuscated|anonymi[sz]ed)\s*[>\])}]?$/i;

/** Whether a text is a mask: `***`, `••••1234`, `[REDACTED]`. */
export const isMasked = (value: unknown): boolean =>
  typeof value === 'string' && (/^[x#.-]{2,}$/i.test(value) || /[*•●]{2}/.test(value) || wordForIt.test(value));

/** What recorders write for a value: `<name>`, `<0>`, `[name]`, `{name}`, `%name%`, `xxx 000`, `... 3 more items`. */
const placeholder =
  /^(?:<(?:\d+|[a-z][\w.:-]+)>|\[[a-z][\w.:-]+\]|\{[a-z_]+\}|\W*\d+ more\b.*|%[a-z][\w.:-]*%|(?=.*(?:xx|00))(?:[x0]|[^\p{L}\p{N}])*)$/iu;
/** And what they write for a part of it: `<NAME_1>`, since small letters may be HTML, `{{name}}`, `${name}`, an id of zeros. */
const placeholderWithin =
  /<(?:\d+|[A-Z][A-Z\d_]+)>|\[[A-Z][A-Z\d_]+\]|\{\{[\w$.-]+\}\}|\$\{[\w.-]+\}|[xX]{8,}|0{8}-(?:0{4}-){3}0{12}/;

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

interface Spoiled {
  /** A path such as `inputs.nested.list[2]`. */
  readonly path: string;
  readonly given: unknown;
  readonly back: unknown;
}

/** The path of a field; a name that could be taken for prose is quoted. */
export const step = (path: string, key: string) =>
  /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(shorten(key, 40))}]`;

/** The innermost part that was altered; undefined if the values mean the same. */
function spoiledPart(path: string, given: unknown, back: unknown): Spoiled | undefined {
  if (equal(given, back)) return undefined;
  if (Array.isArray(given) && Array.isArray(back) && given.length === back.length) {
    const index = given.findIndex((item, place) => !equal(item, back[place]));
    if (index >= 0) return spoiledPart(`${path}[${index}]`, given[index], back[index]);
  }
  if (isFields(given) && isFields(back)) {
    const key = Object.keys(given).find((name) => !equal(given[name], back[name]));
    if (key !== undefined) return spoiledPart(step(path, key), given[key], Object.hasOwn(back, key) ? back[key] : gone);
  }
  return { path, given, back };
}

const gone = Symbol('gone');
const ascii = (text: string) => text.replaceAll(/[\u0080-\u{10ffff}]/gu, '');
const inLines = (text: string) => text.replaceAll(/\r\n?/g, '\n');
const visible = (text: string) => text.replaceAll(/\p{Cc}/gu, '');

/** The texts of a finding: `description "…"` and `"…", cut to 255 of 1000 characters`. */
export function howAltered(path: string, given: unknown, back: unknown): { expected: string; actual: string } {
  const part = spoiledPart(path, given, back) ?? { path, given, back };
  return { expected: `${part.path} ${jsonText(part.given)}`, actual: became(part.given, part.back) };
}

/** A violation: a value came back altered. `demand` is appended to what is expected: `, as sent`. */
export function altered(
  exchanges: Exchange | readonly Exchange[],
  demand: string,
  ...value: Parameters<typeof howAltered>
): Finding {
  const { expected, actual } = howAltered(...value);
  return violated(exchanges, `${expected}${demand}`, actual);
}

function became(given: unknown, back: unknown): string {
  if (back === gone || back === undefined) return 'nothing: it was lost';
  const what = jsonText(back);
  if (typeof given !== 'string' || typeof back !== 'string')
    return kind(given) === kind(back) ? what : `${what}, ${kind(back)}`;
  const [was, is] = [[...given].length, [...back].length];
  if (back === '' || (is < was && given.startsWith(back))) return `${what}, cut to ${is} of ${was} characters`;
  if (/&(?:amp|lt|gt|quot|#\d+);|\\u[\da-f]{4}|%[\dA-F]{2}/.test(back) && is > was) return `${what}, escaped`;
  if (given.toLowerCase() === back.toLowerCase()) return `${what}, in another case`;
  if (inLines(given) === inLines(back)) return `${what}, with other line ends`;
  if (visible(given) === visible(back)) return `${what}, with other control characters`;
  if (ascii(given) === ascii(back.replaceAll(/[?\ufffd]+/g, '')) || ascii(given) === ascii(back))
    return `${what}, without its letters beyond ASCII`;
  return `${what}, ${firstChange([...given], [...back])}`;
}

/** Where two texts begin to differ: the characters there may be invisible. */
function firstChange(given: readonly string[], back: readonly string[]): string {
  const place = given.findIndex((character, index) => character !== back[index]);
  const lengths = given.length === back.length ? '' : `${back.length} instead of ${given.length} characters, `;
  return `${lengths}${place < 0 ? 'longer' : `different from character ${place + 1} on`}`;
}

const kind = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : isFields(value) ? 'an object' : `a ${typeof value}`;
