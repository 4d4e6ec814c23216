/** Adds up the results of the parts of a recording: each has all exchanges of its executions and profiles. */
import { contract } from '../contract.js';
import { isFields } from '../outcome/read.js';
import { verdictFromCounts } from '../rule/verdicts.js';
import { addedUp } from '../rule/violations.js';
import type { Report, RuleVerdict } from '../vocabulary/report.js';
import { sampled } from './histories.js';
import { RecordingError } from './raw.js';
import * as recorded from './recorded-run.js';

type RecordedRun = recorded.RecordedRun;

const total = <Of>(all: readonly Of[], of: (one: Of) => number): number => all.reduce((sum, one) => sum + of(one), 0);

export function mergeRuns(...parts: readonly RecordedRun[]): RecordedRun {
  const runs = parts.map((part, index) => recorded.renamed(part, (id) => id * parts.length + index));
  const all = <Of>(of: (run: RecordedRun) => readonly Of[]): Of[] => runs.flatMap(of);
  const texts = (of: (run: RecordedRun) => readonly string[]): string[] => [...new Set(all(of))].sort();
  const sum = (of: (run: RecordedRun) => number): number => total(runs, of);
  const [rules, callers] = [all((run) => run.rules), all((run) => run.callers)];
  const transitions = recorded.mergeTransitions(all((run) => run.transitions));
  const spans = all(({ span }) => (span ? [span] : []));
  const resumed = resumedIn(runs);
  return recorded.normalised({
    preflight: { usable: true },
    rules: recorded.inconclusiveIfCut(
      contract().rules.flatMap(({ id }) => added(rules, id)),
      resumed,
    ),
    callers: contract().callers.flatMap(({ id }) => added(callers, id)),
    gaps: recorded.gapsWith(recorded.mergeGaps(all((run) => run.gaps)), transitions),
    transitions,
    exchanges: all((run) => run.exchanges),
    requests: sum((run) => run.requests),
    foreign: sum((run) => run.foreign),
    unrecorded: sum((run) => run.unrecorded),
    unreadable: { count: sum((run) => run.unreadable.count), first: all((run) => run.unreadable.first) },
    repeated: sum((run) => run.repeated),
    resumed,
    histories: sampled(all((run) => run.histories)),
    executionsStarted: sum((run) => run.executionsStarted),
    baseUrls: texts((run) => run.baseUrls),
    stateful: runs.every(({ stateful }) => stateful),
    ...(spans.length > 0 && {
      span: { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) },
    }),
  });
}

/** How many histories were not judged as a whole, as far as is known: those of the parts, and those in several of them. */
function resumedIn(runs: readonly RecordedRun[]): recorded.Resumed {
  const seen = new Set<string>();
  const shared = runs.flatMap(({ histories }) => histories.filter((one) => seen.size === seen.add(one).size));
  const of = (what: keyof recorded.Resumed, kind: string) =>
    total(runs, ({ resumed }) => resumed[what]) + shared.filter((one) => one.startsWith(kind)).length;
  return { executions: of('executions', 'execution'), profiles: of('profiles', 'profile') };
}

/** What the parts say of one rule, added up. */
function added<Id extends string>(all: readonly RuleVerdict<Id>[], id: Id): RuleVerdict<Id> | [] {
  const parts = all.filter((rule) => rule.id === id);
  const [first] = parts;
  if (!first) return [];
  const sum = addedUp(parts);
  const unclear = total(parts, (part) => part.unclear ?? 0);
  const doubt = parts.find((part) => part.verdict === 'untested' && part.unclear);
  const [verdict, why] = parts.every((part) => part.verdict === 'not-applicable')
    ? (['not-applicable', first.why] as const)
    : verdictFromCounts(sum.violations[0], sum.observations, doubt?.why);
  return {
    ...first,
    ...sum,
    verdict,
    ...(unclear > 0 && { unclear }),
    why,
    exchanges: verdict === 'passed' ? parts.flatMap(({ exchanges }) => exchanges) : (doubt?.exchanges ?? []),
  };
}

/** Known failures are those of the whole. */
const unmarked = <Id extends string>({ known: _, ...rule }: RuleVerdict<Id>): RuleVerdict<Id> => ({
  ...rule,
  violations: rule.violations.map(({ known: __, ...violation }) => violation),
});

/** Restores the result from its report; `file` names it in errors. Throws a RecordingError for that of a run. */
export function runOf(report: Report, file: string): RecordedRun {
  const { recording, requests } = report;
  if (!isFields(recording))
    throw new RecordingError(
      `${file} is the report of a run; only reports of recordings can be merged: npx workflow-execution-contract check --recording FILE --report json=${file} writes one.`,
    );
  const from = Date.parse(report.startedAt);
  return {
    ...recording,
    preflight: { usable: true },
    rules: report.rules.map(unmarked),
    callers: report.callers.map(unmarked),
    gaps: report.gaps,
    transitions: report.transitions,
    exchanges: report.exchanges.map(({ curl, scenario, step, ...exchange }) => exchange),
    unreadable: { count: recording.unreadable ?? 0, first: [] },
    repeated: recording.repeated ?? 0,
    resumed: recording.resumed ?? { executions: 0, profiles: 0 },
    histories: recording.histories ?? [],
    requests,
    foreign: report.foreign,
    executionsStarted: report.executionsStarted,
    stateful: report.target.stateful,
    ...(requests > 0 && { span: { from, to: from + report.durationMs } }),
  };
}
