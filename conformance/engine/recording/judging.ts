/** Judges evidence as it is read from a recording. */
import { type CallerRuleId, contract, type OperationId, type Rule, type RuleId } from '../contract.js';
import { endlesslyFar, tookToRead, withGrace } from '../rule/far-away.js';
import { signatureOf } from '../rule/signature.js';
import { Tally } from '../rule/verdicts.js';
import { suite } from '../suite.js';
import type { Recorded } from '../vocabulary/recording.js';
import type {
  Evidence,
  Exchange,
  Facts,
  Finding,
  Judge,
  Judgement,
  ProfileHistory,
  RuleVerdict,
  Trace,
} from '../vocabulary.js';
import { withoutReplaced } from './replaced.js';

/** A rule, its judge, and its findings so far. */
interface Case<Id extends string> {
  readonly rule: Pick<Rule, 'level' | 'stateless' | 'needs' | 'effect'> & {
    readonly id: Id;
    readonly on: readonly OperationId[];
  };
  readonly judge: Judge;
  readonly tally: Tally;
}

const openCase = <Id extends string>(rule: Case<Id>['rule'], judge: Judge): Case<Id> => ({
  rule,
  judge,
  tally: new Tally(),
});

/** Can be judged only where the recording shows keys. */
const needsKey: RuleId = 'no-secrets-in-responses';

/** A limit of memory: after this many, violations are not reported one by one. */
const mostTold = 10_000;

/** A limit of memory: later ones are judged by what was measured until then. */
const mostLate = 1000;

/** Called for each violation when it is first seen. */
export type OnViolation = (violation: {
  readonly rule: RuleId | CallerRuleId;
  readonly level: 'MUST' | 'SHOULD';
  readonly operation: OperationId | null;
  readonly required: string;
  readonly seen: string;
}) => void;

/** Judges evidence as it comes. Keeps only the exchanges that verdicts show. */
export class Judging {
  /** The exchanges that verdicts show, by id. */
  readonly shown = new Map<number, Exchange>();
  readonly #facts: Facts;
  readonly #onViolation: OnViolation | undefined;
  #slowestReadingMs = 0;
  /** Judges once more what is too late, unless the rest of the recording shows that the service is that far away. */
  readonly #late: (() => void)[] = [];
  readonly #reported = new Set<string>();
  readonly #rules: readonly Case<RuleId>[];
  readonly #callers: readonly Case<CallerRuleId>[];
  /** The cases that judge exchanges, by operation. */
  readonly #onExchange: { readonly [operation in OperationId]?: readonly Case<string>[] };
  readonly #onTrace: readonly Case<string>[];
  readonly #onProfile: readonly Case<string>[];

  constructor(facts: Facts, selected: (rule: Rule) => boolean, onViolation?: OnViolation) {
    this.#facts = facts;
    this.#onViolation = onViolation;
    const { callers, effects, operationIds, rules } = contract();
    const { callerJudges, judges } = suite();
    const [least = 'read'] = effects;
    this.#rules = rules.filter(selected).map((rule) => openCase(rule, judges[rule.id]));
    this.#callers = callers.map((rule) =>
      openCase({ ...rule, stateless: true, needs: [], effect: least }, callerJudges[rule.id]),
    );
    const all: readonly Case<string>[] = [...this.#rules, ...this.#callers];
    const onExchange = all.filter(({ judge }) => judge.exchange);
    this.#onExchange = Object.fromEntries(
      operationIds.map((operation) => [operation, onExchange.filter(({ rule }) => rule.on.includes(operation))]),
    );
    this.#onTrace = all.filter(({ judge }) => judge.trace);
    this.#onProfile = all.filter(({ judge }) => judge.profile);
  }

  exchange({ exchange, showsKey }: Recorded): void {
    this.#slowestReadingMs = Math.max(this.#slowestReadingMs, tookToRead(exchange));
    for (const own of this.#judgesOf(exchange, showsKey))
      this.#judge(own, (facts) => own.judge.exchange?.(exchange, facts), [exchange]);
  }

  #judgesOf({ operation }: Recorded['exchange'], showsKey: boolean): readonly Case<string>[] {
    const all = this.#onExchange[operation] ?? [];
    return showsKey ? all : all.filter(({ rule }) => rule.id !== needsKey);
  }

  trace(trace: Trace): void {
    const all = exchangesOf(trace);
    for (const own of this.#onTrace) this.#judge(own, (facts) => own.judge.trace?.(trace, facts), all);
  }

  profile(history: ProfileHistory): void {
    for (const own of this.#onProfile) this.#add(own, own.judge.profile?.(history, this.#facts), history.exchanges);
  }

  /** Judges what a caller did after a start, which is the first exchange. An episode is complete for caller rules. */
  callerHistory(exchanges: readonly Exchange[], traces: readonly Trace[] = []): void {
    const evidence: Evidence = { exchanges, traces, profiles: [] };
    for (const own of this.#callers) {
      const found = [own.judge.run?.(evidence, this.#facts) ?? []].flat();
      // Another lost start among them has an episode of its own.
      const ofStart = found.filter((finding) => finding.exchanges[0] === exchanges[0]?.id);
      this.#add(own, ofStart, exchanges);
    }
  }

  /** Judges what was late, as far away as all exchanges together show the service to be. */
  finish(): void {
    for (const judge of this.#late.splice(0)) judge();
  }

  verdicts(): { rules: RuleVerdict[]; callers: RuleVerdict<CallerRuleId>[] } {
    const verdict = <Id extends string>({ rule, tally }: Case<Id>) =>
      tally.verdict(rule, this.#facts, { driven: false });
    return { rules: this.#rules.map(verdict), callers: this.#callers.map(verdict) };
  }

  /** Reports violations in an unfinished trace that are certain, without counting them. */
  preview(trace: Trace): void {
    const all = exchangesOf(trace);
    const facts = endlesslyFar(this.#facts);
    for (const own of this.#onTrace)
      for (const finding of findingsOf(own.judge.trace?.(trace, facts), all)) this.#tell(own, finding, all);
  }

  /** Reports violations of an exchange of which it is not known yet whether it counts. */
  previewExchange({ exchange, showsKey }: Recorded): void {
    if (!this.#onViolation) return;
    const facts = endlesslyFar(this.#facts);
    for (const own of this.#judgesOf(exchange, showsKey))
      for (const finding of findingsOf(own.judge.exchange?.(exchange, facts), [exchange]))
        this.#tell(own, finding, [exchange]);
  }

  #judge(own: Case<string>, judge: (facts: Facts) => Judgement, evidence: readonly Exchange[]): void {
    const found = judge(this.#facts);
    const mayBeFar = isBroken(found) && !isBroken(judge(endlesslyFar(this.#facts)));
    const again = () => this.#add(own, judge(withGrace(this.#facts, this.#slowestReadingMs)), evidence);
    if (!mayBeFar) this.#add(own, found, evidence);
    else if (this.#late.length < mostLate) this.#late.push(again);
    else again();
  }

  #add(own: Case<string>, found: Judgement, evidence: readonly Exchange[]): void {
    for (const finding of findingsOf(found, evidence)) {
      this.#tell(own, finding, evidence);
      if (!own.tally.add(finding)) continue;
      for (const exchange of evidence)
        if (finding.exchanges.includes(exchange.id)) this.shown.set(exchange.id, exchange);
    }
  }

  #tell({ rule }: Case<string>, finding: Finding, evidence: readonly Exchange[]): void {
    if (!this.#onViolation || finding.kind !== 'violated') return;
    const { required, operation = null } = finding;
    for (const fault of finding.faults) {
      const name = `${rule.id} ${operation} ${signatureOf(required, fault)}`;
      if (this.#reported.has(name) || this.#reported.size === mostTold) continue;
      this.#reported.add(name);
      const { text } = suite().maskOf(evidence);
      this.#onViolation({
        rule: rule.id as RuleId | CallerRuleId,
        level: rule.level,
        operation,
        required: text(required),
        seen: text(fault.seen),
      });
    }
  }
}

const findingsOf = (found: Judgement, evidence: readonly Exchange[]): readonly Finding[] =>
  [found ?? []].flat().map((finding) => withoutReplaced(finding, evidence));

const isBroken = (found: Judgement): boolean => [found ?? []].flat().some(({ kind }) => kind === 'violated');

export const exchangesOf = ({ start, readings, listings }: Trace): Exchange[] => [
  ...(start ? [start] : []),
  ...readings,
  ...listings,
];
