/** The cases of the proof, and how one is run. */

import '../conformance/suite/contract.js';
import type { Verdict } from '../conformance/engine/vocabulary/report.js';
import { declaredFor } from '../conformance/suite/scenarios.js';
import { toTarget } from '../conformance/suite/target/target.js';
import {
  choiceSets,
  choices,
  createReference,
  type Deviation,
  faults,
  findFault,
  type ReferenceOptions,
  type Surroundings,
  type Variation,
  variations,
} from '../deviations/index.js';
import type { RuleId } from '../generated/rules.js';
import { checkInProcess } from './in-process.js';

/** A reference service to check: with a fault, with choices for gaps, or with a variation. */
export type Case = ({ readonly fault: string } | { readonly choices: string } | { readonly variation: string }) & {
  readonly at?: Tempo;
  /** The id of the surroundings that disturb it. */
  readonly behind?: string;
  readonly seed?: number;
  /** For how long what costs no execution is sent again. */
  readonly soakMs?: number;
  /** The result that a condition of the suite must not have, if conditions are noted. */
  readonly without?: string;
};

/** How long runs take, how many run at once, and how many may be started. Absent: as in the reference service. */
export interface Tempo {
  /** The duration of each run, whatever its workflow. */
  readonly minutes?: number;
  readonly places?: number;
  readonly executions?: number;
}

/** What the suite found. */
export interface Outcome {
  /** Why nothing could be judged, if so. */
  readonly unusable?: string;
  readonly rules: readonly {
    readonly id: RuleId;
    readonly verdict: Verdict;
    readonly why: string;
    /** Only a soak showed it. */
    readonly isOfSoak?: true;
    /** How it is violated: what was expected, and at which declared steps. */
    readonly ways?: readonly { readonly expected: string; readonly step: string }[];
  }[];
  readonly notes?: readonly string[];
  /** The results of the conditions of the suite, if they are noted. */
  readonly conditions?: readonly string[];
}

/** What the check took. */
export interface RunCost {
  readonly executions: number;
  readonly minutes: number;
}

/** Requests take some time, as over a network, so that requests do not coincide by accident. */
const latencyMs = 20;
/** A virtual clock has no noise that a wait would need slack for. */
const latencyGraceMs = 100;
/** Enough for all that a run can start, so that each fault has its chance to show. */
export const allExecutions = 60;

/** A service, the gateway in front of it, and what its target file declares. */
export interface Setting extends Pick<Surroundings, 'gateway' | 'declared'> {
  readonly options: ReferenceOptions;
}

function settingFor(of: Case): Setting {
  if ('choices' in of) return { options: { choices: of.choices } };
  const own = 'fault' in of ? findFault(of.fault) : findVariation(of.variation);
  if (!('behaviour' in own)) return { options: {}, ...own };
  const { declared, ...deviation }: Deviation & Pick<Surroundings, 'declared'> = own;
  const around = of.behind === undefined ? undefined : findVariation(of.behind);
  const { gateway, options }: Partial<Surroundings> = around && !('behaviour' in around) ? around : {};
  const outer = around && declaredOf(around);
  return {
    gateway,
    options: { ...options, faults: [...(options?.faults ?? []), deviation] },
    declared: { ...outer, ...declared, pace: { ...outer?.pace, ...declared?.pace } },
  };
}

/** What the target file of a variation declares differently. */
export const declaredOf = (variation: Variation): Surroundings['declared'] =>
  'declared' in variation ? variation.declared : undefined;

export function findVariation(id: string): Variation {
  const variation = variations.find((one) => one.id === id);
  if (!variation) throw new Error(`There is no variation ${id}.`);
  return variation;
}

/** Runs the suite against one service. */
export const runCase = async (of: Case, seed = of.seed ?? 1): Promise<Outcome & RunCost> =>
  runSetting(settingFor(of), seed, of.at, of.soakMs);

/** Stretches all runs to the same duration, with their usual states. */
export const lasting = (minutes: number): Deviation => ({
  id: 'lasting',
  behaviour: (base) => ({
    stepsOf: (run) => {
      const steps = base.stepsOf(run);
      const usual = steps.reduce((sum, { ms = 0 }) => sum + ms, 0);
      return steps.map((step) =>
        step.ms === undefined ? step : { ...step, ms: (step.ms * minutes * 60_000) / Math.max(1, usual) },
      );
    },
  }),
});

export async function runSetting(
  setting: Setting,
  seed: number,
  { minutes, places, executions }: Tempo = {},
  soakMs?: number,
): Promise<Outcome & RunCost> {
  const options: ReferenceOptions & { latencyMs: number } = {
    latencyMs,
    ...setting.options,
    ...(minutes !== undefined && { faults: [...(setting.options.faults ?? []), lasting(minutes)] }),
    ...(places !== undefined && { limits: { ...setting.options.limits, concurrency: places } }),
  };
  const { pace: usual, ...file } = createReference(options).fixtures;
  const { pace, takes, undeclared = [], ...declared } = setting.declared ?? {};
  for (const name of undeclared) Reflect.deleteProperty(file, name);
  const { facts, ...target } = toTarget({
    ...file,
    ...declared,
    pace: {
      ...usual,
      latencyGraceMs: latencyGraceMs + options.latencyMs,
      ...pace,
    },
    budget: { ...declared.budget, executions: executions ?? declared.budget?.executions ?? allExecutions },
  });
  const { preflight, rules, remarks, executionsStarted, durationMs, evidence, requests, soak } = await checkInProcess(
    { ...options, gateway: setting.gateway },
    {
      target: { ...target, facts: { ...facts, ...(takes && { takes }) } },
      seed,
      runHook: async () => ({ printed: file.pool }),
      ...(soakMs !== undefined && { soakMs }),
    },
  );
  const before = requests - (soak?.requests ?? 0);
  const steps = new Map(evidence.exchanges.map(({ id, mark }) => [id, mark && declaredFor(mark)?.step]));
  return {
    ...(!preflight.usable && { unusable: preflight.reason }),
    rules: rules.map(({ id, verdict, why, violations }) => ({
      id,
      verdict,
      why,
      ...(violations.length > 0 && violations.every(({ exchanges: [one = 0] }) => one > before) && { isOfSoak: true }),
      ...(violations.length > 0 && {
        ways: violations.flatMap(({ expected, exchanges, others }) =>
          [exchanges[0] ?? -1, ...others].map((one) => ({ expected, step: steps.get(one) ?? '' })),
        ),
      }),
    })),
    notes: remarks,
    executions: executionsStarted,
    minutes: durationMs / 60_000,
  };
}

/** Each value of each choice, with the defaults of all others. */
const singles = Object.entries(choices).flatMap(([gap, { values, default: usual }]) =>
  Object.keys(values).flatMap((value) => (value === usual ? [] : [`${gap}=${value}`])),
);

/** The id of the fault, choices or variation of a case. */
export const idOf = ({ at: _, behind: __, seed: ___, soakMs: ____, without: _____, ...of }: Case): string =>
  Object.values(of)[0] ?? '';

/** All cases: each set of choices, each single choice, each variation, each fault. */
export const cases: readonly Case[] = [
  ...[...Object.keys(choiceSets), ...singles].map((id) => ({ choices: id })),
  ...variations.map(({ id }) => ({ variation: id })),
  ...faults.map(({ id }) => ({ fault: id })),
];
