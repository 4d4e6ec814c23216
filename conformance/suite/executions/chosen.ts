/** Which executions a run starts: each is there for rules, and a budget is spent on those that bring most. */
import { type Rule, type RuleId, rules } from '../../../generated/rules.js';
import { declares, mostExecutions, unmet } from '../../engine/settings/needs.js';
import type { Facts } from '../../engine/vocabulary.js';
import { forThoseMeant } from '../budget.js';

/** A step that starts an execution, as `journey/step`. */
interface Starting {
  readonly step: string;
  /** What it is started for. Each execution shows more than that. */
  readonly serves: readonly RuleId[];
  /** What the target file has to declare, beside what the journey needs. */
  readonly needs?: readonly string[];
  /** Where it is not declared, another step does the same. */
  readonly unless?: string;
  /** The step without which it shows nothing. */
  readonly beside?: string;
  /** How many executions it starts. */
  readonly count?: (facts: Facts) => number;
  /** Shows what others show, in other circumstances: started where a budget has room for it. */
  readonly repeats?: true | ((facts: Facts) => boolean);
}

/** A run that fails or is cancelled is one of those that wait for a full group. */
const isQueued = ({ capacity }: Facts): boolean => capacity !== undefined;

const size = ({ capacity }: Facts): number => capacity?.size ?? 1;

/** In the order in which they are chosen where they bring as much as each other. */
const starting = [
  {
    step: 'start/rich',
    serves: [
      'standard-error-parameter',
      'execute-is-accepted',
      'execute-initial-status',
      'queued-only-when-asked',
      'head-excludes-version',
      'temp-files-must-exist',
      'variant-key-needs-variant-mode',
      'soft-timeout-minimum',
      'soft-timeout-below-hard-timeout',
      'version-must-exist',
      'version-and-head-are-accepted',
      'workflow-must-exist',
      'execute-profile-must-exist',
      'execute-body-is-typed',
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
      'response-matches-schema',
      'optional-fields-are-not-null',
      'files-are-grouped',
      'deleted-pool-cannot-run',
    ],
  },
  {
    step: 'start-sync/sync-all',
    serves: [
      'sync-takes-the-same-body',
      'sync-200-means-terminal',
      'sync-result-agrees',
      'sync-timeout-range',
      'sync-timeout-is-integer',
      'sync-returns-when-done',
      'group-profile-is-recorded',
    ],
  },
  {
    step: 'run-writesFiles/sync',
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
    step: 'sync-with-profile/sync-one-second',
    serves: [
      'sync-202-means-not-finished',
      'sync-wait-is-bounded',
      'sync-202-keeps-running',
      'sync-202-when-time-is-up',
      'sync-202-status-is-current',
      'ends-are-recorded-alike',
    ],
  },
  { step: 'capacity/hold', count: size, serves: ['over-capacity-is-rejected'] },
  {
    step: 'capacity/queue-1',
    beside: 'capacity/hold',
    serves: [
      'temp-files-are-never-queued',
      'over-capacity-is-queued',
      'queued-starts-by-itself',
      'queue-is-not-overtaken',
      'execution-is-readable-at-once',
      'live-view-not-before-start',
    ],
  },
  { step: 'variant/variant', serves: ['variant-key-is-required', 'variant-key-is-normalised'] },
  { step: 'variant/variant-sync', serves: ['variant-key-is-required', 'storage-key-is-a-slug'] },
  { step: 'start/combined', needs: ['profileGroup'], serves: ['profile-excludes-group', 'group-profile-is-recorded'] },
  {
    step: 'capacity/queue-fails',
    needs: ['workflows.fails'],
    beside: 'capacity/queue-1',
    serves: ['queue-is-oldest-first', 'deprecated-fields-still-work'],
  },
  { step: 'start-sync/sync-combined', needs: ['profile'], serves: ['used-profile-is-shown'] },
  { step: 'capacity/free-1', beside: 'capacity/hold', serves: ['capacity-is-freed'] },
  {
    step: 'run-slow/start',
    serves: ['execute-returns-at-once', 'duration-is-in-seconds', 'live-view-is-shown', 'recording-is-shown'],
  },
  {
    step: 'sync-waits/sync-one-second',
    serves: [
      'sync-202-means-not-finished',
      'sync-wait-is-bounded',
      'sync-202-keeps-running',
      'sync-202-when-time-is-up',
      'sync-202-status-is-current',
    ],
  },
  {
    step: 'sync-waits/sync-one-second-again',
    beside: 'sync-waits/sync-one-second',
    serves: ['sync-is-not-idempotent'],
  },
  {
    step: 'start-sync/sync-rich',
    repeats: true,
    serves: ['sync-200-means-terminal', 'sync-timeout-range', 'sync-timeout-is-integer'],
  },
  { step: 'start-sync/sync-again', beside: 'start-sync/sync-rich', repeats: true, serves: ['sync-is-not-idempotent'] },
  { step: 'start/deprecated-profile', needs: ['profile'], serves: ['deprecated-fields-still-work'] },
  {
    step: 'capacity/queue-cancelled',
    needs: ['workflows.cancelled'],
    beside: 'capacity/queue-1',
    serves: ['queue-is-oldest-first'],
  },
  {
    step: 'capacity/queue-deprecated',
    beside: 'capacity/queue-1',
    repeats: true,
    serves: ['queue-is-oldest-first', 'deprecated-fields-still-work'],
  },
  {
    step: 'capacity/queue-sync',
    beside: 'capacity/queue-1',
    serves: ['over-capacity-is-queued', 'queue-is-oldest-first'],
  },
  { step: 'sync-waits/sync-default', serves: ['sync-default-timeout'] },
  { step: 'run-fails/sync', repeats: isQueued, serves: ['execution-progresses'] },
  { step: 'run-cancelled/sync', repeats: isQueued, serves: ['execution-progresses'] },
  { step: 'start/head', serves: ['version-and-head-are-accepted'] },
  { step: 'run-writesFiles/start', repeats: true, serves: ['files-appear'] },
  { step: 'run-pauses/sync', repeats: true, serves: ['sync-202-means-not-finished'] },
  { step: 'run-pauses/start', repeats: true, serves: ['execution-progresses'] },
  { step: 'run-awaitsConfirmation/start', repeats: true, serves: ['execution-progresses'] },
  { step: 'run-awaitsConfirmation/sync', repeats: true, serves: ['sync-202-status-is-current'] },
  { step: 'run-pausesByAgent/start', repeats: true, serves: ['execution-progresses'] },
  { step: 'run-pausesByAgent/sync', repeats: true, serves: ['sync-202-status-is-current'] },
  { step: 'start/equal-1', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'start/equal-2', beside: 'start/equal-1', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'start/temp-file', needs: ['tempFile'], repeats: true, serves: ['execute-is-accepted'] },
  { step: 'start/queue-temp-file', needs: ['tempFile'], repeats: true, serves: ['temp-files-are-never-queued'] },
  { step: 'start/group', needs: ['profileGroup'], repeats: true, serves: ['group-profile-is-recorded'] },
  {
    step: 'start/deprecated-group',
    needs: ['profileGroup'],
    unless: 'capacity',
    serves: ['deprecated-fields-still-work'],
  },
  { step: 'start-sync/sync-deprecated', needs: ['profile'], repeats: true, serves: ['deprecated-fields-still-work'] },
  {
    step: 'start-sync/sync-deprecated-group',
    needs: ['profileGroup'],
    repeats: true,
    serves: ['deprecated-fields-still-work'],
  },
  { step: 'start/plain-words', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'start/trifles', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'start/nothing', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'sync-waits/sync-two-seconds', repeats: true, serves: ['sync-202-when-time-is-up'] },
  { step: 'profile/copy-in-use', needs: ['workflows.slow'], repeats: true, serves: ['update-applies'] },
  {
    step: 'pool/other-group',
    needs: ['workflows.completes', 'profileGroup'],
    repeats: true,
    serves: ['pool-is-deleted'],
  },
  { step: 'pool-in-use/run', repeats: true, serves: ['deleted-pool-cannot-run'] },
  { step: 'refusals/hard-to-keep', repeats: true, serves: ['no-server-errors'] },
  { step: 'capacity/full-again', beside: 'capacity/free-1', count: size, repeats: true, serves: ['capacity-is-freed'] },
] as const satisfies readonly Starting[];

export type StartingStep = (typeof starting)[number]['step'];

/** What is sent for the other rules starts nothing. */
const startingNothing = [
  'responses-are-json',
  'json-is-labelled',
  'status-is-documented',
  'no-server-errors',
  'no-secrets-in-responses',
  'standard-error-shape',
  'standard-error-detail',
  'standard-error-instance',
  'standard-error-status',
  'standard-error-type',
  'standard-error-title',
  'simple-error-shape',
  'simple-error-code',
  'files-error-shape',
  'refusals-are-client-errors',
  'missing-key-is-401',
  'invalid-key-is-401',
  'insufficient-permission-is-403',
  'key-is-taken-where-shown',
  'key-refusal-does-nothing',
  'unknown-execution-is-404',
  'malformed-id-is-refused',
  'unknown-execution-files-is-404',
  'update-applies',
  'update-is-partial',
  'update-is-atomic',
  'update-keeps-identity',
  'profile-name-length',
  'profile-description-length',
  'profile-name-is-unique',
  'popup-blocker-requires-adblock',
  'update-body-is-typed',
  'cookies-are-added',
  'cookie-expiry-is-shown',
  'cookies-are-deleted',
  'credentials-are-added',
  'credentials-are-deleted',
  'credentials-update-ignores-case',
  'proxy-password-is-hidden',
  'inbox-default-prefix',
  'inbox-custom-prefix',
  'unknown-profile-is-404',
  'duplicate-is-new',
  'duplicate-is-independent',
  'duplicate-copies-settings',
  'duplicate-copies-cookies',
  'duplicate-copies-credentials',
  'duplicate-name-is-unique',
  'duplicate-stays-in-organization',
  'duplicate-into-organization',
  'duplicate-into-unknown-organization',
  'pool-is-deleted',
  'deleted-pool-is-gone',
  'unknown-pool-is-404',
] as const satisfies readonly RuleId[];

type Served = (typeof starting)[number]['serves'][number] | (typeof startingNothing)[number];

/** Does not compile while nothing is sent for a rule. */
export type Unserved<Id extends never = Exclude<RuleId, Served>> = Id;

/** What a run starts, and what it does not for want of a budget. */
export interface Chosen {
  readonly steps: ReadonlySet<string>;
  /** The steps by which a rule could be judged, where none of those that are sent is for it. */
  leftOutFor(rule: string): readonly string[];
}

/** What is refused is held against these, whichever rule it is sent for. */
const asAnother: readonly string[] = ['start/rich', 'start-sync/sync-all'] satisfies readonly StartingStep[];

/**
 * The executions of a run, of those that its journeys can start: first those that serve most rules, each with what it needs
 * beside it; where a budget is given, as many as it has room for, also of what only repeats. What a larger budget chooses
 * is what a smaller one does, and more. Only those that the `selected` rules need.
 */
export function choose(
  facts: Facts,
  journeys: readonly { readonly id: string }[],
  selected: (rule: Rule) => boolean = () => true,
): Chosen {
  const wanted = rules.filter(selected).map(({ id }) => id);
  const possible = (starting as readonly Starting[]).filter(
    ({ step, needs = [], unless }) =>
      journeys.some(({ id }) => step.startsWith(`${id}/`)) &&
      // To fill the group takes as many places as it has.
      (!step.startsWith('capacity/') || size(facts) <= (facts.budget.places ?? Number.POSITIVE_INFINITY)) &&
      needs.every((need) => declares(facts, need)) &&
      (unless === undefined || !declares(facts, unless)),
  );
  const open = facts.stateful ? possible.filter((one) => bundleOf(one, possible)) : possible;
  const isWanted = ({ step, serves }: Starting) =>
    serves.some((rule) => wanted.includes(rule)) || (asAnother.includes(step) && !wanted.every(isServedAnyway));
  const needed = new Set(open.filter(isWanted).flatMap((one) => bundleOf(one, open) ?? []));
  const { executions } = facts.budget;
  const enough = open.filter((one) => needed.has(one) && (executions !== undefined || !isRepeated(one, facts)));
  const room = facts.stateful ? forThoseMeant(executions ?? mostExecutions) : Number.POSITIVE_INFINITY;
  const steps = new Set<string>();
  let count = 0;
  for (const one of inOrder(enough, facts)) {
    count += countOf(one, facts);
    if (count > room) break;
    steps.add(one.step);
  }
  const serving = (rule: string) =>
    isServedAnyway(rule) ? [] : open.filter(({ serves }) => serves.some((one) => one === rule));
  return {
    steps,
    leftOutFor: (rule) => {
      const all = serving(rule);
      return all.some(({ step }) => steps.has(step)) ? [] : all.map(({ step }) => step);
    },
  };
}

const isServedAnyway = (rule: string): boolean => startingNothing.some((one) => one === rule);

const countOf = ({ count }: Starting, facts: Facts): number => count?.(facts) ?? 1;

const isRepeated = ({ repeats }: Starting, facts: Facts): boolean =>
  typeof repeats === 'function' ? repeats(facts) : repeats === true;

/** A step with those that it needs beside it, these first; undefined where one of them cannot be sent. */
function bundleOf(one: Starting, among: readonly Starting[]): readonly Starting[] | undefined {
  if (one.beside === undefined) return [one];
  const beside = among.find(({ step }) => step === one.beside);
  const bundle = beside && bundleOf(beside, among);
  return bundle && [...bundle, one];
}

/** Those that serve most rules for each execution first, of the rules that no other serves before; the others in their order. */
function inOrder(open: readonly Starting[], facts: Facts): readonly Starting[] {
  const unserved = new Set<RuleId>(
    rules.filter((rule: Rule) => unmet(rule, facts) === undefined && !isServedAnyway(rule.id)).map(({ id }) => id),
  );
  const chosen = new Set<Starting>();
  const worth = (bundle: readonly Starting[]): number =>
    new Set(bundle.flatMap(({ serves }) => serves.filter((rule) => unserved.has(rule)))).size /
    bundle.reduce((sum, one) => sum + countOf(one, facts), 0);
  for (;;) {
    const bundles = open
      .filter((one) => !chosen.has(one))
      .map((one) => (bundleOf(one, open) ?? []).filter((each) => !chosen.has(each)));
    const best = bundles.reduce<readonly Starting[]>((a, b) => (a.length > 0 && worth(a) >= worth(b) ? a : b), []);
    if (best.length === 0 || worth(best) === 0) break;
    for (const one of best) {
      chosen.add(one);
      for (const rule of one.serves) unserved.delete(rule);
    }
  }
  const rest = open.filter((one) => !chosen.has(one));
  const [repeated, others] = [true, false].map((is) => rest.filter((one) => isRepeated(one, facts) === is));
  return [...chosen, ...(others ?? []), ...(repeated ?? [])];
}
