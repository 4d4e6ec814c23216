import { contract } from '../contract.js';
import { causesOf } from '../rule/causes.js';
import type { Conclusion } from '../rule/conclude.js';
import { summarize } from '../rule/summary.js';
import type { Run } from '../vocabulary/run.js';
import type { Exchange, Facts, Report, ReportedExchange, ReportedOptions } from '../vocabulary.js';
import { withScripts } from './again.js';
import { curl } from './curl.js';
import { latenciesOf } from './latencies.js';

/** What made a report. */
export const madeBy = (): Pick<Report, 'version' | 'suite'> => ({
  version: 2,
  suite: { version: contract().suite, contract: contract().version },
});

/** The report of a run that the suite drove. `options`: what was asked of it, for whoever reads the report later. */
export function assemble(
  run: Run,
  { verdict, reason, rules, remarks, sincePins }: Conclusion,
  facts: Facts,
  options: ReportedOptions = {},
): Report {
  const { evidence, startedAt, durationMs, longestWaitMs, gaps, transitions, journeys, leftBehind } = run;
  return {
    ...madeBy(),
    options,
    verdict,
    reason,
    target: { baseUrl: facts.baseUrl, allow: facts.allow, stateful: facts.stateful },
    startedAt,
    durationMs,
    longestWaitMs,
    summary: summarize(rules),
    rules: withScripts(rules, evidence.exchanges),
    causes: causesOf(rules, evidence.exchanges),
    latencies: latenciesOf(evidence.exchanges),
    callers: [],
    gaps,
    ...(sincePins && { sincePins }),
    transitions,
    journeys,
    leftBehind,
    seed: run.seed,
    requests: run.requests,
    executionsStarted: run.executionsStarted,
    foreign: 0,
    remarks: [...remarks, ...run.remarks],
    exchanges: evidence.exchanges.map(reported),
  };
}

/** An exchange as a report shows it. One that the suite did not send has no journey and no step. */
export function reported({ mark, ...exchange }: Exchange): ReportedExchange {
  return {
    ...exchange,
    journey: mark?.journey ?? '',
    step: mark?.step ?? '',
    curl: curl({ ...exchange, ...(mark && { mark }) }),
  };
}
