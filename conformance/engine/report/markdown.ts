/** The report for pull request comments and `$GITHUB_STEP_SUMMARY`. What does not fit is left out, and counted. */

import type { Report, Violation } from '../vocabulary/report.js';
import {
  type AnyVerdict,
  callText,
  curlLines,
  digest,
  groundsOf,
  headline,
  outdatedText,
  plural,
  runSummary,
  shownBy,
  statement,
  statementsText,
  stepName,
  subject,
  violationCount,
  violationScope,
} from './digest.js';
import { type Section, sections } from './sections.js';
import { codeBlock, codeSpan, markup, shorten, visible } from './text.js';

// Workflow commands of GitHub Actions: the verdict, and an annotation for each rule that is violated or inconclusive.

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
      ...unclear.map((rule) => command('warning', `${rule.id} is inconclusive`, rule.why)),
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

const signs = { conformant: '✅', nonconformant: '❌', incomplete: '⚠️', unusable: '❌' } as const;

/** A run that judged only a part gets no tick. */
const sign = (report: Report, title: string): string =>
  report.verdict === 'conformant' && title !== 'Conformant' ? '◐' : signs[report.verdict];

export function markdown(report: Report, options: { strict?: boolean } = {}): string {
  const { title, sentence } = headline(report, options);
  const grounds = report.verdict === 'unusable' ? report.reason : groundsOf(report);
  let text = [
    `## ${sign(report, title)} ${title}: ${codeSpan(subject(report))}`,
    `${sentence}${grounds && ` ${span(grounds)}`}`,
    `<sub>${runSummary(report).join(' · ')}</sub>`,
  ].join('\n\n');
  let left = 0;
  for (const section of sections(report, options)) {
    const { heading, blocks, separator } = written(section, report);
    let before = `\n\n${heading}`;
    for (const block of blocks) {
      const more = `${before}${separator}${block}`;
      if (text.length + more.length > limit) {
        left += 1;
        continue;
      }
      text += more;
      before = '';
    }
  }
  return `${text}\n${left > 0 ? `\n_${plural(left, 'part')} of this report did not fit: the HTML report has them all._\n` : ''}`;
}

/** A heading and what stands below it. */
interface Written {
  readonly heading: string;
  readonly blocks: readonly string[];
  /** Rows of a table and items of a list are not separated by blank lines. */
  readonly separator: '\n' | '\n\n';
}

function written(section: Section, report: Report): Written {
  const heading = `### ${markup(section.title)}`;
  if ('notes' in section)
    return { heading: `${heading}\n`, blocks: section.notes.map((note) => `- ${span(note)}`), separator: '\n' };
  if ('reasons' in section) {
    const blocks = section.reasons.map(
      ({ why, rules }) => `- ${span(why)}: ${rules.map(({ id }) => codeSpan(id)).join(', ')}`,
    );
    return { heading: `${heading}\n`, blocks, separator: '\n' };
  }
  if ('rows' in section) {
    const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    return {
      heading: [heading, '', row(section.head), row(section.head.map(() => '---'))].join('\n'),
      blocks: section.rows.map(([first = '', ...others]) => row([markup(first), ...others.map(span)])),
      separator: '\n',
    };
  }
  const blocks = section.groups.flatMap(({ title, rules }) => [
    ...(title ? [`**${markup(title)}**`] : []),
    ...rules.map((rule) => violation(rule, report)),
  ]);
  return { heading, blocks, separator: '\n\n' };
}

/** Text that the target may have sent. */
const span = (text: string): string => codeSpan(shorten(text, longestText));

function violation(rule: AnyVerdict, report: Report): string {
  const says = statement(rule.id);
  const more = rule.violations.length - shownWays;
  return [
    `<details><summary><b>${rule.level}</b> <code>${markup(rule.id)}</code> · ${plural(violationCount(rule), 'time')}</summary>`,
    ...(says ? [`${markup(says.says)} <sub>${markup(says.source)}: ${markup(statementsText(says))}</sub>`] : []),
    ...rule.violations.slice(0, shownWays).map((one) => way(one, rule, report)),
    ...(more > 0 ? [`${plural(more, 'other way')} in which it is violated: see the HTML report.`] : []),
    '</details>',
  ].join('\n\n');
}

function way(one: Violation, rule: AnyVerdict, report: Report): string {
  const { expected, actual } = one;
  const more = violationScope(one, rule);
  const lines = [
    `expected  ${expected}`,
    `actual    ${actual}${more && ` (${more})`}`,
    ...shownBy(one, report).map(
      (each) => `${`#${each.id}`.padEnd(10)}${callText(each, report)}${stepName(each) && ` (${stepName(each)})`}`,
    ),
  ];
  const again = curlLines(one, report);
  const command =
    again.length > longestCurl
      ? `The command that repeats it is in the HTML report: report.html#rule-${rule.id}`
      : again && codeBlock(again, 'sh');
  return [
    codeBlock(lines.map((text) => shorten(text.replaceAll('\n', '\\n'), longestText)).join('\n'), 'text'),
    ...(command === '' ? [] : [command]),
  ].join('\n\n');
}
