import type { OperationId } from '../../generated/operations.js';
import { type Rule, type RuleId, rules } from '../../generated/rules.js';
import type { Evidence, Facts, Finding, Judge, RuleVerdict, Verdict } from '../vocabulary.js';
import { unmet } from './needs.js';

/** A violation that is seen a thousand times is shown this often; it is counted in full. */
const shownViolations = 20;
const shownExchanges = 5;

/** Everything that a judge finds in the evidence. */
export function findings(judge: Judge, evidence: Evidence, facts: Facts): Finding[] {
  return [
    ...evidence.exchanges.filter((exchange) => !exchange.mark?.superseded).map((one) => judge.exchange?.(one, facts)),
    ...evidence.traces.map((trace) => judge.trace?.(trace, facts)),
    ...evidence.profiles.map((history) => judge.profile?.(history, facts)),
    judge.run?.(evidence, facts),
  ].flatMap((judgement) => judgement ?? []);
}

/** Adds findings up to a verdict. Findings of parts may be added in any order. */
export class Tally {
  readonly #operations = new Map<OperationId, { observations: number; violations: number }>();
  readonly #violations: RuleVerdict['violations'][number][] = [];
  readonly #kept: number[] = [];
  readonly #unclear: Extract<Finding, { kind: 'unclear' }>[] = [];
  #observations = 0;

  add(finding: Finding): void {
    const { operation, exchanges } = finding;
    if (finding.kind === 'unclear') {
      this.#unclear.push(finding);
      return;
    }
    this.#observations += 1;
    const row = (operation && this.#operations.get(operation)) ?? { observations: 0, violations: 0 };
    row.observations += 1;
    if (finding.kind === 'broken') {
      row.violations += 1;
      if (this.#violations.length < shownViolations)
        this.#violations.push({
          required: finding.required,
          seen: finding.seen,
          operation: operation ?? null,
          exchanges: exchanges.slice(0, shownExchanges),
        });
    } else if (this.#kept.length < shownExchanges) this.#kept.push(...exchanges.slice(0, shownExchanges));
    if (operation) this.#operations.set(operation, row);
  }

  verdict(rule: Rule, facts: Facts, { driven }: { driven: boolean }): RuleVerdict {
    const [verdict, why] = this.#conclude(rule, facts, driven);
    const [violation] = this.#violations;
    return {
      id: rule.id,
      level: rule.level,
      verdict,
      observations: this.#observations,
      why,
      exchanges: violation
        ? violation.exchanges
        : (verdict === 'inconclusive' ? (this.#unclear[0]?.exchanges ?? []) : this.#kept).slice(0, shownExchanges),
      violations: this.#violations,
      operations: Object.fromEntries(this.#operations),
    };
  }

  #conclude(rule: Rule, facts: Facts, driven: boolean): [Verdict, string] {
    const [violation] = this.#violations;
    const [doubt] = this.#unclear;
    if (violation) return ['violated', `required: ${violation.required}; seen: ${violation.seen}`];
    if (!facts.stateful && !rule.stateless) return ['not-applicable', 'The target keeps no state (stateful: false).'];
    if (doubt) return ['inconclusive', doubt.why];
    if (this.#observations > 0) return ['passed', ''];
    if (!driven) return ['untested', 'The recording shows nothing that it could be judged by.'];
    const missing = unmet(rule, facts);
    if (missing) return ['untested', missing];
    if (rule.where) return ['untested', `The target showed no ${rule.where}.`];
    return ['inconclusive', 'Nothing was seen that it could be judged by.'];
  }
}

/** The verdict on each rule, in the order of the register. */
export function judgeAll(
  judges: Readonly<Record<RuleId, Judge>>,
  evidence: Evidence,
  facts: Facts,
  selected: (rule: Rule) => boolean = () => true,
): RuleVerdict[] {
  return rules.filter(selected).map((rule) => {
    const tally = new Tally();
    for (const finding of findings(judges[rule.id], evidence, facts)) tally.add(finding);
    return tally.verdict(rule, facts, { driven: true });
  });
}
