/** A run of the suite: the engine's session, with an account of executions and copies. */

import { mayHaveCopied, mayHaveStarted } from '../engine/outcome/outcome.js';
import { changesOrEnds, refused } from '../engine/outcome/read.js';
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
    }
    this.executions.noteAnswer(exchange);
    this.copies.noteAnswer(exchange);
  }

  protected override isBudgetSpent(exchange: Exchange): boolean {
    const { executions, copies } = this.target.facts.budget;
    return (
      (mayHaveStarted(exchange) && this.executions.likelyStarted >= executions) ||
      (mayHaveCopied(exchange) && this.copies.existing >= copies)
    );
  }
}
