import type { Report, Violation } from '../vocabulary.js';
import type { AnyVerdict } from './digest.js';
import { codeSpan, visible } from './text.js';

/** One way in which a rule is or was broken; without a violation, the rule as a whole. */
export interface Change {
  readonly rule: AnyVerdict;
  readonly violation?: Violation;
}

/** What changed between two reports. Each violation, by its signature, is in one list at most. */
export interface Comparison {
  readonly since: string;
  /** Seen now, and not before. */
  readonly broken: readonly Change[];
  readonly still: readonly Change[];
  /** Seen before, and not now, though the rule was judged on that operation again. */
  readonly fixed: readonly Change[];
  /** Judged before, and not now: what was fixed by being no longer looked at is among them. */
  readonly untested: readonly Change[];
}

/** The ways in which a rule is broken, by name; one without a name where a report tells of none. */
function ways(rule: AnyVerdict | undefined): ReadonlyMap<string, Violation | undefined> {
  if (rule?.verdict !== 'violated') return new Map();
  if (rule.violations.length === 0) return new Map([['', undefined]]);
  return new Map(rule.violations.map((one) => [`${one.operation ?? ''} ${one.signature}`, one]));
}

/** What changed from an earlier report to a later one. */
export function compare(before: Report, now: Report): Comparison {
  const then = new Map<string, AnyVerdict>(before.rules.map((rule) => [rule.id, rule]));
  const current = new Map<string, AnyVerdict>(now.rules.map((rule) => [rule.id, rule]));
  const change = (rule: AnyVerdict, violation?: Violation): Change => ({ rule, ...(violation && { violation }) });
  const lists = { broken: [] as Change[], still: [] as Change[], fixed: [] as Change[], untested: [] as Change[] };
  for (const rule of now.rules) {
    const old = ways(then.get(rule.id));
    for (const [name, violation] of ways(rule))
      lists[old.has(name) || old.has('') ? 'still' : 'broken'].push(change(rule, violation));
  }
  for (const old of before.rules) {
    const rule: AnyVerdict = current.get(old.id) ?? {
      ...old,
      verdict: 'untested',
      why: 'Not among the rules of this run.',
      operations: {},
    };
    const seen = ways(rule);
    for (const [name, violation] of ways(old)) {
      if (seen.has(name) || seen.has('') || (name === '' && seen.size > 0)) continue;
      lists[wasJudged(rule, violation) ? 'fixed' : 'untested'].push(change(rule, violation));
    }
    const isJudged = rule.verdict === 'passed' || rule.verdict === 'violated';
    if (old.verdict === 'passed' && !isJudged) lists.untested.push(change(rule));
  }
  return { since: before.startedAt, ...lists };
}

/** Whether a rule was judged where it was broken before. */
function wasJudged({ verdict, operations }: AnyVerdict, violation: Violation | undefined): boolean {
  if (verdict === 'passed') return true;
  if (verdict !== 'violated') return false;
  const operation = violation?.operation;
  return !operation || (operations[operation]?.observations ?? 0) > 0;
}

const titles = {
  broken: 'newly broken',
  still: 'still broken',
  fixed: 'fixed',
  untested: 'no longer judged',
} as const;

/** The lists that have something in them, each with its title. */
export const changes = (comparison: Comparison) =>
  (['broken', 'still', 'fixed', 'untested'] as const)
    .map((list) => ({ title: titles[list], all: comparison[list] }))
    .filter(({ all }) => all.length > 0);

/** What it is about the rule: the operation and the signature, or why it was not judged. */
export const changeText = ({ rule, violation }: Change): string => {
  if (!violation) return rule.why;
  return `${violation.operation ? `${violation.operation}: ` : ''}${violation.signature}`;
};

/** The comparison as plain lines. */
export function comparisonText(comparison: Comparison): string {
  const lines = changes(comparison).flatMap(({ title, all }) => [
    `${all.length} ${title}:`,
    ...all.map((one) => `  ${one.rule.level} ${visible([one.rule.id, changeText(one)].filter(Boolean).join(' · '))}`),
  ]);
  const head = `Since the report of ${visible(comparison.since)}`;
  return `${lines.length > 0 ? [`${head}:`, ...lines].join('\n') : `${head}, nothing changed and no rule is broken.`}\n`;
}

/** The rows of the comparison for a table of Markdown: what changed, and the violations. */
export const comparisonRows = (comparison: Comparison): string[] =>
  changes(comparison).map(({ title, all }) => {
    const items = all.map((one) => codeSpan(one.violation ? `${one.rule.id} · ${changeText(one)}` : one.rule.id));
    return `| ${title} | ${items.join(', ')} |`;
  });
