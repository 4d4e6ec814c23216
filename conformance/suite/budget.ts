/** Enforces the budget of the target file: executions started, copies made, and places held at once. */

import { isCopyRequest, isFields, isStartRequest, underPresentNames } from '../engine/outcome/read.js';
import { sameId } from '../engine/rule/values.js';
import { Halt } from '../engine/scenario/schedule.js';
import { firstPollMs, nextInterval } from '../engine/send/clock.js';
import type { RequestSpec } from '../engine/send/request-spec.js';
import { budgetSpent, placesTaken, spentOnLost } from '../engine/settings/needs.js';
import type { Exchange, Facts } from '../engine/vocabulary.js';
import { isDeclared } from './copies/known.js';
import { isToQueue } from './executions/view.js';
import type { Session } from './session.js';

/** Whether a request is expected to make a copy. Probes and requests for ids that nothing has are not. */
const isMeantToCopy = (ask: RequestSpec, { scratch, target }: Session): boolean =>
  isCopyRequest(ask) &&
  (ask.credential ?? 'primary') === 'primary' &&
  !ask.probe &&
  (isDeclared(target.facts, ask.id) || scratch.some(({ id }) => sameId(id, ask.id)));

/** Whether a start is expected to take effect. A correct service refuses the others. */
const isMeantToStart = ({ probe, startsNothing }: RequestSpec): boolean => !probe && !startsNothing;

/**
 * How many executions of a budget are for starts that are expected to take effect. One is kept for all those that
 * should be refused: a correct service spends none on them.
 */
export const budgetForAcceptedStarts = (executions: number): number => (executions > 1 ? executions - 1 : executions);

/** Ends a scenario because this part of the budget is spent. If more than a quarter of it was lost, that is the reason. */
const overBudget = (why: string, spent: 'executions' | 'copies', limit: number, lost: number, need?: string): Halt =>
  new Halt(lost > limit / 4 ? spentOnLost(why, lost) : why, {
    ...(need !== undefined && { need }),
    ...(lost <= limit / 4 && { spent }),
  });

export class Budget {
  readonly #session: Session;
  readonly #limits: Facts['budget'];
  /** Places that are reserved for what this scenario is about to start. */
  #kept = 0;

  constructor(session: Session) {
    this.#session = session;
    this.#limits = session.target.facts.budget;
  }

  /** How many executions may still be started. */
  get executionsLeft(): number {
    return this.#left(true);
  }

  #left(isMeant: boolean): number {
    const { executions } = this.#limits;
    return (isMeant ? budgetForAcceptedStarts(executions) : executions) - this.#session.executions.mostStarted;
  }

  /** How many copies of the profile may still be made. */
  get copiesLeft(): number {
    return this.#limits.copies - this.#session.copies.existing;
  }

  get noMoreCopies(): Halt {
    const { copies } = this.#limits;
    const { existing, lost } = this.#session.copies;
    return overBudget(`${existing} of ${copies} copies exist.`, 'copies', copies, lost, 'profile');
  }

  get #noMoreExecutions(): Halt {
    const { executions } = this.#limits;
    return overBudget(budgetSpent(executions), 'executions', executions, this.#session.executions.lost);
  }

  /** Sends a request of a scenario. Throws `Halt` if the budget for it is spent. */
  async send(scenario: string, ask: RequestSpec): Promise<Exchange> {
    if (isMeantToCopy(ask, this.#session)) return this.#duplicate(scenario, ask);
    const mayStart = isStartRequest(ask) && (ask.credential ?? 'primary') === 'primary' && !ask.hasMadeUpId;
    if (!mayStart) return this.#session.send(scenario, ask);
    const { alone, starting, meantToStart } = this.#session.executions;
    const isMeant = isMeantToStart(ask);
    while (!isMeant && alone.size > 0 && ![...alone.values()].includes(scenario)) await Promise.race(alone.keys());
    while (this.#left(isMeant) <= 0) {
      const awaited = this.#session.pendingStarts(scenario);
      if (awaited.length === 0) throw this.#noMoreExecutions;
      await Promise.race(awaited);
    }
    // A start that is to queue for a group that the run has filled takes no place yet.
    const waits = ask.mayBeOverLimit && isFields(ask.body) && isToQueue(underPresentNames(ask, ask.body));
    const places = isMeant && !waits ? this.#limits.places : undefined;
    if (places !== undefined && this.#kept === 0) await this.#room(scenario, places, 1);
    else if (places !== undefined) this.#kept -= 1;
    const sending = this.#session.send(scenario, ask);
    const over: Promise<unknown> = sending
      .catch(() => undefined)
      .then(() => {
        starting.delete(over);
        meantToStart.delete(over);
      });
    starting.set(over, scenario);
    if (places !== undefined) this.#session.executions.reserved -= 1;
    if (isMeant) meantToStart.add(over);
    return sending;
  }

  /**
   * Does work with this many places reserved for what it starts. Reserve them before sending alone: a scenario that
   * sends alone blocks the others, so the places that they hold would not come free.
   */
  async withPlaces<T>(scenario: string, count: number, work: () => Promise<T>): Promise<T> {
    const { places } = this.#limits;
    if (places === undefined || this.#session.isExclusive(scenario)) return work();
    const { executions } = this.#session;
    this.#kept = Math.min(count, places);
    executions.reserved += this.#kept;
    try {
      await this.#room(scenario, places, 0);
      return await work();
    } finally {
      executions.reserved -= this.#kept;
      this.#kept = 0;
    }
  }

  /**
   * Does work that sends alone, when no start that must be refused is pending: it would count as one that may take
   * effect until the work is over. Those of other scenarios wait meanwhile.
   */
  withoutOthersProbes<T>(scenario: string, work: () => Promise<T>): Promise<T> {
    const { alone, starting, meantToStart } = this.#session.executions;
    const pending = [...starting].flatMap(([over, by]) => (by === scenario || meantToStart.has(over) ? [] : over));
    const working = Promise.all(pending).then(work);
    const over: Promise<unknown> = working.catch(() => undefined).then(() => alone.delete(over));
    alone.set(over, scenario);
    return working;
  }

  /**
   * Waits until this many more places are free, and reserves them. Meanwhile it polls executions that nobody else
   * polls: the scenario that would do so may be the one that waits here. Throws `Halt` if no place comes free.
   */
  async #room(scenario: string, places: number, more: number): Promise<void> {
    const { clock, executions, signal } = this.#session;
    let ended = executions.ended;
    let giveUp = clock.now() + executions.roomPatienceMs;
    for (
      let ms = firstPollMs;
      executions.placesHeld + executions.starting.size + executions.reserved + more > places;
      ms = nextInterval(ms)
    ) {
      // Patience starts anew whenever a place comes free: other scenarios may get it first.
      if (executions.ended > ended) [ended, giveUp] = [executions.ended, clock.now() + executions.roomPatienceMs];
      if (clock.now() > giveUp) throw new Halt(placesTaken(places), { spent: 'places' });
      await clock.sleep(ms, signal);
      for (const id of executions.dueForReading(clock.now()))
        await this.#session.send(scenario, { step: 'look-for-a-place', operation: 'getExecution', id });
    }
    executions.reserved += more;
  }

  /** Sends a duplication, if the budget has a copy left. */
  async #duplicate(scenario: string, ask: RequestSpec): Promise<Exchange> {
    if (this.copiesLeft <= 0) throw this.noMoreCopies;
    this.#session.copies.beingMade += 1;
    try {
      const exchange = await this.#session.send(scenario, ask);
      await this.#session.copies.written();
      return exchange;
    } finally {
      this.#session.copies.beingMade -= 1;
    }
  }
}
