/** Suggests what a misspelled name may have meant. */
import { distance } from 'fastest-levenshtein';
import { SettingsError } from './file.js';

/**
 * The most likely candidate for a misspelled name: the only one that begins with it, or else the closest one within
 * three edits, of a long name a quarter of its length, and of a short one half.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const [longer, ...others] = name.length < 3 ? [] : candidates.filter((candidate) => candidate.startsWith(name));
  if (longer !== undefined && others.length === 0) return longer;
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(name.length / 2, Math.max(3, name.length / 4)) ? best.candidate : undefined;
}

/** "did you mean this?", or the list of candidates. */
export function suggestion(name: string, candidates: readonly string[]): string {
  const meant = nearest(name, candidates);
  return meant ? `did you mean ${meant}?` : `use one of ${candidates.join(', ')}.`;
}

export type Known<Options> = Readonly<Record<keyof Options, true>>;

/** Throws a SettingsError for unknown options, which plain JavaScript would ignore. */
export function checkOptions<Options extends object>(of: string, options: Options, known: Known<Options>): void {
  const names = Object.keys(known);
  const misspelt = Object.keys(options).filter((name) => !names.includes(name));
  if (misspelt.length === 0) return;
  throw new SettingsError(
    of,
    misspelt.map((name) => `${of}: ${name} is not an option; ${suggestion(name, names)}`),
  );
}
