import type { Report } from '../vocabulary.js';
import { type AnyVerdict, plural } from './digest.js';
import { codeSpan, visible } from './text.js';

/** What changed between two reports. Each rule is in one list at most. */
export interface Comparison {
  readonly since: string;
  /** Broken now, and not before. */
  readonly broken: readonly AnyVerdict[];
  readonly still: readonly AnyVerdict[];
  /** Broken before, and held now. */
  readonly fixed: readonly AnyVerdict[];
  /** Judged before, and not now: a rule that was fixed by being no longer looked at is among them. */
  readonly untested: readonly AnyVerdict[];
}

export function compare(before: Report, now: Report): Comparison {
  const old = new Map<string, AnyVerdict>(before.rules.map((rule) => [rule.id, rule]));
  const was = ({ id }: AnyVerdict, ...verdicts: AnyVerdict['verdict'][]) => {
    const verdict = old.get(id)?.verdict;
    return verdict !== undefined && verdicts.includes(verdict);
  };
  const broken = now.rules.filter(({ verdict }) => verdict === 'violated');
  const judged = new Set<string>(broken.map(({ id }) => id));
  for (const { id, verdict } of now.rules) if (verdict === 'passed') judged.add(id);
  const current = new Map<string, AnyVerdict>(now.rules.map((rule) => [rule.id, rule]));
  return {
    since: before.startedAt,
    broken: broken.filter((rule) => !was(rule, 'violated')),
    still: broken.filter((rule) => was(rule, 'violated')),
    fixed: now.rules.filter((rule) => rule.verdict === 'passed' && was(rule, 'violated')),
    untested: before.rules
      .filter(({ id, verdict }) => ['passed', 'violated'].includes(verdict) && !judged.has(id))
      .map((rule) => current.get(rule.id) ?? { ...rule, verdict: 'untested', why: 'Not among the rules of this run.' }),
  };
}

const lists = [
  ['broken', 'newly broken'],
  ['still', 'still broken'],
  ['fixed', 'fixed'],
  ['untested', 'no longer judged'],
] as const;

/** The comparison as plain lines. */
export function comparisonText(comparison: Comparison): string {
  const lines = lists.flatMap(([list, title]) => {
    const rules = comparison[list];
    const rows = rules.map(({ level, id, why }) => `  ${level} ${visible(id)}${why ? `: ${visible(why)}` : ''}`);
    return rules.length > 0 ? [`${plural(rules.length, 'rule')} ${title}:`, ...rows] : [];
  });
  const head = `Since the report of ${visible(comparison.since)}`;
  return `${lines.length > 0 ? [`${head}:`, ...lines].join('\n') : `${head}, no rule changed and none is broken.`}\n`;
}

/** The rows of the comparison for a table of Markdown: what changed, and the rules. */
export const comparisonRows = (comparison: Comparison): string[] =>
  lists
    .filter(([list]) => comparison[list].length > 0)
    .map(([list, title]) => `| ${title} | ${comparison[list].map(({ id }) => codeSpan(id)).join(', ')} |`);
