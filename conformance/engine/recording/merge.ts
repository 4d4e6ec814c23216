/** The result of judging recordings, and how results of parts are merged. */
import { contract } from '../contract.js';
import { shownExchanges, verdictFromCounts } from '../rule/verdicts.js';
import { comparePlaces, compareTexts, mergedViolations } from '../rule/violations.js';
import type { Exchange, Report, RuleVerdict, Transition } from '../vocabulary.js';

/** The result of judging a recording. Results of parts can be merged. */
export interface RecordedRun
  extends Pick<Report, 'rules' | 'callers' | 'gaps' | 'transitions' | 'requests' | 'foreign' | 'executionsStarted'> {
  /** A recording is always usable: there is no target to ask. */
  readonly preflight: { readonly usable: true };
  /** The exchanges that verdicts show, numbered by time. */
  readonly exchanges: readonly Exchange[];
  /** Requests that were not judged because the recording lacks their request or answer. */
  readonly unrecorded: number;
  /** Entries that are no exchange. */
  readonly unreadable: NotRead;
  /** Duplicates, which were judged once. */
  readonly repeated: number;
  readonly resumed: Resumed;
  /** The files that were not sorted by time. */
  readonly unsorted: readonly string[];
  readonly baseUrls: readonly string[];
  /** Base URLs of requests that went elsewhere, if nothing was judged. */
  readonly otherBaseUrls?: readonly string[];
  readonly stateful: boolean;
  /** From the first request to the last answer, in milliseconds since the epoch; absent if nothing was judged. */
  readonly span?: { readonly from: number; readonly to: number };
}

/** Histories that continued after they were judged, because memory was full or time went back. */
export interface Resumed {
  readonly executions: number;
  readonly profiles: number;
}

export const noneResumed: Resumed = { executions: 0, profiles: 0 };

const why = (what: keyof Resumed): string =>
  `Some ${what} continued after they had been judged (the memory was full, or entries were not in the order of time), so they were not judged as a whole: raise --remember, judge the recording in parts, or sort the files.`;

/** If histories were judged in two parts, it is unknown whether rules that need the whole were kept. */
export const inDoubtIfResumed = (rules: readonly RuleVerdict[], resumed: Resumed): RuleVerdict[] =>
  rules.map((rule) => {
    const { trace, profile } = contract().judges[rule.id];
    const cut =
      trace && resumed.executions > 0 ? 'executions' : profile && resumed.profiles > 0 ? 'profiles' : undefined;
    return cut && rule.verdict === 'passed' ? { ...rule, verdict: 'inconclusive', why: why(cut) } : rule;
  });

/** Entries that are no exchange: how many, and what is wrong with the first ones. The others are judged. */
export interface NotRead {
  readonly count: number;
  readonly first: readonly string[];
}

export const noneUnreadable: NotRead = { count: 0, first: [] };

const mostNamed = 3;

export const addUnreadable = (a: NotRead, b: NotRead): NotRead => ({
  count: a.count + b.count,
  first: [...a.first, ...b.first].slice(0, mostNamed),
});

/**
 * Normalises a result, so that it does not depend on how a recording was cut or in which order its parts are merged:
 * exchanges by time, numbered from 1, without duplicates; violations by their exchanges, each once.
 */
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
  const kept: Exchange[] = [];
  const numbers = new Map<number, number>();
  for (const exchange of exchanges.toSorted(byContent)) {
    const last = kept.at(-1);
    if (!last || byContent(last, exchange) !== 0) kept.push({ ...exchange, id: kept.length + 1 });
    numbers.set(exchange.id, kept.length);
  }
  return { ...renamed(run, (id) => numbers.get(id) ?? 0), exchanges: kept };
}

/** Renames the ids of the exchanges. */
function renamed(run: RecordedRun, name: (id: number) => number): RecordedRun {
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
  return { ...rule, exchanges: [...new Set(rule.exchanges)].sort((a, b) => a - b).slice(0, shownExchanges) };
}

const content = ({ operation, resource, durationMs, request, response, failure }: Exchange): string =>
  JSON.stringify([operation, resource, durationMs, request, response, failure]);

const byContent = (a: Exchange, b: Exchange): number => a.at - b.at || compareTexts(content(a), content(b));

/** Observations that mean: nothing else was seen. */
const nothingElse: readonly string[] = ['none', 'api only'];

export const union = (values: readonly string[]): readonly string[] => {
  const others = values.filter((value) => !nothingElse.includes(value));
  return [...new Set(others.length > 0 ? others : values)].sort();
};

/** Merges observations, in the order of openapi/rules.yaml. */
export function mergeGaps(a: Report['gaps'], b: Report['gaps']): Report['gaps'] {
  return contract().gaps.flatMap(({ id }) => {
    const parts = [...a, ...b].filter((gap) => gap.id === id);
    return parts.length > 0
      ? [{ id, observed: (contract().mergeObservations[id] ?? union)(parts.flatMap(({ observed }) => observed)) }]
      : [];
  });
}

/** Some gaps are observed on all transitions together. */
export const gapsWith = (observed: Report['gaps'], transitions: readonly Transition[]): Report['gaps'] =>
  observed.map((gap) => {
    const ofTransitions = contract().transitionGaps[gap.id];
    return ofTransitions ? { id: gap.id, observed: ofTransitions(transitions) } : gap;
  });

/** Adds up transitions, in the order of the states. */
export function mergeTransitions(a: readonly Transition[], b: readonly Transition[]): Transition[] {
  const counted = new Map<string, Transition>();
  for (const one of [...a, ...b]) {
    const key = `${one.from} ${one.to}`;
    counted.set(key, { ...one, count: one.count + (counted.get(key)?.count ?? 0) });
  }
  return [...counted.values()].sort(contract().byState);
}

/** The neutral element of merging. */
export const emptyRun: RecordedRun = {
  preflight: { usable: true },
  rules: [],
  callers: [],
  gaps: [],
  transitions: [],
  exchanges: [],
  requests: 0,
  foreign: 0,
  unrecorded: 0,
  unreadable: noneUnreadable,
  repeated: 0,
  resumed: noneResumed,
  unsorted: [],
  executionsStarted: 0,
  baseUrls: [],
  stateful: true,
};

/** Merges the results of two parts into that of the whole. The order does not matter. */
export function mergeRuns(left: RecordedRun, right: RecordedRun): RecordedRun {
  const taken = Math.max(0, ...left.exchanges.map(({ id }) => id));
  const moved = renamed(right, (id) => id + taken);
  const exchanges = [...left.exchanges, ...moved.exchanges];
  const [a, b] = [renumbered(left, exchanges), renumbered(moved, exchanges)];
  const transitions = mergeTransitions(a.transitions, b.transitions);
  const spans = [a.span ?? [], b.span ?? []].flat();
  const resumed = {
    executions: a.resumed.executions + b.resumed.executions,
    profiles: a.resumed.profiles + b.resumed.profiles,
  };
  return normalised({
    preflight: { usable: true },
    rules: inDoubtIfResumed(mergeRules(contract().rules, a.rules, b.rules), resumed),
    callers: mergeRules(contract().callers, a.callers, b.callers),
    gaps: gapsWith(mergeGaps(a.gaps, b.gaps), transitions),
    transitions,
    exchanges: a.exchanges,
    requests: a.requests + b.requests,
    foreign: a.foreign + b.foreign,
    unrecorded: a.unrecorded + b.unrecorded,
    unreadable: addUnreadable(a.unreadable, b.unreadable),
    repeated: a.repeated + b.repeated,
    resumed,
    unsorted: [...new Set([...a.unsorted, ...b.unsorted])].sort(),
    executionsStarted: a.executionsStarted + b.executionsStarted,
    baseUrls: [...new Set([...a.baseUrls, ...b.baseUrls])].sort(),
    stateful: a.stateful && b.stateful,
    ...(spans.length > 0 && {
      span: { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) },
    }),
  });
}

/** In the order of openapi/rules.yaml. */
function mergeRules<Id extends string>(
  register: readonly { readonly id: Id }[],
  a: readonly RuleVerdict<Id>[],
  b: readonly RuleVerdict<Id>[],
): RuleVerdict<Id>[] {
  return register.flatMap(({ id }) => {
    const [one, other] = [...a, ...b].filter((rule) => rule.id === id);
    if (!one) return [];
    return other ? mergeVerdicts(one, other) : one;
  });
}

/** Adds up the counts, and concludes from them. */
function mergeVerdicts<Id extends string>(a: RuleVerdict<Id>, b: RuleVerdict<Id>): RuleVerdict<Id> {
  const parts = [a, b];
  const violations = parts.flatMap((part) => part.violations);
  const observations = a.observations + b.observations;
  const unclear = (a.unclear ?? 0) + (b.unclear ?? 0);
  const [doubt] = parts
    .filter((part) => part.verdict === 'untested' && part.unclear)
    .sort((one, other) => comparePlaces(one.exchanges, other.exchanges) || compareTexts(one.why, other.why));
  const [verdict, why] = parts.every((part) => part.verdict === 'not-applicable')
    ? (['not-applicable', a.why] as const)
    : verdictFromCounts(violations[0], observations, doubt?.why);
  const kept = parts
    .filter(({ verdict: one }) => one === 'passed' || one === 'inconclusive')
    .flatMap(({ exchanges }) => exchanges);
  return {
    id: a.id,
    level: a.level,
    verdict,
    observations,
    ...(unclear > 0 && { unclear }),
    why,
    exchanges: verdict === 'passed' ? kept : (doubt?.exchanges ?? []),
    violations,
    operations: mergeOperations(a.operations, b.operations),
  };
}

type Operations = RuleVerdict['operations'];

const mergeOperations = (a: Operations, b: Operations): Operations =>
  Object.fromEntries(
    contract().operationIds.flatMap((id) => {
      const parts = [a[id] ?? [], b[id] ?? []].flat();
      const sum = (count: 'observations' | 'violations') => parts.reduce((total, part) => total + part[count], 0);
      return parts.length > 0 ? [[id, { observations: sum('observations'), violations: sum('violations') }]] : [];
    }),
  );
