import type { OperationId } from '../../generated/operations.js';
import type { Rule, RuleId } from '../../generated/rules.js';
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

/** Where the evidence is from: a run of the suite, with why journeys of it ended early, or a recording. */
interface Source {
  readonly driven: boolean;
  readonly halts?: readonly string[];
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

  verdict(rule: Rule, facts: Facts, from: Source): RuleVerdict {
    const [verdict, why] = this.#conclude(rule, facts, from);
    const [violation] = this.#violations;
    const shown = { violated: violation?.exchanges, inconclusive: this.#unclear[0]?.exchanges, passed: this.#kept };
    return {
      id: rule.id,
      level: rule.level,
      verdict,
      observations: this.#observations,
      why,
      exchanges: (shown[verdict as keyof typeof shown] ?? []).slice(0, shownExchanges),
      violations: verdict === 'violated' ? this.#violations : [],
      operations: Object.fromEntries(this.#operations),
    };
  }

  #conclude(rule: Rule, facts: Facts, { driven, halts = [] }: Source): [Verdict, string] {
    const [violation] = this.#violations;
    const [doubt] = this.#unclear;
    if (!facts.stateful && !rule.stateless) return ['not-applicable', 'The target keeps no state (stateful: false).'];
    if (violation) return ['violated', `required: ${violation.required}; seen: ${violation.seen}`];
    if (this.#observations > 0 && !doubt) return ['passed', ''];
    if (!driven) return ['untested', doubt?.why ?? 'The recording shows nothing that it could be judged by.'];
    const missing = unmet(rule, facts);
    if (missing) return ['untested', missing];
    if (doubt) return ['inconclusive', doubt.why];
    if (rule.where && halts.length === 0) return ['untested', `The target showed no ${rule.where}.`];
    return ['inconclusive', ['Nothing was seen that it could be judged by.', ...halts].join(' ')];
  }
}

/** The verdict on each of the rules. */
export function judgeAll(
  judges: Readonly<Record<RuleId, Judge>>,
  evidence: Evidence,
  facts: Facts,
  rules: readonly Rule[],
  halts: readonly string[] = [],
): RuleVerdict[] {
  return rules.map((rule) => {
    const tally = new Tally();
    for (const finding of findings(judges[rule.id], evidence, facts)) tally.add(finding);
    return tally.verdict(rule, facts, { driven: true, halts });
  });
}

/** Nothing passes on a target that is unusable. */
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
