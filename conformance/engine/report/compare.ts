/** Compares a report with an earlier one. */
import { nameOf } from '../rule/violations.js';
import type { Change, Changes, Report } from '../vocabulary/report.js';
import type { RuleVerdict, Violation } from '../vocabulary.js';
import { codeSpan, visible } from './text.js';

type AnyVerdict = RuleVerdict<string>;

/** The violations of a rule by name. A report without details has one without a name. */
function ways(rule: AnyVerdict | undefined): ReadonlyMap<string, Violation | undefined> {
  if (rule?.verdict !== 'violated') return new Map();
  if (rule.violations.length === 0) return new Map([['', undefined]]);
  return new Map(rule.violations.map((one) => [nameOf(one), one]));
}

const change = ({ id, level, why }: AnyVerdict, violation?: Violation): Change => ({
  rule: id,
  level,
  ...(violation
    ? { ...(violation.operation && { operation: violation.operation }), signature: violation.signature }
    : why && { why }),
});

const isJudged = (rule: AnyVerdict | undefined): boolean => rule?.verdict === 'passed' || rule?.verdict === 'violated';

export function compare(before: Report, now: Report): Changes {
  // An unusable target says nothing about rules.
  const rulesBefore = now.verdict === 'unusable' ? [] : before.rules;
  const then = new Map<string, AnyVerdict>(before.rules.map((rule) => [rule.id, rule]));
  const current = new Map<string, AnyVerdict>(now.rules.map((rule) => [rule.id, rule]));
  const lists = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<Kind, Change[]>;
  for (const rule of now.rules) {
    const earlier = then.get(rule.id);
    const old = ways(earlier);
    for (const [name, violation] of ways(rule))
      lists[old.has(name) || old.has('') ? 'still' : 'broken'].push(change(rule, violation));
    if (rule.verdict === 'passed' && !isJudged(earlier)) lists.held.push(change(rule));
    if (rule.verdict === 'inconclusive' && earlier?.verdict !== 'inconclusive') lists.inDoubt.push(change(rule));
  }
  for (const old of rulesBefore) {
    const rule: AnyVerdict = current.get(old.id) ?? {
      ...old,
      verdict: 'untested',
      why: 'Not among the rules of this run.',
      operations: {},
    };
    if (rule.verdict === 'inconclusive') continue;
    const seen = ways(rule);
    for (const [name, violation] of ways(old)) {
      if (seen.has(name) || seen.has('') || (name === '' && seen.size > 0)) continue;
      lists[wasJudged(rule, violation) ? 'fixed' : 'untested'].push(change(rule, violation));
    }
    if (old.verdict === 'passed' && !isJudged(rule)) lists.untested.push(change(rule));
  }
  const changed = before.verdict !== now.verdict || kinds.some((kind) => kind !== 'still' && lists[kind].length > 0);
  return { since: before.startedAt, verdict: before.verdict, changed, ...lists };
}

/** Whether a rule was judged again on the operation of an earlier violation. */
function wasJudged({ verdict, operations }: AnyVerdict, violation: Violation | undefined): boolean {
  if (verdict === 'passed') return true;
  if (verdict !== 'violated') return false;
  const operation = violation?.operation;
  return !operation || (operations[operation]?.observations ?? 0) > 0;
}

const titles = {
  broken: 'newly broken',
  inDoubt: 'newly inconclusive',
  still: 'still broken',
  fixed: 'fixed',
  held: 'newly passed',
  untested: 'no longer judged',
} as const;

type Kind = keyof typeof titles;
const kinds = Object.keys(titles) as Kind[];

/** The lists that are not empty, with their titles. */
export const listsOf = (changes: Changes) =>
  kinds.map((kind) => ({ title: titles[kind], all: changes[kind] })).filter(({ all }) => all.length > 0);

/** The operation and the signature, or why it was not judged. */
export const changeText = ({ operation, signature, why = '' }: Change): string =>
  signature === undefined ? why : `${operation ? `${operation}: ` : ''}${signature}`;

/** The changes in a clause: `Since 2026-11-03 09:12: 2 newly broken, 1 fixed`. */
export function changesSummary(changes: Changes): string {
  const lists = listsOf(changes).map(({ title, all }) => `${all.length} ${title}`);
  const when = changes.since.slice(0, 16).replace('T', ' ');
  return `Since ${visible(when)}: ${changes.changed ? lists.join(', ') || `was ${changes.verdict}` : 'nothing changed'}`;
}

/** If more rules passed or are no longer judged, only their names are listed. */
const mostLines = 12;

export function changesText(changes: Changes): string {
  const named = (all: readonly Change[]) =>
    all.length > mostLines && all.every(({ signature }) => signature === undefined)
      ? [`  ${all.map(({ rule }) => visible(rule)).join(', ')}`]
      : all.map((one) => `  ${one.level} ${visible([one.rule, changeText(one)].filter(Boolean).join(' · '))}`);
  const lines = listsOf(changes).flatMap(({ title, all }) => [`${all.length} ${title}:`, ...named(all)]);
  const head = `Since the report of ${visible(changes.since)}`;
  return `${lines.length > 0 ? [`${head}:`, ...lines].join('\n') : `${head}, nothing changed and no rule is broken.`}\n`;
}

/** The changes as rows of a Markdown table. */
export const changesRows = (changes: Changes): string[] =>
  listsOf(changes).map(({ title, all }) => {
    const items = all.map((one) => codeSpan(one.signature ? `${one.rule} · ${changeText(one)}` : one.rule));
    return `| ${title} | ${items.join(', ')} |`;
  });
