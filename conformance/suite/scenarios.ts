import type { RuleId } from '../../generated/rules.js';
import { memoizeText } from '../engine/memoize.js';
import type { Exchange, Facts, Mark } from '../engine/vocabulary.js';
import { queueAlone } from './capacity/queue.js';
import { capacity, fullAgain } from './capacity/scenarios.js';
import type { Scenario, Steps } from './driver.js';
import type { wrongBodySteps } from './errors/invalid.js';
import { wrongBodyScenarios } from './errors/scenarios.js';
import { readExecution } from './executions/follow.js';
import { controlScenarios, otherStartScenarios, roleScenarios, stopScenarios } from './executions/roles.js';
import { runAgain } from './executions/run-again.js';
import { type StartingStep, starting } from './executions/steps.js';
import { sweepSteps } from './executions/sweep.js';
import { keysAndIds } from './keys/keys-and-ids.js';
import { realKeys } from './keys/real-keys.js';
import { besidePool, pool, poolInUse } from './pools/scenarios.js';
import { profile } from './profiles/scenarios.js';
import { refusals } from './starts/refusals.js';
import { groupAlone, start } from './starts/start.js';
import { variant } from './starts/variant.js';
import { startSync, syncWaits, syncWithProfile } from './sync/scenarios.js';

/** The longest waits come first: they decide how long a run takes. */
const all = [
  capacity,
  start,
  startSync,
  syncWaits,
  ...roleScenarios,
  ...controlScenarios,
  ...otherStartScenarios,
  variant,
  keysAndIds,
  poolInUse,
  readExecution,
  refusals,
  profile,
  syncWithProfile,
  realKeys,
  ...wrongBodyScenarios,
  pool,
  besidePool,
] as const satisfies readonly Scenario[];

const again = runAgain('run-again', all);

const inGroup = groupAlone([...all, again]);

const alone = queueAlone([...all, again, inGroup]);

const full = fullAgain([...all, again, inGroup, alone]);

/** Stopped executions may hold their places until a person acts, so their scenarios come last. */
const stops = stopScenarios([...all, again, inGroup, alone, full]);

const stopsAgain = runAgain('run-stops-again', stops);

/** Every scenario of the suite. */
export const everything = [
  ...all,
  again,
  inGroup,
  alone,
  full,
  ...stops,
  stopsAgain,
] as const satisfies readonly Scenario[];

/** Those that come last, whatever was sent before: they need no other scenario, and no other one needs them. */
export const lastScenarios: readonly Scenario[] = [again, inGroup, alone, full, ...stops, stopsAgain];

/** Those that complete what others did. They send nothing where that is not necessary. */
export const followUps: readonly Scenario[] = [again, inGroup, alone, stopsAgain];

/** The scenarios of a run. A gentle run only reads, and asks once with a wrong key. */
export const scenariosFor = ({ gentle = false }: Pick<Facts, 'gentle'>): readonly Scenario[] =>
  gentle ? [keysAndIds, readExecution] : everything;

// Which rules each step serves. The compiler wants a step for every rule; `steps.test.ts` checks the claims.

/** The rules that judge every answer. Every step serves them. */
const anyAnswer = [
  'responses-are-json',
  'json-is-labelled',
  'response-matches-schema',
  'optional-fields-are-not-null',
  'status-is-documented',
  'no-server-errors',
  'no-secrets-in-responses',
  'standard-error-shape',
  'standard-error-detail',
  'standard-error-instance',
  'standard-error-status',
  'standard-error-type',
  'standard-error-title',
  'standard-error-parameter',
  'simple-error-shape',
  'simple-error-code',
  'files-error-shape',
  'refusals-are-client-errors',
  'key-is-taken-where-shown',
] as const satisfies readonly RuleId[];

/** Steps of any scenario without a rule: odd bodies, observed by gaps, and requests repeated without a key. */
const odd = {
  'large-* malformed-json-* no-body-* null-body-* several-mistakes-* unsupported-media-type-* unknown-field-*': [],
  '*-without-key': [],
} as const satisfies Steps;

/** Steps that only look at what was started, unless their scenario declares them otherwise. */
const looks = { 'read* list* look-for-a-place watch-end': [] } as const satisfies Steps;

/** Steps that are sent before and after the scenarios. */
const around: readonly Pick<Scenario, 'id' | 'steps'>[] = [
  ...['preflight', 'hooks'].map((id) => ({ id, steps: { '*': [] } })),
  { id: 'sweep', steps: sweepSteps },
];

/** The rules that a scenario names; `never` if the compiler only knows that they are rules. */
type Named<Rules> = RuleId extends Rules ? never : Rules;
type NamedBy<Scripted> = Scripted extends { readonly steps: infer Sent extends Steps }
  ? Named<Sent[keyof Sent][number]>
  : never;
type Served =
  | (typeof starting)[number]['serves'][number]
  | NamedBy<(typeof everything)[number]>
  | (typeof sweepSteps)[keyof typeof sweepSteps][number]
  | (typeof wrongBodySteps)[keyof typeof wrongBodySteps][number]
  | (typeof anyAnswer)[number];

/** The names in a key of `Steps`, each as a text that it matches. */
type Matching<Names> = Names extends `${infer One} ${infer More}`
  ? Matching<One> | Matching<More>
  : Names extends `${infer Before}*${infer After}`
    ? `${Before}${string}${After}`
    : Names & string;
type StepOf<Scripted> = Scripted extends { readonly id: infer Id extends string; readonly steps: infer Sent }
  ? `${Id}/${Matching<keyof Sent>}`
  : never;

type Declared = StartingStep | StepOf<(typeof everything)[number]> | `${string}/${Matching<keyof typeof looks>}`;

/** A declared step, as `scenario/step`. Steps that are sent several times are numbered: `hold-1`. */
export type DeclaredStep = Declared | `${Declared}-${number}`;

/** Does not compile while no step serves a rule. The compiler's error shows the rule and this text. */
export type RuleWithoutStep<Id extends 'in `steps` of scenarios or executions/steps.ts' = Exclude<RuleId, Served>> = Id;

/** A step, as `scenario/step`, and the rules that it is sent for. */
export interface SentFor {
  readonly step: string;
  readonly serves: readonly RuleId[];
}

const stepsOf = (scenario: string, steps: Steps): SentFor[] =>
  Object.entries(steps).flatMap(([names, serves]) =>
    names.split(' ').map((name) => ({ step: `${scenario}/${name}`, serves })),
  );

/** All declared steps; the first that matches counts. */
export const steps: readonly SentFor[] = [
  ...starting,
  ...stepsOf('*', odd),
  ...[...everything, ...around].flatMap(({ id, steps = {} }) => stepsOf(id, steps)),
  ...stepsOf('*', looks),
];

const patterns = steps.map((sent) => ({
  sent,
  pattern: new RegExp(`^${sent.step.replaceAll('*', '.*')}${sent.step.endsWith('*') ? '' : String.raw`(?:-\d+)?`}$`),
}));

/** The declaration of a step; undefined if there is none. */
export const declaredFor = ({ scenario, step }: Pick<Mark, 'scenario' | 'step'>): SentFor | undefined =>
  declaredAs(`${scenario}/${step}`);
const declaredAs = memoizeText((sent) => patterns.find(({ pattern }) => pattern.test(sent))?.sent);

/** Whether a rule judges every answer. */
export const isOfAnyAnswer = (rule: string): boolean => anyAnswer.some((one) => one === rule);

/** The steps that are declared to be sent for a rule. */
export const stepsFor = (rule: string): readonly string[] =>
  steps.filter(({ serves }) => serves.some((one) => one === rule)).map(({ step }) => step);

/** The declared names of the steps that were sent. */
export const namesOf = (exchanges: readonly Exchange[]): ReadonlySet<string> =>
  new Set(exchanges.flatMap(({ mark }) => (mark && declaredFor(mark)?.step) ?? []));
