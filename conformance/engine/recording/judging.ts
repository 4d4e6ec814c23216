/** Judges evidence as it is read from a recording. */

import { type CallerRuleId, contract, type OperationId, type Rule, type RuleId } from '../contract.js';
import { wordsOf } from '../outcome/excluded.js';
import { endlesslyFar, tookToRead, withGrace } from '../outcome/latency.js';
import { hasValidRequestBody, isOutsideContract, outcomeOf } from '../outcome/outcome.js';
import { accepted, firstGatewayError, isReadRequest, meaningOf, notFound, status } from '../outcome/read.js';
import { Tally } from '../rule/verdicts.js';
import { signatureOf } from '../rule/violations.js';
import { suite } from '../suite.js';
import type { RuleVerdict } from '../vocabulary/report.js';
import type {
  Evidence,
  Exchange,
  Facts,
  Finding,
  Judge,
  Judgement,
  ProfileHistory,
  Response,
  Trace,
} from '../vocabulary.js';
import { Recent, type Recorded } from './history.js';
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
  /** Whether the service had answered a reading among these before. */
  wasAnswered: boolean;
  /** How many answers of the service came before the last of these. */
  before: number;
}

/**
 * Tells them by their words: these are not in the contract, or nothing is found; several operations are answered so, and
 * among them is a reading that the service had answered before. A service has no reason for that. If nothing is found to
 * the end, things may be gone.
 */
export class StandIns {
  readonly #alike = new Map<string, Alike>();
  /** The answers that something else may have given; when all is read, those that it has given. */
  readonly #ids = new Set<number>();
  /** The requests that were accepted. */
  readonly #answered = new Recent<string, true>(mostKnown, () => 1);
  #services = 0;

  /**
   * Who answered: `own` is the service, `else` something else. An answer of which that is not known yet is kept until the
   * end: it is `likely` the service's, or `doubtful`, because a reading was answered before and is answered so now.
   */
  add(recorded: Recorded): 'own' | 'likely' | 'doubtful' | 'else' {
    const { exchange } = recorded;
    const { own } = outcomeOf(exchange);
    if (!own || !isStrange(exchange, own)) {
      if (own) this.#services += 1;
      if (accepted(exchange)) this.#answered.set(nameOf(recorded), true);
      return 'own';
    }
    const words = wordsOf(exchange);
    const isShown = !isOutsideContract(exchange);
    const begun: Alike = { kept: [], operations: new Set(), isShown, wasAnswered: false, before: 0 };
    const alike = this.#alike.get(words) ?? begun;
    alike.before = this.#services;
    alike.operations.add(exchange.operation);
    alike.wasAnswered ||= isReadRequest(exchange) && this.#wasAnswered(recorded);
    if (this.#ids.size === mostKept) return this.#isElse(alike) ? 'else' : 'own';
    this.#alike.set(words, alike);
    alike.kept.push(recorded);
    this.#ids.add(exchange.id);
    return alike.wasAnswered ? 'doubtful' : 'likely';
  }

  #wasAnswered = (recorded: Recorded): boolean => this.#answered.get(nameOf(recorded)) === true;

  #isElse = ({ operations, wasAnswered, isShown, before }: Alike): boolean =>
    operations.size > 1 && wasAnswered && (!isShown || before < this.#services);

  /** Whether a firewall rejected what is in a request, and not who sent it: the same was accepted with something else in it. */
  #isRejected(recorded: Recorded): boolean {
    const { exchange } = recorded;
    const isBarred = outcomeOf(exchange).isBarred && meaningOf(status(exchange)).blocks !== 'valid requests';
    const isOdd = exchange.request.body.kind === 'not-json' || hasValidRequestBody(exchange);
    return isBarred && isOdd && this.#wasAnswered(recorded);
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

/** A limit of memory: later violations are judged by what was known of the recorder and of the network until then. */
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
  readonly #replacements = new Replacements();
  /** Judges violations once more, by what the whole recording shows of the recorder and of the network. */
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

  exchange(recorded: Recorded): void {
    this.#slowestReadingMs = Math.max(this.#slowestReadingMs, tookToRead(recorded.exchange));
    this.#eachOfExchange(recorded, this.#judge);
  }

  /** Reports violations of an exchange of which it is not known yet whether it counts. */
  previewExchange(recorded: Recorded): void {
    this.#eachOfExchange(recorded, this.#tellCertain);
  }

  #eachOfExchange({ exchange, showsKey }: Recorded, act: Act): void {
    for (const own of this.#onExchange[exchange.operation] ?? [])
      if (showsKey || own.rule.id !== needsKey) act(own, (facts) => own.judge.exchange?.(exchange, facts), [exchange]);
  }

  trace(trace: Trace): void {
    const all = exchangesOf(trace);
    for (const own of this.#onTrace) this.#judge(own, (facts) => own.judge.trace?.(trace, facts), all);
  }

  profile(history: ProfileHistory): void {
    for (const own of this.#onProfile)
      this.#judge(own, (facts) => own.judge.profile?.(history, facts), history.exchanges);
  }

  /** Judges what a caller did after a start, which is the first exchange. An episode is complete for caller rules. */
  callerHistory(exchanges: readonly Exchange[], traces: readonly Trace[] = []): void {
    const evidence: Evidence = { exchanges, traces, profiles: [] };
    // Another lost start among them has an episode of its own.
    const ofStart = (finding: Finding) => finding.exchanges[0] === exchanges[0]?.id;
    for (const own of this.#callers)
      this.#judge(own, (facts) => findingsOf(own.judge.run?.(evidence, facts)).filter(ofStart), exchanges);
  }

  /** Notes what an exchange shows of the recorder. */
  note(recorded: Recorded): void {
    this.#replacements.note(recorded);
  }

  /** Judges the violations by all exchanges together. */
  finish(): void {
    for (const judge of this.#held.splice(0)) judge();
  }

  verdicts(): { rules: RuleVerdict[]; callers: RuleVerdict<CallerRuleId>[] } {
    const verdict = <Id extends string>({ rule, tally }: Case<Id>) =>
      tally.verdict(rule, this.#facts, { driven: false });
    return { rules: this.#rules.map(verdict), callers: this.#callers.map(verdict) };
  }

  #judge: Act = (own, judge, evidence) => {
    const found = findingsOf(judge(this.#facts));
    if (!found.some(isViolated)) return this.#add(own, found, evidence);
    this.#tellCertain(own, judge, evidence);
    const again = () => {
      const all = findingsOf(judge(withGrace(this.#facts, this.#slowestReadingMs)));
      const counted = all.map((one) => this.#replacements.without(one, shownIn(one, evidence)));
      this.#tell(own, counted, evidence);
      this.#add(own, counted, evidence);
    };
    if (this.#held.length < mostHeld) this.#held.push(again);
    else again();
  };

  #add({ tally }: Case<string>, found: readonly Finding[], evidence: readonly Exchange[]): void {
    for (const finding of found)
      if (tally.add(finding)) for (const exchange of shownIn(finding, evidence)) this.shown.set(exchange.id, exchange);
  }

  /** Reports violations that do not depend on the rest of the recording, as far as is known. */
  #tellCertain: Act = (own, judge, evidence) => {
    if (!this.#onViolation) return;
    const found = findingsOf(judge(endlesslyFar(this.#facts)));
    this.#tell(
      own,
      found.map((one) => this.#replacements.without(one, shownIn(one, evidence))),
      evidence,
    );
  };

  #tell({ rule }: Case<string>, found: readonly Finding[], evidence: readonly Exchange[]): void {
    for (const finding of found.filter(isViolated)) {
      const { expected, operation = null } = finding;
      for (const fault of finding.faults) {
        const name = `${rule.id} ${operation} ${signatureOf(expected, fault)}`;
        if (!this.#onViolation || this.#reported.has(name) || this.#reported.size === mostTold) continue;
        this.#reported.add(name);
        const { text } = suite().maskOf(shownIn(finding, evidence));
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
}

type Act = (own: Case<string>, judge: (facts: Facts) => Judgement, evidence: readonly Exchange[]) => void;
type Violated = Extract<Finding, { kind: 'violated' }>;

const findingsOf = (found: Judgement): readonly Finding[] => [found ?? []].flat();

const isViolated = (finding: Finding): finding is Violated => finding.kind === 'violated';

const shownIn = ({ exchanges }: Finding, evidence: readonly Exchange[]): Exchange[] =>
  evidence.filter(({ id }) => exchanges.includes(id));

export const exchangesOf = ({ start, readings, listings }: Trace): Exchange[] => [
  ...(start ? [start] : []),
  ...readings,
  ...listings,
];
