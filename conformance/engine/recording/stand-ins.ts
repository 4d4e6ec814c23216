/** Tells answers of something that stood in for the service for a while, when all is read. */
import type { OperationId } from '../contract.js';
import { Recent } from '../memoize.js';
import { wordsOf } from '../outcome/excluded.js';
import { hasValidRequestBody, isOutsideContract, outcomeOf } from '../outcome/outcome.js';
import { accepted, isReadRequest, status } from '../outcome/read.js';
import { firstGatewayError, meaningOf, notFound } from '../outcome/statuses.js';
import type { Recorded } from '../vocabulary/recording.js';
import type { Exchange, Response } from '../vocabulary.js';

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
