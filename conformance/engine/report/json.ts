import type { Report, ReportedExchange, RuleVerdict } from '../vocabulary.js';
import { headline, standings, statement } from './digest.js';
import { jsonPieces } from './pieces.js';
import { visible } from './text.js';

/** The JSON report, in pieces. Its names, and the order they stand in, are part of the command's interface. */
export function* json(report: Report): Generator<string> {
  const {
    version,
    suite,
    seed,
    options,
    verdict,
    reason,
    target,
    startedAt,
    durationMs,
    longestWaitMs,
    summary,
    ...rest
  } = report;
  const ordered: Report & { headline: string } = {
    version,
    suite: { version: suite.version, contract: suite.contract },
    ...(seed !== undefined && { seed }),
    options,
    verdict,
    headline: visible(headline(report, options).line),
    reason,
    target: { baseUrl: target.baseUrl, allow: target.allow, stateful: target.stateful },
    startedAt,
    durationMs,
    longestWaitMs,
    summary: {
      passed: summary.passed,
      violated: summary.violated,
      warned: summary.warned,
      untested: summary.untested,
      notApplicable: summary.notApplicable,
      inconclusive: summary.inconclusive,
    },
    rules: rest.rules.map(rule),
    ...(rest.causes && { causes: rest.causes }),
    ...(rest.changes && { changes: rest.changes }),
    ...(rest.latencies && { latencies: rest.latencies }),
    callers: rest.callers.map(rule),
    gaps: rest.gaps.map(({ id, observed }) => ({ id, observed })),
    ...(rest.sincePins && { sincePins: rest.sincePins }),
    transitions: rest.transitions.map(({ from, to, count, standing }) => ({ from, to, count, standing })),
    journeys: rest.journeys,
    leftBehind: rest.leftBehind.map(({ kind, id, note }) => ({ kind, id, note })),
    requests: rest.requests,
    executionsStarted: rest.executionsStarted,
    foreign: rest.foreign,
    ...(rest.recording && {
      recording: {
        baseUrls: rest.recording.baseUrls,
        unrecorded: rest.recording.unrecorded,
        ...(rest.recording.repeated && { repeated: rest.recording.repeated }),
        ...(rest.recording.resumed && { resumed: rest.recording.resumed }),
        ...(rest.recording.unsorted && { unsorted: rest.recording.unsorted }),
      },
    }),
    remarks: rest.remarks,
    exchanges: rest.exchanges.map(exchange),
  };
  yield* jsonPieces(ordered, 2);
  yield '\n';
}

const rule = <Id extends string>(one: RuleVerdict<Id>): RuleVerdict<Id> & Partial<ReturnType<typeof told>> => ({
  id: one.id,
  level: one.level,
  ...told(one.id),
  verdict: one.verdict,
  ...(one.known && { known: true }),
  observations: one.observations,
  ...(one.unclear && { unclear: one.unclear }),
  why: one.why,
  ...(one.missing && { missing: one.missing }),
  ...(one.notSent && { notSent: one.notSent }),
  exchanges: one.exchanges,
  violations: one.violations.map(
    ({ signature, required, seen, operation, count, exchanges, others, again, known }) => ({
      signature,
      required,
      seen,
      operation,
      count,
      ...(known && { known }),
      exchanges,
      others,
      ...(again && { again }),
    }),
  ),
  operations: one.operations,
});

/** What the register says of a rule, and by what right. */
function told(id: string) {
  const found = statement(id);
  return found && { says: found.says, source: found.source, statements: standings(found) };
}

const exchange = ({
  id,
  operation,
  journey,
  step,
  resource,
  at,
  durationMs,
  ...rest
}: ReportedExchange): ReportedExchange => ({
  id,
  operation,
  journey,
  step,
  resource,
  at,
  durationMs,
  request: rest.request,
  ...(rest.response && { response: rest.response }),
  ...(rest.failure && { failure: rest.failure }),
  curl: rest.curl,
});
