/** Makes the report of a run. */
import { contract } from '../contract.js';
import { accepted } from '../outcome/read.js';
import type { Conclusion } from '../rule/conclude.js';
import { causesOf, summarize } from '../rule/violations.js';
import { suite } from '../suite.js';
import type { Latency, Report, ReportedExchange, ReportedOptions, Run } from '../vocabulary/report.js';
import type { Exchange, Facts } from '../vocabulary.js';
import { curl } from './curl.js';
import { reportVersion } from './read.js';
import { withScripts } from './sequence.js';

/** The latencies of accepted requests. Refusals are faster, and would distort them. */
export function latenciesOf(exchanges: readonly Exchange[]): NonNullable<Report['latencies']> {
  const answered = exchanges.filter((one) => !one.untimed && accepted(one));
  return Object.fromEntries(
    contract().operationIds.flatMap((id) => {
      const took = answered.flatMap(({ operation, durationMs }) => (operation === id ? [durationMs] : []));
      return took.length > 0 ? [[id, latency(took.sort((a, b) => a - b))]] : [];
    }),
  );
}

function latency(sorted: readonly number[]): Latency {
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { count: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

/** What is said of a run alone, or of a recording alone. All else follows from the verdicts and the exchanges. */
type Circumstances = Omit<
  Report,
  'version' | 'suite' | 'verdict' | 'reason' | 'summary' | 'rules' | 'causes' | 'stale' | 'sincePins' | 'exchanges'
>;

/** The report with these verdicts; the rules, their causes and the exchanges are the same in that of any origin. */
export function reportOf(
  { verdict, reason, rules, stale, remarks, sincePins }: Conclusion,
  exchanges: readonly Exchange[],
  circumstances: Circumstances,
): Report {
  return {
    version: reportVersion,
    suite: { version: suite().version, contract: contract().version },
    ...circumstances,
    verdict,
    reason,
    summary: summarize(rules),
    rules: withScripts(rules, exchanges),
    causes: causesOf(rules, exchanges),
    ...(stale && { stale }),
    ...(sincePins && { sincePins }),
    remarks: [...remarks, ...circumstances.remarks],
    exchanges: exchanges.map(reported),
  };
}

/** The report of a run. `options`: the options of the run, for later readers. */
export function assemble(run: Run, conclusion: Conclusion, facts: Facts, options: ReportedOptions = {}): Report {
  const { baseUrl, allow, stateful, smaller } = facts;
  const {
    evidence,
    startedAt,
    durationMs,
    longestWaitMs,
    gaps,
    transitions,
    statesNotSeen,
    steps,
    scenarios,
    leftBehind,
    remarks,
  } = run;
  return reportOf(conclusion, evidence.exchanges, {
    options,
    target: { baseUrl, allow, stateful, ...(smaller && { smaller }) },
    startedAt,
    durationMs,
    longestWaitMs,
    latencies: latenciesOf(evidence.exchanges),
    callers: [],
    gaps,
    transitions,
    ...(statesNotSeen && { statesNotSeen }),
    ...(steps && { steps }),
    scenarios,
    leftBehind,
    seed: run.seed,
    requests: run.requests,
    executionsStarted: run.executionsStarted,
    foreign: 0,
    remarks,
  });
}

/** An exchange as a report shows it. In recordings, scenario and step are empty. */
export function reported({ mark, ...exchange }: Exchange): ReportedExchange {
  return {
    ...exchange,
    scenario: mark?.scenario ?? '',
    step: mark?.step ?? '',
    curl: curl({ ...exchange, ...(mark && { mark }) }),
  };
}
