import { type PlainFlag, plainFlags } from '../generated/flags.js';

/** What is made of plain flags of the contract, each known by its place; nothing where the contract has too few. */
export function ofFlags<T>(places: readonly number[], make: (...flags: PlainFlag[]) => T): T[] {
  const flags = new Set(places.flatMap((place) => plainFlags[place % plainFlags.length] ?? []));
  return flags.size === places.length ? [make(...flags)] : [];
}
