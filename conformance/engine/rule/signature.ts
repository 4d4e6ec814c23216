/**
 * Identifies a violation without times, counts, ids and values: the same fault of the same service has the same
 * signature in every run. Baselines and comparisons rely on it.
 */
import { contract } from '../contract.js';
import { redacted } from '../http/redact.js';

/** Replaces ids, times and other values. */
const any = '…';

const text = /"(?:[^"\\…]|\\.)*(?:"|…|$)/g;
const innermost = /\{[^{}[\]]*\}|\[[^{}[\]]*\]/;
/** The innermost object or list that was shortened, so that its end is missing. */
const cut = /[{[](?=[^{}[\]]*$)(?:[^{}[\]]*…|[^{}[\]]*$)/;
const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const time = /\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/g;
const address = /[^\s@]*@\S+/g;
/** A path of the contract, to the id of the first thing that it names. */
const path = (prefix: string) => new RegExp(`(${prefix}[\\w-]+/)[^\\s/?#]*`, 'g');
/** Numbers, except for HTTP statuses where the wording of rules puts them. */
const otherNumber =
  /(?<!^|(?:\b(?:the|a|an|or|and|status|code|no|of|with)|\d,) )-?\b\d+(?:[.,]\d+)*\b|\d+(?=\s*(?:ms|s|%|more)\b)/g;
const constants = /\b(?:true|false|null)\b/g;
const list = /…(?:(?:, | and | or )…)+/g;

/** Replaces strings, objects, lists, ids and times. */
function withoutValues(words: string): string {
  let bare = words.replaceAll(redacted, any).replace(text, any);
  while (innermost.test(bare)) bare = bare.replace(innermost, any);
  while (cut.test(bare)) bare = bare.replace(cut, any);
  return bare.replace(id, any).replace(time, any).replace(address, `${any}@${any}`);
}

const tidied = (words: string): string =>
  words
    .replace(list, any)
    .replace(/(?:…\s?)+…/g, any)
    .trim();

/** The requirement, with the same words in every run. `fault` is the fault of the probe, and keeps its numbers. */
export function requirement(required: string, fault = ''): string {
  const [before = '', ...after] = fault === '' ? [required] : required.split(fault);
  const part = (words: string) =>
    withoutValues(words).replace(path(contract().prefix), `$1${any}`).replace(otherNumber, any).replace(constants, any);
  return tidied([part(before), ...(after.length > 0 ? [withoutValues(fault), part(after.join(fault))] : [])].join(''));
}

/** The status in `seen`, if it begins with one. */
const statusSeen = (seen: string): string => /^[1-5]\d\d(?=$|[ ,;])/.exec(seen)?.[0] ?? '';

export function signature(required: string, seen: string): string {
  const status = statusSeen(seen);
  return status === '' ? required : `${required}: ${status}`;
}
