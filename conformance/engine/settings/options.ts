import { suggestion } from '../../../common/nearest.js';
import { SettingsError } from './file.js';

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
