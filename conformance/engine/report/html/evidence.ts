import type { Report, ReportedExchange } from '../../vocabulary.js';

/** Up to so many exchanges a page holds all of them; of more, only those that a verdict rests on. */
const mostInAll = 1000;

export interface PageEvidence {
  readonly exchanges: readonly ReportedExchange[];
  /** By exchange: the rules that it tells something about, those that it shows broken with a `!` before them. */
  readonly rules: Readonly<Record<number, readonly string[]>>;
}

/** What of a run the page holds: a recording of hundreds of thousands of exchanges opens as fast as a small one. */
export function evidenceOf(report: Report): PageEvidence {
  const rules = new Map<number, Set<string>>();
  const note = (id: number, rule: string) => rules.set(id, (rules.get(id) ?? new Set()).add(rule));
  for (const rule of [...report.rules, ...report.callers]) {
    const broken = rule.violations.flatMap(({ exchanges, others }) => [...exchanges, ...others]);
    for (const id of broken) note(id, `!${rule.id}`);
    if (rule.verdict !== 'violated') for (const id of rule.exchanges) note(id, rule.id);
  }
  const all = report.exchanges;
  return {
    exchanges: all.length <= mostInAll ? all : all.filter(({ id }) => rules.has(id)),
    rules: Object.fromEntries([...rules].map(([id, names]) => [id, [...names]])),
  };
}
