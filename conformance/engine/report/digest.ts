import { contract, type OperationId, type RuleId } from '../contract.js';
import { memoize, once } from '../memoize.js';
import { byKey } from '../rule/values.js';
import { judgedOf } from '../rule/violations.js';
import type { Cost, Report, ReportedExchange, RuleVerdict, Violation } from '../vocabulary/report.js';
import { changesSummary } from './compare.js';

/** Figures, sentences and reasons that all formats share. Texts of the target are not escaped here. */
export type AnyVerdict = RuleVerdict<string>;

/** How often a rule was broken, in all ways. */
export const violationCount = ({ operations, violations }: AnyVerdict): number =>
  Object.values(operations).reduce((sum, row) => sum + row.violations, 0) +
  violations.reduce((sum, { operation, count }) => sum + (operation === null ? count : 0), 0);

/** How often a violation occurred: `193 of 210 times`; empty if there was but one chance. */
function frequency({ operation, count }: Violation, { operations }: AnyVerdict): string {
  const of = (operation && operations[operation]?.observations) || 0;
  if (of > 1 && of >= count) return `${thousands(count)} of ${plural(of, 'time')}`;
  return count > 1 ? plural(count, 'time') : '';
}

/** Whether a violation showed again when it was sent again; empty for a recording. */
export const repetition = ({ repeated, notRepeated }: Violation): string =>
  repeated === undefined
    ? ''
    : { reproduced: 'reproduced', 'once-of-two': 'seen once of two', 'not-repeated': `not repeated: ${notRepeated}` }[
        repeated
      ];

/** Where and how often a violation occurred: `on deleteThing, 193 of 210 times, known, reproduced`. */
export const violationScope = (violation: Violation, rule: AnyVerdict): string =>
  [
    violation.operation ? `on ${violation.operation}` : '',
    frequency(violation, rule),
    violation.known ? 'known' : '',
    repetition(violation),
  ]
    .filter(Boolean)
    .join(', ');

const byId = memoize((report: Report) => new Map(report.exchanges.map((exchange) => [exchange.id, exchange])));

export const shownBy = ({ exchanges }: Violation, report: Report): ReportedExchange[] =>
  exchanges.flatMap((id) => byId(report).get(id) ?? []);

/** The rules of a report, grouped for readers. */
interface Digest {
  /** Broken rules that fail the run. */
  readonly failures: readonly AnyVerdict[];
  /** Broken rules that do not fail the run. */
  readonly warnings: readonly AnyVerdict[];
  /** Broken or inconclusive rules that are in the baseline. */
  readonly known: readonly AnyVerdict[];
  readonly inconclusive: readonly Reason[];
  readonly untested: readonly Reason[];
  readonly notApplicable: readonly Reason[];
  /** Caller rules that a recording shows violated. */
  readonly callers: readonly AnyVerdict[];
}

export interface Reason {
  readonly why: string;
  readonly rules: readonly AnyVerdict[];
}

/** A reason as it reads for several rules. */
export const ofRules = (why: string, ids: readonly string[]): string =>
  why.replace('judge it,', ids.length > 1 ? 'judge them,' : 'judge it,').replace('only ID ', `only ${ids.join()} `);

export function digest(report: Report, { strict = false } = {}): Digest {
  const broken = report.rules.filter(({ verdict }) => verdict === 'violated');
  const fails = ({ level, known }: AnyVerdict) => !known && (strict || level === 'MUST');
  const reasons = (wanted: AnyVerdict['verdict']): Reason[] => {
    const news = report.rules.filter(({ verdict, known }) => verdict === wanted && !known);
    const idsOf = (rules: readonly AnyVerdict[]) => rules.map(({ id }) => id);
    return [...byKey(news, ({ id, why }) => why.replace(`only ${id} `, 'only ID '))]
      .map(([why, rules]) => ({ why: ofRules(why, idsOf(rules)), rules }))
      .sort((a, b) => b.rules.length - a.rules.length);
  };
  return {
    failures: broken.filter(fails),
    warnings: broken.filter((rule) => !rule.known && !fails(rule)),
    known: report.rules.filter(({ known }) => known),
    inconclusive: reasons('inconclusive'),
    untested: reasons('untested'),
    notApplicable: reasons('not-applicable'),
    callers: report.callers.filter(({ verdict }) => verdict === 'violated'),
  };
}

/** The text of a rule in openapi/rules.yaml. */
export interface Statement {
  readonly says: string;
  readonly source: string;
  readonly statements: readonly string[];
  readonly on: readonly OperationId[];
}

const statements = once(
  () => new Map<string, Statement>([...contract().rules, ...contract().callers].map((rule) => [rule.id, rule])),
);

/** The text of a rule; undefined for a rule of another version. */
export const statement = (id: RuleId | (string & {})) => statements().get(id);

/** The statements that a rule rests on, and whether each is stated, implied or open. */
export const standings = ({ statements: ids }: Statement) =>
  contract()
    .statements.filter(({ id }) => ids.includes(id))
    .map(({ id, standing, says }) => ({ id, standing, says }));

export const statementsText = (rule: Statement): string =>
  standings(rule)
    .map(({ id, standing }) => `${id} (${standing})`)
    .join(', ');

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${thousands(count)} ${count === 1 ? one : many}`;

/** A whole number with separators: `12,345`. Intl would take longer to load than most of a plan. */
export const thousands = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** A duration in words: `8 ms`, `9.3 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export const addresses = ({ recording, target }: Report): readonly string[] =>
  recording ? recording.baseUrls : [target.baseUrl];

export const subject = (report: Report): string => addresses(report).join(', ') || 'a recording';

/** The requests of a violation as `curl` lines, in the order in which they were sent. */
export const curlLines = (violation: Violation, report: Report): string =>
  shownBy(violation, report)
    .toSorted((a, b) => a.id - b.id)
    .map(({ curl }) => curl)
    .join('\n');

/** The command that repeats a violation: a `curl` line, or `--again` where it takes several requests. */
export function repeating(violation: Violation, report: Report): string {
  const { command, repeat = '--again report.json  # after a run with --report json=report.json' } = report.options;
  const isOne = violation.exchanges.length === 1 || command === undefined || report.recording !== undefined;
  return isOne ? curlLines(violation, report) : `${command} ${repeat}`;
}

/** The path and query of a request to the target; else the whole URL. */
export function pathOf({ request: { url } }: ReportedExchange, report: Report): string {
  const base = addresses(report).find((address) => address !== '' && url.startsWith(`${address}/`)) ?? '';
  return url.slice(base.length);
}

/** `GET /agents/things → 404, 8 ms`. */
export const callText = (one: ReportedExchange, report: Report): string =>
  `${one.request.method} ${pathOf(one, report)} → ${outcome(one)}`;

/** The scenario and step: `start/rich`; empty in a recording. */
export const stepName = ({ scenario, step }: ReportedExchange): string => (step === '' ? '' : `${scenario}/${step}`);

/** The answer in short: `404, 8 ms`. */
export const outcome = ({ response, failure, durationMs }: ReportedExchange): string =>
  `${response ? response.status : `no answer: ${failure?.message ?? 'none recorded'}`}, ${duration(durationMs)}`;

const titles = {
  conformant: 'Conformant',
  nonconformant: 'Nonconformant',
  incomplete: 'Incomplete',
  unusable: 'Unusable',
} as const;

/** The verdict as a title and as a sentence; `line` is both. */
interface Headline {
  readonly title: string;
  readonly sentence: string;
  readonly line: string;
}

/** A target with untested rules is conformant so far. */
export function headline(report: Report, options: { strict?: boolean } = {}): Headline {
  const { verdict, reason, rules, changes, statesNotSeen = [] } = report;
  const news = changes ? `${changesSummary(changes)}.` : '';
  if (verdict === 'unusable') {
    const sentence = `Nothing was judged. ${news}`.trimEnd();
    return { title: titles.unusable, sentence, line: `${titles.unusable}: ${sentence} ${reason}`.trimEnd() };
  }
  const found = digest(report, options);
  const count = (reasons: readonly Reason[]) => reasons.flatMap((one) => one.rules).length;
  const [broken, warnings, known] = [found.failures.length, found.warnings.length, found.known.length];
  const [unclear, untested, others] = [count(found.inconclusive), count(found.untested), count(found.notApplicable)];
  const partly = known > 0 ? 'no new failure' : warnings > 0 ? 'no MUST violated' : 'none violated';
  const isConformant = verdict === 'conformant';
  const figures = [
    isConformant && `${judgedOf(rules)} of ${plural(rules.length, 'rule')} judged, ${partly}`,
    broken > 0 && `${plural(broken, 'rule')} violated${causeCountSuffix(failuresByCause(report, options))}`,
    unclear > 0 && `${unclear} inconclusive`,
    !isConformant && `${plural(rules.filter((rule) => rule.verdict === 'passed').length, 'rule')} passed`,
    warnings > 0 && plural(warnings, 'warning'),
    known > 0 && plural(known, 'known failure'),
    untested > 0 && !isConformant && `${untested} untested`,
    others > 0 && `${others} not applicable`,
    statesNotSeen.length > 0 && `${statesNotSeen.length} of ${contract().states.length} states not exercised`,
  ].filter(Boolean);
  const outdated = outdatedText(report);
  const isOutdated = outdated !== undefined && broken === 0 && reason === '';
  const title = isOutdated ? outdatedTitle : isConformant && untested > 0 ? 'Conformant so far' : titles[verdict];
  const sentence = [
    isOutdated && outdated,
    figures.length > 0 && `${figures.join(', ')}.`,
    outdated && !isOutdated && `${outdatedTitle}: ${outdated}`,
    news,
  ]
    .filter(Boolean)
    .join(' ');
  return { title, sentence, line: `${title}: ${sentence}`.trimEnd() };
}

const outdatedTitle = 'Baseline out of date';

/** Which entries of the baseline are to be removed, and why. */
export const outdatedText = ({ stale = [] }: Report): string | undefined =>
  stale.length > 0 ? `${stale.join('; ')}. Remove ${stale.length === 1 ? 'its entry' : 'their entries'}.` : undefined;

/** Rules that fail the run, grouped by probable cause. */
export interface FailureGroup {
  /** `3 rules, one probable cause: …`; empty for a single rule. */
  readonly title: string;
  readonly rules: readonly AnyVerdict[];
}

/** The failures by probable cause, the one that explains most first. Each rule is in one group. */
export function failuresByCause(report: Report, options: { strict?: boolean }): readonly FailureGroup[] {
  let left = digest(report, options).failures;
  const groups = (report.causes ?? []).map(({ what, rules }): FailureGroup => {
    const mine = left.filter(({ id }) => rules.includes(id));
    left = left.filter((rule) => !mine.includes(rule));
    return {
      title: mine.length > 1 ? `Probably one cause (${plural(mine.length, 'rule')}): ${what}` : '',
      rules: mine,
    };
  });
  return [...groups, ...left.map((rule) => ({ title: '', rules: [rule] }))].filter(({ rules }) => rules.length > 0);
}

/** A suffix for the number of violated rules, if several have one cause. */
export function causeCountSuffix(groups: readonly FailureGroup[]): string {
  if (groups.every(({ title }) => title === '')) return '';
  return groups.length === 1 ? ', one probable cause' : `, ${groups.length} probable causes`;
}

/** What the verdict rests on besides the figures: why the run ended as it did, and what made it smaller. */
export const groundsOf = ({ reason, verdict, target: { smaller = [] } }: Report): string =>
  [
    ...(verdict !== 'unusable' && reason ? [reason] : []),
    ...(smaller.length > 0 ? [`The run was smaller than the target file allows: ${smaller.join(', ')}.`] : []),
  ].join(' ');

/** A cost in words. */
export const costText = ({ known, others }: Cost): string =>
  `${Number(known.toFixed(2))}${others > 0 ? `, plus ${plural(others, 'execution')} whose cost is not declared` : ''}`;

/** What the run was allowed to do, and took; for a recording, what it contained. */
export const runSummary = (report: Report): string[] => [
  ...(report.recording
    ? [`${plural(report.requests, 'request')} judged`]
    : [
        `allow ${report.target.allow}${report.target.stateful ? '' : ', stateless'}`,
        plural(report.requests, 'request'),
        `${plural(report.executionsStarted, 'execution')} started${report.cost ? ` at a cost of ${costText(report.cost)}` : ''}`,
        report.longestWaitMs > 0
          ? `took ${duration(report.durationMs)} (${duration(report.longestWaitMs)} waiting)`
          : `took ${duration(report.durationMs)}`,
        ...(report.seed === undefined ? [] : [`seed ${report.seed} (repeat with --seed)`]),
      ]),
  ...(report.foreign > 0 ? [`${plural(report.foreign, 'request')} of other APIs or base URLs ignored`] : []),
  ...(report.recording?.unrecorded
    ? [`${plural(report.recording.unrecorded, 'request')} recorded incompletely, not judged`]
    : []),
  ...(report.recording?.repeated ? [`${plural(report.recording.repeated, 'duplicate')} judged once`] : []),
];

/** Up to this many operations with the same value are named. */
const mostNamed = 2;

/** The observations of a gap, with equal values of several operations combined: `no, on 7 operations`. */
export function grouped(observed: readonly string[]): string[] {
  const by = new Map<string, string[]>();
  const lines: string[] = [];
  for (const value of observed) {
    const [, operation, what] = /^(\w+): (.*)$/s.exec(value) ?? [];
    if (operation === undefined || what === undefined || !contract().operationIds.some((id) => id === operation))
      lines.push(value);
    else by.set(what, [...(by.get(what) ?? []), operation]);
  }
  return [
    ...lines,
    ...[...by].flatMap(([what, on]) =>
      on.length > mostNamed ? [`${what}, on ${on.length} operations`] : on.map((operation) => `${operation}: ${what}`),
    ),
  ];
}
