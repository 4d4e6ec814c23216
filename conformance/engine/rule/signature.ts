/**
 * What a violation is, apart from when, how often and with which ids and values it was seen: the same service with the same
 * fault gives the same signature in every run. Baselines and comparisons go by it.
 */
import { redacted } from '../http/redact.js';

/** Stands for an id, a time, or any other value. */
const any = '…';

const text = /"(?:[^"\\…]|\\.)*(?:"|…|$)/g;
const innermost = /\{[^{}[\]]*\}|\[[^{}[\]]*\]/;
/** The innermost object or list that was cut to a readable length: nothing closes it. */
const cut = /[{[](?=[^{}[\]]*$)(?:[^{}[\]]*…|[^{}[\]]*$)/;
const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const time = /\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/g;
const address = /[^\s@]*@\S+/g;
const path = /\/agents\/v2\/([\w-]+)\/[^\s/?#]*/g;
/** A status of HTTP that stands where the words of rules put one. */
const otherNumber =
  /(?<!^|(?:\b(?:the|a|an|or|and|status|code|no|of|with)|\d,) )-?\b\d+(?:[.,]\d+)*\b|\d+(?=\s*(?:ms|s|%|more)\b)/g;
const constants = /\b(?:true|false|null)\b/g;
const list = /…(?:(?:, | and | or )…)+/g;

/** A text without strings, objects, lists, ids and times. */
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

/** What was required, as every run says it. `fault` is what the request was made to have wrong, and keeps its numbers. */
export function requirement(required: string, fault = '', isMadeUp = false): string {
  const [before = '', ...after] = fault === '' ? [required] : required.split(fault);
  const part = (words: string) =>
    withoutValues(words).replace(path, `/agents/v2/$1/${any}`).replace(otherNumber, any).replace(constants, any);
  const wrong = withoutValues(fault);
  // Values that an exploration takes depend on its seed.
  const kept = isMadeUp ? wrong.replace(constants, any).replace(/-?\b\d[\d.e+]*\b/g, any) : wrong;
  return tidied([part(before), ...(after.length > 0 ? [kept, part(after.join(fault))] : [])].join(''));
}

/** The status that was answered, where that is what was seen. */
const statusSeen = (seen: string): string => /^[1-5]\d\d(?=$|[ ,;])/.exec(seen)?.[0] ?? '';

/** The signature of a requirement that was not met. */
export function signature(required: string, seen: string): string {
  const status = statusSeen(seen);
  return status === '' ? required : `${required}: ${status}`;
}
