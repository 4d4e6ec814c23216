/**
 * Identifies a violation by what is constant: the same fault of the same service has the same signature in every run,
 * whatever its seed. Baselines and comparisons rely on it.
 */
import { contract } from '../contract.js';
import { memoize } from '../memoize.js';
import type { Fault } from '../vocabulary.js';
import { longestText, redacted } from './words.js';

/** Replaces ids, times and other values. */
const any = '…';

/** The beginning of a value that `jsonText` cut. */
const isCut = `(?=[^]{${longestText - 2}}…)`;
/** A text; or the beginning of a text, an object or a list. */
const value = new RegExp(
  `"${isCut}(?:[^"\\\\]|\\\\(?:[^…]|(?=…)))*…|[{[]${isCut}[^]{${longestText - 2}}…|"(?:[^"\\\\]|\\\\.)*"`,
  'gs',
);
const innermost = /\{[^{}[\]]*\}|\[[^{}[\]]*\]/g;
const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const time = /\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/g;
const address = /[^\s@]*@\S+/g;
/** Numbers, except for HTTP statuses where the wording of rules puts them. */
const number =
  /(?<!(?:^|\b(?:the|a|an|or|and|status|code|no|of|with) |\d, )(?=[1-5]\d\d\b(?!\s*(?:ms|s|%|more)\b)))(?<![\w.])-?\d+(?:[.,]\d+)*\b/g;
const constants = /\b(?:true|false|null)\b/g;
const list = /…(?:(?:, | and | or )…)+/g;

/** What a caller named in a field that it fills as it likes, and the id of the first thing in a path of the contract. */
const notOfContract = memoize(({ openFields, prefix }: ReturnType<typeof contract>) => ({
  below: new RegExp(`\\b(${openFields.join('|')})(?:\\.[^\\s,]+|\\[(?:\\d+|"(?:[^"\\\\]|\\\\.)*")\\])+`, 'g'),
  after: new RegExp(`(${prefix}[\\w-]+/)[^\\s/?#]*`, 'g'),
}));

/** The requirement without values, numbers, ids, times, and names that are not the contract's. */
export function requirement(required: string): string {
  const { below, after } = notOfContract(contract());
  const bare = required
    .replaceAll(redacted, any)
    .replace(below, '$1')
    .replace(value, any)
    .replace(innermost, any)
    .replace(id, any)
    .replace(time, any)
    .replace(address, `${any}@${any}`)
    .replace(after, `$1${any}`)
    .replace(number, any)
    .replace(constants, any)
    .replace(list, any)
    .replace(/(?:…\s?)+…/g, any)
    .trim();
  // Objects are replaced from the inside.
  return bare === required ? bare : requirement(bare);
}

/** The requirement with the place of the fault, or with the status if `seen` begins with one. */
export function signatureOf(required: string, { place, seen }: Fault): string {
  if (place !== undefined) return requirement(`${required}: ${place}`);
  const [status] = /^[1-5]\d\d(?=$|[ ,;])/.exec(seen) ?? [];
  return requirement(required) + (status === undefined ? '' : `: ${status}`);
}

/** Whether a signature has what only a run chose: an earlier version of the suite made it. */
export function isOutdated(one: string): boolean {
  const demand = one.replace(/: [1-5]\d\d$/, '');
  return requirement(demand) !== demand;
}
