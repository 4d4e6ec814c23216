/** The result of judging recordings. */
import { contract } from '../contract.js';
import { maxExchanges, verdictFromCounts } from '../rule/verdicts.js';
import { mergedViolations } from '../rule/violations.js';
import { suite } from '../suite.js';
import type { Report, RuleVerdict, Transition } from '../vocabulary/report.js';
import type { Exchange } from '../vocabulary.js';

/** The result of judging a recording. Results of parts can be merged. */
export interface RecordedRun
  extends Pick<Report, 'rules' | 'callers' | 'gaps' | 'transitions' | 'requests' | 'foreign' | 'executionsStarted'> {
  /** A recording is always usable: there is no target to ask. */
  readonly preflight: { readonly usable: true };
  /** The exchanges that verdicts show, numbered by time. */
  readonly exchanges: readonly Exchange[];
  /** Requests that were not judged because the recording lacks their request or answer. */
  readonly unrecorded: number;
  /** Entries that are no exchange: how many, and what is wrong with the first ones. */
  readonly unreadable: { readonly count: number; readonly first: readonly string[] };
  /** Duplicates, which were judged once. */
  readonly repeated: number;
  readonly resumed: Resumed;
  /** Digests of a thousand histories at most. */
  readonly histories: readonly string[];
  readonly baseUrls: readonly string[];
  /** Base URLs of requests that went elsewhere, if nothing was judged. */
  readonly otherBaseUrls?: readonly string[];
  readonly stateful: boolean;
  /** From the first request to the last answer, in milliseconds since the epoch; absent if nothing was judged. */
  readonly span?: { readonly from: number; readonly to: number };
}

/** Histories that were not judged as a whole: they continued after they were judged, or are in several parts. */
export interface Resumed {
  readonly executions: number;
  readonly profiles: number;
}

const why = (what: keyof Resumed): string =>
  `Some ${what} were not judged as a whole: they continued after they had been judged (the memory was full, or entries were not in the order of time), or are in several parts: raise --remember, sort the files, or cut the recording by execution and profile.`;

/** If histories were judged in pieces, it is unknown whether rules that need the whole were kept. */
export const inconclusiveIfCut = (rules: readonly RuleVerdict[], { executions, profiles }: Resumed): RuleVerdict[] =>
  rules.map((rule) => {
    const { trace, profile } = suite().judges[rule.id];
    const cut = trace && executions > 0 ? 'executions' : profile && profiles > 0 ? 'profiles' : undefined;
    return cut && rule.verdict === 'passed' ? { ...rule, verdict: 'inconclusive', why: why(cut) } : rule;
  });

/** The result with its exchanges by time, numbered from 1, and its violations by their exchanges, each once. */
export function normalised(run: RecordedRun): RecordedRun {
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

/** Replaces the exchanges, numbered by time. */
function renumbered(run: RecordedRun, exchanges: readonly Exchange[]): RecordedRun {
  const ordered = exchanges.toSorted((a, b) => a.at - b.at || a.id - b.id);
  const numbers = new Map(ordered.map(({ id }, index) => [id, index + 1]));
  return renamed({ ...run, exchanges: ordered }, (id) => numbers.get(id) ?? 0);
}

/** Renames the ids of the exchanges. */
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
  const violations = mergedViolations(rule.violations);
  const [first] = violations;
  if (first)
    return { ...rule, violations, why: verdictFromCounts(first, rule.observations)[1], exchanges: first.exchanges };
  if (rule.verdict !== 'passed' && rule.verdict !== 'inconclusive') return rule;
  return { ...rule, exchanges: [...new Set(rule.exchanges)].sort((a, b) => a - b).slice(0, maxExchanges) };
}

/** Observations that mean: nothing else was seen. */
const nothingElse: readonly string[] = ['none', 'api only'];

export const union = (values: readonly string[]): readonly string[] => {
  const others = values.filter((value) => !nothingElse.includes(value));
  return [...new Set(others.length > 0 ? others : values)].sort();
};

/** Merges observations, in the order of openapi/rules.yaml. */
export function mergeGaps(all: Report['gaps']): Report['gaps'] {
  return contract().gaps.flatMap(({ id }) => {
    const parts = all.filter((gap) => gap.id === id);
    return parts.length > 0
      ? [{ id, observed: (suite().mergeObservations[id] ?? union)(parts.flatMap(({ observed }) => observed)) }]
      : [];
  });
}

/** Some gaps are observed on all transitions together. */
export const gapsWith = (observed: Report['gaps'], transitions: readonly Transition[]): Report['gaps'] =>
  observed.map((gap) => {
    const ofTransitions = suite().transitionGaps[gap.id];
    return ofTransitions ? { id: gap.id, observed: ofTransitions(transitions) } : gap;
  });

/** Adds up transitions, in the order of the states. */
export function mergeTransitions(all: readonly Transition[]): Transition[] {
  const counted = new Map<string, Transition>();
  for (const one of all) {
    const key = `${one.from} ${one.to}`;
    counted.set(key, { ...one, count: one.count + (counted.get(key)?.count ?? 0) });
  }
  return [...counted.values()].sort(suite().byState);
}
