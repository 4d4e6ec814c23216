/** Pins: observed behaviour where the interface is silent, with which later runs are compared. */
import { contract, type GapId } from '../contract.js';
import { isFields } from '../outcome/read.js';
import { grouped } from '../report/digest.js';
import { suite } from '../suite.js';
import type { Report } from '../vocabulary/report.js';
import { longestList, readText } from './file.js';
import { parseSettings } from './parse.js';

export type Pins = { readonly [gap in GapId]?: readonly string[] };

const pinned = (id: GapId, values: readonly string[]): readonly string[] =>
  (suite().certainPart[id]?.(values) ?? values).toSorted();

/** The text of a pin file: gaps in the order of openapi/rules.yaml, sorted observations, no times. */
export function pinText(observed: Report['gaps']): string {
  const byId = new Map(observed.map((gap) => [gap.id, gap.observed]));
  const entries = contract().gaps.flatMap(({ id }) => {
    const values = pinned(id, byId.get(id) ?? []);
    return values.length > 0 ? [[id, values] as const] : [];
  });
  return `${JSON.stringify({ version: 1, gaps: Object.fromEntries(entries) }, null, 2)}\n`;
}

/** Reads a pin file. Throws a SettingsError for another file. Ignores gaps that no longer exist. */
export function readPins(file: string): Pins {
  const settings = parseSettings(file, readText(file, longestList));
  const pins = isFields(settings.value) && settings.value.version === 1 ? settings.value.gaps : undefined;
  if (!isFields(pins) || !Object.values(pins).every(isList))
    throw settings.error([{ path: [], text: 'this is not a pin file; --pin writes one.' }]);
  return Object.fromEntries(contract().gaps.flatMap(({ id }) => (id in pins ? [[id, pins[id]]] : [])));
}

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

export interface PinComparison {
  /** Gaps with different observations in both runs. */
  readonly differences: readonly string[];
  /** Gaps that only one of the runs observed, maybe because it was allowed less. New ones come first. */
  readonly remarks: readonly string[];
}

/** Compares observations with pins. */
export function compareWithPins(observed: Report['gaps'], pins: Pins): PinComparison {
  const differences: string[] = [];
  const fresh: string[] = [];
  const gone: string[] = [];
  for (const { id, observed: seen } of observed) {
    const [now, then] = [pinned(id, seen), pinned(id, pins[id] ?? [])];
    if (now.join('\n') === then.join('\n')) continue;
    if (now.length === 0) gone.push(`Pinned and not observed this time: ${id} (${listed(then)}).`);
    else if (then.length === 0) fresh.push(`Observed and not pinned: ${id} (${listed(now)}).`);
    else differences.push(difference(id, then, now));
  }
  return { differences, remarks: [...fresh, ...gone] };
}

const listed = (values: readonly string[]): string => grouped(values).join(', ');

/** Leaves out what is in both, if enough remains. */
function difference(id: GapId, then: readonly string[], now: readonly string[]): string {
  const [gone, fresh] = [then.filter((value) => !now.includes(value)), now.filter((value) => !then.includes(value))];
  const [before, after] = gone.length > 0 && fresh.length > 0 ? [gone, fresh] : [then, now];
  return `${id} was pinned as ${listed(before)}, and is now ${listed(after)}`;
}
