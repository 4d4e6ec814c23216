/** What tells that a recorder kept less of a body than there was of it. */

import { isMasked } from '../rule/masked.js';
import { isPacked } from './packed.js';
import type { Message } from './raw.js';

type Headers = Message['headers'];

/** NaN where the headers do not tell. */
const lengthIn = (headers: Headers): number => Number.parseInt(headers['content-length'] ?? '', 10);

/** Whether headers tell of a body where none was recorded. */
export const tellsOfBody = (headers: Headers): boolean => lengthIn(headers) > 0;

export const tellsOfNone = (headers: Headers): boolean => lengthIn(headers) === 0;

/** What no text holds: bytes that were taken for letters. */
const unlikeText = /[^\P{Cc}\s]|\ufffd/u;

/** What recorders put behind what they have cut. */
const afterCut = /(?:\.{3}|…|truncated(?:[^"]{0,20}\W)?)\s*$/i;
const shownEnd = 40;

/** Whether a text that is no JSON may be no more than a part of what was sent, or another form of it. */
export function mayBeLess(text: string, headers: Headers): boolean {
  if (text === '') return tellsOfBody(headers);
  // A packed body has another length than what it says.
  if (isPacked(headers['content-encoding'])) return unlikeText.test(text);
  return lengthIn(headers) > Buffer.byteLength(text) || (/^\s*[[{]/.test(text) && afterCut.test(text.slice(-shownEnd)));
}

const idOrTime = /"(?:id|\w+Id|\w+At)"\s*:\s*"([^"]{0,60})"/g;

/** Whether a mask stands in the place of an id or a time: nobody sends these to hide them. */
export const masksIds = (text: string): boolean => [...text.matchAll(idOrTime)].some(([, value]) => isMasked(value));
