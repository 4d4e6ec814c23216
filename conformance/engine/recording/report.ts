/** Makes the report of a recording. */
import { contract } from '../contract.js';
import { mapTexts, signedUrlMask } from '../http/redact.js';
import { plural } from '../report/digest.js';
import { reportOf } from '../report/json.js';
import type { Conclusion } from '../rule/verdicts.js';
import { suite } from '../suite.js';
import type { Report, ReportedOptions } from '../vocabulary/report.js';
import type { Body } from '../vocabulary.js';
import type { RecordedRun, Resumed } from './recorded-run.js';

export function assembleRecording(run: RecordedRun, conclusion: Conclusion, options: ReportedOptions = {}): Report {
  const signed = signedUrlMask();
  const mask = suite().maskOf(run.exchanges);
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
    callers,
    gaps: masked(run.gaps),
    transitions: run.transitions,
    scenarios: [],
    leftBehind: [],
    requests: run.requests,
    executionsStarted: run.executionsStarted,
    foreign: run.foreign,
    recording: {
      baseUrls: run.baseUrls,
      unrecorded: run.unrecorded,
      ...(run.unreadable.count > 0 && { unreadable: run.unreadable.count }),
      ...(run.repeated > 0 && { repeated: run.repeated }),
      ...(isAny(run.resumed) && { resumed: run.resumed }),
      ...(run.histories.length > 0 && { histories: run.histories }),
    },
    remarks: lacks(run),
  });
}

const isAny = ({ executions, profiles }: Resumed): boolean => executions + profiles > 0;

const named = ({ executions, profiles }: Resumed): string => {
  const all = [
    ...(executions > 0 ? [plural(executions, 'execution')] : []),
    ...(profiles > 0 ? [plural(profiles, 'profile')] : []),
  ];
  return `${all.join(' and ')} ${executions + profiles === 1 ? 'was' : 'were'}`;
};

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
  const { unrecorded, unreadable, resumed } = run;
  return [
    ...nothing(run),
    ...(unrecorded > 0
      ? [
          `${unrecorded === 1 ? '1 request was' : `${unrecorded} requests were`} left out: a body, or an id in it or in the path, was not recorded, or the answer came from a cache, or from something that stood in for the service for a while.`,
        ]
      : []),
    ...(unreadable.count > 0
      ? [
          `${unreadable.count === 1 ? '1 entry is' : `${unreadable.count} entries are`} not an exchange and left out: ${unreadable.first
            .slice(0, 3)
            .map((text) => text.replace(/\.$/, ''))
            .join('; ')}${unreadable.count > 3 ? '; …' : ''}.`,
        ]
      : []),
    ...(isAny(resumed)
      ? [
          `${named(resumed)} not judged as a whole, so rules that need all exchanges of one are inconclusive: each continued after it had been judged (the memory was full, or entries were not in the order of time), or is in several parts. Raise --remember, sort the files, or cut the recording by execution and profile.`,
        ]
      : []),
  ];
}
