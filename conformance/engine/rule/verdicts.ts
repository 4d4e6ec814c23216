/** Adds findings up to verdicts. */
import { contract, type OperationId, type Rule, type RuleId } from '../contract.js';
import { lasting } from '../outcome/read.js';
import { allowMore, missingNeeds, missingNeedsSentence, needsCopy } from '../settings/needs.js';
import type {
  Evidence,
  Facts,
  Finding,
  Halted,
  Judge,
  Judgement,
  RuleVerdict,
  Verdict,
  Violation,
} from '../vocabulary.js';
import {
  byPlace,
  comparePlaces,
  compareTexts,
  expectation,
  mergedViolation,
  nameOf,
  signatureOf,
} from './violations.js';

export const shownExchanges = 5;
/** A limit of memory: a service that breaks a rule in more ways makes them up. */
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
  /** Why the budget left out what could have shown a rule of which nothing was seen; undefined if it did not. */
  leftOut?(rule: string, isUnexplained: boolean): string | undefined;
}

/** What a verdict depends on besides the findings. */
type Judged = Pick<Rule, 'on' | 'level' | 'stateless' | 'needs' | 'effect' | 'where'>;

type Doubt = Extract<Finding, { kind: 'inconclusive' }>;

/** Adds findings up to a verdict. The result is the same in whichever order and parts they come. */
export class Tally {
  readonly #operations = new Map<OperationId, { observations: number; violations: number }>();
  readonly #violations = new Map<string, Violation>();
  #kept: readonly number[] = [];
  #doubt: Doubt | undefined;
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
        exchanges: exchanges.slice(0, shownExchanges),
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

  #addDoubt(doubt: Doubt): boolean {
    if (this.#doubt && byDoubt(this.#doubt, doubt) <= 0) return false;
    this.#doubt = doubt;
    return true;
  }

  #addSatisfied(exchanges: readonly number[]): boolean {
    const last = this.#kept[shownExchanges - 1];
    if (last !== undefined && Math.min(...exchanges) >= last) return false;
    this.#kept = [...new Set([...this.#kept, ...exchanges])].sort((a, b) => a - b).slice(0, shownExchanges);
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
    const [verdict, why] = this.#conclude(rule, facts, from, violation);
    // If a rule does not apply, its findings do not count: no report may call it kept or broken.
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
      ...(missing.length > 0 && { missing }),
      exchanges: (shown[verdict as keyof typeof shown] ?? []).slice(0, shownExchanges),
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
  ): [Verdict, string] {
    const doubt = this.#doubt;
    if (!facts.stateful && !rule.stateless) return ['not-applicable', 'The target keeps no state (stateful: false).'];
    if (violation || !driven || (this.#observations > 0 && !doubt))
      return verdictFromCounts(violation, this.#observations, doubt?.why);
    const missing = missingNeedsSentence(rule, facts);
    if (missing) return ['untested', missing];
    const stops = halts.filter(
      ({ need }) => need === undefined || rule.needs?.some((one) => one.split('|').includes(need)),
    );
    const copies = stops.find(({ spent }) => spent === 'copies');
    if (copies && !doubt) return ['untested', `${needsCopy(rule)} ${copies.why}`];
    const { places = 0 } = facts.budget;
    if (stops.some(({ spent }) => spent === 'places')) return ['untested', allowMore(places, 'places')];
    // A spent budget is no reason by itself: `notSent` says which further steps might show more.
    const reasons = stops.flatMap(({ why, spent }) => (spent === 'executions' ? [] : why));
    const isUnexplained = !doubt && !rule.where && reasons.length === 0;
    const left = this.#observations === 0 ? leftOut?.(rule.id, isUnexplained) : undefined;
    if (left) return ['untested', left];
    if (doubt) return ['inconclusive', doubt.why];
    if (rule.where && reasons.length === 0) return ['untested', notObservedReason(rule.where)];
    return ['inconclusive', [nothingShown, ...reasons].join(' ')];
  }
}

/** Why a rule was not judged that a run of the suite usually judges. */
const nothingShown = 'No request in this run exercised this rule.';

/** Why a rule about something optional was not judged. */
const notObservedReason = (where: string): string => `The target showed no ${where}.`;

const byDoubt = (a: Doubt, b: Doubt): number => comparePlaces(a.exchanges, b.exchanges) || compareTexts(a.why, b.why);

/** The verdict from counts alone, for recordings and where nothing more could have been sent. */
export function verdictFromCounts(
  violation: Violation | undefined,
  observations: number,
  doubt?: string,
): [Verdict, string] {
  if (violation) return ['violated', expectation(violation)];
  if (observations > 0 && doubt === undefined) return ['passed', ''];
  return ['untested', doubt ?? 'Nothing was seen that it could be judged by.'];
}

export function judgeAll(
  judges: Readonly<Record<RuleId, Judge>>,
  evidence: Evidence,
  facts: Facts,
  rules: readonly Rule[],
  from: Omit<Source, 'driven'> = {},
): RuleVerdict[] {
  return rules.map((rule) => {
    const tally = new Tally();
    for (const finding of findings(judges[rule.id], evidence, facts)) tally.add(finding);
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
