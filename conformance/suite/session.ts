/** A run of the suite: the engine's session, with an account of executions and copies. */

import { rules } from '../../generated/rules.js';
import { hasValidRequestBody, mayHaveCopied, mayHaveStarted } from '../engine/outcome/outcome.js';
import {
  accepted,
  changesOrEnds,
  idOfCopy,
  isCopyRequest,
  isStart,
  refused,
  startedId,
} from '../engine/outcome/read.js';
import { sameId } from '../engine/rule/values.js';
import { type KnownCopies, noKnownCopies } from '../engine/send/known-copies.js';
import type { Target } from '../engine/send/request-spec.js';
import { Session as Sender, type SessionOptions } from '../engine/send/session.js';
import type { Exchange } from '../engine/vocabulary.js';
import { Copies } from './copies/known.js';
import { ExecutionTracker } from './executions/tracker.js';
import type { Editor } from './profiles/editor.js';

export class Session extends Sender {
  /** The executions that the run started. */
  readonly executions: ExecutionTracker;
  /** The copies of the declared profile that exist. */
  readonly copies: Copies;
  /** The profiles that it may change. */
  readonly scratch: Editor[] = [];
  /** When it began and its seed: what the descriptions of copies call it. */
  readonly run: string;

  /** The executions and profiles for which the service took a wrong value that it need not refuse. */
  readonly #withWrong = new Set<string>();
  /** The steps that may start executions; undefined if there is room for all. */
  chosen: ReadonlySet<string> | undefined;

  /** Starts and readings of earlier passes. */
  readonly earlier: readonly Exchange[];

  constructor(
    target: Target,
    how: SessionOptions & {
      readonly knownCopies?: KnownCopies;
      readonly copies?: Copies;
      readonly earlier?: readonly Exchange[];
    },
  ) {
    super(target, how);
    this.earlier = how.earlier ?? [];
    this.executions = new ExecutionTracker(target.facts);
    for (const one of this.earlier) this.executions.noteAnswer(one);
    this.copies = how.copies ?? new Copies(how.knownCopies ?? noKnownCopies, target.facts);
    this.run = `${new Date(how.clock.now()).toISOString()}, seed ${how.seed}`;
  }

  /** Whether a step may start its execution. */
  mayStart(step: string): boolean {
    return this.chosen?.has(step) ?? true;
  }

  /** The pending starts that a scenario may wait for. While it sends alone, others wait for it: then only its own. */
  pendingStarts(scenario: string): Promise<unknown>[] {
    const { starting } = this.executions;
    if (!this.isExclusive(scenario)) return [...starting.keys()];
    return [...starting].flatMap(([over, by]) => (by === scenario ? [over] : []));
  }

  protected override noteAnswer(exchange: Exchange): void {
    if (changesOrEnds(exchange) && !refused(exchange) && this.executions.noteChangeByRequest(exchange.resource)) {
      const start = this.exchanges.find((one) => sameId(startedId(one), exchange.resource));
      if (start) this.addToMark(start, { changedByRequest: true });
    }
    this.#noteWrong(exchange);
    this.executions.noteAnswer(exchange);
    this.copies.noteAnswer(exchange);
  }

  /** Notes what may show a wrong value: it is not held against a service that only should have refused it. */
  #noteWrong(exchange: Exchange): void {
    const { resource, mark } = exchange;
    if (!accepted(exchange)) return;
    // The workflow of a start has no part in it.
    const makes = isStart(exchange) || isCopyRequest(exchange);
    const about = makes ? (startedId(exchange) ?? idOfCopy(exchange)) : resource;
    const probed = rules.find(({ id }) => id === mark?.probe?.rule);
    const isWrong = probed?.level === 'SHOULD' && !hasValidRequestBody(exchange);
    if (!isWrong && !this.#withWrong.has(resource ?? '')) return;
    if (about) this.#withWrong.add(about);
    this.addToMark(exchange, { mayShowWrong: true });
  }

  protected override isBudgetSpent(exchange: Exchange): boolean {
    const { executions, copies } = this.target.facts.budget;
    return (
      (mayHaveStarted(exchange) && this.executions.likelyStarted >= executions) ||
      (mayHaveCopied(exchange) && this.copies.existing >= copies)
    );
  }
}
