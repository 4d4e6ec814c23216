import type { Facts, Verdict } from '../conformance/engine/vocabulary.js';
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

/** A reference service to check: with a fault, or conformant in a way that the interface leaves open or that is odd. */
export type Case = ({ readonly fault: string } | { readonly choices: string } | { readonly variation: string }) & {
  readonly at?: Tempo;
};

/** How long its runs take and how many go at once, and how many the suite may start. Absent: as the reference service is. */
export interface Tempo {
  /** Of each run, whatever its workflow. */
  readonly minutes?: number;
  readonly places?: number;
  readonly executions?: number;
}

/** What the suite said of it. */
export interface Outcome {
  /** Why the suite found nothing to judge. */
  readonly unusable?: string;
  readonly rules: readonly { readonly id: RuleId; readonly verdict: Verdict; readonly why: string }[];
}

/** And what that took. */
export interface Spent {
  readonly executions: number;
  readonly minutes: number;
}

/** As a caller would have it: requests take their time, so that what is to happen at once does not. */
const latencyMs = 20;
/** There is no noise on a virtual clock that a wait would have to be forgiven for. */
const latencyGraceMs = 100;
/** Room for all that a run can start: each fault is met in the circumstances in which it shows. */
const allExecutions = 60;

/** A service, what stands before it, and what a target file says of it. */
export interface Setting extends Pick<Surroundings, 'gateway' | 'declared'> {
  readonly options: ReferenceOptions;
}

function settingFor(of: Case): Setting {
  if ('fault' in of) {
    const { declared, ...fault } = findFault(of.fault);
    return { options: { faults: [fault] }, ...(declared && { declared }) };
  }
  if ('choices' in of) return { options: { choices: of.choices } };
  const variation = findVariation(of.variation);
  if (!('behaviour' in variation)) return { options: {}, ...variation };
  const declared = declaredOf(variation);
  return { options: { faults: [variation] }, ...(declared && { declared }) };
}

/** What its target file says otherwise. */
export const declaredOf = (variation: Variation): Surroundings['declared'] =>
  'declared' in variation ? variation.declared : undefined;

export function findVariation(id: string): Variation {
  const variation = variations.find((one) => one.id === id);
  if (!variation) throw new Error(`There is no variation ${id}.`);
  return variation;
}

/** Runs the whole suite against one service; `more` is what differs from the pace that the service declares. */
export const runCase = (of: Case, more: Partial<Facts['pace']> = {}, seed = 1): Promise<Outcome & Spent> =>
  runSetting(settingFor(of), more, seed, of.at);

/** Runs that all take as long, in the states that they go through anyway. */
export const lasting = (minutes: number): Deviation => ({
  id: 'lasting',
  says: `Its runs take ${minutes} min.`,
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
  more: Partial<Facts['pace']>,
  seed: number,
  { minutes, places, executions }: Tempo = {},
): Promise<Outcome & Spent> {
  const options: ReferenceOptions & { latencyMs: number } = {
    latencyMs,
    ...setting.options,
    ...(minutes !== undefined && { faults: [...(setting.options.faults ?? []), lasting(minutes)] }),
    ...(places !== undefined && { limits: { ...setting.options.limits, concurrency: places } }),
  };
  const { pace: usual, ...file } = createReference(options).target;
  const { pace, takes, undeclared = [], ...declared } = setting.declared ?? {};
  for (const name of undeclared) Reflect.deleteProperty(file, name);
  const { facts, ...target } = toTarget({
    ...file,
    ...declared,
    pace: {
      ...usual,
      latencyGraceMs: latencyGraceMs + options.latencyMs,
      ...pace,
      ...more,
    },
    budget: { ...declared.budget, executions: executions ?? declared.budget?.executions ?? allExecutions },
  });
  const { preflight, rules, executionsStarted, durationMs } = await checkInProcess(
    { ...options, gateway: setting.gateway },
    { target: { ...target, facts: { ...facts, ...(takes && { takes }) } }, seed },
  );
  return {
    ...(!preflight.usable && { unusable: preflight.reason }),
    rules: rules.map(({ id, verdict, why }) => ({ id, verdict, why })),
    executions: executionsStarted,
    minutes: durationMs / 60_000,
  };
}

/** Every value of every choice alone, beside the default of all others. */
const singles = Object.entries(choices).flatMap(([gap, { values, default: usual }]) =>
  Object.keys(values).flatMap((value) => (value === usual ? [] : [`${gap}=${value}`])),
);

/** The id of what the service is checked with. */
export const idOf = ({ at: _, ...of }: Case): string => Object.values(of)[0] ?? '';

/** Every named set of choices, every choice alone, every variation, every fault. */
export const cases: readonly Case[] = [
  ...[...Object.keys(choiceSets), ...singles].map((id) => ({ choices: id })),
  ...variations.map(({ id }) => ({ variation: id })),
  ...faults.map(({ id }) => ({ fault: id })),
];
