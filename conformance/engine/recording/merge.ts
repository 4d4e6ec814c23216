import { contract } from '../contract.js';
import { concluded } from '../rule/verdicts.js';
import { comparePlaces, compareTexts } from '../rule/violations.js';
import type { RuleVerdict } from '../vocabulary.js';
import { gapsWith, mergeGaps, mergeTransitions } from './merge-observations.js';
import type { RecordedRun } from './recorded-run.js';
import { addResumed, doubted, noneResumed } from './resumed.js';
import { renamed, renumbered, tidy } from './tidy.js';

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
  const resumed = addResumed(a.resumed, b.resumed);
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
