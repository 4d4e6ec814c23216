import { distance } from 'fastest-levenshtein';
import { SettingsError } from './file.js';

/**
 * The candidate that a misspelled name most likely meant: the only one that the name shortens, or else the one that is at most
 * three edits and half of the name away.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const [longer, ...others] = name.length < 3 ? [] : candidates.filter((candidate) => candidate.startsWith(name));
  if (longer !== undefined && others.length === 0) return longer;
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(3, name.length / 2) ? best.candidate : undefined;
}

/** "did you mean this?", or what there is. */
export function wayOut(name: string, candidates: readonly string[]): string {
  const meant = nearest(name, candidates);
  return meant ? `did you mean ${meant}?` : `use one of ${candidates.join(', ')}.`;
}

/** The names of all options of a function. */
export type Known<Options> = Readonly<Record<keyof Options, true>>;

/** Throws a SettingsError for options that do not exist: from plain JavaScript, a misspelt one would have no effect. */
export function checkOptions<Options extends object>(of: string, options: Options, known: Known<Options>): void {
  const names = Object.keys(known);
  const misspelt = Object.keys(options).filter((name) => !names.includes(name));
  if (misspelt.length === 0) return;
  throw new SettingsError(
    of,
    misspelt.map((name) => `${of}: ${name} is not an option; ${wayOut(name, names)}`),
  );
}
