import { SettingsError } from './file.js';
import { wayOut } from './nearest.js';

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
