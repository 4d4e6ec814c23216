import { type PlainFlag, plainFlags } from '../generated/flags.js';

/** Makes deviations of plain flags, given by their places; makes none if the contract has too few of them. */
export function ofFlags<T>(
  places: readonly number[],
  make: (...flags: PlainFlag[]) => T,
): T | Readonly<Record<string, never>> {
  const flags = new Set(places.flatMap((place) => plainFlags[place % plainFlags.length] ?? []));
  return flags.size === places.length ? make(...flags) : {};
}
