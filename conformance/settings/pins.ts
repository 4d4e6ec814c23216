import { type GapId, gaps } from '../../generated/rules.js';
import { isFields } from '../evidence/read.js';
import type { Report } from '../vocabulary.js';
import { parseSettings, readText } from './file.js';

/** What a target was once observed to do where the interface is silent. */
export type Pins = { readonly [gap in GapId]?: readonly string[] };

/** The text of a pin file: gaps in the order of the register, observations sorted, no times; what was not observed is left out. */
export function pinText(observed: Report['gaps']): string {
  const byId = new Map(observed.map((gap) => [gap.id, gap.observed]));
  const entries = gaps.flatMap(({ id }) => {
    const values = byId.get(id) ?? [];
    return values.length > 0 ? [[id, values.toSorted()] as const] : [];
  });
  return `${JSON.stringify({ version: 1, gaps: Object.fromEntries(entries) }, null, 2)}\n`;
}

/** Reads a pin file. Throws a SettingsError when it is none. Gaps that the register no longer has are left out. */
export function readPins(file: string): Pins {
  const settings = parseSettings(file, readText(file));
  const pins = isFields(settings.value) && settings.value.version === 1 ? settings.value.gaps : undefined;
  if (!isFields(pins) || !Object.values(pins).every(isList))
    throw settings.error([{ path: [], text: 'this is no pin file; --pin writes one.' }]);
  return Object.fromEntries(gaps.flatMap(({ id }) => (id in pins ? [[id, pins[id]]] : [])));
}

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

export interface PinComparison {
  /** Both runs observed something, and not the same. */
  readonly differences: readonly string[];
  /** One of the runs observed nothing: it may have been allowed less. */
  readonly remarks: readonly string[];
}

/** Holds what was observed against what was pinned. */
export function compareWithPins(observed: Report['gaps'], pins: Pins): PinComparison {
  const differences: string[] = [];
  const remarks: string[] = [];
  for (const { id, observed: seen } of observed) {
    const [now, then] = [list(seen), list(pins[id] ?? [])];
    if (now === then) continue;
    if (now === '') remarks.push(`Pinned and not observed this time: ${id} (${then}).`);
    else if (then === '') remarks.push(`Observed and not pinned: ${id} (${now}).`);
    else differences.push(`${id} was pinned as ${then}, and is now ${now}`);
  }
  return { differences, remarks };
}

const list = (values: readonly string[]): string => values.toSorted().join(', ');
