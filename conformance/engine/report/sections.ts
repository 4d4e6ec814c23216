/** What a report has besides its headline, in the order of the terminal, Markdown and HTML. Texts are not escaped here. */
import { contract } from '../contract.js';
import type { Report } from '../vocabulary/report.js';
import { changeText, listsOf } from './compare.js';
import {
  type AnyVerdict,
  digest,
  duration,
  type FailureGroup,
  failuresByCause,
  grouped,
  plural,
  type Reason,
  thousands,
} from './digest.js';

/** A part of a report. Each format has one way to write each of the four kinds. */
export type Section = { readonly id: string; readonly title: string } & (
  | { readonly groups: readonly FailureGroup[] }
  | { readonly reasons: readonly Reason[] }
  | { readonly notes: readonly string[] }
  | { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
);

/** How many rules, notes or rows a section has. */
export function sizeOf(section: Section): number {
  if ('groups' in section) return section.groups.flatMap(({ rules }) => rules).length;
  if ('reasons' in section) return section.reasons.flatMap(({ rules }) => rules).length;
  return 'notes' in section ? section.notes.length : section.rows.length;
}

/** A share, to two digits: `0.79 %`. */
const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;

/** The sections that are not empty. */
export function sections(report: Report, options: { strict?: boolean } = {}): Section[] {
  const found = digest(report, options);
  const { changes, sincePins = [], leftBehind, remarks, latencies = {}, gaps, soak } = report;
  const alone = (rules: readonly AnyVerdict[]) => [{ title: '', rules }];
  // For an unusable target, the verdict says why, for all rules.
  const judgeable = (reasons: readonly Reason[]) => (report.verdict === 'unusable' ? [] : reasons);
  const all: Section[] = [
    { id: 'broken', title: 'Violated', groups: failuresByCause(report, options) },
    { id: 'warnings', title: 'Warnings', groups: alone(found.warnings) },
    { id: 'callers', title: 'Violated by callers (not part of the verdict)', groups: alone(found.callers) },
    { id: 'known', title: 'Known failures (baseline)', groups: alone(found.known) },
    { id: 'inconclusive', title: 'Inconclusive', reasons: found.inconclusive },
    { id: 'untested', title: 'Untested', reasons: judgeable(found.untested) },
    { id: 'not-applicable', title: 'Not applicable', reasons: judgeable(found.notApplicable) },
    {
      id: 'changes',
      title: 'Since the earlier report',
      notes: (changes ? listsOf(changes) : []).flatMap(({ title, all: changed }) =>
        changed.map((one) => `${title}: ${one.level} ${one.rule} · ${changeText(one)}`),
      ),
    },
    { id: 'pins', title: 'Changed since it was pinned', notes: sincePins },
    {
      id: 'left-behind',
      title: 'Left behind or deleted',
      notes: leftBehind.map(({ kind, id, note }) => `${kind} ${id}: ${note}`),
    },
    { id: 'remarks', title: 'Remarks', notes: remarks },
    {
      id: 'soak',
      title: soak
        ? `Soak: ${plural(soak.requests, 'request')} in ${duration(soak.durationMs)}; at most: the 95 % bound (Wilson)`
        : '',
      head: ['rule', 'operation', 'violated', 'rate', 'at most'],
      // What was violated, and of each operation what was judged most often and not violated. JSON has all.
      rows: (soak?.rates ?? [])
        .filter(
          (one, _, all) =>
            one.broken > 0 || one === all.find((of) => of.operation === one.operation && of.broken === 0),
        )
        .map(({ rule, operation, broken, of, rate, atMost }) => [
          rule,
          operation,
          `${thousands(broken)} of ${thousands(of)}`,
          ...[rate, atMost].map(percent),
        ]),
    },
    {
      id: 'latency',
      title: 'Latency',
      head: ['operation', 'median', 'p95', 'max', 'of'],
      rows: Object.entries(latencies).map(([id, { count, medianMs, p95Ms, maxMs }]) => [
        id,
        ...[medianMs, p95Ms, maxMs].map(duration),
        thousands(count),
      ]),
    },
    {
      id: 'gaps',
      title: 'Where the contract leaves a choice',
      head: ['question', 'gap', 'observed'],
      rows: gaps
        .filter(({ observed }) => observed.length > 0)
        .map(({ id, observed }) => [
          contract().gaps.find((gap) => gap.id === id)?.asks ?? id,
          id,
          grouped(observed).join(' · '),
        ]),
    },
  ];
  return all.filter((section) => sizeOf(section) > 0);
}
