import { afterText, closeBrace, closeBracket, openBrace, openBracket, quote } from './json-bytes.js';

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

const named = (name: string) => Buffer.from(`"${name}"`);
const [aRequest, aResponse, headers, aContent, aBody] = ['request', 'response', 'headers', 'content', 'body'].map(
  named,
) as [Buffer, Buffer, Buffer, Buffer, Buffer];

/**
 * Where the object is over that begins at this place; -1 where that is not there yet. Its parts are put down on the way, by
 * their distance from there. A recorder writes their names without escapes.
 */
export function cutObject(data: Buffer, from: number, parts: number[]): number {
  const { length } = data;
  let [depth, text, within, second, third] = [0, 0, 0, -1, -1];
  for (let place = from; place < length; place += 1) {
    const byte = data[place];
    if (byte === quote) {
      text = place;
      place = afterText(data, place) - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth === 2) {
        within = byte === openBracket ? 0 : is(data, text, aRequest) ? 1 : is(data, text, aResponse) ? 2 : 0;
        second = within === 1 ? parts.push(request, place - from, 0) - 1 : -1;
      } else if (depth === 3 && within !== 0) {
        const part = is(data, text, headers)
          ? within === 1
            ? requestHeaders
            : responseHeaders
          : within === 1
            ? -1
            : is(data, text, aContent)
              ? content
              : is(data, text, aBody)
                ? body
                : -1;
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

function is(data: Buffer, place: number, name: Buffer): boolean {
  const { length } = name;
  for (let at = 0; at < length; at += 1) if (data[place + at] !== name[at]) return false;
  return true;
}
