/** A run of the suite: the engine's session, with an account of executions, copies, and what profiles were. */

import { mayHaveCopied, mayHaveStarted } from '../engine/outcome/outcome.js';
import { changesOrEnds, refused, startedId } from '../engine/outcome/read.js';
import { sameId } from '../engine/rule/values.js';
import { type Journal, noJournal } from '../engine/send/journal/journal.js';
import { Session as Sender, type SessionOptions } from '../engine/send/session.js';
import { mostExecutions } from '../engine/settings/needs.js';
import type { Exchange, Target } from '../engine/vocabulary.js';
import { Copies } from './copies/known.js';
import { ExecutionTracker } from './executions/tracker.js';
import { Snapshots } from './profiles/snapshots.js';
import { FreeFieldRefusals } from './starts/free-field-refusals.js';

export class Session extends Sender {
  /** The executions that the run started. */
  readonly executions: ExecutionTracker;
  /** Starts that were refused for what is in their free fields. */
  readonly fieldRefusals = new FreeFieldRefusals();
  /** Set once an update is refused because it has no name. Every later update carries one. */
  needsName = false;
  /** The copies of profiles that it made. */
  readonly copies: Copies;
  /** What profiles were before it changed them. */
  readonly snapshots: Snapshots;

  /** The steps that may start executions; undefined if there is room for all. */
  chosen: ReadonlySet<string> | undefined;

  constructor(target: Target, how: SessionOptions & { readonly journal?: Journal }) {
    super(target, how);
    this.executions = new ExecutionTracker(target.facts);
    const { baseUrl, profile = '' } = target.facts;
    const journal = how.journal ?? noJournal;
    this.copies = new Copies(journal, baseUrl, profile);
    this.snapshots = new Snapshots(journal, baseUrl, new Date(how.clock.now()).toISOString());
  }

  /** Whether a step may start its execution. */
  mayStart(step: string): boolean {
    return this.chosen?.has(step) ?? true;
  }

  /** The pending starts that a journey may wait for. While it sends alone, others wait for it: then only its own. */
  pendingStarts(journey: string): Promise<unknown>[] {
    const { starting } = this.executions;
    if (!this.isExclusive(journey)) return [...starting.keys()];
    return [...starting].flatMap(([over, by]) => (by === journey ? [over] : []));
  }

  protected override noteAnswer(exchange: Exchange): void {
    if (changesOrEnds(exchange) && !refused(exchange) && this.executions.noteChangeByRequest(exchange.resource)) {
      const start = this.exchanges.find((one) => sameId(startedId(one), exchange.resource));
      if (start) this.addToMark(start, { changedByRequest: true });
    }
    this.executions.noteAnswer(exchange);
    this.copies.noteAnswer(exchange);
  }

  protected override isBudgetSpent(exchange: Exchange): boolean {
    const { executions = mostExecutions, copies } = this.target.facts.budget;
    return (
      (mayHaveStarted(exchange) && this.executions.likelyStarted >= executions) ||
      (mayHaveCopied(exchange) && this.copies.mostMade >= copies)
    );
  }
}
