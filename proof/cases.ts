import { toTarget } from '../conformance/settings/target/target.js';
import type { Facts, Verdict } from '../conformance/vocabulary.js';
import {
  choiceSets,
  choices,
  createReference,
  faults,
  findFault,
  type ReferenceOptions,
  variations,
} from '../deviations/index.js';
import type { RuleId } from '../generated/rules.js';
import { checkInProcess } from './in-process.js';

/** A reference service to check: with a fault, or conformant in a way that the interface leaves open or that is odd. */
export type Case = { readonly fault: string } | { readonly choices: string } | { readonly variation: string };

/** What the suite said of it. */
export interface Outcome {
  /** Why the suite found nothing to judge. */
  readonly unusable?: string;
  readonly rules: readonly { readonly id: RuleId; readonly verdict: Verdict; readonly why: string }[];
}

/** As a caller would have it: requests take their time, so that what is to happen at once does not. */
const latencyMs = 20;
/** There is no noise on a virtual clock that a wait would have to be forgiven for. */
const latencyGraceMs = 100;

function optionsFor(of: Case): ReferenceOptions {
  if ('fault' in of) return { faults: [findFault(of.fault)] };
  if ('choices' in of) return { choices: of.choices };
  const variation = findVariation(of.variation);
  return 'options' in variation ? variation.options : { faults: [variation] };
}

export function findVariation(id: string): (typeof variations)[number] {
  const variation = variations.find((one) => one.id === id);
  if (!variation) throw new Error(`There is no variation ${id}.`);
  return variation;
}

/** Runs the whole suite against one service; `pace` is what differs from the pace that the service declares. */
export async function runCase(of: Case, pace: Partial<Facts['pace']> = {}): Promise<Outcome> {
  const options = { latencyMs, ...optionsFor(of) };
  const declared = createReference(options).target;
  const target = toTarget({
    ...declared,
    pace: { ...declared.pace, latencyGraceMs: latencyGraceMs + options.latencyMs, ...pace },
  });
  const { preflight, rules } = await checkInProcess(options, { target });
  return {
    ...(!preflight.usable && { unusable: preflight.reason }),
    rules: rules.map(({ id, verdict, why }) => ({ id, verdict, why })),
  };
}

/** Every value of every choice alone, beside the default of all others. */
const singles = Object.entries(choices).flatMap(([gap, { values, default: usual }]) =>
  Object.keys(values).flatMap((value) => (value === usual ? [] : [`${gap}=${value}`])),
);

/** The id of what the service is checked with. */
export const idOf = (of: Case): string => Object.values(of)[0] ?? '';

/** Every named set of choices, every choice alone, every variation, every fault. */
export const cases: readonly Case[] = [
  ...[...Object.keys(choiceSets), ...singles].map((id) => ({ choices: id })),
  ...variations.map(({ id }) => ({ variation: id })),
  ...faults.map(({ id }) => ({ fault: id })),
];
