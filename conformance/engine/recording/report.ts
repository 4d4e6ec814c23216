/** Makes the report of a recording, and restores a result from one. */
import { contract } from '../contract.js';
import { mapTexts, signedUrlMask } from '../http/redact.js';
import { isFields } from '../outcome/read.js';
import { reportOf } from '../report/assemble.js';
import { plural, type Statement } from '../report/digest.js';
import { withScripts } from '../report/sequence.js';
import type { Conclusion } from '../rule/conclude.js';
import type { Body, Report, ReportedOptions, RuleVerdict } from '../vocabulary.js';
import { noneResumed, type RecordedRun, type Resumed } from './merge.js';
import { RecordingError } from './raw.js';

export function assembleRecording(run: RecordedRun, conclusion: Conclusion, options: ReportedOptions = {}): Report {
  const signed = signedUrlMask();
  const mask = contract().maskOf(run.exchanges);
  const masked = <T>(value: T): T => mapTexts(value, (text) => signed(mask.text(text))) as T;
  const inPlace = <T extends { readonly body: Body }>({ body, ...rest }: T) => ({
    ...rest,
    body: body.kind === 'json' ? { ...body, value: mask.inPlace(body.value) } : body,
  });
  const inBodies = run.exchanges.map(({ request, response, ...rest }) => ({
    ...rest,
    request: inPlace(request),
    ...(response && { response: inPlace(response) }),
  }));
  const [rules, callers, exchanges] = masked([conclusion.rules, run.callers, inBodies] as const);
  const { from, to } = run.span ?? { from: 0, to: 0 };
  return reportOf({ ...conclusion, rules }, exchanges, {
    options,
    target: { baseUrl: run.baseUrls.join(', '), allow: 'read', stateful: run.stateful },
    startedAt: new Date(from).toISOString(),
    durationMs: to - from,
    longestWaitMs: 0,
    callers: withScripts(callers, exchanges),
    gaps: masked(run.gaps),
    transitions: run.transitions,
    journeys: [],
    leftBehind: [],
    requests: run.requests,
    executionsStarted: run.executionsStarted,
    foreign: run.foreign,
    recording: {
      baseUrls: run.baseUrls,
      unrecorded: run.unrecorded,
      ...(run.unreadable.count > 0 && { unreadable: run.unreadable.count }),
      ...(run.repeated > 0 && { repeated: run.repeated }),
      ...(isResumed(run.resumed) && { resumed: run.resumed }),
      ...(run.unsorted.length > 0 && { unsorted: run.unsorted }),
    },
    remarks: lacks(run),
  });
}

const isResumed = ({ executions, profiles }: Resumed): boolean => executions + profiles > 0;

const shownFiles = 3;

/** Why no request was judged, and what to do about it. */
function nothing({ requests, foreign, unrecorded, otherBaseUrls = [] }: RecordedRun): string[] {
  if (requests + unrecorded > 0) return [];
  if (otherBaseUrls.length > 0)
    return [`The requests went to ${otherBaseUrls.join(', ')}: give that as the base URL, or none.`];
  const { operations, readOperation } = contract();
  return [
    foreign > 0
      ? `None of the requests has a path of the contract, such as ${operations[readOperation].path}.`
      : 'No request was seen.',
  ];
}

/** Remarks on what kept the recording from being judged completely. */
function lacks(run: RecordedRun): string[] {
  const { unrecorded, unreadable, resumed, unsorted } = run;
  const went = [
    ...(resumed.executions > 0 ? [plural(resumed.executions, 'execution')] : []),
    ...(resumed.profiles > 0 ? [plural(resumed.profiles, 'profile')] : []),
  ].join(' and ');
  return [
    ...nothing(run),
    ...(unrecorded > 0
      ? [
          `${unrecorded === 1 ? '1 request was' : `${unrecorded} requests were`} left out: a body, or an id in it or in the path, was not recorded, or the answer came from a cache, or from something that stood in for the service for a while.`,
        ]
      : []),
    ...(unreadable.count > 0
      ? [
          `${unreadable.count === 1 ? '1 entry is' : `${unreadable.count} entries are`} not an exchange and left out: ${unreadable.first.map((text) => text.replace(/\.$/, '')).join('; ')}${unreadable.count > unreadable.first.length ? '; …' : ''}.`,
        ]
      : []),
    ...(went === ''
      ? []
      : [
          `${went} continued after they had been judged (the memory was full, or entries were not in the order of time): rules that need all of their exchanges are inconclusive. Raise --remember, judge the recording in parts, or sort the files.`,
        ]),
    ...(unsorted.length > 0
      ? [
          `Not in the order of time: ${unsorted.slice(0, shownFiles).join(', ')}${unsorted.length > shownFiles ? ` and ${unsorted.length - shownFiles} more` : ''}. Where time goes back within an execution or a profile, its earlier and later exchanges are judged separately.`,
        ]
      : []),
  ];
}

/** Removes what a report adds: the rule's text, `known`, and scripts. */
const unmarked = <Id extends string>({ known: _, ...rule }: RuleVerdict<Id>): RuleVerdict<Id> => {
  const { says: __, source: ___, statements: ____, ...bare } = rule as typeof rule & Partial<Statement>;
  return {
    ...(bare as RuleVerdict<Id>),
    violations: rule.violations.map(({ known: _____, again: ______, ...violation }) => violation),
  };
};

/** Restores the result from its report; `file` names it in errors. Throws a RecordingError for that of a run. */
export function runOf(report: Report, file: string): RecordedRun {
  const { recording, requests } = report;
  if (!isFields(recording))
    throw new RecordingError(
      `${file} is the report of a run; only reports of recordings can be merged: check --recording FILE --report json=${file} writes one.`,
    );
  const from = Date.parse(report.startedAt);
  return {
    preflight: { usable: true },
    // Known failures are marked anew in the report of the whole.
    rules: report.rules.map(unmarked),
    callers: report.callers.map(unmarked),
    gaps: report.gaps,
    transitions: report.transitions,
    exchanges: report.exchanges.map(({ curl, journey, step, ...exchange }) => exchange),
    requests,
    foreign: report.foreign,
    unrecorded: recording.unrecorded,
    unreadable: { count: recording.unreadable ?? 0, first: [] },
    repeated: recording.repeated ?? 0,
    resumed: recording.resumed ?? noneResumed,
    unsorted: recording.unsorted ?? [],
    executionsStarted: report.executionsStarted,
    baseUrls: recording.baseUrls,
    stateful: report.target.stateful,
    ...(requests > 0 && { span: { from, to: from + report.durationMs } }),
  };
}
