/** Detects changes that somebody else made to a profile during a run: people, or other runs of the suite. */

import { answerBody, type Fields, requestBody } from '../../engine/outcome/read.js';
import { keyed } from '../../engine/rule/items-by-key.js';
import { equal, listOf, textKey } from '../../engine/rule/values.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { diff, isNoop, mayChange, type Setting, sameSetting, shownSettings } from './settings.js';
import type { Update } from './update.js';

/** Appears in the names and notes of every run of the suite. */
const mark = /conformance[ -]/i;

/** What a run knows of a profile: its original state, and all requests since. */
export interface KnownState {
  readonly original: Fields;
  readonly asked: readonly Exchange[];
}

/**
 * Whether only somebody else can have made this change: to a text that has nothing in common with the original or
 * anything sent, or by adding items that were never sent. For a flag this cannot be told.
 */
export function isByOthers(setting: Setting, from: unknown, to: unknown, { original, asked }: KnownState): boolean {
  const bodies = asked.map((one): Fields => requestBody(one) ?? {});
  if (setting === 'description' || setting === 'name') {
    // The run also sends the original text, to put it back: a text that resembles it may still be somebody else's.
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

/**
 * The settings that others keep changing during the run, so that no change of them can be attributed. A text took
 * several values that nobody sent, a list got items that nobody sent, or a flag changed now and then, in both
 * directions, while nothing was sent.
 */
export const settingsOfOthers = (updates: readonly Update[]): ReadonlySet<Setting> =>
  new Set(
    shownSettings.filter((setting) => {
      if (setting === 'name' || setting === 'description') return isRewritten(setting, updates);
      if (setting === 'cookies' || setting === 'credentials') return isFilled(setting, updates);
      return isTurned(setting, updates);
    }),
  );

const isChanged = ({ before, profile }: Update, setting: Setting): boolean =>
  before !== undefined && diff(before.profile, profile).has(setting);

/** Updates that did not ask for a setting, nor did the one before them. */
const beside = (updates: readonly Update[], setting: Setting): readonly Update[] =>
  updates.filter(({ before, sent: asked }) => before && !mayChange(asked, setting) && !mayChange(before.sent, setting));

const changedBeside = (updates: readonly Update[], setting: Setting): readonly Update[] =>
  beside(updates, setting).filter((update) => isChanged(update, setting));

function isRewritten(setting: 'name' | 'description', updates: readonly Update[]): boolean {
  const original = updates[0]?.profile[setting];
  const texts = madeUp(updates);
  const isNew = (to: unknown) =>
    isText(to) &&
    !texts.some((text) => isAkin(text, to)) &&
    !(isText(original) && (to.includes(original) || original.includes(to)));
  const shown = changedBeside(updates, setting).map(({ profile }) => profile[setting]);
  return new Set(shown.filter(isNew)).size > 1;
}

/** Texts that were sent before they were ever shown. Others were only put back. */
function madeUp(updates: readonly Update[]): string[] {
  const shown = new Set<unknown>();
  return updates.flatMap(({ exchange, refusals, copies, profile }) => {
    // A name that the service gave to a copy is not made up either.
    for (const one of copies) if (one.operation === 'duplicateProfile') shown.add(answerBody(one)?.name);
    const texts = [...refusals, ...copies, exchange].map(requestBody).flatMap((one) => [one?.name, one?.description]);
    const own = texts.filter(isText).filter((text) => !shown.has(text));
    shown.add(profile.name).add(profile.description);
    return own;
  });
}

/** Whether items with several names appeared in a list though nobody sent them. */
function isFilled(list: 'cookies' | 'credentials', updates: readonly Update[]): boolean {
  const changed = changedBeside(updates, list);
  if (changed.length < 2) return false;
  const namesIn = (items: unknown) => listOf(items).flatMap(({ name }) => textKey(name)?.toLowerCase() ?? []);
  const asked = updates
    .flatMap(({ exchange, refusals, copies }) => [exchange, ...refusals, ...copies])
    .flatMap((one) => namesIn(requestBody(one)?.[`${list}ToAdd`]));
  const ours = new Set([...asked, ...namesIn(updates[0]?.profile[list])]);
  const names = changed.flatMap(({ before, profile }) => {
    const were = new Set(namesIn(before?.profile[list]));
    return namesIn(profile[list]).filter((name) => !were.has(name) && !ours.has(name) && !mark.test(name));
  });
  return new Set(names).size > 1;
}

function isTurned(flag: Setting, updates: readonly Update[]): boolean {
  const values = updates.flatMap(({ changes }) => changes.flatMap(({ setting, to }) => (setting === flag ? [to] : [])));
  if (!values.includes(true) || !values.includes(false)) return false;
  const idle = beside(updates, flag).filter(
    ({ sent: asked, refusals, copies }) =>
      isNoop(asked) && ![...refusals, ...copies].some((one) => mayChange(requestBody(one) ?? {}, flag)),
  );
  return idle.some((update) => isChanged(update, flag)) && !idle.every((update) => isChanged(update, flag));
}

const named = keyed(({ name }) => textKey(name));

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const words = (text: string) => [...text.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu)].map(([word]) => word);

/** A service may replace a text by a word of its own, but not by a sentence. */
const fewestWords = 3;
const isSentence = (text: string): boolean =>
  words(text).length > 1 && [...text.matchAll(/[\p{L}\p{N}]+/gu)].length >= fewestWords;

/** Whether one text may be a cut, escaped or extended form of the other: then they have words in common. */
function isAkin(a: string, b: string): boolean {
  const [of, into] = [words(a), words(b)];
  return (a.length > 3 && b.includes(a)) || into.filter((word) => of.includes(word)).length * 2 > into.length;
}
