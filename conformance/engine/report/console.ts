/** The report on the terminal. */
import { styleText } from 'node:util';
import type { Report } from '../vocabulary/report.js';
import {
  type AnyVerdict,
  callText,
  causeCountSuffix,
  digest,
  failuresByCause,
  groundsOf,
  grouped,
  headline,
  latencyHead,
  latencyRows,
  plural,
  type Reason,
  repeating,
  runSummary,
  shownBy,
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

interface Listing {
  readonly title: string;
  /** The lines of each entry. */
  readonly entries: readonly (readonly string[])[];
}

/** The most lines before the verdict; what the operator asks for with an option comes on top. */
const mostLines = 40;
/** Longer texts are in the other reports. */
const longest = 320;
const shownReasons = 2;

/** The report for a terminal: the verdict first and last, between them what fits. Ends with a line break. */
export function consoleReport(report: Report, options: ConsoleOptions = {}): string {
  const { width = 80, color = false, strict = false, gaps: listsGaps = false } = options;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const columns = Math.min(width, 120);
  const cut = (text: string, most = columns) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  /** Wraps before colours are added, so that escape sequences do not count as width. */
  const entry = (text: string, hanging = 4) => wrap(cut(visible(text), longest), columns, 2, hanging);
  const labelled = (label: string, text: string) => {
    const [first = '', ...rest] = wrap(cut(visible(text), longest), columns, 14, 14);
    return [`    ${paint('dim', label.padEnd(10))}${first.trimStart()}`, ...rest];
  };
  const named = (rule: AnyVerdict, style: 'red' | 'yellow') =>
    `  ${paint([style, 'bold'], `${rule.level} ${rule.id}`)}  ${paint('dim', plural(violationCount(rule), 'time'))}`;
  const broken = (rule: AnyVerdict, style: 'red' | 'yellow'): string[] => {
    const [violation] = rule.violations.toSorted((a, b) => Number(a.known ?? false) - Number(b.known ?? false));
    if (!violation) return [named(rule, style)];
    const { expected, actual, others, count } = violation;
    const scope = violationScope(violation, rule);
    const again = repeating(violation, report);
    const more = count > others.length + 1 ? ', …' : '';
    const ways = rule.violations.length - 1;
    return [
      named(rule, style),
      ...labelled('expected', expected),
      ...labelled('actual', scope ? `${actual}  (${scope})` : actual),
      ...shownBy(violation, report).flatMap((one) =>
        labelled(`#${one.id}`, `${callText(one, report)}${stepName(one) && `  (${stepName(one)})`}`),
      ),
      ...(others.length > 0 ? labelled('also in', `${others.map((id) => `#${id}`).join(', ')}${more}`) : []),
      ...(ways > 0 ? labelled('and', `${plural(ways, 'other way')}: --report html=FILE`) : []),
      // Not wrapped, so that it can be copied as one line.
      ...(again === '' ? [] : [`    ${paint('dim', 'repeat'.padEnd(10))}${again}`]),
    ];
  };
  const reasons = (title: string, all: readonly Reason[], toEntry: (text: string) => readonly string[]): Listing => ({
    title,
    entries: all.map((reason) => toEntry(reasonText(reason))),
  });
  const table = ([head = [], ...rows]: readonly (readonly string[])[]) => {
    const widths = head.map((_, index) => Math.max(...[head, ...rows].map((row) => row[index]?.length ?? 0)));
    const line = (row: readonly string[]) =>
      row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)));
    return [head, ...rows].map((row) => cut(`  ${line(row).join('  ')}`));
  };

  const found = digest(report, { strict });
  const { line } = headline(report, { strict });
  const style = ({ conformant: 'green', nonconformant: 'red', incomplete: 'yellow', unusable: 'red' } as const)[
    report.verdict
  ];
  // Not wrapped: the line has the result of the run.
  const verdict = paint([style, 'bold'], visible(line));
  const groups = failuresByCause(report, { strict });
  const latencies = latencyRows(report);
  const silent = report.gaps.filter(({ observed }) => observed.length > 0);
  const pinned = report.sincePins?.length === 0 ? ', all as pinned' : '';
  const listings: Listing[] = [
    {
      title: `Broken: ${plural(found.failures.length, 'rule')}${causeCountSuffix(groups)}`,
      // Rules with one cause show much the same, so only the first is shown at length.
      entries: groups.flatMap(({ title, rules }) =>
        rules.map((rule, index) =>
          index > 0 ? [named(rule, 'red')] : [...(title === '' ? [] : entry(title)), ...broken(rule, 'red')],
        ),
      ),
    },
    {
      title: `Warnings: ${plural(found.warnings.length, 'rule')} that should hold`,
      entries: found.warnings.map((rule) => broken(rule, 'yellow')),
    },
    {
      title: `Callers: ${plural(found.callers.length, 'rule')} broken by those who sent the requests`,
      entries: found.callers.map((rule) => broken(rule, 'yellow')),
    },
    {
      title: 'Known failures (baseline)',
      entries: found.known.map((rule) => entry(`${rule.level} ${rule.id}: ${rule.why}`)),
    },
    reasons('Could not be judged', found.inconclusive, entry),
    // For an unusable target, the verdict says why, for all rules.
    reasons('Untested', report.verdict === 'unusable' ? [] : found.untested, (text) => [cut(`  ${visible(text)}`)]),
    reasons('Not applicable', found.notApplicable, entry),
    { title: 'Changed since it was pinned', entries: (report.sincePins ?? []).map((text) => entry(text)) },
    {
      title: 'Left behind',
      entries: report.leftBehind.map(({ kind, id, note }) => entry(`${kind} ${id}: ${note}`)),
    },
    { title: 'Remarks', entries: report.remarks.map((text) => entry(text)) },
    { title: 'Latency', entries: latencies.length > 0 ? [table([latencyHead, ...latencies])] : [] },
  ].filter(({ entries }) => entries.length > 0);
  // Keeps a number and its unit on one line.
  const kept = (parts: readonly string[]) => parts.map((part) => part.replaceAll(/(?<=\d) (?=[a-z%])/g, '\u00a0'));
  const facts = wrap(visible(kept([subject(report), ...runSummary(report)]).join(' · ')), columns);
  const grounds = groundsOf(report);
  const tail = [
    ...(silent.length > 0 && !listsGaps
      ? wrap(`${plural(silent.length, 'observation')} where the contract leaves a choice${pinned} (--gaps)`, columns)
      : []),
    ...facts,
  ]
    .map((text) => paint('dim', text))
    .concat(grounds ? wrap(visible(grounds), columns) : []);
  const column = Math.min(Math.max(0, ...silent.map(({ id }) => id.length)) + 4, Math.floor(width / 2));
  const observed = ({ id, observed: values }: Report['gaps'][number]) =>
    wrap(
      visible(`${id.padEnd(column - 2).replaceAll(' ', '\u00a0')}${grouped(values).join(' · ')}`),
      columns,
      2,
      column,
    );
  const shown = fitted(listings, mostLines - 1 - tail.length, (title) => paint('bold', title));
  const asked = listsGaps ? [paint('bold', 'Where the contract leaves a choice'), ...silent.flatMap(observed)] : [];
  return `${[verdict, ...shown, ...asked, ...tail, verdict].join('\n').replaceAll('\u00a0', ' ')}\n`;
}

/** What a rule needs, or why it was not judged, with the rules or their number. */
function reasonText({ why, rules }: Reason): string {
  const who = rules.length <= shownReasons ? rules.map(({ id }) => id).join(', ') : plural(rules.length, 'rule');
  const { missing = [] } = rules[0] ?? {};
  if (missing.length === 0) return `${who}: ${why || 'No reason given.'}`;
  const needs = missing.map((item) => item.replace(/^allow /, 'allow: ')).join(', ');
  return `${who} ${rules.length === 1 ? 'needs' : 'need'} ${needs}`;
}

/** The lines of the listings that fit; each has at least its title, and says how many of its entries are left out. */
function fitted(listings: readonly Listing[], most: number, toTitle: (title: string) => string): string[] {
  let room = most - 2 * listings.length;
  return listings.flatMap(({ title, entries }) => {
    const lines: string[] = [];
    let shown = 0;
    // The title and a line for what is left out are set aside.
    for (const each of entries) {
      const isLast = shown === entries.length - 1;
      if (each.length > room + (isLast ? 1 : 0)) break;
      room -= each.length;
      lines.push(...each);
      shown += 1;
    }
    const left = entries.length - shown;
    if (left === 0) {
      room += 1;
      return [toTitle(title), ...lines];
    }
    return [toTitle(title), ...lines, `  … ${left} more: --report html=FILE`];
  });
}
