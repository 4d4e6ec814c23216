/** The report on the terminal. */
import { styleText } from 'node:util';
import type { Report } from '../vocabulary/report.js';
import {
  type AnyVerdict,
  callText,
  causeCountSuffix,
  groundsOf,
  headline,
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
import { type Section, sections, sizeOf } from './sections.js';
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

const styles = { conformant: 'green', nonconformant: 'red', incomplete: 'yellow', unusable: 'red' } as const;

/** The report for a terminal: the verdict first and last, between them what fits. Ends with a line break. */
export function consoleReport(report: Report, options: ConsoleOptions = {}): string {
  const { width = 80, color = false, gaps: listsGaps = false } = options;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const columns = Math.min(width, 120);
  const cut = (text: string, most = columns) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  /** Wraps before colours are added, so that escape sequences do not count as width. */
  const entry = (text: string) => wrap(cut(visible(text), longest), columns, 2, 4);
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
  const table = (all: readonly (readonly string[])[]) => {
    const widths = all[0]?.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0))) ?? [];
    return all.map((row) =>
      cut(
        `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')}`,
      ),
    );
  };
  const listing = (section: Section): Listing => {
    const { id, title } = section;
    if ('notes' in section) return { title, entries: section.notes.map(entry) };
    if ('rows' in section) return { title, entries: [table([section.head, ...section.rows])] };
    if ('reasons' in section) {
      const one = id === 'untested' ? (text: string) => [cut(`  ${visible(text)}`)] : entry;
      return { title, entries: section.reasons.map((reason) => one(reasonText(reason))) };
    }
    if (id === 'known')
      return {
        title,
        entries: section.groups.flatMap(({ rules }) =>
          rules.map((rule) => entry(`${rule.level} ${rule.id}: ${rule.why}`)),
        ),
      };
    const style = id === 'broken' ? 'red' : 'yellow';
    return {
      title: `${title}: ${plural(sizeOf(section), 'rule')}${causeCountSuffix(section.groups)}`,
      // Rules with one cause show much the same, so only the first is shown at length.
      entries: section.groups.flatMap(({ title: cause, rules }) =>
        rules.map((rule, index) =>
          cause !== '' && index > 0
            ? [named(rule, style)]
            : [...(cause === '' ? [] : entry(cause)), ...broken(rule, style)],
        ),
      ),
    };
  };

  // Not wrapped: the line has the result of the run.
  const verdict = paint([styles[report.verdict], 'bold'], visible(headline(report, options).line));
  const all = sections(report, options);
  const silent = all.flatMap((section) => (section.id === 'gaps' && 'rows' in section ? section.rows : []));
  const pinned = report.sincePins?.length === 0 ? ', all as pinned' : '';
  // Keeps a number and its unit on one line.
  const kept = (parts: readonly string[]) => parts.map((part) => part.replaceAll(/(?<=\d) (?=[a-z%])/g, '\u00a0'));
  const tail = [
    ...(silent.length > 0 && !listsGaps
      ? wrap(`${plural(silent.length, 'observation')} where the contract leaves a choice${pinned} (--gaps)`, columns)
      : []),
    ...wrap(visible(kept([subject(report), ...runSummary(report)]).join(' · ')), columns),
  ].map((text) => paint('dim', text));
  const grounds = groundsOf(report);
  if (grounds) tail.push(...wrap(visible(grounds), columns));
  const shown = fitted(
    all.filter(({ id }) => id !== 'gaps' && id !== 'soak').map(listing),
    mostLines - 1 - tail.length,
    (title) => paint('bold', title),
  );
  const observed = silent.flatMap(([, id, values]) => wrap(visible(`${id}: ${values}`), columns, 2, 4));
  const asked = [
    ...all.flatMap((section) => {
      const { title, entries } = listing(section);
      return section.id === 'soak' ? [paint('bold', title), ...entries.flat()] : [];
    }),
    ...(listsGaps ? [paint('bold', 'Where the contract leaves a choice'), ...observed] : []),
  ];
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
