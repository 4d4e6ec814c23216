import { contract } from '../contract.js';
import { concluded, shownExchanges } from '../rule/verdicts.js';
import { comparePlaces, compareTexts, joinedAll } from '../rule/violations.js';
import type { Exchange, Report, RuleVerdict, Transition } from '../vocabulary.js';

/** What judging recorded traffic gave. What two parts of a recording gave can be merged. */
export interface RecordedRun
  extends Pick<Report, 'rules' | 'callers' | 'gaps' | 'transitions' | 'requests' | 'foreign' | 'executionsStarted'> {
  /** A recording is what it is: there was nobody to ask whether the target can be used. */
  readonly preflight: { readonly usable: true };
  /** Those that verdicts show; ids count up by time. */
  readonly exchanges: readonly Exchange[];
  /** Requests that were not judged because the recording lacks what was sent or answered. */
  readonly unrecorded: number;
  /** What of the recording is no exchange. */
  readonly unreadable: NotRead;
  /** Requests that were recorded more than once, and judged once. */
  readonly repeated: number;
  readonly resumed: Resumed;
  /** The files that were not in the order of time. */
  readonly unsorted: readonly string[];
  /** Where the judged requests went. */
  readonly baseUrls: readonly string[];
  readonly stateful: boolean;
  /** From the first request to the last answer, in milliseconds since the epoch; absent where nothing was judged. */
  readonly span?: { readonly from: number; readonly to: number };
}

/** Histories that went on after they had to be judged: too much was to be remembered, or time went back. */
export interface Resumed {
  readonly executions: number;
  readonly profiles: number;
}

export const noneResumed: Resumed = { executions: 0, profiles: 0 };

const why = (what: keyof Resumed): string =>
  `Some ${what} went on after they had to be judged, to make room or because time went back, so no one saw them whole; --remember more, judge in parts, or sort the files.`;

/** Nobody knows whether a rule that needs the whole of a history was satisfied where that was judged in two. */
export const doubted = (rules: readonly RuleVerdict[], resumed: Resumed): RuleVerdict[] =>
  rules.map((rule) => {
    const { trace, profile } = contract().judges[rule.id];
    const cut =
      trace && resumed.executions > 0 ? 'executions' : profile && resumed.profiles > 0 ? 'profiles' : undefined;
    return cut && rule.verdict === 'passed' ? { ...rule, verdict: 'inconclusive', why: why(cut) } : rule;
  });

/**
 * What of recordings is no exchange: how many, and what is wrong with the first of them. One entry that nobody can read is no
 * reason to leave out the others.
 */
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

/** The run with other ids for its exchanges. */
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
  const violations = joinedAll(rule.violations);
  const [first] = violations;
  if (first) return { ...rule, violations, why: concluded(first, rule.observations)[1], exchanges: first.exchanges };
  if (rule.verdict !== 'passed' && rule.verdict !== 'inconclusive') return rule;
  return { ...rule, exchanges: [...new Set(rule.exchanges)].sort((a, b) => a - b).slice(0, shownExchanges) };
}

const content = ({ operation, resource, durationMs, request, response, failure }: Exchange): string =>
  JSON.stringify([operation, resource, durationMs, request, response, failure]);

const byContent = (a: Exchange, b: Exchange): number => a.at - b.at || compareTexts(content(a), content(b));

/** Said where nothing else was seen. */
const nothingElse: readonly string[] = ['none', 'api only'];

export const union = (values: readonly string[]): readonly string[] => {
  const others = values.filter((value) => !nothingElse.includes(value));
  return [...new Set(others.length > 0 ? others : values)].sort();
};

/** What was observed in either part of a recording, in the order of the register. */
export function mergeGaps(a: Report['gaps'], b: Report['gaps']): Report['gaps'] {
  return contract().gaps.flatMap(({ id }) => {
    const parts = [...a, ...b].filter((gap) => gap.id === id);
    return parts.length > 0
      ? [{ id, observed: (contract().adding[id] ?? union)(parts.flatMap(({ observed }) => observed)) }]
      : [];
  });
}

/** Some gaps are told by all transitions together. */
export const gapsWith = (observed: Report['gaps'], transitions: readonly Transition[]): Report['gaps'] =>
  observed.map((gap) => {
    const ofTransitions = contract().transitionGaps[gap.id];
    return ofTransitions ? { id: gap.id, observed: ofTransitions(transitions) } : gap;
  });

/** The transitions of both, by the order of the states. */
export function mergeTransitions(a: readonly Transition[], b: readonly Transition[]): Transition[] {
  const counted = new Map<string, Transition>();
  for (const one of [...a, ...b]) {
    const key = `${one.from} ${one.to}`;
    counted.set(key, { ...one, count: one.count + (counted.get(key)?.count ?? 0) });
  }
  return [...counted.values()].sort(contract().byState);
}

/** Merging it with another changes nothing. */
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

/** What two parts of a recording gave, as the whole would have given it. The order of parts makes no difference. */
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
  return tidy({
    preflight: { usable: true },
    rules: doubted(mergeRules(contract().rules, a.rules, b.rules), resumed),
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

/** In the order of the register. */
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

/** Adds up what was counted, and concludes from that. */
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
    : concluded(violations[0], observations, doubt?.why);
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
