/** A report of a run against a faulty staging service, made by hand for the tests of reports. */

import { curl } from '../../conformance/engine/report/curl.js';
import type {
  Report,
  ReportedExchange,
  RuleVerdict,
  Transition,
  Violation,
} from '../../conformance/engine/vocabulary/report.js';
import { type OperationId, operations } from '../../generated/operations.js';
import { callers, gaps, type RuleId, rules } from '../../generated/rules.js';
import { exchange, ids, type Sketch } from './evidence.js';
import { violation } from './violations.js';

/** Hostile texts that a target may send. They must not have any effect where they are shown. */
export const hostile = [
  '</script><script>document.title="owned"</script>',
  '<img src=x onerror="document.title=\'owned\'">',
  '"\'><svg/onload=document.title="owned">',
  '\u001b[2J\u001b]0;owned\u0007\u009b31m',
  'abc\u202edlrow\u2066 \u200b\ufeff',
  'line\u2028separator\u2029and\r\nbreaks',
  '``` \n# heading\n@everyone #1 [x](javascript:alert(1)) ~~~ | cell | `',
  '::error title=owned::owned\n::set-output name=x::y %0A',
  ']]>&lt;&#0;\u0000\u0001\ufffe lone \ud83d',
  '$(touch /tmp/owned) `id` "$HOME" \'',
].join(' ');

const startedAt = Date.parse('2026-11-03T09:12:44.000Z');
const baseUrl = 'https://staging.example.com';

const scenarios = [
  ...['preflight', 'keys-and-ids', 'read-execution', 'start', 'start-sync', 'run-fails', 'run-cancelled'],
  ...['run-pauses', 'run-writesFiles', 'capacity', 'refusals', 'profile'],
];

/** The operations of the report's exchanges, in turn: those without which there is no service. */
const asked = [
  'getExecution',
  'getExecution',
  'execute',
  'getExecution',
  'execute',
] as const satisfies readonly OperationId[];

const readings = ['starting', 'running', 'running', 'completed'] as const;

function sketches(count: number): (Sketch & { scenario: string; step: string })[] {
  return Array.from({ length: count }, (_, index) => {
    const operation = asked[index % asked.length] ?? 'execute';
    const turn = Math.floor(index / scenarios.length);
    const status = operation === 'execute' ? 202 : index % 11 === 0 ? 404 : 200;
    return {
      id: index + 1,
      scenario: scenarios[index % scenarios.length] ?? '',
      step: `step-${turn}`,
      operation,
      at: startedAt + 250 * index,
      durationMs: 4 + ((index * 37) % 90),
      status,
      headers: { 'x-request-id': `r-${index}` },
      ...(operations[operation].requestBody === 'required' && {
        sent: { inputs: { marker: `m-${index}` }, metadata: { run: 'nightly', note: 'größer' } },
      }),
      body:
        status === 404
          ? { code: 404, message: `execution ${ids.execution} was not found` }
          : { id: ids.execution, status: readings[turn % readings.length], workflowId: ids.workflow, comments: [] },
    };
  });
}

function reported({ scenario, step, ...sketch }: Sketch & { scenario: string; step: string }): ReportedExchange {
  const { keyHeader } = operations[sketch.operation ?? 'execute'];
  const made = exchange({ ...sketch, mark: { scenario, step } });
  const request = {
    ...made.request,
    url: made.request.url.replace('http://127.0.0.1:4010', baseUrl),
    headers: { 'content-type': 'application/json', [keyHeader]: '[redacted]' },
  };
  const { mark: _, ...rest } = { ...made, request };
  return { ...rest, scenario, step, curl: curl({ ...made, request }) };
}

const verdicts: { readonly [rule in RuleId]?: Partial<RuleVerdict> } = {
  'simple-error-code': broken('getExecution', [14, 'code 404', 'code 4040', 9], [26, 'code 401', 'code 4010', 2]),
  'execution-progresses': broken('getExecution', [46, 'no duration while running', 'duration 3', 1]),
  'head-excludes-version': broken('execute', [8, 'a refusal', '202 with executionId', 1]),
  'no-server-errors': broken('execute', [20, 'no 5xx', '500 on a version of 99 digits', 1]),
  'execution-is-the-one-asked-for': {
    ...broken('getExecution', [34, 'the id that was asked for', 'another id', 1]),
    known: true,
  },
  'queued-starts-by-itself': {
    verdict: 'inconclusive',
    why: 'Waiting for a start ended after 60 s.',
    exchanges: [11],
    observations: 0,
    operations: {},
  },
  'insufficient-permission-is-403': untested('To judge it, set apiKeys.restricted.', 'apiKeys.restricted'),
  'variant-key-is-required': untested('To judge it, set workflows.variantMode.', 'workflows.variantMode'),
  'profile-is-recorded': untested('To judge it, set profile, and allow: execute.', 'profile', 'allow execute'),
  'used-profile-is-shown': untested('To judge it, set profile, and allow: execute.', 'profile', 'allow execute'),
  'group-profile-is-recorded': untested('To judge it, set profile, and allow: execute.', 'profile', 'allow execute'),
  'standard-error-instance': untested('The target showed no standard error body with an instance.'),
};

function broken(
  operation: OperationId,
  ...seen: [exchange: number, expected: string, actual: string, times: number][]
): Partial<RuleVerdict> {
  const violations = seen.map(
    ([id, expected, what, count]): Violation => ({
      signature: expected,
      expected,
      actual: what,
      operation,
      count,
      exchanges: [id],
      others: Array.from({ length: Math.min(5, count - 1) }, (_, n) => id + (n + 1) * 5),
    }),
  );
  const times = seen.reduce((sum, [, , , count]) => sum + count, 0);
  const [first] = violations;
  return {
    verdict: 'violated',
    why: `expected: ${first?.expected}; actual: ${first?.actual}`,
    observations: times + 3,
    violations,
    exchanges: first?.exchanges ?? [],
    operations: { [operation]: { observations: times + 3, violations: times } },
  };
}

function untested(why: string, ...missing: string[]): Partial<RuleVerdict> {
  const none = { observations: 0, operations: {}, exchanges: [] };
  return { verdict: 'untested', why, ...(missing.length > 0 && { missing }), ...none };
}

const transitions: Transition[] = [
  { from: null, to: 'starting', count: 19, standing: 'documented' },
  { from: 'starting', to: 'running', count: 18, standing: 'undocumented' },
  { from: 'completed', to: 'running', count: 1, standing: 'forbidden' },
];

export interface ReportOptions {
  /** How many exchanges. Default: 96. */
  readonly exchanges?: number;
  /** Adds `hostile` to every text that comes from the target. */
  readonly hostile?: boolean;
}

export function sampleReport(options: ReportOptions = {}): Report {
  const text = (tame: string) => (options.hostile ? `${tame} ${hostile}` : tame);
  const all = sketches(options.exchanges ?? 96).map((sketch) => reported({ ...sketch, step: text(sketch.step) }));
  const judged = rules.map((rule): RuleVerdict => {
    const plain: RuleVerdict = {
      id: rule.id,
      level: rule.level,
      verdict: 'passed',
      observations: rule.on.length * 4,
      why: '',
      exchanges: [1, 2, 3],
      violations: [],
      operations: Object.fromEntries(rule.on.map((operation) => [operation, { observations: 4, violations: 0 }])),
      ...verdicts[rule.id],
    };
    const violations = plain.violations.map((one) => ({
      ...one,
      actual: text(one.actual),
      expected: text(one.expected),
    }));
    return { ...plain, why: plain.why && text(plain.why), violations };
  });
  const count = (wanted: (rule: RuleVerdict) => boolean) => judged.filter(wanted).length;
  return {
    version: 3,
    suite: { version: '0.0.0', contract: 'v1' },
    options: {},
    verdict: 'nonconformant',
    reason: '',
    target: { baseUrl, allow: 'write', stateful: true },
    startedAt: new Date(startedAt).toISOString(),
    durationMs: 31_240,
    longestWaitMs: 24_900,
    summary: {
      passed: count(({ verdict }) => verdict === 'passed'),
      violated: count(({ verdict, level }) => verdict === 'violated' && level === 'MUST'),
      warned: count(({ verdict, level }) => verdict === 'violated' && level === 'SHOULD'),
      untested: count(({ verdict }) => verdict === 'untested'),
      notApplicable: 0,
      inconclusive: count(({ verdict }) => verdict === 'inconclusive'),
    },
    rules: judged,
    callers: [],
    gaps: gaps.flatMap(({ id, observable }, index) =>
      observable
        ? [{ id, observed: index % 5 === 4 ? [] : [text(index % 2 ? '404' : 'execute: 400'), text('409')] }]
        : [],
    ),
    transitions: options.hostile
      ? [...transitions, { from: 'running', to: hostile, count: 1, standing: 'undocumented' }]
      : transitions,
    scenarios: scenarios.map((scenario) => ({ scenario, startedMs: 0, endedMs: 31_240, waitedMs: 24_900 })),
    leftBehind: [
      { kind: 'profile', id: ids.profile, note: text('A duplicate; the interface cannot delete it.') },
      { kind: 'execution', id: ids.execution, note: text('Still running when the run ended.') },
    ],
    requests: all.length,
    executionsStarted: 21,
    foreign: 0,
    remarks: [text('baseline.yaml: the entry of update-applies no longer fails; take it out.')],
    exchanges: options.hostile ? all.map(poisoned) : all,
  };
}

/** The verdicts on rules for callers, as for a recording of a careless client. */
export const callerVerdicts: Report['callers'] = callers.map(({ id, level }, index) => ({
  id,
  level,
  verdict: index === 0 ? 'violated' : index < 3 ? 'passed' : 'untested',
  observations: index < 3 ? 2 : 0,
  why: index < 3 ? '' : 'No exchange is about this.',
  exchanges: [2],
  violations:
    index === 0
      ? [
          violation({
            expected: 'a look-up',
            actual: 'the same start again',
            operation: 'executeSync',
            exchanges: [2, 9],
          }),
        ]
      : [],
  operations: index < 3 ? { executeSync: { observations: 2, violations: index === 0 ? 1 : 0 } } : {},
}));

function poisoned(one: ReportedExchange, index: number): ReportedExchange {
  if (index % 9 === 4) return { ...without(one), failure: { kind: 'broken', message: hostile } };
  if (index % 9 === 5 && one.response) {
    const body = { kind: 'not-json', text: hostile, error: hostile, bytes: 5000 } as const;
    return { ...one, response: { ...one.response, headers: { [hostile]: hostile, 'content-type': hostile }, body } };
  }
  const value = { [hostile]: [hostile, { nested: hostile }] };
  const body = { kind: 'json', value, bytes: 1 } as const;
  const request = { ...one.request, url: `${one.request.url}?${hostile}`, body };
  return {
    ...one,
    request,
    curl: curl({ request }),
    ...(one.response && { response: { ...one.response, body } }),
  };
}

function without({ response: _, ...rest }: ReportedExchange): ReportedExchange {
  return rest;
}
