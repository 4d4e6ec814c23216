/** The report for pull request comments and `$GITHUB_STEP_SUMMARY`. What does not fit is left out, and counted. */

import { contract } from '../contract.js';
import type { Report, ReportedExchange } from '../vocabulary/report.js';
import type { Violation } from '../vocabulary.js';
import { changesRows } from './compare.js';
import {
  type AnyVerdict,
  callText,
  curlLines,
  digest,
  failuresByCause,
  figures,
  groundsOf,
  grouped,
  headline,
  latencyRows,
  leftOut,
  outdatedText,
  plural,
  type Reason,
  runSummary,
  shownBy,
  statement,
  statementsText,
  stepName,
  subject,
  violationCount,
  violationScope,
} from './digest.js';
import { codeBlock, codeSpan, markup, shorten, visible } from './text.js';

// Workflow commands of GitHub Actions: the verdict, and an annotation for each rule that is broken or inconclusive.

/** GitHub shows at most this many of each kind per step. */
const most = 10;
const longest = 1000;

export function annotations(report: Report, options: { strict?: boolean } = {}): string {
  const { failures, warnings, inconclusive } = digest(report, options);
  const outdated = outdatedText(report);
  const unclear = inconclusive.flatMap(({ rules }) => rules);
  const describe = (rule: AnyVerdict) =>
    `${rule.why}${violationCount(rule) > 1 ? ` (${plural(violationCount(rule), 'time')})` : ''}`;
  return [
    command('notice', 'Conformance', headline(report, options).line),
    ...(report.verdict === 'unusable' ? [command('error', 'The target is unusable', report.reason)] : []),
    ...atMost([
      ...(outdated ? [command('error', 'The baseline is out of date', outdated)] : []),
      ...failures.map((rule) => command('error', `${rule.level} ${rule.id}`, describe(rule))),
    ]),
    ...atMost([
      ...unclear.map((rule) => command('warning', `${rule.id} could not be judged`, rule.why)),
      ...warnings.map((rule) => command('warning', `${rule.level} ${rule.id}`, describe(rule))),
    ]),
  ].join('');
}

/** If there are too many, the last one says how many more. */
function atMost(commands: string[]): string[] {
  if (commands.length <= most) return commands;
  const kind = commands[0]?.startsWith('::error') ? 'error' : 'warning';
  const more = plural(commands.length - most + 1, 'more rule');
  return [...commands.slice(0, most - 1), command(kind, `And ${more}`, 'The report has them all.')];
}

function command(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const data = (text: string) => shorten(visible(text), longest).replaceAll('%', '%25');
  return `::${kind} title=${data(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${data(message)}\n`;
}

/** GitHub limits comments to 65,536 characters. */
const limit = 65_000;
const longestText = 600;
const longestCurl = 2_000;
const shownWays = 3;

interface Section {
  readonly heading: string;
  readonly blocks: readonly string[];
}

const signs = { conformant: '✅', nonconformant: '❌', incomplete: '⚠️', unusable: '❌' } as const;

/** A run that judged only a part gets no tick. */
const sign = (report: Report, title: string): string =>
  report.verdict === 'conformant' && title !== 'Conformant' ? '◐' : signs[report.verdict];

export function markdown(report: Report, options: { strict?: boolean } = {}): string {
  const found = digest(report, options);
  const { title, sentence } = headline(report, options);
  const grounds = report.verdict === 'unusable' ? report.reason : groundsOf(report);
  const count = figures(report, options);
  const head = [
    `## ${sign(report, title)} ${title}: ${codeSpan(subject(report))}`,
    `${sentence}${grounds && ` ${codeSpan(shorten(grounds, longestText))}`}`,
    table(
      ['broken', 'could not be judged', 'warnings', 'known failures', 'passed', 'untested', 'not applicable'],
      [count.broken, count.unclear, count.warnings, count.known, count.held, count.untested, count.notApplicable],
    ),
    `<sub>${runSummary(report).join(' · ')}</sub>`,
  ].join('\n\n');
  const violations = (rules: readonly AnyVerdict[]) => rules.map((rule) => violation(rule, report));
  return assemble(head, [
    {
      heading: '### Broken',
      blocks: failuresByCause(report, options).flatMap(({ title, rules }) => [
        ...(title ? [`**${markup(title)}**`] : []),
        ...violations(rules),
      ]),
    },
    { heading: '### Could not be judged', blocks: reasons(found.inconclusive) },
    { heading: '### Warnings', blocks: violations(found.warnings) },
    { heading: '### Broken by callers', blocks: violations(found.callers) },
    {
      heading: '### Since the earlier report\n\n| | rules |\n| --- | --- |',
      blocks: report.changes ? changesRows(report.changes) : [],
    },
    { heading: '### Known failures', blocks: violations(found.known) },
    {
      heading: '### Left behind\n\n| what | id | why |\n| --- | --- | --- |',
      blocks: report.leftBehind.map(({ kind, id, note }) => `| ${kind} | ${codeSpan(id)} | ${codeSpan(note)} |`),
    },
    {
      heading: '### Changed since it was pinned',
      blocks: (report.sincePins ?? []).map((change) => `- ${codeSpan(shorten(change, longestText))}`),
    },
    { heading: '### Remarks', blocks: report.remarks.map((remark) => `- ${codeSpan(shorten(remark, longestText))}`) },
    {
      heading: '### Latency\n\n| operation | median | p95 | max | of |\n| --- | --: | --: | --: | --: |',
      blocks: latencyRows(report).map((row) => `| ${row.join(' | ')} |`),
    },
    { heading: '### Untested', blocks: reasons(found.untested) },
    { heading: '### Not applicable', blocks: reasons(found.notApplicable) },
    {
      heading: '### Where the contract is silent, this target …\n\n| question | observed |\n| --- | --- |',
      blocks: report.gaps
        .filter(({ observed }) => observed.length > 0)
        .map(({ id, observed }) => {
          const asks = contract().gaps.find((gap) => gap.id === id)?.asks ?? id;
          return `| ${markup(asks)} | ${grouped(observed)
            .map((value) => codeSpan(shorten(value, 100)))
            .join(' ')} |`;
        }),
    },
  ]);
}

const table = (names: readonly string[], counts: readonly number[]): string =>
  `| ${names.join(' | ')} |\n|${' --: |'.repeat(names.length)}\n| ${counts.join(' | ')} |`;

/** Rows of a table and items of a list are not separated by blank lines. */
const isRow = (block: string): boolean => /^[|-] /.test(block);

function assemble(head: string, sections: readonly Section[]): string {
  let text = head;
  let left = 0;
  for (const { heading, blocks } of sections) {
    let begun = false;
    for (const block of blocks) {
      const more = `${begun ? '' : `\n\n${heading}`}${isRow(block) && (begun || heading.endsWith('|')) ? '\n' : '\n\n'}${block}`;
      if (text.length + more.length > limit) {
        left += 1;
        continue;
      }
      text += more;
      begun = true;
    }
  }
  return `${text}\n${left > 0 ? `\n_${plural(left, 'part')} of this report did not fit: the HTML report has them all._\n` : ''}`;
}

const reasons = (all: readonly Reason[]): string[] =>
  all.map(
    ({ why, rules }) => `- ${codeSpan(shorten(why, longestText))}: ${rules.map(({ id }) => codeSpan(id)).join(', ')}`,
  );

function violation(rule: AnyVerdict, report: Report): string {
  const says = statement(rule.id);
  const rest = leftOut(rule, shownWays, 'the HTML report');
  return [
    `<details><summary><b>${rule.level}</b> <code>${markup(rule.id)}</code> · ${plural(violationCount(rule), 'time')}</summary>`,
    ...(says ? [`${markup(says.says)} <sub>${markup(says.source)}: ${markup(statementsText(says))}</sub>`] : []),
    ...rule.violations.slice(0, shownWays).map((one) => way(one, rule, report)),
    ...(rest ? [rest] : []),
    '</details>',
  ].join('\n\n');
}

function way(one: Violation, rule: AnyVerdict, report: Report): string {
  const { expected, actual } = one;
  const more = violationScope(one, rule);
  const shown = shownBy(one, report);
  const lines = [
    `expected  ${expected}`,
    `actual    ${actual}${more && ` (${more})`}`,
    ...shown.map((one) => line(one, report)),
  ];
  const again = curlLines(one, report);
  return [
    codeBlock(lines.map((text) => shorten(text.replaceAll('\n', '\\n'), longestText)).join('\n'), 'text'),
    ...(again === ''
      ? []
      : [
          again.length > longestCurl
            ? `The command that repeats it is in the HTML report: report.html#rule-${rule.id}`
            : codeBlock(again, 'sh'),
        ]),
  ].join('\n\n');
}

const line = (one: ReportedExchange, report: Report): string =>
  `${`#${one.id}`.padEnd(10)}${callText(one, report)}${stepName(one) && ` (${stepName(one)})`}`;
