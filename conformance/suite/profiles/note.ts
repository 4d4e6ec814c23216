/** The note in the description of a profile while a run has it changed: by it a person knows, and a run without a journal. */

import type { Fields } from '../../engine/outcome/read.js';
import { asText, listOf } from '../../engine/rule/values.js';
import type { ProfileEntry } from '../../engine/send/journal/journal.js';
import { isOwn } from './own-items.js';
import { lists, restorable, restorableFlags } from './restorable.js';
import { textBounds } from './text-bounds.js';

const begins = 'Changed by the conformance suite in the run of ';
const startOf = new RegExp(`^\\s*${begins}(\\S+?)\\.\\s`);
const longest = textBounds.description.maximum;

/** What a profile was, in few characters. */
interface Former {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly extensionIds?: unknown;
  /** The flags that were on; the others were off. */
  readonly on: readonly string[];
}

/** Services may count bytes. */
const fits = (text: string): boolean => Buffer.byteLength(text) <= longest;

/**
 * The note of a run, the fullest that a description has room for: with what the profile was, without its description, or with
 * nothing of it.
 */
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

/** A note that says no more than that there is something to put back. */
export const plainNote = (startedAt: string): string =>
  `${begins}${startedAt}. Once it has ended, its settings have to be put back, by the state folder of that run or by hand.`;

/** When the run began whose note a description is; undefined where it is none. */
export const notedIn = (description: unknown): string | undefined => startOf.exec(asText(description ?? ''))?.[1];

/** A text with the note at its beginning, as long as it was asked for, or as long as the note. */
export const withNote = (note: string, text: string): string =>
  [...note, ...[...text].slice([...note].length)].join('');

/** What has to be put back on a profile that is shown with a note; undefined where the note does not tell all of it. */
export function entryOf(baseUrl: string, profile: string, now: Fields): ProfileEntry | undefined {
  const startedAt = notedIn(now.description);
  const former = formerIn(asText(now.description ?? ''));
  if (startedAt === undefined || !former) return undefined;
  const { on, ...texts } = former;
  const flags = restorableFlags.map((flag) => [flag, on.includes(flag)]);
  const own = lists.map((list) => [list, listOf(now[list]).filter(isOwn)] as const);
  const others = lists.map((list) => [list, listOf(now[list]).filter((item) => !isOwn(item))]);
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
      // Another line tells it, or none does.
    }
  return undefined;
}

const isFormer = (value: unknown): value is Former =>
  typeof value === 'object' && value !== null && 'on' in value && Array.isArray(value.on);
