/** Workflow commands of GitHub Actions: the verdict, and an annotation for each rule that is broken or inconclusive. */
import type { Report } from '../vocabulary/report.js';
import { type AnyVerdict, digest, headline, outdatedText, plural, violationCount } from './digest.js';
import { shorten, visible } from './text.js';

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
