import { concluded, shownExchanges } from '../rule/verdicts.js';
import { compareTexts, joinedAll } from '../rule/violations.js';
import type { Exchange, RuleVerdict } from '../vocabulary.js';
import type { RecordedRun } from './recorded-run.js';

/**
 * Brings what a run shows into an order that depends on nothing but what it shows: exchanges by time, numbered from 1,
 * equal ones shown once; violations by their exchanges, each once. So it makes no difference how a
 * recording was cut, nor in which order its parts are merged.
 */
export function tidy(run: RecordedRun): RecordedRun {
  const ordered = renumbered(run, run.exchanges);
  const [rules, callers] = [ordered.rules.map(shortened), ordered.callers.map(shortened)];
  const shown = new Set(
    [...rules, ...callers].flatMap((rule) => [
      ...rule.exchanges,
      ...rule.violations.flatMap(({ exchanges, others }) => [...exchanges, ...others]),
    ]),
  );
  const exchanges = ordered.exchanges.filter(({ id }) => shown.has(id));
  return renumbered({ ...ordered, rules, callers }, exchanges);
}

/** The run with these exchanges, numbered by time. */
export function renumbered(run: RecordedRun, exchanges: readonly Exchange[]): RecordedRun {
  const kept: Exchange[] = [];
  const numbers = new Map<number, number>();
  for (const exchange of exchanges.toSorted(byContent)) {
    const last = kept.at(-1);
    if (!last || byContent(last, exchange) !== 0) kept.push({ ...exchange, id: kept.length + 1 });
    numbers.set(exchange.id, kept.length);
  }
  return { ...renamed(run, (id) => numbers.get(id) ?? 0), exchanges: kept };
}

/** The run with other ids for its exchanges. */
export function renamed(run: RecordedRun, name: (id: number) => number): RecordedRun {
  const rule = <Id extends string>(one: RuleVerdict<Id>): RuleVerdict<Id> => ({
    ...one,
    exchanges: one.exchanges.map(name),
    violations: one.violations.map((violation) => ({
      ...violation,
      exchanges: violation.exchanges.map(name),
      others: violation.others.map(name).sort((a, b) => a - b),
    })),
  });
  const exchanges = run.exchanges.map((exchange) => ({ ...exchange, id: name(exchange.id) }));
  return { ...run, exchanges, rules: run.rules.map(rule), callers: run.callers.map(rule) };
}

function shortened<Id extends string>(rule: RuleVerdict<Id>): RuleVerdict<Id> {
  const violations = joinedAll(rule.violations);
  const [first] = violations;
  if (first) return { ...rule, violations, why: concluded(first, rule.observations)[1], exchanges: first.exchanges };
  if (rule.verdict !== 'passed' && rule.verdict !== 'inconclusive') return rule;
  return { ...rule, exchanges: [...new Set(rule.exchanges)].sort((a, b) => a - b).slice(0, shownExchanges) };
}

const content = ({ operation, resource, durationMs, request, response, failure }: Exchange): string =>
  JSON.stringify([operation, resource, durationMs, request, response, failure]);

const byContent = (a: Exchange, b: Exchange): number => a.at - b.at || compareTexts(content(a), content(b));
