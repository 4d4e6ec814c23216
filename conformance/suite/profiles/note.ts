/** The note in a profile's description while a run is changing it. It tells people, and runs without the journal. */

import type { Fields } from '../../engine/outcome/read.js';
import { asText, listOf } from '../../engine/rule/values.js';
import type { ProfileEntry } from '../../engine/send/journal/journal.js';
import { isItemOfSuite } from './own-items.js';
import { lists, restorable, restorableFlags } from './restorable.js';
import { textBounds } from './text-bounds.js';

const begins = 'Changed by the conformance suite in the run of ';
const startOf = new RegExp(`^\\s*${begins}(\\S+?)\\.\\s`);
const longest = textBounds.description.maximum;

/** The original state of a profile, in few characters. */
interface Former {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly extensionIds?: unknown;
  /** The flags that were on; all others were off. */
  readonly on: readonly string[];
}

/** Services may count bytes. */
const fits = (text: string): boolean => Buffer.byteLength(text) <= longest;

/** The fullest note that fits into a description: with the whole original state, without its description, or plain. */
export function noteOf(original: Fields, startedAt: string): string {
  const { name, description, extensionIds } = original;
  const on = restorableFlags.filter((flag) => original[flag] === true);
  const says = (how: string, former?: Former) =>
    `${begins}${startedAt}. ${how}${former ? `\n${JSON.stringify(former)}\n` : ''}`;
  const back = 'Once it has ended, its next run or "workflow-contract restore --target FILE" puts back what it was:';
  return (
    [
      says(back, { name, description, extensionIds, on }),
      says(`Its description was too long to be kept here. ${back}`, { name, extensionIds, on }),
    ].find(fits) ?? plainNote(startedAt)
  );
}

/** A note that only says that there is something to put back. */
export const plainNote = (startedAt: string): string =>
  `${begins}${startedAt}. Once it has ended, its settings have to be put back, by the state folder of that run or by hand.`;

/** When the run that wrote this note began; undefined if the description is no note. */
export const runStartOfNote = (description: unknown): string | undefined =>
  startOf.exec(asText(description ?? ''))?.[1];

/** The text with its beginning replaced by the note; as long as the text, or as the note if that is longer. */
export const withNote = (note: string, text: string): string =>
  [...note, ...[...text].slice([...note].length)].join('');

/** What to put back on a profile that has a note; undefined if the note does not hold everything. */
export function entryOf(baseUrl: string, profile: string, now: Fields): ProfileEntry | undefined {
  const startedAt = runStartOfNote(now.description);
  const former = formerIn(asText(now.description ?? ''));
  if (startedAt === undefined || !former) return undefined;
  const { on, ...texts } = former;
  const flags = restorableFlags.map((flag) => [flag, on.includes(flag)]);
  const own = lists.map((list) => [list, listOf(now[list]).filter(isItemOfSuite)] as const);
  const others = lists.map((list) => [list, listOf(now[list]).filter((item) => !isItemOfSuite(item))]);
  return {
    baseUrl,
    profile,
    startedAt,
    original: { ...now, ...texts, ...Object.fromEntries(flags), ...Object.fromEntries(others) },
    touched: restorable,
    added: { cookies: [], credentials: [], ...Object.fromEntries(own.map(([list, items]) => [list, namesOf(items)])) },
    tries: 0,
  };
}

const namesOf = (items: readonly Fields[]): string[] => items.map(({ name }) => asText(name));

function formerIn(note: string): Former | undefined {
  for (const line of note.split('\n').slice(1))
    try {
      const former: unknown = JSON.parse(line);
      if (isFormer(former)) return former;
    } catch {
      // This line does not hold the state.
    }
  return undefined;
}

const isFormer = (value: unknown): value is Former =>
  typeof value === 'object' && value !== null && 'on' in value && Array.isArray(value.on);
