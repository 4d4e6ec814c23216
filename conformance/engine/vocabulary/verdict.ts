/** What is concluded from the evidence. */
import type { OperationId, RuleId } from '../contract.js';
import type { Evidence, ProfileHistory, Trace } from './evidence.js';
import type { Exchange } from './exchange.js';
import type { Facts } from './target.js';

/** What a judge concludes from one piece of evidence. */
export type Finding =
  | { readonly kind: 'satisfied'; readonly exchanges: readonly number[]; readonly operation?: OperationId }
  | {
      readonly kind: 'violated';
      readonly required: string;
      /** All of the faults in one line, or the first of them and how many more. */
      readonly seen: string;
      /** What is wrong, each thing by itself; one at least. */
      readonly faults: readonly { readonly signature: string; readonly seen: string }[];
      readonly exchanges: readonly number[];
      readonly operation?: OperationId;
    }
  /** Evidence that should have told, and did not. */
  | {
      readonly kind: 'inconclusive';
      readonly why: string;
      readonly exchanges: readonly number[];
      readonly operation?: OperationId;
    };

/** What a judge returns: nothing where it saw nothing that could have told. */
export type Judgement = readonly Finding[] | Finding | undefined;

/**
 * How a rule is judged: pure functions, each from one piece of evidence to findings. What is judged on an exchange, a
 * trace or a profile works on recordings too; `run` needs a whole: a run that the suite drove itself or, for the rules for
 * callers, a part of a recording that tells all of what they did.
 */
export interface Judge {
  exchange?(exchange: Exchange, facts: Facts): Judgement;
  trace?(trace: Trace, facts: Facts): Judgement;
  profile?(history: ProfileHistory, facts: Facts): Judgement;
  run?(evidence: Evidence, facts: Facts): Judgement;
}

/** Judges of rules, each under the id of its rule. */
export type Judges = { readonly [rule in RuleId]?: Judge };

/** What a target does where the interface is silent: short values, such as `"400"` or `"operation: 409"`. */
export type Observer = (evidence: Evidence, facts: Facts) => readonly string[];

/** What a rule came to. */
export type Verdict = 'passed' | 'violated' | 'untested' | 'not-applicable' | 'inconclusive';

/** One way in which a rule is broken on one operation, however often. */
export interface Violation {
  /**
   * What it is, apart from when and how often it was seen: what was required, and where, without ids and values. The same
   * fault of the same service has the same signature in every run; baselines and comparisons go by it.
   */
  readonly signature: string;
  /** As it was seen first. */
  readonly required: string;
  readonly seen: string;
  readonly operation: OperationId | null;
  readonly count: number;
  /** What shows it: the exchanges of the first time, the one at fault first. */
  readonly exchanges: readonly number[];
  /** The exchange at fault of some of the other times. */
  readonly others: readonly number[];
  /** Where it takes several requests to see it: a script for `sh` that sends them again, with ids passed on. */
  readonly again?: string;
  /** In the baseline as known. */
  readonly known?: true;
}

/** What a rule came to, and what shows it. */
export interface RuleVerdict<Id extends string = RuleId> {
  readonly id: Id;
  readonly level: 'MUST' | 'SHOULD';
  readonly verdict: Verdict;
  readonly observations: number;
  /** How much evidence should have told and did not; absent where none. */
  readonly unclear?: number;
  /** Why the verdict is not `passed`; empty where it is. */
  readonly why: string;
  /** What the target file would have to declare or allow for it to be judged, where that is why it is untested. */
  readonly missing?: readonly string[];
  /** The steps by which it is judged that were not sent, where it is untested: `journey/step`, `*` for what differs. */
  readonly notSent?: readonly string[];
  /** The first exchanges that show it. */
  readonly exchanges: readonly number[];
  readonly violations: readonly Violation[];
  /** Observations and violations by operation: the matrix of the report. */
  readonly operations: {
    readonly [operation in OperationId]?: { readonly observations: number; readonly violations: number };
  };
  /** All that it was found at fault for is in the baseline as known: judged, but no new failure. */
  readonly known?: true;
}
