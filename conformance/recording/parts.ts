import { afterText, closeBrace, closeBracket, is, named, openBrace, openBracket, quote } from './json-bytes.js';

/** The parts of an exchange that come again: of each three numbers, which it is, and where it begins and is over. */
export type Parts = readonly number[];
export const perPart = 3;

/** A request, when an execution is polled; the headers of a caller, and of a service; an answer, as a HAR or a line has it. */
export const [request, requestHeaders, responseHeaders, content, body] = [0, 1, 2, 3, 4];
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
export function cutObject(data: Buffer, from: number, parts: number[]): number {
  const { length } = data;
  let [depth, text, second, third] = [0, 0, -1, -1];
  let within: Buffer = nothing;
  for (let place = from; place < length; place += 1) {
    const byte = data[place];
    if (byte === quote) {
      text = place;
      place = afterText(data, place) - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth === 2) {
        within = byte === openBracket ? nothing : messageNamed(data, text);
        second = within === aRequest ? parts.push(request, place - from, 0) - 1 : -1;
      } else if (depth === 3 && within !== nothing) {
        const part = partNamed(data, text, within);
        third = part === -1 ? -1 : parts.push(part, place - from, 0) - 1;
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 3 && third !== -1) {
        parts[third] = place + 1 - from;
        third = -1;
      } else if (depth === 2 && second !== -1) {
        parts[second] = place + 1 - from;
        second = -1;
      }
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return -1;
}

/** Which message the object is whose name was read at this place. */
function messageNamed(data: Buffer, place: number): Buffer {
  if (is(data, place, aRequest)) return aRequest;
  return is(data, place, aResponse) ? aResponse : nothing;
}

/** Which part of a message the value is whose name was read at this place; -1 for none. */
function partNamed(data: Buffer, place: number, within: Buffer): number {
  if (is(data, place, headers)) return within === aRequest ? requestHeaders : responseHeaders;
  if (within === aRequest) return -1;
  if (is(data, place, aContent)) return content;
  return is(data, place, aBody) ? body : -1;
}
