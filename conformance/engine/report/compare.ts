/** Compares a run with those before it: each violation with the last run that judged its rule at one of its steps. */
import { contract } from '../contract.js';
import { judgedOf, stepOf } from '../rule/violations.js';
import type { Change, Changes, Remembered, Report, RuleVerdict } from '../vocabulary/report.js';
import { visible } from './text.js';

/** A violation that comes back within so many runs that judged it is intermittent, which is no news. */
const patientRuns = 7;

const nameOf = ({ rule, operation = '', signature }: Change): string => `${rule} ${operation} ${signature}`;

/** The name without operation and numbers: an intermittent fault shows on one operation now, on another one then. */
const kindOf = ({ rule, signature }: Change): string =>
  `${rule} ${signature.replaceAll(/\w+/g, (word) => (/^\d+$/.test(word) || contract().operationIds.some((id) => id === word) ? '…' : word))}`;

function violationsOf({ rules, exchanges, verdict }: Report): Remembered[] {
  const byId = new Map(exchanges.map((one) => [one.id, one]));
  return (verdict === 'unusable' ? [] : rules).flatMap(({ id: rule, level, violations }) =>
    violations.map(({ operation, signature, exchanges: [first = 0], others }): Remembered => {
      const at = [first, ...others].flatMap((id) => byId.get(id) ?? []).filter(({ step }) => step !== '');
      return {
        rule,
        level,
        ...(operation && { operation }),
        signature,
        steps: [...new Set(at.map(stepOf))],
        missed: 0,
      };
    }),
  );
}

/**
 * Returns what changed since an earlier report, and what all runs up to this one left violated: what this run did not
 * judge stays as it was.
 */
export function compare(before: Report, now: Report): Changes {
  const wasUsable = before.changes?.isUsable ?? before.verdict !== 'unusable';
  const remembered: readonly Remembered[] = before.changes?.remembered ?? violationsOf(before);
  const isUsable = now.verdict !== 'unusable' && (judgedOf(now.rules) > 0 || wasUsable);
  const seen = violationsOf(now);
  const names = new Set(seen.map(nameOf));
  const ruleOf = ({ rule }: Remembered) =>
    now.verdict === 'unusable' ? undefined : now.rules.find(({ id }) => id === rule);
  const isGone = (one: Remembered) =>
    !names.has(nameOf(one)) &&
    wasJudged(ruleOf(one), one) &&
    (one.steps.length === 0 || !now.steps || one.steps.some((step) => now.steps?.[step] !== undefined));
  const comesAndGoes = (one: Remembered) => one.intermittent || one.missed > 0 || isGone(one);

  const lists: { [kind in Kind]: Change[] } = { broken: [], still: [], absent: [], fixed: [], untested: [] };
  const list = (kind: Kind, { steps: _, missed: __, ...change }: Remembered) => lists[kind].push(change);
  const left = seen.map((one): Remembered => {
    const same = remembered.find((other) => nameOf(other) === nameOf(one));
    const like = same ? [same] : remembered.filter((other) => kindOf(other) === kindOf(one));
    const next = like.some(comesAndGoes) ? { ...one, intermittent: true as const } : one;
    list(same || next.intermittent ? 'still' : 'broken', next);
    return next;
  });
  for (const one of remembered.filter((other) => !names.has(nameOf(other)))) {
    if (!isGone(one)) {
      if (now.verdict !== 'unusable' && (one.missed === 0 || one.intermittent)) list('untested', one);
      left.push(one);
      continue;
    }
    const isMoved = left.some((other) => other.intermittent && kindOf(other) === kindOf(one));
    const next = { ...one, missed: one.missed + 1, ...(isMoved && { intermittent: true as const }) };
    const isOver = next.missed === patientRuns;
    if (next.intermittent) list(isOver ? 'fixed' : 'absent', next);
    else if (next.missed === 1) list('fixed', next);
    if (!isOver) left.push(next);
  }
  const changed = isUsable !== wasUsable || lists.broken.length + lists.fixed.length > 0;
  return { since: before.startedAt, wasUsable, isUsable, changed, ...lists, remembered: left };
}

/** Whether a rule was judged again on the operation of an earlier violation. */
function wasJudged(rule: RuleVerdict<string> | undefined, { operation }: Change): boolean {
  // What keeps a rule may belong to no operation.
  if (rule?.verdict !== 'violated' || !operation) return rule?.verdict === 'passed' || rule?.verdict === 'violated';
  return (rule.operations[operation as keyof typeof rule.operations]?.observations ?? 0) > 0;
}

const titles = {
  broken: 'newly violated',
  still: 'still violated',
  absent: 'not seen in this run',
  fixed: 'fixed',
  untested: 'not judged in this run',
} as const;

type Kind = keyof typeof titles;
const kinds = Object.keys(titles) as Kind[];

/** The lists that are not empty, with their titles. */
export const listsOf = (changes: Changes) =>
  kinds.map((kind) => ({ title: titles[kind], all: changes[kind] })).filter(({ all }) => all.length > 0);

/** The operation and the signature, and whether it comes and goes. */
export const changeText = ({ operation, signature, intermittent }: Change): string =>
  `${operation ? `${operation}: ` : ''}${signature}${intermittent ? ' (intermittent)' : ''}`;

/** The changes in a clause: `Since 2026-11-03 09:12: 2 rules newly violated (3 failures), 1 fixed`. */
export function changesSummary(changes: Changes): string {
  const count = (all: readonly Change[], title: string) => {
    const rules = new Set(all.map(({ rule }) => rule)).size;
    return `${rules} ${rules === 1 ? 'rule' : 'rules'} ${title}${rules < all.length ? ` (${all.length} failures)` : ''}`;
  };
  const news = listsOf(changes).filter(({ title }) => title === titles.broken || title === titles.fixed);
  const lists = [
    ...(changes.isUsable === changes.wasUsable ? [] : [changes.isUsable ? 'usable again' : 'no longer usable']),
    ...news.map(({ all, title }) => count(all, title)),
  ];
  return `Since ${visible(changes.since.slice(0, 16).replace('T', ' '))}: ${lists.join(', ') || 'nothing changed'}`;
}
