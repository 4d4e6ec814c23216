/** The steps that start an execution. Each costs something, so a run chooses among those of all scenarios. */

import { type Rule, type RuleId, rules } from '../../../generated/rules.js';
import { declares, missingNeedsAdvice } from '../../engine/settings/needs.js';
import type { Facts } from '../../engine/vocabulary.js';
import { budgetForAcceptedStarts } from '../budget.js';
import type { WorkflowUse } from '../target/roles.js';
import { defaults } from '../target/target.js';
import { readExecution } from './follow.js';
import { derivedSteps } from './roles.js';

/** A step that starts an execution, as `scenario/step`. */
export interface StartingStepSpec {
  readonly step: string;
  /** The rules that it is started for. Each execution shows more than that. */
  readonly serves: readonly RuleId[];
  /** Rules that compare it with another execution. Alone it shows little of them. */
  readonly compares?: readonly RuleId[];
  /** What the target file has to declare, besides what the scenario needs. */
  readonly needs?: readonly string[];
  /** Another step does the same if this is declared. */
  readonly unless?: string;
  /** Another step that must be sent too: without it, this one shows nothing. */
  readonly beside?: string;
  /** How many executions it starts. */
  readonly count?: (facts: Facts) => number;
  /** It shows what others show, in other circumstances. Started only if a budget has room, or no other step serves. */
  readonly repeats?: true;
  /** The workflow that it runs, if the target file declares it. Default: `completes`. */
  readonly of?: WorkflowUse;
  /** The steps whose executions have to end before this one starts, as far as they are sent. */
  readonly follows?: readonly string[];
  /** Its run stops, and holds a place until somebody acts. Started if hooks of the target file do, or for a budget. */
  readonly stops?: true;
}

const groupSize = ({ capacity }: Facts): number => capacity?.size ?? 1;

/** Rules for a call that waits for less time than its run takes. */
const ofOneSecond = [
  'sync-202-means-not-finished',
  'sync-wait-is-bounded',
  'sync-202-keeps-running',
  'sync-202-when-time-is-up',
  'sync-202-status-is-current',
] as const satisfies readonly RuleId[];

/** Rules that each operation is tried for. A refusal is compared with an accepted start by the same one. */
const ofEachOperation = [
  'response-matches-schema',
  'optional-fields-are-not-null',
  'standard-error-parameter',
  'head-excludes-version',
  'temp-files-must-exist',
  'variant-key-needs-variant-mode',
  'soft-timeout-minimum',
  'soft-timeout-below-hard-timeout',
  'version-must-exist',
  'workflow-must-exist',
  'execute-profile-must-exist',
  'execute-body-is-typed',
  'profile-excludes-group',
] as const satisfies readonly RuleId[];

/** Rules that compare two executions of a workflow, or that one violates for another. */
const ofTwo = [
  'executions-are-separate',
  'urls-are-separate',
  'identity-is-constant',
  'terminal-is-final',
] as const satisfies readonly RuleId[];

/** Where two steps serve equally many rules, the earlier one is chosen. */
export const starting = [
  {
    step: 'start/rich',
    compares: ofTwo,
    serves: [
      ...ofEachOperation,
      'execute-is-accepted',
      'execute-initial-status',
      'queued-only-when-asked',
      'version-and-head-are-accepted',
      'execution-is-the-one-asked-for',
      'accepted-execution-is-readable',
      'terminal-is-final',
      'terminal-record-is-fixed',
      'status-is-current',
      'execution-progresses',
      'duration-only-when-terminal',
      'terminal-at-only-when-terminal',
      'duration-is-in-seconds',
      'recording-only-when-terminal',
      'live-view-is-shown',
      'recording-is-shown',
      'live-view-never-when-terminal',
      'live-view-not-before-start',
      'deprecated-urls-agree',
      'script-failures-omitted-when-none',
      'inputs-are-recorded',
      'inputs-are-shown',
      'metadata-is-recorded',
      'metadata-is-shown',
      'options-are-recorded',
      'profile-is-recorded',
      'used-profile-is-shown',
      'trigger-is-api',
      'trigger-names-its-key',
      'fresh-execution-not-rerun',
      'identity-is-constant',
      'times-are-in-order',
      'files-are-grouped',
      'deleted-pool-cannot-run',
    ],
  },
  {
    step: 'start-sync/sync-all',
    compares: ofTwo,
    serves: [
      'sync-takes-the-same-body',
      'sync-200-means-terminal',
      'sync-result-agrees',
      'sync-timeout-range',
      'sync-timeout-is-integer',
      'sync-returns-when-done',
      ...ofEachOperation,
    ],
  },
  {
    step: 'run-writesFiles/sync',
    follows: ['run-writesFiles/start'],
    of: 'writesFiles',
    serves: [
      'files-belong-to-execution',
      'files-are-listed-once',
      'files-stay-listed',
      'files-appear',
      'executions-are-separate',
      'urls-are-separate',
    ],
  },
  {
    step: 'sync-with-profile/sync-half',
    of: 'slow',
    serves: [...ofOneSecond, 'ends-are-recorded-alike'],
  },
  {
    step: 'capacity/hold',
    of: 'capacity',
    count: groupSize,
    serves: ['over-capacity-is-rejected', 'group-profile-is-recorded'],
  },
  {
    step: 'capacity/queue-1',
    of: 'capacity',
    beside: 'capacity/hold',
    serves: [
      'temp-files-are-never-queued',
      'over-capacity-is-queued',
      'queued-starts-by-itself',
      'capacity-is-freed',
      'queue-is-not-overtaken',
      'execution-is-readable-at-once',
      'live-view-not-before-start',
    ],
  },
  { step: 'variant/variant', of: 'variantMode', serves: ['variant-key-is-required', 'variant-key-is-normalised'] },
  { step: 'variant/variant-sync', of: 'variantMode', serves: ['variant-key-is-required', 'storage-key-is-a-slug'] },
  {
    step: 'start/combined',
    follows: ['start/group'],
    needs: ['profileGroup'],
    serves: ['profile-excludes-group', 'group-profile-is-recorded'],
  },
  {
    step: 'capacity/queue-fails',
    of: 'fails',
    needs: ['workflows.fails'],
    beside: 'capacity/queue-1',
    serves: ['queue-is-oldest-first', 'deprecated-fields-still-work'],
  },
  {
    step: 'start-sync/sync-combined',
    follows: ['start-sync/sync-rich', 'start-sync/sync-again'],
    needs: ['profile'],
    serves: ['used-profile-is-shown'],
  },
  { step: 'capacity/free-1', beside: 'capacity/hold', serves: ['capacity-is-freed'] },
  {
    step: 'run-slow/start',
    of: 'slow',
    serves: ['execute-returns-at-once', 'duration-is-in-seconds', 'live-view-is-shown', 'recording-is-shown'],
  },
  { step: 'sync-waits/sync-one-second', of: 'slow', serves: ofOneSecond },
  {
    step: 'sync-waits/sync-one-second-again',
    of: 'slow',
    beside: 'sync-waits/sync-one-second',
    serves: ['sync-is-not-idempotent'],
  },
  {
    step: 'start-sync/sync-rich',
    repeats: true,
    serves: ['sync-200-means-terminal', 'sync-timeout-range', 'sync-timeout-is-integer'],
  },
  {
    step: 'start-sync/sync-again',
    follows: ['start-sync/sync-rich'],
    beside: 'start-sync/sync-rich',
    repeats: true,
    serves: ['sync-is-not-idempotent'],
  },
  {
    step: 'start/deprecated-profile',
    follows: ['start/rich'],
    needs: ['profile'],
    serves: ['deprecated-fields-still-work'],
  },
  {
    step: 'capacity/queue-cancelled',
    of: 'cancelled',
    needs: ['workflows.cancelled'],
    beside: 'capacity/queue-1',
    serves: ['queue-is-oldest-first'],
  },
  {
    step: 'capacity/queue-deprecated',
    of: 'capacity',
    beside: 'capacity/queue-1',
    repeats: true,
    serves: ['queue-is-oldest-first', 'deprecated-fields-still-work'],
  },
  {
    step: 'capacity/queue-sync',
    of: 'cancelled',
    beside: 'capacity/queue-1',
    serves: [
      'sync-202-means-not-finished',
      'sync-202-keeps-running',
      'sync-202-status-is-current',
      'over-capacity-is-queued',
      'queue-is-oldest-first',
      'queued-call-waits',
    ],
  },
  { step: 'sync-waits/sync-default', of: 'slow', serves: ['sync-default-timeout', 'deprecated-fields-still-work'] },
  {
    step: 'run-fails/sync',
    of: 'fails',
    serves: ['execution-progresses', 'sync-200-means-terminal', 'sync-result-agrees'],
  },
  {
    step: 'run-cancelled/sync',
    of: 'cancelled',
    serves: ['execution-progresses', 'sync-200-means-terminal', 'sync-result-agrees'],
  },
  { step: 'start/head', serves: ['version-and-head-are-accepted', 'ends-are-recorded-alike'] },
  { step: 'run-writesFiles/start', of: 'writesFiles', repeats: true, serves: ['files-appear'] },
  { step: 'run-pauses/sync', of: 'pauses', stops: true, serves: ['sync-202-means-not-finished'] },
  {
    step: 'run-pauses/start',
    follows: ['run-pauses/sync'],
    of: 'pauses',
    repeats: true,
    stops: true,
    serves: ['execution-progresses'],
  },
  {
    step: 'run-awaitsConfirmation/start',
    follows: ['run-awaitsConfirmation/sync'],
    of: 'awaitsConfirmation',
    repeats: true,
    stops: true,
    serves: ['execution-progresses'],
  },
  {
    step: 'run-awaitsConfirmation/sync',
    of: 'awaitsConfirmation',
    stops: true,
    serves: ['sync-202-status-is-current'],
  },
  {
    step: 'run-pausesByAgent/start',
    follows: ['run-pausesByAgent/sync'],
    of: 'pausesByAgent',
    repeats: true,
    stops: true,
    serves: ['execution-progresses'],
  },
  { step: 'run-pausesByAgent/sync', of: 'pausesByAgent', stops: true, serves: ['sync-202-status-is-current'] },
  { step: 'start/equal-1', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'start/equal-2', beside: 'start/equal-1', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'start/temp-file', needs: ['tempFile'], repeats: true, serves: ['execute-is-accepted'] },
  {
    step: 'start/queue-temp-file',
    follows: ['start/temp-file'],
    needs: ['tempFile'],
    repeats: true,
    serves: ['temp-files-are-never-queued'],
  },
  { step: 'start/group', needs: ['profileGroup'], repeats: true, serves: ['group-profile-is-recorded'] },
  {
    step: 'start/deprecated-group',
    follows: ['start/group', 'start/combined'],
    needs: ['profileGroup'],
    unless: 'capacity',
    serves: ['deprecated-fields-still-work'],
  },
  {
    step: 'start-sync/sync-deprecated',
    follows: ['start-sync/sync-rich', 'start-sync/sync-again', 'start-sync/sync-combined'],
    needs: ['profile'],
    repeats: true,
    serves: ['deprecated-fields-still-work'],
  },
  {
    step: 'start-sync/sync-deprecated-group',
    follows: ['start-sync/sync-all'],
    needs: ['profileGroup'],
    repeats: true,
    serves: ['deprecated-fields-still-work'],
  },
  {
    step: 'start/hard-values',
    serves: ['inputs-are-shown', 'metadata-is-shown', 'inputs-are-recorded', 'metadata-is-recorded'],
  },
  { step: 'start/plain-words', unless: 'profileGroup', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'start/empty-fields', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'start/nothing', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'sync-waits/sync-two-seconds', of: 'slow', repeats: true, serves: ['sync-202-when-time-is-up'] },
  {
    step: 'profile/copy-in-use',
    of: 'slow',
    needs: ['workflows.slow'],
    repeats: true,
    serves: ['used-profile-is-shown'],
  },
  {
    step: 'beside-pool/other-group',
    needs: ['profileGroup|capacity'],
    repeats: true,
    serves: ['execute-is-accepted'],
  },
  // That the pool has supplied a profile tells later whether a deletion that was refused has deleted it.
  {
    step: 'pool-in-use/run',
    of: 'writesFiles',
    compares: ['files-belong-to-execution', 'files-are-listed-once'],
    serves: ['execute-is-accepted'],
  },
  { step: 'refusals/hard-to-keep', repeats: true, serves: ['no-server-errors'] },
  {
    step: 'full-again/hold',
    of: 'capacity',
    beside: 'capacity/free-1',
    count: groupSize,
    repeats: true,
    serves: ['capacity-is-freed', 'over-capacity-is-rejected'],
  },
  ...derivedSteps,
] as const satisfies readonly StartingStepSpec[];

export type StartingStep = (typeof starting)[number]['step'];

/** Whether a step starts an execution. */
export const isStarting = (step: string): boolean => starting.some((one) => one.step === step);

const byStarts: ReadonlySet<string> = new Set(
  (starting as readonly StartingStepSpec[]).flatMap(({ repeats, serves }) => (repeats === true ? [] : serves)),
);

/** Whether a rule is judged without an execution that is started for it. */
export const isServedAnyway = (rule: string): boolean => !byStarts.has(rule);

// Chooses which executions a run starts: a budget is spent on those that serve most rules.

/** What a run starts; the rest does not fit into the budget. */
export interface Chosen {
  readonly steps: ReadonlySet<string>;
  /** The steps that could serve a rule, if none were left out; empty if a rule needs no execution. */
  possibleFor(rule: string): readonly string[];
}

/**
 * Chooses among the executions that the scenarios can start for the `selected` rules: first those that serve most rules,
 * each with the steps that it needs, and those that are wanted `alone`. Steps that only repeat are started only if a
 * budget above the default has room. A larger budget chooses all that a smaller one does, and more.
 */
export function chooseStarts(
  facts: Facts,
  scenarios: readonly { readonly id: string }[],
  selected: (rule: Rule) => boolean = () => true,
  alone: ReadonlySet<string> = new Set(),
): Chosen {
  const wanted: readonly RuleId[] = rules.filter(selected).map(({ id }) => id);
  const possible = (starting as readonly StartingStepSpec[]).filter(
    ({ step, needs = [], unless, count = () => 1 }) =>
      scenarios.some(({ id }) => step.startsWith(`${id}/`)) &&
      // Filling the group takes as many places as it has profiles.
      (!step.startsWith('capacity/') || groupSize(facts) <= (facts.budget.places ?? Number.POSITIVE_INFINITY)) &&
      count(facts) > 0 &&
      needs.every((need) => declares(facts, need)) &&
      (unless === undefined || !declares(facts, unless)),
  );
  const open = facts.stateful ? possible.filter((one) => bundleOf(one, possible)) : possible;
  const isWanted = ({ step, serves, compares = [] }: StartingStepSpec) =>
    alone.has(step) || [...serves, ...compares].some((rule) => wanted.includes(rule));
  const needed = new Set(open.filter(isWanted).flatMap((one) => bundleOf(one, open) ?? []));
  const { executions } = facts.budget;
  const isLarge = executions > defaults.budget.executions;
  const enough = open.filter((one) => needed.has(one) && (isLarge || alone.has(one.step) || !isHeld(one, facts)));
  const room = facts.stateful ? budgetForAcceptedStarts(executions) : Number.POSITIVE_INFINITY;
  const steps = new Set<string>();
  let count = 0;
  const { first, repeated } = inOrder(enough, facts);
  for (const one of [...first, ...repeated.filter(({ step }) => isLarge || alone.has(step))]) {
    count += countOf(one, facts);
    if (count > room) break;
    steps.add(one.step);
  }
  return {
    steps,
    possibleFor: (rule) =>
      isServedAnyway(rule) || scenarios.some(({ id }) => id === readExecution.id && isReadFor(rule))
        ? []
        : open.filter(({ serves }) => serves.some((one) => one === rule)).map(({ step }) => step),
  };
}

/** Whether an execution that exists already shows something of a rule. */
const isReadFor = (rule: string): boolean =>
  Object.values<readonly RuleId[]>(readExecution.steps).some((serves) => serves.some((one) => one === rule));

export const countOf = ({ count }: StartingStepSpec, facts: Facts): number => count?.(facts) ?? 1;

const isHeld = ({ stops }: StartingStepSpec, { endsExecutions }: Facts): boolean =>
  stops === true && endsExecutions !== true;

const isRepeated = (one: StartingStepSpec, facts: Facts): boolean => one.repeats === true || isHeld(one, facts);

/** A step after those that it needs; undefined if one of these cannot be sent. */
function bundleOf(one: StartingStepSpec, among: readonly StartingStepSpec[]): readonly StartingStepSpec[] | undefined {
  if (one.beside === undefined) return [one];
  const beside = among.find(({ step }) => step === one.beside);
  const bundle = beside && bundleOf(beside, among);
  return bundle && [...bundle, one];
}

/** Orders steps by unserved rules per execution. The rest keep their order; those that repeat are apart. */
function inOrder(open: readonly StartingStepSpec[], facts: Facts) {
  const unserved = new Set<RuleId>(
    rules
      .filter((rule: Rule) => missingNeedsAdvice(rule, facts) === undefined && !isServedAnyway(rule.id))
      .map(({ id }) => id),
  );
  const chosen = new Set<StartingStepSpec>();
  const worth = (bundle: readonly StartingStepSpec[]): number =>
    new Set(bundle.flatMap(({ serves }) => serves.filter((rule) => unserved.has(rule)))).size /
    bundle.reduce((sum, one) => sum + countOf(one, facts), 0);
  for (;;) {
    const bundles = open
      .filter((one) => !chosen.has(one))
      .map((one) => (bundleOf(one, open) ?? []).filter((each) => !chosen.has(each)));
    const best = bundles.reduce<readonly StartingStepSpec[]>(
      (a, b) => (a.length > 0 && worth(a) >= worth(b) ? a : b),
      [],
    );
    if (best.length === 0 || worth(best) === 0) break;
    for (const one of best) {
      chosen.add(one);
      for (const rule of one.serves) unserved.delete(rule);
    }
  }
  const rest = open.filter((one) => !chosen.has(one));
  const repeated = rest.filter((one) => isRepeated(one, facts));
  return { first: [...chosen, ...rest.filter((one) => !repeated.includes(one))], repeated };
}
