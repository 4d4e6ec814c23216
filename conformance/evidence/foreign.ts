/** What somebody else changed on a profile while a run used it: people edit profiles, and other runs of the suite do. */

import type { Exchange } from '../vocabulary.js';
import { keyed } from './keyed.js';
import { type Fields, sent } from './read.js';
import { type Setting, sameSetting } from './settings.js';
import { equal, listOf, textKey } from './values.js';

/** By it the names and notes of every run of the suite are known. */
const mark = /conformance[ -]/i;

/** What a run knows of a profile: how it was found, and all that was asked of it since. */
export interface Known {
  readonly original: Fields;
  readonly asked: readonly Exchange[];
}

/**
 * Whether a setting changed to what nobody but somebody else can have meant: a text that has nothing in common with what it
 * was nor with what was ever sent, or one more item of a list that was never sent. Of a flag nobody can tell.
 */
export function isForeign(setting: Setting, from: unknown, to: unknown, { original, asked }: Known): boolean {
  const bodies = asked.map((one): Fields => sent(one) ?? {});
  if (setting === 'description' || setting === 'name') {
    // What it was before is put back in the end: somebody else may have meant that as well.
    const texts = bodies
      .flatMap((body) => [body.description, body.name])
      .filter(isText)
      .filter((text) => text !== original[setting]);
    return isText(to) && isSentence(to) && to !== original[setting] && !texts.some((text) => isAkin(text, to));
  }
  if (setting !== 'cookies' && setting !== 'credentials') return false;
  const [was, is] = [listOf(from), listOf(to)];
  const isIn = (list: readonly Fields[], item: Fields) =>
    named(list, item).some((one) => sameSetting(setting, [one], [item]));
  const names = bodies.flatMap((body) => listOf(body[`${setting}ToAdd`])).map(({ name }) => name);
  const more = is.filter((item) => !isIn(was, item));
  return (
    more.length > 0 &&
    was.every((item) => isIn(is, item)) &&
    more.every(({ name }) => isText(name) && !names.some((one) => equal(one, name)) && !mark.test(name))
  );
}

const named = keyed(({ name }) => textKey(name));

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const words = (text: string) => [...text.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu)].map(([word]) => word);

/** A service may put a word of its own in the place of a text, and no sentence. */
const fewestWords = 3;
const isSentence = (text: string): boolean =>
  words(text).length > 1 && [...text.matchAll(/[\p{L}\p{N}]+/gu)].length >= fewestWords;

/** Whether one text may have been made of another: what was cut, escaped or put beside something has words in common. */
function isAkin(a: string, b: string): boolean {
  const [of, into] = [words(a), words(b)];
  return (a.length > 3 && b.includes(a)) || into.filter((word) => of.includes(word)).length * 2 > into.length;
}
