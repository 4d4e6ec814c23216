/** The report on the terminal. */
import { styleText } from 'node:util';
import type { Report } from '../vocabulary/report.js';
import type { Violation } from '../vocabulary.js';
import { latencyText } from './assemble.js';
import {
  type AnyVerdict,
  callText,
  causeCountSuffix,
  digest,
  failuresByCause,
  grouped,
  headline,
  leftOut,
  plural,
  type Reason,
  runSummary,
  shownBy,
  statement,
  stepName,
  subject,
  violationCount,
  violationScope,
} from './digest.js';
import { visible, wrap } from './text.js';

export interface ConsoleOptions {
  readonly width?: number;
  readonly color?: boolean;
  readonly strict?: boolean;
  /** Lists all observations where the contract is silent. */
  readonly gaps?: boolean;
}

/** Violations of a rule that are shown in full. The others are counted. */
const shownWays = 3;

type Style = Parameters<typeof styleText>[0];

interface Listing {
  readonly title: string;
  /** The lines of each entry. */
  readonly entries: readonly (readonly string[])[];
}

/** Rules that are named for one reason. The others are counted. */
const namedRules = 12;

/** Known violations come last. */
const unknownFirst = (violations: readonly Violation[]): readonly Violation[] =>
  violations.toSorted((a, b) => Number(a.known ?? false) - Number(b.known ?? false));

/** The report for a terminal: failures first, the verdict last. Ends with a line break. */
export function consoleReport(report: Report, options: ConsoleOptions = {}): string {
  const { width = 80, color = false, strict = false, gaps: listsGaps = false } = options;
  const paint = (style: Style, text: string) => (color ? styleText(style, text, { validateStream: false }) : text);
  const columns = Math.min(width, 120);
  const lines: string[] = [];
  /** Wraps before it adds colours, so that escape sequences do not count as width. */
  const say = (text: string, indent = 0, style?: Style) => {
    for (const line of wrap(visible(text), columns, indent, indent)) lines.push(style ? paint(style, line) : line);
  };
  const heading = (text: string) => {
    lines.push('');
    say(text, 0, 'bold');
  };

  const labelled = (label: string, text: string) => {
    const [first = '', ...rest] = wrap(visible(text), columns, 14, 14);
    lines.push(`    ${paint('dim', label.padEnd(10))}${first.trimStart()}`, ...rest);
  };
  const way = (violation: Violation) => {
    const { required, seen, others } = violation;
    const more = violationScope(violation);
    lines.push('');
    labelled('required', required);
    labelled('seen', more ? `${seen}  (${more})` : seen);
    const shown = shownBy(violation, report);
    for (const one of shown)
      labelled(`#${one.id}`, `${callText(one, report)}${stepName(one) && `  (${stepName(one)})`}`);
    const [first] = shown;
    // Not wrapped, so that it can be copied as one line.
    if (violation.again)
      labelled(
        'again',
        '--report json=FILE or html=FILE has a shell script that reproduces it; its exit code says whether it did',
      );
    else if (first) lines.push(`    ${paint('dim', 'again'.padEnd(10))}${first.curl}`);
    if (others.length > 0) {
      const more = violation.count > others.length + 1 ? ', …' : '';
      labelled('likewise', `${others.map((id) => `#${id}`).join(', ')}${more}`);
    }
  };
  const broken = (rule: AnyVerdict, style: 'red' | 'yellow', most = shownWays) => {
    const says = statement(rule.id);
    lines.push('');
    const times = plural(violationCount(rule), 'time');
    lines.push(`  ${paint([style, 'bold'], `${rule.level} ${rule.id}`)}  ${paint('dim', times)}`);
    if (says) say(`${says.says} [${says.source}]`, 4, 'dim');
    for (const one of unknownFirst(rule.violations).slice(0, most)) way(one);
    const rest = leftOut(rule, most, '--report html=FILE');
    if (rest) {
      lines.push('');
      say(rest, 4, 'dim');
    }
  };
  const entry = (text: string) => wrap(visible(text), columns, 2, 4);
  const reasons = (title: string, all: readonly Reason[]): Listing => ({
    title,
    entries: all.map(({ why, rules }) => [
      ...entry(`${why || 'No reason given.'} (${plural(rules.length, 'rule')})`),
      ...wrap(named(rules), columns, 4).map((line) => paint('dim', line)),
    ]),
  });

  const found = digest(report, { strict });
  const { line: verdict } = headline(report, { strict });
  const groups = failuresByCause(report, { strict });
  if (found.failures.length > 0) heading(`Broken: ${plural(found.failures.length, 'rule')}${causeCountSuffix(groups)}`);
  for (const { title, rules } of groups) {
    if (title !== '') {
      lines.push('');
      say(title, 2, 'bold');
    }
    // Rules with one cause show much the same, so only the first is shown at length.
    for (const [index, rule] of rules.entries()) broken(rule, 'red', index === 0 ? shownWays : 1);
  }
  if (found.warnings.length > 0) heading(`Warnings: ${plural(found.warnings.length, 'rule')} that should hold`);
  for (const rule of found.warnings) broken(rule, 'yellow');
  if (found.callers.length > 0)
    heading(`Callers: ${plural(found.callers.length, 'rule')} broken by those who sent the requests`);
  for (const rule of found.callers) broken(rule, 'yellow');
  const gaps = report.gaps.filter(({ observed }) => observed.length > 0);
  const column = Math.min(Math.max(0, ...gaps.map(({ id }) => id.length)) + 4, Math.floor(width / 2));
  const observed = ({ id, observed: values }: Report['gaps'][number]) =>
    wrap(
      visible(`${id.padEnd(column - 2).replaceAll(' ', '\u00a0')}${grouped(values).join(' · ')}`),
      columns,
      2,
      column,
    );
  const listings: Listing[] = [
    {
      title: 'Known failures (baseline)',
      entries: found.known.map((rule) => entry(`${rule.level} ${rule.id}: ${rule.why}`)),
    },
    reasons('Could not be judged', found.inconclusive),
    // For an unusable target, the verdict says why, for all rules.
    reasons('Untested', report.verdict === 'unusable' ? [] : found.untested),
    reasons('Not applicable', found.notApplicable),
    { title: 'Changed since it was pinned', entries: (report.sincePins ?? []).map(entry) },
    { title: 'Where the contract is silent, this target …', entries: listsGaps ? gaps.map(observed) : [] },
    { title: 'Left behind', entries: report.leftBehind.map(({ kind, id, note }) => entry(`${kind} ${id}: ${note}`)) },
    { title: 'Remarks', entries: report.remarks.map(entry) },
  ];
  for (const { title, entries } of listings)
    if (entries.length > 0) lines.push('', paint('bold', title), ...entries.flat());
  if (gaps.length > 0 && !listsGaps) {
    lines.push('');
    say(silence(report, gaps.length), 0, 'dim');
  }
  lines.push('');
  // Keeps a number and its unit on one line.
  const facts = (parts: readonly string[]) =>
    say(parts.map((part) => part.replaceAll(/(?<=\d) (?=[a-z%])/g, '\u00a0')).join(' · '), 0, 'dim');
  facts([subject(report), ...runSummary(report)]);
  const latency = latencyText(report);
  if (latency) facts([latency]);
  if (report.reason && report.verdict !== 'unusable') say(report.reason);
  const style = ({ conformant: 'green', nonconformant: 'red', incomplete: 'yellow', unusable: 'red' } as const)[
    report.verdict
  ];
  // Not wrapped: the last line has the result of the run.
  lines.push(paint([style, 'bold'], visible(verdict)));
  return `${lines.join('\n').replaceAll('\u00a0', ' ').trimStart()}\n`;
}

const named = (rules: Reason['rules']): string => {
  const rest = rules.length - namedRules;
  const ids = rules.slice(0, rest > 1 ? namedRules : rules.length).map(({ id }) => id);
  return `${ids.join(', ')}${rest > 1 ? ` and ${rest} more: a report has them` : ''}`;
};

/** How many gaps were observed, and whether as pinned. */
const silence = ({ sincePins }: Report, answered: number): string =>
  `Where the contract is silent, ${plural(answered, 'question')} answered${sincePins?.length === 0 ? ', all as pinned' : ''}: --gaps lists them.`;
