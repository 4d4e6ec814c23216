/** What is concluded from the evidence: findings, violations and verdicts. */
import type { OperationId, RuleId } from '../contract.js';
import type { Evidence, ProfileHistory, Trace } from './evidence.js';
import type { Exchange } from './exchange.js';
import type { Facts } from './target.js';

/** One way in which a value does not match a schema. */
export interface SchemaFault {
  /** A JSON pointer, with `*` for indexes and for keys that no schema names. */
  readonly where: string;
  /** The violated keyword of JSON Schema, or a word for it. */
  readonly what: string;
  /** The message for the first place that `where` matches: `/status is "done", not one of queued, …`. */
  readonly says: string;
}

/** What is wrong, and where in a body, if that is known: the place is part of the violation's signature. */
export interface Fault {
  readonly place?: string;
  readonly actual: string;
}

/** What a judge concludes from one piece of evidence. */
export type Finding =
  | { readonly kind: 'satisfied'; readonly exchanges: readonly number[]; readonly operation?: OperationId }
  | {
      readonly kind: 'violated';
      readonly expected: string;
      /** All faults in one line, or the first of them and the number of the others. */
      readonly actual: string;
      /** Each fault by itself; at least one. */
      readonly faults: readonly Fault[];
      readonly exchanges: readonly number[];
      readonly operation?: OperationId;
    }
  /** The evidence is about the rule, but shows neither that it was kept nor that it was broken. */
  | {
      readonly kind: 'inconclusive';
      readonly why: string;
      readonly exchanges: readonly number[];
      readonly operation?: OperationId;
    };

/** What a judge returns: nothing where no evidence is about its rule. */
export type Judgement = readonly Finding[] | Finding | undefined;

/**
 * How a rule is judged: pure functions, each from one piece of evidence to findings. Judges of an exchange, a trace or
 * a profile also work on recordings. `run` needs a complete run that the suite drove or, for caller rules, a part of a
 * recording that is known to be complete.
 */
export interface Judge {
  exchange?(exchange: Exchange, facts: Facts): Judgement;
  trace?(trace: Trace, facts: Facts): Judgement;
  profile?(history: ProfileHistory, facts: Facts): Judgement;
  run?(evidence: Evidence, facts: Facts): Judgement;
}

/** Judges of rules, each under the id of its rule. */
export type Judges = { readonly [rule in RuleId]?: Judge };

/** Describes what a target does in a gap, as short values such as `"400"` or `"operation: 409"`. */
export type Observer = (evidence: Evidence, facts: Facts) => readonly string[];

export type Verdict = 'passed' | 'violated' | 'untested' | 'not-applicable' | 'inconclusive';

/** One way in which a rule is broken on one operation, however often. */
export interface Violation {
  /**
   * Identifies the violation without ids, values and times: what was required, and where. The same fault of the same
   * service has the same signature in every run; baselines and comparisons rely on it.
   */
  readonly signature: string;
  /** `expected` and `actual` are those of the first occurrence. */
  readonly expected: string;
  readonly actual: string;
  readonly operation: OperationId | null;
  readonly count: number;
  /** The exchanges of the first occurrence, the one at fault first. */
  readonly exchanges: readonly number[];
  /** The exchange at fault of some of the other occurrences. */
  readonly others: readonly number[];
  /** If it takes several requests to reproduce: a script for `sh`, which passes ids from answer to request. */
  readonly again?: string;
  /** Listed in the baseline. */
  readonly known?: true;
}

/** The verdict on a rule, and the exchanges that show it. */
export interface RuleVerdict<Id extends string = RuleId> {
  readonly id: Id;
  readonly level: 'MUST' | 'SHOULD';
  readonly verdict: Verdict;
  readonly observations: number;
  /** The number of inconclusive findings; absent where there are none. */
  readonly unclear?: number;
  /** Why the verdict is not `passed`; empty where it is. */
  readonly why: string;
  /** What the target file would have to declare or allow, if that is why the rule is untested. */
  readonly missing?: readonly string[];
  /** If it is untested: the steps for it that were not sent, as `scenario/step`. `*` stands for the part that varies. */
  readonly notSent?: readonly string[];
  /** The first exchanges that show the verdict. */
  readonly exchanges: readonly number[];
  readonly violations: readonly Violation[];
  /** Counts by operation: the matrix of the report. */
  readonly operations: {
    readonly [operation in OperationId]?: { readonly observations: number; readonly violations: number };
  };
  /** All of its violations are in the baseline, so they are no new failure. */
  readonly known?: true;
}
