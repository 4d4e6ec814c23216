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
  /** The columns of the terminal. Absent: lines are not wrapped. */
  readonly width?: number;
  /** The file of the HTML report, if one is written. */
  readonly page?: string;
  readonly color?: boolean;
  readonly strict?: boolean;
  /** Lists all observations where the contract is silent. */
  readonly gaps?: boolean;
}

/** The lines of an entry, then those of its details. */
type Entry = readonly (readonly string[])[];

interface Listing {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Whether no entry may be left out, only details. */
  readonly isWhole?: true;
}

/** The most lines before the verdict, unless more rules are violated; what an option adds comes on top. */
const mostLines = 40;
/** Longer texts are in the other reports. */
const longest = 320;

const styles = { conformant: 'green', nonconformant: 'red', incomplete: 'yellow', unusable: 'red' } as const;

/** The report for a terminal: the verdict first and last, between them what fits. Ends with a line break. */
export function consoleReport(report: Report, options: ConsoleOptions = {}): string {
  const { width: columns = Number.POSITIVE_INFINITY, page, color = false, gaps: listsGaps = false } = options;
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const where = page === undefined ? ': --report html=FILE' : ` in ${visible(page)}`;
  const cut = (text: string, most = columns) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  /** Wraps before colours are added, so that escape sequences do not count as width. */
  const entry = (text: string) => wrap(cut(visible(text), longest), columns, 2, 4);
  const labelled = (label: string, text: string) => {
    const [first = '', ...rest] = wrap(cut(visible(text), longest), columns, 14, 14);
    return [`    ${paint('dim', label.padEnd(10))}${first.trimStart()}`, ...rest];
  };
  const named = (rule: AnyVerdict, style: 'red' | 'yellow') =>
    `  ${paint([style, 'bold'], `${rule.level} ${rule.id}`)}  ${paint('dim', plural(violationCount(rule), 'time'))}`;
  const detailsOf = (rule: AnyVerdict): Entry => {
    const [violation] = rule.violations.toSorted((a, b) => Number(a.known ?? false) - Number(b.known ?? false));
    if (!violation) return [];
    const { expected, actual, others: also, count } = violation;
    const scope = violationScope(violation, rule);
    const again = repeating(violation, report);
    const more = count > also.length + 1 ? ', …' : '';
    const ways = rule.violations.length - 1;
    const first = [...labelled('expected', expected), ...labelled('actual', scope ? `${actual}  (${scope})` : actual)];
    const others = [
      ...shownBy(violation, report).flatMap((one) =>
        labelled(`#${one.id}`, `${callText(one, report)}${stepName(one) && `  (${stepName(one)})`}`),
      ),
      ...(also.length > 0 ? labelled('also in', `${also.map((id) => `#${id}`).join(', ')}${more}`) : []),
      ...(ways > 0 ? labelled('and', `${plural(ways, 'other way')}${where}`) : []),
      // Not wrapped, so that it can be copied as one line.
      ...(again === '' ? [] : [`    ${paint('dim', 'repeat'.padEnd(10))}${again}`]),
    ];
    return [first, others];
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
    const { id } = section;
    const count = 'groups' in section ? `: ${plural(sizeOf(section), 'rule')}${causeCountSuffix(section.groups)}` : '';
    const title = paint('bold', `${section.title}${count}`);
    if ('notes' in section) return { title, entries: section.notes.map((note) => [entry(note)]) };
    if ('rows' in section)
      return { title, entries: [[table([section.head, ...section.rows])]], ...(id === 'soak' && { isWhole: true }) };
    if ('reasons' in section) return { title, entries: section.reasons.map((reason) => [entry(reasonText(reason))]) };
    if (id === 'known')
      return {
        title,
        entries: section.groups.flatMap(({ rules }) =>
          rules.map((rule) => [entry(`${rule.level} ${rule.id}: ${rule.why}`)]),
        ),
      };
    const style = id === 'broken' ? 'red' : 'yellow';
    return {
      title,
      isWhole: true,
      // Rules with one cause show much the same, so only the first is shown at length.
      entries: section.groups.flatMap(({ title: cause, rules }) =>
        rules.map((rule, index) =>
          cause !== '' && index > 0
            ? [[named(rule, style)]]
            : [[...(cause === '' ? [] : entry(cause)), named(rule, style)], ...detailsOf(rule)],
        ),
      ),
    };
  };

  // Not wrapped: the line has the result of the run.
  const verdict = paint([styles[report.verdict], 'bold'], visible(headline(report, options).line));
  const all = sections(report, options);
  const silent = all.flatMap((section) => (section.id === 'gaps' && 'rows' in section ? section.rows : []));
  const pinned = report.sincePins?.length === 0 ? ', all as pinned' : '';
  const tail = [
    ...(silent.length > 0 && !listsGaps
      ? wrap(`${plural(silent.length, 'observation')} where the contract leaves a choice${pinned} (--gaps)`, columns)
      : []),
    ...wrap(visible([subject(report), ...runSummary(report)].join(' · ')), columns),
  ].map((text) => paint('dim', text));
  const grounds = groundsOf(report);
  if (grounds) tail.push(...wrap(visible(grounds), columns));
  const shown = fitted(all.filter(({ id }) => id !== 'gaps').map(listing), mostLines - 1 - tail.length, where);
  const observed = silent.flatMap(([, id, values]) => wrap(visible(`${id}: ${values}`), columns, 2, 4));
  const asked = listsGaps ? [paint('bold', 'Where the contract leaves a choice'), ...observed] : [];
  return `${[verdict, ...shown, ...asked, ...tail, verdict].join('\n')}\n`;
}

/** Why rules were not judged, what to do, and which they are. */
function reasonText({ why, rules }: Reason): string {
  const which = rules.length <= 3 ? rules.map(({ id }) => id).join(', ') : plural(rules.length, 'rule');
  return `${(why || 'No reason given.').replace(/\.$/, '')}: ${which}`;
}

/** The lines that fit. Each violated rule has its line; of the other listings, each has three lines at least, or none. */
function fitted(listings: readonly Listing[], most: number, where: string): string[] {
  const parts = new Map<Entry, number>();
  let room = most;
  const add = (entry: Entry, spare: number): boolean => {
    const at = parts.get(entry) ?? 0;
    const { length } = entry[at] ?? [];
    if (length + spare > room) return false;
    room -= length;
    parts.set(entry, at + 1);
    return true;
  };
  const others = listings.filter(({ isWhole }) => !isWhole);
  const whole = listings.filter(({ isWhole }) => isWhole);
  const entries = whole.flatMap((one) => one.entries);
  for (const entry of entries) add(entry, Number.NEGATIVE_INFINITY);
  room -= 2 * whole.length;
  for (const part of [1, 2])
    entries
      .filter((entry) => entry.length > part && parts.get(entry) === part)
      .every((entry) => add(entry, 3 * others.length));
  for (const [at, listing] of others.entries()) {
    const spare = 3 * (others.length - at - 1) + 1;
    room -= 1;
    if (!listing.entries.every((entry, index) => add(entry, index === listing.entries.length - 1 ? spare - 1 : spare)))
      room -= parts.has(listing.entries[0] ?? []) ? 1 : -1;
  }
  return listings.flatMap(({ title, entries: all, isWhole }) => {
    const lines = all.flatMap((entry) => entry.slice(0, parts.get(entry) ?? 0).flat());
    if (lines.length === 0) return [];
    const left = all.filter((entry) => (parts.get(entry) ?? 0) < entry.length).length;
    const more = isWhole ? `details of ${plural(left, 'rule')}` : `${left} more`;
    return [title, ...lines, ...(left === 0 ? [] : [`  … ${more}${where}`])];
  });
}
