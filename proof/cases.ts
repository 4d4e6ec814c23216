import { toTarget } from '../conformance/target/target.js';
import type { Verdict } from '../conformance/vocabulary.js';
import type { RuleId } from '../generated/rules.js';
import { choiceSets, choices, createReference, faults, findFault, type ReferenceOptions } from '../reference/index.js';
import { checkInProcess } from './in-process.js';

/** A reference service to check: with one fault, or conformant in one of the ways that the interface leaves open. */
export type Case = { readonly fault: string } | { readonly choices: string };

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

const { pace, ...declared } = createReference().target;
const target = toTarget({ ...declared, pace: { ...pace, latencyGraceMs } });

/** Runs the whole suite against one service. */
export async function runCase(of: Case): Promise<Outcome> {
  const options: ReferenceOptions = 'fault' in of ? { faults: [findFault(of.fault)] } : { choices: of.choices };
  const { preflight, rules } = await checkInProcess({ ...options, latencyMs }, { target });
  return {
    ...(!preflight.usable && { unusable: preflight.reason }),
    rules: rules.map(({ id, verdict, why }) => ({ id, verdict, why })),
  };
}

/** Every value of every choice alone, beside the default of all others. */
const singles = Object.entries(choices).flatMap(([gap, { values, default: usual }]) =>
  Object.keys(values).flatMap((value) => (value === usual ? [] : [`${gap}=${value}`])),
);

/** Every named set of choices, every choice alone, every fault. */
export const cases: readonly Case[] = [
  ...[...Object.keys(choiceSets), ...singles].map((id) => ({ choices: id })),
  ...faults.map(({ id }) => ({ fault: id })),
];
