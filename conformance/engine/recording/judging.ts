/** Judges evidence as it is read from a recording. */

import { type CallerRuleId, contract, type OperationId, type Rule, type RuleId } from '../contract.js';
import { Recent } from '../memoize.js';
import { wordsOf } from '../outcome/excluded.js';
import { hasValidRequestBody, isOutsideContract, outcomeOf } from '../outcome/outcome.js';
import { accepted, firstGatewayError, isReadRequest, meaningOf, notFound, status } from '../outcome/read.js';
import { endlesslyFar, tookToRead, withGrace } from '../rule/times.js';
import { Tally } from '../rule/verdicts.js';
import { signatureOf } from '../rule/violations.js';
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
  Response,
  RuleVerdict,
  Trace,
} from '../vocabulary.js';
import { Replacements } from './replaced.js';

// Tells answers of something that stood in for the service for a while, when all is read.

/** Limits of memory: how many answers are kept until it is known whose they are, and how many readings are known. */
const [mostKept, mostKnown] = [200, 20_000];

/** Answers that say the same. */
interface Alike {
  readonly kept: Recorded[];
  readonly operations: Set<OperationId>;
  /** Whether it is what the service may say of things that it no longer has. */
  readonly isShown: boolean;
  /** Whether the service had answered a reading among these before, and whether it has done so again. */
  wasAnswered: boolean;
  isAnswered: boolean;
  /** How many answers of the service came before the last of these, and whether some of them came between these. */
  before: number;
  isMixed: boolean;
}

/**
 * Tells them by their words: these are not in the contract, or nothing is found; several operations are answered so, and
 * among them is a reading that the service had answered before. It answers that again, or answers nothing meanwhile. A
 * service has no reason for that. If nothing is found to the end, things may be gone.
 */
export class StandIns {
  readonly #alike = new Map<string, Alike>();
  /** The answers that something else may have given; when all is read, those that it has given. */
  readonly #ids = new Set<number>();
  /** The requests that were accepted, and the readings of them that something else may have answered in between. */
  readonly #answered = new Recent<string, true>(mostKnown, () => 1);
  readonly #between = new Map<string, Alike>();
  #services = 0;

  /**
   * Who answered: `own` is the service, `else` something else. An answer of which that is not known yet is kept until the
   * end: it is `likely` the service's, or `doubtful`, because a reading was answered before and is answered so now.
   */
  add(recorded: Recorded): 'own' | 'likely' | 'doubtful' | 'else' {
    const { exchange } = recorded;
    const { own } = outcomeOf(exchange);
    const name = nameOf(recorded);
    if (!own || !isStrange(exchange, own)) {
      if (own) this.#services += 1;
      if (accepted(exchange)) this.#answer(name);
      return 'own';
    }
    const words = wordsOf(exchange);
    const alike = this.#alike.get(words) ?? begun(!isOutsideContract(exchange), this.#services);
    alike.isMixed ||= alike.before < this.#services;
    alike.before = this.#services;
    if (this.#ids.size === mostKept) return mayBeElse(alike) ? 'else' : 'own';
    this.#alike.set(words, alike);
    alike.operations.add(recorded.exchange.operation);
    if (isReadRequest(exchange) && this.#answered.get(name)) {
      alike.wasAnswered = true;
      this.#between.set(name, alike);
    }
    alike.kept.push(recorded);
    this.#ids.add(exchange.id);
    return alike.wasAnswered ? 'doubtful' : 'likely';
  }

  #answer(name: string): void {
    this.#answered.set(name, true);
    const alike = this.#between.get(name);
    if (!alike) return;
    alike.isAnswered = true;
    this.#between.delete(name);
  }

  #isElse(alike: Alike): boolean {
    return mayBeElse(alike) && (!alike.isShown || alike.isAnswered || alike.before < this.#services);
  }

  /** Whether a firewall rejected what is in a request, and not who sent it: the same was accepted with something else in it. */
  #isRejected(recorded: Recorded): boolean {
    const { exchange } = recorded;
    const isBarred = outcomeOf(exchange).isBarred && meaningOf(status(exchange)).blocks !== 'valid requests';
    const isOdd = exchange.request.body.kind === 'not-json' || hasValidRequestBody(exchange);
    return isBarred && isOdd && this.#answered.get(nameOf(recorded)) === true;
  }

  /** Ends the recording. Returns what was kept and is the service's own, and how many are not. */
  finish(): { readonly own: readonly Recorded[]; readonly others: number } {
    const own = [...this.#alike.values()].flatMap((alike) =>
      this.#isElse(alike) ? [] : alike.kept.filter((one) => !this.#isRejected(one)),
    );
    for (const { exchange } of own) this.#ids.delete(exchange.id);
    return { own, others: this.#ids.size };
  }

  /** The exchanges without those that something else answered, or may have. */
  without(exchanges: readonly Exchange[]): readonly Exchange[] {
    return exchanges.filter(({ id }) => !this.#ids.has(id));
  }
}

const nameOf = ({ exchange: { request }, key }: Recorded): string => `${key} ${request.method} ${request.url}`;

/** As far as is known while it may go on. */
const mayBeElse = ({ operations, wasAnswered, isAnswered, isMixed }: Alike): boolean =>
  operations.size > 1 && wasAnswered && (isAnswered || !isMixed);

const begun = (isShown: boolean, before: number): Alike => ({
  kept: [],
  operations: new Set(),
  isShown,
  wasAnswered: false,
  isAnswered: false,
  before,
  isMixed: false,
});

/** Whether something else may have answered. Limits and statuses of gateways are recognised as such. */
const isStrange = (exchange: Exchange, own: Response): boolean =>
  own.status < firstGatewayError && (own.status === notFound || isOutsideContract(exchange));

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

/** A limit of memory: later violations are judged by what was known of the recorder until then. */
const mostHeld = 5000;

/** Called for each violation when it is first seen. */
export type OnViolation = (violation: {
  readonly rule: RuleId | CallerRuleId;
  readonly level: 'MUST' | 'SHOULD';
  readonly operation: OperationId | null;
  readonly expected: string;
  readonly actual: string;
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
  readonly #replacements = new Replacements();
  /** Adds a violation, unless the rest of the recording shows that its values are replaced. */
  readonly #held: (() => void)[] = [];
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
      const found = findingsOf(own.judge.run?.(evidence, this.#facts));
      // Another lost start among them has an episode of its own.
      const ofStart = found.filter((finding) => finding.exchanges[0] === exchanges[0]?.id);
      this.#add(own, ofStart, exchanges);
    }
  }

  /** Notes what an exchange shows of the recorder. */
  note(exchange: Exchange): void {
    this.#replacements.note(exchange);
  }

  /** Judges what was late, as far away as all exchanges together show the service to be. */
  finish(): void {
    for (const judge of this.#late.splice(0)) judge();
    for (const add of this.#held.splice(0)) add();
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
      for (const finding of findingsOf(own.judge.trace?.(trace, facts))) this.#tell(own, finding, all);
  }

  /** Reports violations of an exchange of which it is not known yet whether it counts. */
  previewExchange({ exchange, showsKey }: Recorded): void {
    if (!this.#onViolation) return;
    const facts = endlesslyFar(this.#facts);
    for (const own of this.#judgesOf(exchange, showsKey))
      for (const finding of findingsOf(own.judge.exchange?.(exchange, facts))) this.#tell(own, finding, [exchange]);
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
    for (const finding of findingsOf(found)) {
      const shown = evidence.filter(({ id }) => finding.exchanges.includes(id));
      this.#tell(own, finding, shown);
      const add = () => {
        if (own.tally.add(this.#replacements.without(finding, shown)))
          for (const exchange of shown) this.shown.set(exchange.id, exchange);
      };
      if (finding.kind === 'violated' && this.#held.length < mostHeld) this.#held.push(add);
      else add();
    }
  }

  #tell({ rule }: Case<string>, found: Finding, evidence: readonly Exchange[]): void {
    if (!this.#onViolation || found.kind !== 'violated') return;
    const finding = this.#replacements.without(found, evidence);
    if (finding.kind !== 'violated') return;
    const { expected, operation = null } = finding;
    for (const fault of finding.faults) {
      const name = `${rule.id} ${operation} ${signatureOf(expected, fault)}`;
      if (this.#reported.has(name) || this.#reported.size === mostTold) continue;
      this.#reported.add(name);
      const { text } = suite().maskOf(evidence);
      this.#onViolation({
        rule: rule.id as RuleId | CallerRuleId,
        level: rule.level,
        operation,
        expected: text(expected),
        actual: text(fault.actual),
      });
    }
  }
}

const findingsOf = (found: Judgement): readonly Finding[] => [found ?? []].flat();

const isBroken = (found: Judgement): boolean => findingsOf(found).some(({ kind }) => kind === 'violated');

export const exchangesOf = ({ start, readings, listings }: Trace): Exchange[] => [
  ...(start ? [start] : []),
  ...readings,
  ...listings,
];
