import { afterText, closeBrace, closeBracket, is, named, openBrace, openBracket, quote } from './json-bytes.js';
import {
  body,
  content,
  type Known,
  type KnownParts,
  request,
  requestHeaders,
  responseHeaders,
  type Which,
} from './known-parts.js';

/** A part of an exchange that comes again: which it is, where it begins and is over, and what is known of it. */
export interface Part {
  readonly which: Which;
  readonly from: number;
  readonly to: number;
  readonly known?: Known | undefined;
}

/** Whose member each of them is, and its name. */
export const partNames = [
  ['', 'request'],
  ['request', 'headers'],
  ['response', 'headers'],
  ['response', 'content'],
  ['response', 'body'],
] as const;

const [aRequest, aResponse, headers, aContent, aBody] = ['request', 'response', 'headers', 'content', 'body'].map(
  named,
) as [Buffer, Buffer, Buffer, Buffer, Buffer];

/** Neither message. */
const nothing = Buffer.alloc(0);

/**
 * Where the object is over that begins at this place; -1 where that is not there yet. Its parts are put down on the way, by
 * their distance from there. A recorder writes their names without escapes.
 */
export function cutObject(data: Buffer, from: number, parts: Part[], known: KnownParts): number {
  const { length } = data;
  let [depth, text] = [0, 0];
  let [second, third]: (Open | undefined)[] = [];
  let within: Buffer = nothing;
  for (let place = from; place < length; place += 1) {
    const byte = data[place];
    if (byte === quote) {
      text = place;
      place = afterText(data, place) - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      const isMessage = depth === 2 && byte === openBrace;
      if (depth === 2) within = isMessage ? messageNamed(data, text) : nothing;
      const which = isMessage && within === aRequest ? request : depth === 3 ? partNamed(data, text, within) : -1;
      if (which === -1) continue;
      const guessed = known.guess(which, data, place);
      if (guessed) {
        parts.push({ which, from: place - from, to: place - from + guessed.length, known: guessed });
        place += guessed.length - 1;
        depth -= 1;
        continue;
      }
      const part: Open = { which, from: place - from, to: 0, known: undefined };
      parts.push(part);
      if (depth === 2) second = part;
      else third = part;
    } else if (byte === closeBrace || byte === closeBracket) {
      const part = depth === 3 ? third : depth === 2 ? second : undefined;
      if (part) {
        part.to = place + 1 - from;
        part.known = known.find(part.which, data, from + part.from, place + 1);
        if (depth === 3) third = undefined;
        else second = undefined;
      }
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return -1;
}

/** A part that is not over yet. */
type Open = { -readonly [member in keyof Part]: Part[member] };

/** Which message the object is whose name was read at this place. */
function messageNamed(data: Buffer, place: number): Buffer {
  if (is(data, place, aRequest)) return aRequest;
  return is(data, place, aResponse) ? aResponse : nothing;
}

/** Which part of a message the value is whose name was read at this place; -1 for none. */
function partNamed(data: Buffer, place: number, within: Buffer): Which | -1 {
  if (within === nothing) return -1;
  if (is(data, place, headers)) return within === aRequest ? requestHeaders : responseHeaders;
  if (within === aRequest) return -1;
  if (is(data, place, aContent)) return content;
  return is(data, place, aBody) ? body : -1;
}
