/** JUnit XML for Jenkins, GitLab and GitHub: a test case for each rule, in the suite `rules` or `callers`. */
import { expectation } from '../rule/violations.js';
import type { Report, ReportedExchange, Violation } from '../vocabulary/report.js';
import {
  type AnyVerdict,
  callText,
  curlLines,
  headline,
  outdatedText,
  shownBy,
  statement,
  subject,
  violationScope,
} from './digest.js';
import { markup, shorten, visible } from './text.js';

type Result = 'passed' | 'failure' | 'error' | 'skipped';

interface Case {
  readonly id: string;
  readonly level: AnyVerdict['level'];
  readonly result: Result;
  readonly message?: string;
  /** The requests and answers that show the result. Those of a test that passed are a warning. */
  readonly details?: string;
  /** Milliseconds that these requests took. */
  readonly took?: number;
}

/** Violations whose exchanges are shown. The message has the signatures of the others. */
const most = 10;
const longestBody = 2_000;

export function junit(report: Report, { strict = false } = {}): string {
  const outdated = outdatedText(report);
  // Otherwise an unusable target would look like a run without tests, and an outdated baseline like one without failures.
  const ofRun: Case[] = [
    ...(outdated
      ? [{ id: 'baseline-is-up-to-date', level: 'MUST', result: 'failure', message: outdated } as const]
      : []),
    ...(report.verdict === 'unusable'
      ? [{ id: 'target-is-usable', level: 'MUST', result: 'error', message: report.reason } as const]
      : []),
  ];
  const fails = ({ level }: AnyVerdict) => strict || level === 'MUST';
  const suites: Readonly<Record<string, readonly Case[]>> = {
    run: ofRun,
    rules: report.rules.map((rule) => caseOf(rule, report, fails(rule))),
    callers: report.callers.map((rule) => caseOf(rule, report, false)),
  };
  const properties = {
    target: subject(report),
    allow: report.target.allow,
    verdict: report.verdict,
    summary: headline(report, { strict }).line,
  };
  const timestamp = report.startedAt.slice(0, 19);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'workflow-contract', time: inSeconds(report.durationMs), ...counts(Object.values(suites).flat()) })}>`,
    ...Object.entries(suites).flatMap(([name, cases]) =>
      cases.length === 0
        ? []
        : [
            `  <testsuite${attributes({ name, timestamp, time: inSeconds(sum(cases.map(({ took = 0 }) => took))), ...counts(cases), skipped: counted(cases, 'skipped') })}>`,
            '    <properties>',
            ...Object.entries(properties).map(
              ([property, value]) => `      <property${attributes({ name: property, value })}/>`,
            ),
            '    </properties>',
            ...cases.map((one) => testcase(one, name)),
            '  </testsuite>',
          ],
    ),
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf(rule: AnyVerdict, report: Report, fails: boolean): Case {
  const { id, level, verdict, known, why } = rule;
  const took = sum(report.exchanges.map((one) => (rule.exchanges.includes(one.id) ? one.durationMs : 0)));
  const plain = { id, level, took };
  if (verdict === 'passed') return { ...plain, result: 'passed' };
  if (verdict === 'inconclusive')
    return known
      ? { ...plain, result: 'skipped', message: `known to be inconclusive: ${why}` }
      : { ...plain, result: 'error', message: why };
  if (verdict !== 'violated') return { ...plain, result: 'skipped', message: why };
  if (known) return { ...plain, result: 'skipped', message: `known failure: ${why}` };
  const [first, ...others] = rule.violations.filter((one) => !one.known);
  const more =
    others.length > 0 ? ` (and ${others.length} more: ${others.map(({ signature }) => signature).join('; ')})` : '';
  const message = first ? `${requirement(first, rule)}${more}` : why;
  const details = [first, ...others]
    .slice(0, most)
    .flatMap((one) => (one ? evidence(one, rule, report) : []))
    .join('\n\n');
  return { ...plain, result: fails ? 'failure' : 'passed', message, details };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const inSeconds = (ms: number): string => (ms / 1000).toFixed(3);

const requirement = (violation: Violation, rule: AnyVerdict): string => {
  const scope = violationScope(violation, rule);
  return `${expectation(violation)}${scope && ` (${scope})`}`;
};

const evidence = (violation: Violation, rule: AnyVerdict, report: Report): string =>
  [
    requirement(violation, rule),
    ...shownBy(violation, report).flatMap((one) => [`#${one.id} ${callText(one, report)}`, ...bodyText(one)]),
    curlLines(violation, report),
  ].join('\n');

const bodyText = ({ response }: ReportedExchange): string[] => {
  const { body } = response ?? {};
  if (!body || body.kind === 'none') return [];
  return [shorten(body.kind === 'json' ? JSON.stringify(body.value) : body.text, longestBody)];
};

function testcase({ id, level, result, message = '', details = '', took = 0 }: Case, suite: string): string {
  const head = `    <testcase${attributes({ name: id, classname: `workflow-contract.${suite}`, time: inSeconds(took) })}`;
  if (result === 'passed')
    return details === ''
      ? `${head}/>`
      : `${head}><system-out>${markup(`warning: ${message}\n${details}`)}</system-out></testcase>`;
  const says = details && `${statement(id)?.says ?? ''}\n\n${details}`;
  const attrs = attributes({ message, ...(result !== 'skipped' && { type: level }) });
  return `${head}><${result}${attrs}>${markup(says)}</${result}></testcase>`;
}

const counted = (cases: readonly Case[], wanted: Result): string =>
  String(cases.filter(({ result }) => result === wanted).length);

const counts = (cases: readonly Case[]) => ({
  tests: String(cases.length),
  failures: counted(cases, 'failure'),
  errors: counted(cases, 'error'),
});

/** In attributes, parsers turn line breaks into spaces. */
const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${markup(visible(value))}"`)
    .join('');
