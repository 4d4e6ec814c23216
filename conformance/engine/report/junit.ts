/**
 * JUnit XML for Jenkins, GitLab and GitHub: a test suite for each operation, a test case for each rule on it. What
 * belongs to no operation is in the suite `run`.
 */
import { contract, type OperationId } from '../contract.js';
import type { Report } from '../vocabulary/report.js';
import type { Violation } from '../vocabulary.js';
import { type AnyVerdict, callText, headline, shownBy, statement, subject } from './digest.js';
import { markup, visible } from './text.js';

type Place = OperationId | 'run';
type Result = 'passed' | 'failure' | 'error' | 'skipped';

interface Case {
  readonly place: Place;
  readonly rule: Pick<AnyVerdict, 'id' | 'level'>;
  readonly result: Result;
  readonly message: string;
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
  if (report.verdict === 'unusable') cases.unshift(unusable(report));
  const suites = [
    ...[...contract().operationIds, 'run' as const].map(
      (place) => [place, cases.filter((one) => one.place === place)] as const,
    ),
    ['callers', callers] as const,
  ].filter(([, all]) => all.length > 0);
  const started = report.startedAt.slice(0, 19);
  const seconds = (report.durationMs / 1000).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'workflow-contract', time: seconds, ...counts([...cases, ...callers], false) })}>`,
    ...suites.flatMap(([name, all]) => [
      `  <testsuite${attributes({ name, timestamp: started, ...counts(all, true) })}>`,
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
    const outline = { place, rule, message: '', details: '' };
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
      const message = first ? `${requirement(first)}${ways}` : rule.why;
      const details = news
        .slice(0, most)
        .map((one) => evidence(one, report))
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

/** Otherwise an unusable target would look like a run without tests. */
const unusable = ({ reason }: Report): Case => ({
  place: 'run',
  rule: { id: 'target-is-usable', level: 'MUST' },
  result: 'error',
  message: reason,
  details: '',
});

const requirement = ({ required, seen, count }: Violation): string =>
  `required: ${required}; seen: ${seen}${count > 1 ? ` (${count} times)` : ''}`;

const evidence = (violation: Violation, report: Report): string =>
  [
    requirement(violation),
    ...shownBy(violation, report).flatMap((one) => [
      `#${one.id} ${callText(one, report)}`,
      ...(violation.again === undefined ? [one.curl] : []),
    ]),
    ...(violation.again === undefined ? [] : [violation.again]),
  ].join('\n');

function testcase({ place, rule, result, message, details, warning }: Case, suite: string): string {
  const classname = `workflow-contract.${suite === 'callers' ? `callers.${place}` : suite}`;
  const head = `    <testcase${attributes({ name: rule.id, classname })}`;
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
