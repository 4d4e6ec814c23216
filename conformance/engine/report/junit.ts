/**
 * JUnit XML for Jenkins, GitLab and GitHub: a test suite for each operation, a test case for each rule on it. What
 * belongs to no operation is in the suite `run`.
 */
import { contract, type OperationId } from '../contract.js';
import { expectation } from '../rule/violations.js';
import type { Report, ReportedExchange } from '../vocabulary/report.js';
import type { Violation } from '../vocabulary.js';
import {
  type AnyVerdict,
  callText,
  curlLines,
  frequency,
  headline,
  outdatedText,
  repetition,
  shownBy,
  statement,
  subject,
} from './digest.js';
import { markup, shorten, visible } from './text.js';

type Place = OperationId | 'run';
type Result = 'passed' | 'failure' | 'error' | 'skipped';

interface Case {
  readonly place: Place;
  readonly rule: Pick<AnyVerdict, 'id' | 'level'>;
  readonly result: Result;
  readonly message: string;
  /** Milliseconds that the requests took which show the verdict. */
  readonly took: number;
  readonly details: string;
  /** Shown in a test that passed. */
  readonly warning?: string;
}

/** Violations whose exchanges are shown. The message has the signatures of the others. */
const most = 10;

export function junit(report: Report, { strict = false } = {}): string {
  const fails = ({ level }: AnyVerdict) => strict || level === 'MUST';
  const cases = report.rules.flatMap((rule) => casesOf(rule, report, fails(rule)));
  const callers = report.callers.flatMap((rule) => casesOf(rule, report, false));
  // Otherwise an unusable target would look like a run without tests, and an outdated baseline like one without failures.
  if (report.verdict === 'unusable') cases.unshift(ofRun('target-is-usable', 'error', report.reason));
  const outdated = outdatedText(report);
  if (outdated) cases.unshift(ofRun('baseline-is-up-to-date', 'failure', outdated));
  const suites = [
    ...[...contract().operationIds, 'run' as const].map(
      (place) => [place, cases.filter((one) => one.place === place)] as const,
    ),
    ['callers', callers] as const,
  ].filter(([, all]) => all.length > 0);
  const started = report.startedAt.slice(0, 19);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'workflow-contract', time: inSeconds(report.durationMs), ...counts([...cases, ...callers], false) })}>`,
    ...suites.flatMap(([name, all]) => [
      `  <testsuite${attributes({ name, timestamp: started, time: inSeconds(tookBy(report.exchanges.filter(({ operation }) => (operation ?? 'run') === name))), ...counts(all, true) })}>`,
      '    <properties>',
      ...Object.entries({
        target: subject(report),
        allow: report.target.allow,
        verdict: report.verdict,
        summary: headline(report, { strict }).line,
      }).map(([property, value]) => `      <property${attributes({ name: property, value })}/>`),
      '    </properties>',
      ...all.map((one) => testcase(one, name)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function casesOf(rule: AnyVerdict, report: Report, fails: boolean): Case[] {
  const on = statement(rule.id)?.on ?? [];
  const counted = Object.values(rule.operations).reduce((sum, { observations }) => sum + observations, 0);
  const elsewhere =
    rule.violations.some(({ operation }) => operation === null) || rule.observations > counted || on.length === 0;
  const doubted = rule.exchanges
    .flatMap((id) => report.exchanges.find((one) => one.id === id)?.operation ?? [])
    .filter((operation) => on.includes(operation));
  const places: readonly Place[] = elsewhere ? [...on, 'run'] : on;
  return places.map((place): Case => {
    const found = place === 'run' ? rule.observations - counted : (rule.operations[place]?.observations ?? 0);
    const violations = rule.violations.filter(({ operation }) => (operation ?? 'run') === place);
    const broken = place === 'run' ? violations.length > 0 : (rule.operations[place]?.violations ?? 0) > 0;
    const shown = report.exchanges.filter(
      ({ id, operation }) => rule.exchanges.includes(id) && (operation ?? 'run') === place,
    );
    const outline = { place, rule, message: '', details: '', took: tookBy(shown) };
    if (broken) {
      const news = violations.filter(({ known }) => !known);
      const [first] = news.length > 0 ? news : violations;
      const ways =
        news.length > 1
          ? ` (and ${news.length - 1} more: ${news
              .slice(1)
              .map(({ signature }) => signature)
              .join('; ')})`
          : '';
      const message = first ? `${requirement(first, rule)}${ways}` : rule.why;
      const details = news
        .slice(0, most)
        .map((one) => evidence(one, rule, report))
        .join('\n\n');
      if (rule.known || (violations.length > 0 && news.length === 0))
        return { ...outline, result: 'skipped', message: `known failure: ${message}` };
      if (!fails) return { ...outline, result: 'passed', warning: `warning: ${message}\n${details}` };
      return { ...outline, result: 'failure', message, details };
    }
    const doubtful = doubted.length === 0 || doubted.some((operation) => operation === place);
    if (rule.verdict === 'inconclusive' && doubtful && rule.known)
      return { ...outline, result: 'skipped', message: `known to be inconclusive: ${rule.why}` };
    if (rule.verdict === 'inconclusive' && doubtful) return { ...outline, result: 'error', message: rule.why };
    if (found > 0) return { ...outline, result: 'passed' };
    const judged = rule.verdict === 'passed' || rule.verdict === 'violated';
    return { ...outline, result: 'skipped', message: judged ? 'Nothing was seen of it on this operation.' : rule.why };
  });
}

const ofRun = (id: string, result: Result, message: string): Case => ({
  place: 'run',
  rule: { id, level: 'MUST' },
  result,
  message,
  details: '',
  took: 0,
});

const tookBy = (exchanges: readonly ReportedExchange[]): number =>
  exchanges.reduce((sum, { durationMs }) => sum + durationMs, 0);
const inSeconds = (ms: number): string => (ms / 1000).toFixed(3);

const requirement = (violation: Violation, rule: AnyVerdict): string => {
  const more = [frequency(violation, rule), repetition(violation)].filter(Boolean).join(', ');
  return `${expectation(violation)}${more && ` (${more})`}`;
};

const evidence = (violation: Violation, rule: AnyVerdict, report: Report): string =>
  [
    requirement(violation, rule),
    ...shownBy(violation, report).flatMap((one) => [`#${one.id} ${callText(one, report)}`, ...bodyText(one)]),
    curlLines(violation, report),
  ].join('\n');

const longestBody = 2_000;
const bodyText = ({ response }: ReportedExchange): string[] => {
  const { body } = response ?? {};
  if (!body || body.kind === 'none') return [];
  return [shorten(body.kind === 'json' ? JSON.stringify(body.value) : body.text, longestBody)];
};

function testcase({ place, rule, result, message, details, took, warning }: Case, suite: string): string {
  const classname = `workflow-contract.${suite === 'callers' ? `callers.${place}` : suite}`;
  const head = `    <testcase${attributes({ name: rule.id, classname, time: inSeconds(took) })}`;
  if (warning) return `${head}><system-out>${markup(warning)}</system-out></testcase>`;
  if (result === 'passed') return `${head}/>`;
  const attrs = attributes({ message, ...(result !== 'skipped' && { type: rule.level }) });
  const says = details && `${statement(rule.id)?.says ?? ''}\n\n${details}`;
  return `${head}><${result}${attrs}>${markup(says)}</${result}></testcase>`;
}

const counts = (cases: readonly Case[], withSkipped: boolean) => {
  const of = (wanted: Result) => String(cases.filter(({ result }) => result === wanted).length);
  return {
    tests: String(cases.length),
    failures: of('failure'),
    errors: of('error'),
    ...(withSkipped && { skipped: of('skipped') }),
  };
};

/** In attributes, parsers turn line breaks into spaces. */
const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${markup(visible(value))}"`)
    .join('');
