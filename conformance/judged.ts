import type { Rule, RuleId } from '../generated/rules.js';
import { deprecatedCalls } from './engine/http/address.js';
import { bodyExcerpt } from './engine/http/body.js';
import { mapTexts, shortestSearched, signedUrlMask } from './engine/http/redact.js';
import { memoizeText } from './engine/memoize.js';
import { excluded, replacedRemarks, unknownKeyRemark, withoutExcluded } from './engine/outcome/excluded.js';
import { withMeasuredLatency } from './engine/outcome/latency.js';
import { lasting, sendsOtherThanJson } from './engine/outcome/read.js';
import { findings, judgeAll, withAdvice } from './engine/rule/verdicts.js';
import { stepOf } from './engine/rule/violations.js';
import type { Target } from './engine/send/request-spec.js';
import { declares } from './engine/settings/needs.js';
import type { RuleVerdict, Run } from './engine/vocabulary/report.js';
import type { Body, Evidence, Exchange, Facts, Finding, Halted } from './engine/vocabulary.js';
import { clocksApart, withoutTimes } from './suite/executions/clocks.js';
import { statesNotSeen, transitions } from './suite/executions/gaps.js';
import type { Chosen } from './suite/executions/steps.js';
import { judges, observe } from './suite/judges.js';
import { type MissingId, missingIds } from './suite/missing-ids.js';
import { maskOf, noMask } from './suite/profiles/mask.js';
import { namesOf, stepsFor } from './suite/scenarios.js';
import type { Session } from './suite/session.js';
import { untestedIfUnsuited } from './suite/unsuited.js';
import { gather } from './suite/views.js';
import { whyLeftOut } from './suite/wanted.js';

/** Judges the evidence of a run. What was found of earlier exchanges does not count again. */
export function judged(
  { target, exchanges, earlier }: Session,
  evidence: Evidence,
  selected: readonly Rule[],
  halts: readonly Halted[],
  chosen: Chosen,
): Pick<Run, 'rules' | 'gaps' | 'transitions' | 'statesNotSeen' | 'steps' | 'remarks'> & {
  /** What was found on a rule. */
  findingsOf(rule: string): readonly Finding[];
} {
  const { facts } = target;
  const missing = missingIds(evidence, facts);
  const exclusions = [...missing, ...excluded(evidence)];
  const apart = clocksApart(evidence);
  const isUnread = (one: Exchange) => sendsOtherThanJson(one) && one.response?.body.kind !== 'not-json';
  const unread = { exchanges: evidence.exchanges.filter(isUnread), reason: '' };
  const included = withoutExcluded(evidence, [...exclusions, unread]);
  const withClocks: <E extends Evidence>(of: E) => E = apart === undefined ? (of) => of : withoutTimes;
  const sent = namesOf(exchanges);
  const judgedBy = [withClocks(included), withMeasuredLatency(facts, evidence.exchanges)] as const;
  const verdicts = judgeAll(judges, ...judgedBy, selected, {
    halts,
    leftOut: whyLeftOut({ chosen, sent, halts, facts }),
    since: earlier.at(-1)?.id,
  });
  const withSteps = (rule: RuleVerdict): RuleVerdict => {
    const notSent = rule.verdict === 'untested' ? stepsFor(rule.id).filter((step) => !sent.has(step)) : [];
    return notSent.length > 0 ? { ...rule, notSent } : rule;
  };
  return {
    rules: verdicts.map((rule, place) => {
      const { needs = [], where } = selected[place] ?? {};
      const asked = facts.gentle ? gently(rule, where !== undefined) : rule;
      const suited = untestedIfUnsuited(
        withoutIds(withoutKey(asked, target), needs, missing, facts),
        needs,
        evidence,
        facts,
      );
      return withSteps(withWayOut(suited));
    }),
    gaps: observe(evidence, facts),
    transitions: transitions(evidence),
    statesNotSeen: facts.stateful ? statesNotSeen(evidence, facts) : [],
    steps: Object.fromEntries(
      lasting(included.exchanges).flatMap(({ id, mark, response }) => (mark && response ? [[stepOf(mark), id]] : [])),
    ),
    findingsOf: (rule) => {
      const judge = judges[rule as RuleId];
      return judge ? findings(judge, ...judgedBy) : [];
    },
    remarks: [
      ...exclusions.map(({ reason }) => reason),
      ...replacedRemarks(evidence.exchanges),
      ...(apart === undefined ? [] : [apart]),
      ...unknownKeyRemark(evidence.exchanges),
      ...deprecatedCalls(evidence.exchanges).map((call) => `${call} is deprecated: callers should not send it.`),
    ],
  };
}

/** Says what to do. A verdict that is inconclusive may be a matter of the moment. */
const withWayOut = (rule: RuleVerdict): RuleVerdict =>
  withAdvice(
    rule,
    rule.verdict === 'inconclusive' ? `run --only ${rule.id} when nothing else uses the service` : undefined,
  );

/** If the key is too short to search for, it is unknown whether answers repeat it. */
const withoutKey = (rule: RuleVerdict, { keys }: Target): RuleVerdict =>
  rule.id === 'no-secrets-in-responses' && rule.verdict === 'passed' && (keys.primary ?? '').length < shortestSearched
    ? {
        ...rule,
        verdict: 'untested',
        why: `The key is too short to search answers for it: it needs at least ${shortestSearched} characters.`,
      }
    : rule;

/** Rules for which a gentle run sends nothing, or too little. */
function gently(rule: RuleVerdict, mayBeAbsent: boolean): RuleVerdict {
  const isOpen = rule.verdict === 'inconclusive' || (mayBeAbsent && rule.verdict === 'untested' && !rule.missing);
  if (!isOpen || rule.observations > 0) return rule;
  return rule.unclear
    ? { ...rule, verdict: 'untested', why: `${rule.why} A run without --gentle sends more.` }
    : { ...rule, verdict: 'untested', why: '', advice: 'leave out --gentle' };
}

/** Explains rules that were not judged because no declared id of a need exists. A pool is deleted by the run that uses it. */
function withoutIds(rule: RuleVerdict, needs: Rule['needs'], missing: readonly MissingId[], facts: Facts): RuleVerdict {
  const names = missing.map(({ declaredAs }) => declaredAs);
  const lacking = needs.flatMap((need) => {
    const ways = need.split('|').filter((one) => declares(facts, one));
    const wrong = names.filter((name) => ways.some((one) => name === one || name.startsWith(`${one}.`)));
    return ways.length <= wrong.length ? wrong : [];
  });
  const isOpen = rule.verdict === 'inconclusive' || (rule.verdict === 'untested' && !rule.advice);
  if (!isOpen || lacking.length === 0) return rule;
  if (lacking.includes('pool')) {
    const advice = 'declare one that is created for each run';
    return { ...rule, verdict: 'untested', why: 'The pool does not exist (any more).', advice };
  }
  const advice = `correct ${lacking.join(' and ')} in the target file: the service has nothing with this id`;
  return { ...rule, why: '', advice };
}

// Redacts a run and limits its lists, after it has been judged.

/** A target may return lists of any length. */
const mostListed = 100;
const atMost = (all: readonly string[]): readonly string[] =>
  all.length > mostListed ? [...all.slice(0, mostListed), `and ${all.length - mostListed} more`] : all;

export function withoutSecrets(run: Run, { recorder, failedWaits }: Session, showValues: boolean): Run {
  const { redactor } = recorder;
  const mask = showValues ? noMask : maskOf(run.evidence.exchanges);
  const signed = showValues ? (plain: string) => plain : signedUrlMask();
  const text = memoizeText((plain) => signed(redactor.text(mask.text(plain))));
  const outside = memoizeText((plain) => signed(redactor.text(plain)));
  const clean = <T>(value: T): T => mapTexts(value, text) as T;
  const shown = (body: Body): Body => {
    if (body.kind === 'json') return bodyExcerpt({ ...body, value: clean(mask.inPlace(body.value)) });
    return body.kind === 'not-json' ? { ...body, text: clean(body.text), error: clean(body.error) } : body;
  };
  // Profile values are in bodies. The same text in a URL or a header is a coincidence.
  const around = <T extends { readonly body: Body }>({ body, ...rest }: T) => ({
    ...(mapTexts(rest, outside) as typeof rest),
    body: shown(body),
  });
  const exchanges = run.evidence.exchanges.map(({ id, request, response, failure, ...rest }) => ({
    id,
    ...rest,
    request: around(request),
    ...(response && { response: around(response) }),
    ...(failure && { failure: mapTexts(failure, outside) as typeof failure }),
  }));
  return {
    ...run,
    evidence: gather(exchanges, failedWaits),
    preflight: clean(run.preflight),
    rules: run.rules.map((rule) => ({ ...rule, why: clean(rule.why), violations: clean(rule.violations) })),
    gaps: run.gaps.map((gap) => ({ ...gap, observed: clean(atMost(gap.observed)) })),
    transitions: clean(run.transitions.slice(0, mostListed)),
    leftBehind: clean(run.leftBehind),
    remarks: clean(run.remarks),
  };
}
