/** Adds findings up to verdicts. */

import { contract, type OperationId, type Rule, type RuleId } from '../contract.js';
import { lasting } from '../outcome/read.js';
import { type BaselineEntry, compareWithBaseline, compareWithPins, type Pins } from '../settings/baseline.js';
import { SettingsError } from '../settings/file.js';
import { allowMore, missingNeeds, missingNeedsAdvice, needsCopy } from '../settings/needs.js';
import type { Preflight, Report, RuleVerdict, Verdict, Violation } from '../vocabulary/report.js';
import type { Evidence, Facts, Finding, Halted, Judge, Judgement } from '../vocabulary.js';
import {
  byPlace,
  comparePlaces,
  compareTexts,
  expectation,
  judgedOf,
  mergedViolation,
  nameOf,
  signatureOf,
} from './violations.js';

export const maxExchanges = 5;
/** A limit of memory: a service that violates a rule in more ways makes them up. */
const mostWays = 500;

export function findings(judge: Judge, evidence: Evidence, facts: Facts): Finding[] {
  const found: Finding[] = [];
  const add = (judgement: Judgement) => {
    if (judgement) found.push(...('kind' in judgement ? [judgement] : judgement));
  };
  if (judge.exchange) for (const one of lasting(evidence.exchanges)) add(judge.exchange(one, facts));
  if (judge.trace) for (const trace of evidence.traces) add(judge.trace(trace, facts));
  if (judge.profile) for (const history of evidence.profiles) add(judge.profile(history, facts));
  add(judge.run?.(evidence, facts));
  return found;
}

/** The origin of the evidence: a run (with the reasons why scenarios ended early) or a recording. */
interface Source {
  readonly driven: boolean;
  readonly halts?: readonly Halted[];
  /** The advice, if the budget left out what could have shown a rule of which nothing was seen. */
  leftOut?(rule: string, isUnexplained: boolean): string | undefined;
}

/** What a verdict depends on besides the findings. */
type Judged = Pick<Rule, 'on' | 'level' | 'stateless' | 'needs' | 'effect' | 'where'>;

type Inconclusive = Extract<Finding, { kind: 'inconclusive' }>;

/** Adds findings up to a verdict. The result is the same in whichever order and parts they come. */
export class Tally {
  readonly #operations = new Map<OperationId, { observations: number; violations: number }>();
  readonly #violations = new Map<string, Violation>();
  #kept: readonly number[] = [];
  #doubt: Inconclusive | undefined;
  #unclear = 0;
  #observations = 0;

  /** Returns whether the verdict may show its exchanges. */
  add(finding: Finding): boolean {
    const { operation, exchanges } = finding;
    if (finding.kind === 'inconclusive') {
      this.#unclear += 1;
      return this.#addDoubt(finding);
    }
    this.#observations += 1;
    if (operation) this.#addTo(operation, 1, finding.kind === 'satisfied' ? 0 : 1);
    if (finding.kind === 'satisfied') return this.#addSatisfied(exchanges);
    const { expected, faults } = finding;
    const violations = faults.map((fault): Violation => {
      return {
        signature: signatureOf(expected, fault),
        expected,
        actual: fault.actual,
        operation: operation ?? null,
        count: 1,
        exchanges: exchanges.slice(0, maxExchanges),
        others: [],
      };
    });
    return violations.map((one) => this.#addViolation(one)).some(Boolean);
  }

  #addTo(operation: OperationId, observations: number, violations: number): void {
    const row = this.#operations.get(operation);
    if (row) {
      row.observations += observations;
      row.violations += violations;
    } else this.#operations.set(operation, { observations, violations });
  }

  #addDoubt(doubt: Inconclusive): boolean {
    if (this.#doubt && byInconclusive(this.#doubt, doubt) <= 0) return false;
    this.#doubt = doubt;
    return true;
  }

  #addSatisfied(exchanges: readonly number[]): boolean {
    const last = this.#kept[maxExchanges - 1];
    if (last !== undefined && Math.min(...exchanges) >= last) return false;
    this.#kept = [...new Set([...this.#kept, ...exchanges])].sort((a, b) => a - b).slice(0, maxExchanges);
    return true;
  }

  #addViolation(violation: Violation): boolean {
    const name = nameOf(violation);
    const earlier = this.#violations.get(name);
    if (!earlier && this.#violations.size === mostWays) return false;
    const now = earlier ? mergedViolation(earlier, violation) : violation;
    this.#violations.set(name, now);
    const [first = 0] = violation.exchanges;
    return now.others.includes(first) || now.exchanges[0] === first;
  }

  verdict<Id extends string>(rule: Judged & { readonly id: Id }, facts: Facts, from: Source): RuleVerdict<Id> {
    const violations = [...this.#violations.values()].sort(byPlace);
    const [violation] = violations;
    const [verdict, why, advice] = this.#conclude(rule, facts, from, violation);
    // If a rule does not apply, its findings do not count: no report may call it satisfied or violated.
    const applies = verdict !== 'not-applicable';
    const doubt = this.#doubt?.exchanges;
    const missing = from.driven && verdict === 'untested' ? missingNeeds(rule, facts) : [];
    const shown = { violated: violation?.exchanges, inconclusive: doubt, untested: doubt, passed: this.#kept };
    return {
      id: rule.id,
      level: rule.level,
      verdict,
      observations: applies ? this.#observations : 0,
      ...(this.#unclear > 0 && { unclear: this.#unclear }),
      why,
      ...(advice && { advice }),
      ...(missing.length > 0 && { missing }),
      exchanges: (shown[verdict as keyof typeof shown] ?? []).slice(0, maxExchanges),
      violations: verdict === 'violated' ? violations : [],
      operations: applies ? this.#byOperation() : {},
    };
  }

  #byOperation(): RuleVerdict['operations'] {
    return Object.fromEntries(
      contract().operationIds.flatMap((id) => {
        const row = this.#operations.get(id);
        return row ? [[id, row]] : [];
      }),
    );
  }

  #conclude(
    rule: Judged & { readonly id: string },
    facts: Facts,
    { driven, halts = [], leftOut }: Source,
    violation: Violation | undefined,
  ): [verdict: Verdict, why: string, advice?: string | undefined] {
    const doubt = this.#doubt;
    if (!facts.stateful && !rule.stateless) return ['not-applicable', 'The target keeps no state (stateful: false).'];
    if (violation || !driven || (this.#observations > 0 && !doubt))
      return verdictFromCounts(violation, this.#observations, doubt?.why);
    const missing = missingNeedsAdvice(rule, facts);
    if (missing) return ['untested', '', missing];
    const stops = halts.filter(
      ({ need }) => need === undefined || rule.needs?.some((one) => one.split('|').includes(need)),
    );
    const copies = stops.find(({ spent }) => spent === 'copies');
    if (copies && !doubt) return ['untested', copies.why, needsCopy(rule)];
    const { places = 0 } = facts.budget;
    if (stops.some(({ spent }) => spent === 'places')) return ['untested', '', allowMore(places, 'places')];
    // A spent budget is no reason by itself: `notSent` says which further steps might show more.
    const reasons = stops.flatMap(({ why, spent }) => (spent === 'executions' ? [] : why));
    const isUnexplained = !doubt && !rule.where && reasons.length === 0;
    const left = this.#observations === 0 ? leftOut?.(rule.id, isUnexplained) : undefined;
    if (left) return ['untested', '', left];
    if (doubt) return ['inconclusive', doubt.why, doubt.advice];
    if (rule.where && reasons.length === 0) return ['untested', `The target showed no ${rule.where}.`];
    const why = ['No request in this run exercised this rule.', ...reasons].join(' ');
    return ['inconclusive', why, stops.find(({ advice }) => advice)?.advice];
  }
}

/** Adds to the reason what to do. */
export function withAdvice({ advice, ...rule }: RuleVerdict, usual?: string): RuleVerdict {
  const wayOut = advice ?? usual;
  return wayOut === undefined ? rule : { ...rule, why: `${rule.why} To judge it, ${wayOut}.`.trimStart() };
}

const byInconclusive = (a: Inconclusive, b: Inconclusive): number =>
  comparePlaces(a.exchanges, b.exchanges) || compareTexts(a.why, b.why);

/** The verdict from counts alone, for recordings and where nothing more could have been sent. */
export function verdictFromCounts(
  violation: Violation | undefined,
  observations: number,
  doubt?: string,
): [Verdict, string] {
  if (violation) return ['violated', expectation(violation)];
  if (observations > 0 && doubt === undefined) return ['passed', ''];
  return ['untested', doubt ?? 'No exchange is about this.'];
}

export function judgeAll(
  judges: Readonly<Record<RuleId, Judge>>,
  evidence: Evidence,
  facts: Facts,
  rules: readonly Rule[],
  { since = 0, ...from }: Omit<Source, 'driven'> & { readonly since?: number | undefined } = {},
): RuleVerdict[] {
  return rules.map((rule) => {
    const tally = new Tally();
    for (const finding of findings(judges[rule.id], evidence, facts))
      if (since === 0 || (finding.exchanges[0] ?? 0) > since) tally.add(finding);
    return tally.verdict(rule, facts, { driven: true, ...from });
  });
}

/** On an unusable target, nothing passes. */
export const unusableVerdicts = (rules: readonly Rule[], reason: string): RuleVerdict[] =>
  rules.map(({ id, level }) => ({
    id,
    level,
    verdict: 'untested',
    observations: 0,
    why: reason,
    exchanges: [],
    violations: [],
    operations: {},
  }));

// Turns verdicts on rules, and the demands of the user, into the verdict of the run.

export interface Demands {
  /** A violated SHOULD, or a difference from the pins, fails the run too. */
  readonly strict?: boolean;
  /** An untested rule makes the run incomplete. */
  readonly requireAll?: boolean;
  /** Fewer judged rules make the run incomplete: `60`, or `50%` of those that apply to the target. */
  readonly minJudged?: string;
  readonly baseline?: readonly BaselineEntry[];
  readonly pins?: Pins;
  /** A date such as `2027-01-31`, in UTC, against which expiry dates in the baseline are compared. */
  readonly today: string;
}

/** The verdict of a run, with `exitCode` as in docs/check.md. The reason adds to the numbers of the summary. */
export interface Conclusion extends Pick<Report, 'verdict' | 'reason' | 'rules' | 'stale' | 'remarks' | 'sincePins'> {
  readonly exitCode: 0 | 1 | 3 | 4;
}

export interface Outcome {
  readonly preflight: Preflight;
  readonly rules: readonly RuleVerdict[];
  readonly gaps: Report['gaps'];
  readonly steps?: Report['steps'];
  /** The options that made the run smaller than the target file. */
  readonly smaller?: readonly string[];
  /** Why the run ended early: "the run was stopped before its end". */
  readonly stopped?: string;
}

/** Precedence: unusable, nonconformant, incomplete, conformant. */
export function conclude(outcome: Outcome, demands: Demands): Conclusion {
  const { preflight, gaps, stopped } = outcome;
  // A run that was stopped during the preflight says nothing about the target.
  if (!preflight.usable && stopped === undefined)
    return { verdict: 'unusable', exitCode: 4, reason: preflight.reason, rules: outcome.rules, remarks: [] };

  const { steps, smaller } = outcome;
  const { rules, stale, remarks } = compareWithBaseline(outcome.rules, demands.baseline ?? [], demands.today, {
    ...(steps && { steps }),
    isWhole: !smaller && stopped === undefined,
  });
  const pinned = demands.pins && compareWithPins(gaps, demands.pins);
  const differences = pinned?.differences ?? [];
  const common = {
    rules,
    remarks,
    ...(stale.length > 0 && { stale }),
    ...(pinned && { sincePins: [...differences.map((text) => `${text}.`), ...pinned.remarks] }),
  };

  const { strict = false, requireAll = false } = demands;
  const of = (wanted: RuleVerdict['verdict']) => rules.filter(({ verdict }) => verdict === wanted);
  const broken = of('violated').filter(({ known, level }) => !known && (strict || level === 'MUST'));
  const faults = strict && differences.length > 0 ? [`not as pinned (--strict): ${differences.join('; ')}`] : [];
  if (broken.length + stale.length + faults.length > 0)
    return { ...common, verdict: 'nonconformant', exitCode: 1, reason: sentence(faults) };

  const omissions = [
    ...(stopped === undefined ? [] : [stopped]),
    ...(requireAll && of('untested').length > 0 ? ['every rule was to be judged (--require-all)'] : []),
    ...tooFew(rules, demands.minJudged),
    ...(judgedOf(rules) === 0 ? ['no rule was judged'] : []),
  ];
  // An inconclusive rule counts only if its violation would fail the run.
  const unclear = of('inconclusive').filter(({ known, level }) => !known && (strict || level === 'MUST'));
  if (unclear.length + omissions.length > 0)
    return { ...common, verdict: 'incomplete', exitCode: 3, reason: sentence(omissions) };
  return { ...common, verdict: 'conformant', exitCode: 0, reason: '' };
}

function tooFew(rules: readonly RuleVerdict[], least: string | undefined): string[] {
  if (least === undefined) return [];
  if (!/^\d+%?$/.test(least))
    throw new SettingsError('conclude', [
      `minJudged is a number of rules or a share, such as 60 or 50%, and not ${JSON.stringify(least)}.`,
    ]);
  const all = rules.filter(({ verdict }) => verdict !== 'not-applicable').length;
  const wanted = least.endsWith('%') ? Math.ceil((all * Number(least.slice(0, -1))) / 100) : Number(least);
  const judged = judgedOf(rules);
  return judged < wanted
    ? [`${judged} of ${all} rules were judged, and ${wanted} were to be (--min-judged ${least})`]
    : [];
}

function sentence(parts: readonly string[]): string {
  const text = parts.join('; ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
