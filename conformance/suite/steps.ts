/** What each step is sent for. The compiler asks for a step of every rule; `test/conformance/suite/steps.slow.test.ts` for the truth of it. */
import { type CouplingRule, couplings } from '../../generated/flags.js';
import type { RuleId } from '../../generated/rules.js';
import type { Exchange, Facts, Mark } from '../engine/vocabulary.js';

/** A step that starts an execution, as `journey/step`. */
export interface Starting {
  readonly step: string;
  /** What it is started for. Each execution shows more than that. */
  readonly serves: readonly RuleId[];
  /** What the target file has to declare, beside what the journey needs. */
  readonly needs?: readonly string[];
  /** Where it is not declared, another step does the same. */
  readonly unless?: string;
  /** Another step that must have been sent too: without it this one shows nothing. */
  readonly beside?: string;
  /** How many executions it starts. */
  readonly count?: (facts: Facts) => number;
  /** Shows what others show, in other circumstances: started where a budget has room for it. */
  readonly repeats?: true | ((facts: Facts) => boolean);
}

/** A run that fails or is cancelled is one of those that wait for a full group. */
const isQueued = ({ capacity }: Facts): boolean => capacity !== undefined;

export const size = ({ capacity }: Facts): number => capacity?.size ?? 1;

/** Of a call that waits for less than its run takes. */
const ofOneSecond = [
  'sync-202-means-not-finished',
  'sync-wait-is-bounded',
  'sync-202-keeps-running',
  'sync-202-when-time-is-up',
  'sync-202-status-is-current',
] as const satisfies readonly RuleId[];

/** Where two steps serve equally many rules, the earlier one is chosen. */
export const starting = [
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
    serves: [...ofOneSecond, 'ends-are-recorded-alike'],
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
  { step: 'sync-waits/sync-one-second', serves: ofOneSecond },
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
  { step: 'profile/copy-in-use', needs: ['workflows.slow'], repeats: true, serves: ['used-profile-is-shown'] },
  {
    step: 'beside-pool/other-group',
    needs: ['profileGroup|capacity'],
    repeats: true,
    serves: ['execute-is-accepted'],
  },
  { step: 'pool-in-use/run', repeats: true, serves: ['execute-is-accepted'] },
  { step: 'refusals/hard-to-keep', repeats: true, serves: ['no-server-errors'] },
  { step: 'capacity/full-again', beside: 'capacity/free-1', count: size, repeats: true, serves: ['capacity-is-freed'] },
  {
    step: 'capacity/beside-room',
    beside: 'capacity/free-1',
    count: (facts) => size(facts) + 2,
    repeats: true,
    serves: ['over-capacity-is-rejected'],
  },
] as const satisfies readonly Starting[];

export type StartingStep = (typeof starting)[number]['step'];

const couplingRules: readonly CouplingRule[] = couplings.map(({ rule }) => rule);

/** What every answer is judged by: whatever is sent serves these. */
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

/**
 * Steps that start nothing, as `journey/step step other-journey/step` with `*` for what differs; the first that fits counts.
 * A probe of them serves the one rule that it names. A step with an empty list serves the rules of every answer only; it is
 * sent to observe a gap, as the twin of a probe, or to read what a start was sent for.
 */
const others = {
  '*/large-* malformed-json-* no-body-* null-body-* several-mistakes-* unsupported-media-type-* unknown-field-*': [],
  '*-without-key': [],
  'preflight/*': [],
  'keys-and-ids/unknown-*': [
    'workflow-must-exist',
    'unknown-execution-is-404',
    'unknown-execution-files-is-404',
    'unknown-profile-is-404',
    'unknown-pool-is-404',
  ],
  'keys-and-ids/malformed-*': ['malformed-id-is-refused'],
  'keys-and-ids/without-key-and-invalid-* real-keys/own-getExecution own-listExecutionFiles': [],
  'keys-and-ids/without-key-* real-keys/none-* own-none-* elsewhere-* capacity/none-* run-slow/read-while-running-none pool/none-delete-again':
    ['missing-key-is-401'],
  'real-keys/restricted-*': ['insufficient-permission-is-403', 'key-refusal-does-nothing'],
  'keys-and-ids/restricted-* real-keys/own-restricted-* capacity/restricted-* profile/restricted-*': [
    'insufficient-permission-is-403',
  ],
  'keys-and-ids/wrong-key-* real-keys/* capacity/invalid-* run-slow/read-while-running-invalid pool/invalid-delete-again profile/invalid-*':
    ['invalid-key-is-401'],
  'keys-and-ids/*': [],
  'capacity/over-deprecated*': ['deprecated-fields-still-work'],
  'capacity/over-*': ['over-capacity-is-rejected'],
  'capacity/newcomer': ['queue-is-not-overtaken'],
  'capacity/queue-temp-file*': ['temp-files-are-never-queued'],
  'capacity/free-*': ['capacity-is-freed'],
  'queue-alone/*': ['queued-starts-by-itself'],
  'variant/refuse-*-no-variant-key*': ['variant-key-is-required'],
  'variant/refuse-*-beside-variant-key': ['head-excludes-version', 'soft-timeout-minimum'],
  'read-execution/read-again': ['terminal-is-final', 'terminal-record-is-fixed', 'times-are-in-order'],
  'read-execution/list-once capacity/list-queued': ['files-are-grouped'],
  'read-execution/*': [],
  'refusals/refuse-*-head-with-version* capacity/head-with-version-*': ['head-excludes-version'],
  'refusals/refuse-*-profile-with-group-by-old-names': ['deprecated-fields-still-work'],
  'refusals/refuse-*-profile-with-group*': ['profile-excludes-group'],
  'refusals/refuse-*-unknown-temp-file*': ['temp-files-must-exist'],
  'refusals/refuse-*-unwanted-variant-key*': ['variant-key-needs-variant-mode'],
  'refusals/refuse-*-soft-timeout-text refuse-*-soft-timeout-fraction variant/refuse-*-variant-key-number': [
    'execute-body-is-typed',
  ],
  'refusals/refuse-*-soft-timeout-0* refuse-*-soft-timeout-below-0 capacity/soft-timeout-0-*': ['soft-timeout-minimum'],
  'refusals/refuse-*-soft-timeout-*': ['soft-timeout-below-hard-timeout'],
  'refusals/refuse-*-unknown-version refuse-*-version-below-1': ['version-must-exist'],
  'refusals/refuse-*-unknown-profile*': ['execute-profile-must-exist'],
  'refusals/refuse-*-timeout-*': ['sync-timeout-range', 'sync-timeout-is-integer'],
  'refusals/refuse-*-wrong-*': [
    'execute-body-is-typed',
    'soft-timeout-minimum',
    'sync-timeout-range',
    'sync-timeout-is-integer',
  ],
  'refusals/refuse-*': ['execute-body-is-typed'],
  'pool/delete': ['pool-is-deleted'],
  'pool/delete-again': ['deleted-pool-is-gone'],
  'pool/run-deleted* sweep/run-deleted': ['deleted-pool-cannot-run'],
  'profile/none-*': ['missing-key-is-401', 'key-refusal-does-nothing'],
  'profile/typed-*': ['update-body-is-typed'],
  'profile/wrong-*': ['update-body-is-typed', 'profile-name-length', 'profile-description-length'],
  'profile/name-0 name-256 copy-name-400': ['profile-name-length'],
  'profile/name-1 name-255': ['profile-name-length', 'update-applies'],
  'profile/description-1001 copy-description-1500': ['profile-description-length'],
  'profile/description-1000': ['profile-description-length', 'update-applies'],
  'profile/name-taken copy-name-taken': ['profile-name-is-unique', 'update-is-atomic'],
  'profile/copy-named-back-later': ['update-applies'],
  'profile/copy-abroad-name-taken': ['profile-name-is-unique'],
  'profile/copy-abroad-named needed-off-under duplicate-abroad': [],
  'profile/atomic': ['update-is-atomic', 'profile-name-length'],
  'profile/unknown-updated open-* coupled-alone coupled-without copy-coupled': ['update-is-atomic'],
  'profile/coupled-* needed-*': [...couplingRules, 'update-is-partial'],
  'profile/cookies-added': ['cookies-are-added', 'cookie-expiry-is-shown'],
  'profile/cookie-deleted copy-cookies-emptied': ['cookies-are-deleted'],
  'profile/credentials-added copy-first-credential together-credential': ['credentials-are-added'],
  'profile/credential-updated copy-first-changed': ['credentials-update-ignores-case'],
  'profile/credential-deleted copy-emptied*': ['credentials-are-deleted'],
  'profile/together-cookie': ['cookies-are-added'],
  'profile/added-again many-added': ['cookies-are-added', 'credentials-are-added'],
  'profile/many-deleted': ['cookies-are-deleted', 'credentials-are-deleted'],
  'profile/mixed': ['cookies-are-added', 'cookies-are-deleted', 'credentials-are-added', 'credentials-are-deleted'],
  'profile/unknown-deleted': ['update-is-atomic', 'cookies-are-deleted'],
  'profile/copy-prefix copy-prefix-digits': ['inbox-custom-prefix'],
  'profile/duplicate-nowhere': ['duplicate-into-unknown-organization'],
  'profile/duplicate-*elsewhere*': ['duplicate-into-organization'],
  'profile/duplicate-copy': ['duplicate-is-new', 'duplicate-into-organization'],
  'profile/duplicate*': [
    'duplicate-is-new',
    'duplicate-is-independent',
    'duplicate-copies-settings',
    'duplicate-copies-cookies',
    'duplicate-copies-credentials',
    'duplicate-name-is-unique',
    'duplicate-stays-in-organization',
  ],
  'profile/after-*': ['update-is-atomic', 'key-refusal-does-nothing'],
  'profile/read*': [],
  'profile/*': [
    'update-applies',
    'update-is-partial',
    'update-keeps-identity',
    'proxy-password-is-hidden',
    'inbox-default-prefix',
  ],
  'sweep/unknown': ['unknown-execution-files-is-404'],
  'sweep/list': ['files-are-grouped', 'files-stay-listed'],
  'sweep/read': ['terminal-is-final', 'terminal-record-is-fixed'],
  'sweep/profile': ['update-is-partial'],
  'sweep/*': [],
  'put-back/*': ['update-keeps-identity'],
  'run-again/* run-stops-again/* explore/* hooks/* restore/* */read* list* look-for-a-place watch-end': [],
  'capacity/after-keys-* beside-keys-*': ['key-refusal-does-nothing'],
  'capacity/after-bodies-* beside-bodies-*': ['capacity-is-freed'],
  'capacity/after-room-* beside-room-*': ['over-capacity-is-rejected'],
  'capacity/rival room-* fill-* full-again-elsewhere': [],
} as const satisfies { readonly [step: string]: readonly RuleId[] };

type Served =
  | (typeof starting)[number]['serves'][number]
  | (typeof others)[keyof typeof others][number]
  | (typeof anyAnswer)[number];

/** Does not compile while a rule is in no `serves` of this file. The constraint is what the compiler says then. */
export type Unserved<Id extends 'a rule that a step is sent for' = Exclude<RuleId, Served>> = Id;

/** What is sent for a rule. */
export interface SentFor {
  readonly step: string;
  readonly serves: readonly RuleId[];
}

/** Each with what it is sent for. */
export const steps: readonly SentFor[] = [
  ...starting,
  ...Object.entries(others).flatMap(([key, serves]) => {
    let journey = '';
    return key.split(' ').map((word) => {
      const [, named = journey, name = word] = /^(.+\/)(.+)$/.exec(word) ?? [];
      journey = named;
      return { step: `${journey}${name}`, serves };
    });
  }),
];

/** What is started several times is counted: `hold-1`. */
const patterns = steps.map((sent) => ({
  sent,
  pattern: new RegExp(`^${sent.step.replaceAll('*', '.*')}${sent.step.endsWith('*') ? '' : String.raw`(?:-\d+)?`}$`),
}));

/** What a step is declared to be sent for; undefined where it is not declared. */
export const declaredFor = (journey: string, step: string): SentFor | undefined =>
  patterns.find(({ pattern }) => pattern.test(`${journey}/${step}`))?.sent;

/** The rules that a request is sent for, beside those of every answer. */
export const servedBy = ({ journey, step, probe }: Mark): readonly RuleId[] =>
  probe ? [probe.rule] : (declaredFor(journey, step)?.serves ?? []);

/** Whether every answer is judged by it. */
export const isOfAnyAnswer = (rule: string): boolean => anyAnswer.some((one) => one === rule);

const byStarts: ReadonlySet<string> = new Set(
  (starting as readonly Starting[]).flatMap(({ repeats, serves }) => (repeats === true ? [] : serves)),
);

/** Whether it is judged without an execution that is started for it. */
export const isServedAnyway = (rule: string): boolean => !byStarts.has(rule);

/** The steps that are declared to be sent for a rule. */
export const stepsFor = (rule: string): readonly string[] =>
  steps.filter(({ serves }) => serves.some((one) => one === rule)).map(({ step }) => step);

/** The steps that were sent, as they are declared. */
export const namesOf = (exchanges: readonly Exchange[]): ReadonlySet<string> =>
  new Set(exchanges.flatMap(({ mark }) => (mark && declaredFor(mark.journey, mark.step)?.step) ?? []));
