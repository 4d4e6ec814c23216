/** How executions are started where there may be no room, and where answers get lost. */

import { isLost, isOwnError, outcomeOf, saysUnavailable } from '../../engine/outcome/outcome.js';
import { accepted, type Fields, isFields, refused, status } from '../../engine/outcome/read.js';
import { busy } from '../../engine/outcome/statuses.js';
import { saysTheSame } from '../../engine/outcome/when.js';
import { firstPollMs, longer, longestAway } from '../../engine/send/clock.js';
import type { DriverPort, RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange } from '../../engine/vocabulary.js';
import { learnTempo } from '../executions/tempo.js';
import type { Session } from '../session.js';
import { longestWaitSeconds } from '../sync/view.js';
import { blamesOthers } from './asked.js';
import { another, withoutMaterial } from './start-bodies.js';

/** interface: Errors rule 2: a start over capacity fails, in a way that is not shown. These say of something else what is wrong. */
const neverOfCapacity: readonly number[] = [401, 403, 404, 405, 406, 408, 410, 411, 413, 414, 415, 431];
const mayBeOfCapacity = (code: number): boolean => code < 500 && !neverOfCapacity.includes(code);

/** Executions that are asked for instead of one whose start was lost. */
const othersForLost = 2;
/** Starts that are lost one after the other, whichever they are, until fewer are asked for instead. */
const mostInARow = 3;
/** A refusal for want of room comes sooner. */
const soonRefusedMs = 500;
/** Others may take all room for a while. */
const longestRoomMs = 10_000;
const roomPollMs = 500;
/** How many times as long as before to wait until it is asked again: what is refused was sent in vain. */
const growth = 1.5;
const togetherMs = 5;
/** A gateway's answer to a synchronous start comes within so much after the wait. */
const gatewayMs = 10_000;

export type StartSpec = RequestSpec & { readonly operation: 'execute' | 'executeSync' };
export const isStart = (asked: RequestSpec): asked is StartSpec =>
  asked.operation === 'execute' || asked.operation === 'executeSync';

export class Starts {
  readonly #driver: DriverPort;
  readonly #session: Session;
  readonly #journey: string;

  constructor(driver: DriverPort, session: Session, journey: string) {
    this.#driver = driver;
    this.#session = session;
    this.#journey = journey;
  }

  /**
   * Starts an execution. A refusal while other executions of the run hold capacity, or may be about to, is no answer yet:
   * it is tried again, at once when one of them has ended, until patience ends. A start whose answer was lost is never
   * sent again, as it may have begun an execution: another one is asked for, within the budget.
   */
  async start(asked: StartSpec): Promise<Exchange> {
    const { clock, executions } = this.#session;
    const { lines, ended } = executions;
    const room = roomOf(asked);
    const at = clock.now();
    // Whoever comes while others wait would ask in vain.
    if (lines.isAwaited(room)) return lines.turn(room, (next) => this.#startInTurn(asked, next));
    const exchange = await this.simply(asked);
    return lacksRoom(exchange, asked)
      ? lines.turn(room, (next) => this.#startInTurn(asked, next, { exchange, ended, at }))
      : exchange;
  }

  /** Tries until there is room, or patience ends. `first` is what was heard before; when it was asked, and how many had ended. */
  async #startInTurn(
    asked: StartSpec,
    next: () => void,
    first?: { readonly exchange: Exchange; readonly ended: number; readonly at: number },
  ): Promise<Exchange> {
    const session = this.#session;
    const { executions } = session;
    const { now } = session.clock;
    const since = now();
    // Since then something may have ended, while others had their turn.
    let heard = first?.ended === executions.ended ? first : undefined;
    if (first && !heard) session.exclude(first.exchange);
    for (let ended = -1, giveUp = 0, interval = 0; ; interval = longer(interval, longestAway(now() - since), growth)) {
      const before = heard?.ended ?? executions.ended;
      if (before > ended)
        [ended, giveUp, interval] = [
          before,
          (heard?.at ?? now()) + executions.roomPatienceMs,
          Math.max(firstPollMs, interval / 2),
        ];
      const exchange = heard?.exchange ?? (await this.#unlessLong(asked, next));
      heard = undefined;
      if (!lacksRoom(exchange, asked)) return exchange;
      const isAlone = executions.going + executions.starting.size === 0 && executions.ended === ended;
      // What an execution held may be free a while after its end.
      const full = this.#driver.lastAnswer('capacity', 'over-default');
      if (isAlone) interval = Math.max(interval, roomPollMs);
      if (now() > giveUp || (isAlone && !mayPass(exchange, full, since, now())))
        executions.fullSince = executions.ended;
      // Patience was spent already, and nothing has ended since: it is not spent again by each that waits for room.
      if (executions.fullSince === executions.ended || !this.#driver.facts.stateful) return exchange;
      session.exclude(exchange);
      this.#driver.says('waits for capacity');
      await this.#until(() => executions.ended > ended, interval);
    }
  }

  /** Lets the next one try where this one is not refused soon: a synchronous start is answered at its end. */
  #unlessLong(asked: StartSpec, next: () => void): Promise<Exchange> {
    let isAnswered = false;
    if (asked.operation === 'executeSync')
      void this.#session.clock.sleep(soonRefusedMs, this.#session.signal).then(() => isAnswered || next());
    return this.simply(asked).finally(() => {
      isAnswered = true;
    });
  }

  /** Whether a refusal speaks of room: with a status that elsewhere is of it, or as the full group was refused. */
  speaksOfRoom(exchange: Exchange): boolean {
    return mayBeFull(exchange) && (ofRoom.includes(status(exchange) ?? 0) || this.#isAsFull(exchange));
  }

  /**
   * Where somebody takes offence at what is in free fields, starts the execution without it. What is to be refused is sent as
   * it is. Waits for no room.
   */
  async simply(asked: StartSpec): Promise<Exchange> {
    if (asked.probe) return this.#driver.send({ ...asked, mayBeAtCapacity: true });
    const { fieldRefusals } = this.#session;
    const body = withoutMaterial(asked.body);
    const send = (one: StartSpec) => this.once({ ...one, mayBeAtCapacity: true });
    if (body && fieldRefusals.areLasting) return send({ ...asked, body });
    const exchange = await send(asked);
    if (!body || !isOfContents(exchange) || this.#isAsFull(exchange)) return exchange;
    const plain = await send({ ...asked, body });
    // What came through without it tells what the service says, be it that there is no room.
    const isBusy = status(plain) === busy;
    const cameThrough = accepted(plain) || isBusy || (outcomeOf(exchange).isBarred && !outcomeOf(plain).isBarred);
    this.#driver.expectNothing(cameThrough ? exchange : plain);
    if (cameThrough) fieldRefusals.add(exchange);
    return cameThrough ? plain : exchange;
  }

  /** Whether a start is refused as one for the full group is, in the same words: then it lacks room. */
  #isAsFull(exchange: Exchange): boolean {
    const full = this.#driver.lastAnswer('capacity', 'over-default');
    return full !== undefined && refused(full) && saysTheSame(full, exchange);
  }

  /** Starts an execution, if there is room for it. Instead of one whose start was lost another one is asked for. */
  async once(asked: StartSpec): Promise<Exchange> {
    await this.#afterFirst();
    let ask = await this.#unlessFull(asked);
    for (let others = othersForLost; ; others -= 1) {
      const exchange = await this.#timedStart(ask);
      // It takes long to hear nothing once more; and what is lost each time, whoever asks, is so for others too.
      const isEnough =
        exchange.failure?.kind === 'timeout' || this.#session.persistentFailures.lostInARow(ask.operation) > mostInARow;
      if (await this.#isOutOfOrder(exchange, ask)) this.#driver.expectNothing(exchange);
      if (!isLost(exchange) || others <= (isEnough ? othersForLost - 1 : 0)) return exchange;
      if (!(await this.#isThere())) return exchange;
      this.#session.exclude(exchange);
      ask = { ...ask, body: another(ask.body, this.#driver.unique()) };
    }
  }

  /**
   * The first run tells how long runs take, and is waited for, for a while. Then a group is filled before others have taken all
   * places: who waits in it takes longest.
   */
  async #afterFirst(): Promise<void> {
    const { executions, clock } = this.#session;
    const { firstAt } = executions;
    executions.firstAt ??= clock.now();
    if (firstAt !== undefined) await learnTempo(this.#driver, this.#session, firstAt);
  }

  /**
   * What would wait in a house that others may fill may wait there for ever, and begin when nobody looks any more: it asks
   * to be queued only where another start has found room.
   */
  async #unlessFull(asked: StartSpec): Promise<StartSpec> {
    const { executions } = this.#session;
    if (!isFields(asked.body) || asked.body.onCapacityLimit !== 'queue' || !this.#driver.facts.stateful) return asked;
    // Those who come at the same time are about to start.
    if (!executions.hasFoundRoom) await this.#driver.pause(togetherMs);
    const others = () => (executions.hasFoundRoom ? [] : this.#session.startsBefore(this.#journey));
    while (others().length > 0) await Promise.race(others());
    const { onCapacityLimit: _, ...body } = asked.body;
    return executions.hasFoundRoom ? asked : { ...asked, body };
  }

  /** Whether there is somebody to ask: a reading tells, which is sent again until patience ends. */
  async #isThere(): Promise<boolean> {
    const id = this.#driver.unknownId('look');
    const look = await this.#driver.send({ step: 'look', operation: 'getExecution', id });
    return !isLost(look);
  }

  /** Whether a start met an error of the service's own, which others meet as well: it tells nothing of the start. */
  async #isOutOfOrder(exchange: Exchange, ask: StartSpec): Promise<boolean> {
    const isError = isOwnError(exchange) && !saysUnavailable(exchange) && exchange.mark !== undefined;
    return isError && !(await this.#session.isHeard(exchange.mark.journey, ask));
  }

  async #timedStart(ask: StartSpec): Promise<Exchange> {
    if (ask.operation === 'execute') return this.#driver.send(ask);
    const { timeoutSeconds = longestWaitSeconds } = ask.body as { timeoutSeconds?: number };
    const timeoutMs = timeoutSeconds * 1000 + this.#driver.facts.pace.latencyGraceMs + gatewayMs;
    return this.#driver.waiting(() => this.#driver.send({ ...ask, timeoutMs }));
  }

  /** Waits for a condition of the run, or until time is up. */
  async #until(condition: () => boolean, ms: number): Promise<void> {
    const giveUp = this.#session.clock.now() + ms;
    while (!condition() && this.#session.clock.now() < giveUp && !this.#session.signal?.aborted)
      await this.#driver.pause(Math.min(firstPollMs, ms));
  }
}

/** What a start may be refused with for a while by a service that others use as well, beside what it says of a full group. */
const ofRoom: readonly number[] = [409, 423, 429, 503];
const mayPass = (exchange: Exchange, full: Exchange | undefined, since: number, now: number): boolean =>
  [...ofRoom, full && refused(full) ? status(full) : 0].includes(status(exchange)) && now - since < longestRoomMs;

/** What a start asks of the house: who names another part of the request does not refuse it for want of room. */
const roomFields = ['onCapacityLimit', 'profileId', 'profileGroupId', 'agentProfileId', 'agentProfilePoolId'];

/** Whether a start was refused, maybe for want of room. */
const mayBeFull = (exchange: Exchange): boolean =>
  refused(exchange) &&
  (mayBeOfCapacity(status(exchange) ?? 0) || saysUnavailable(exchange)) &&
  !blamesOthers(exchange, roomFields);

/** Whether to ask again when there may be room. What is to be refused may be so for anything else: only one status tells. */
const lacksRoom = (exchange: Exchange, { probe }: StartSpec): boolean =>
  probe ? status(exchange) === busy : mayBeFull(exchange);

/**
 * Whether a start may have been refused for what is in its free fields: on the way, or by a service that does not take every
 * text. What they may hold is not shown.
 */
const isOfContents = (exchange: Exchange): boolean =>
  outcomeOf(exchange).isBarred || [400, 403, 413, 422].includes(status(exchange) ?? 0);

/** What a start may have to wait for: starts with the same name wait for the same. */
const roomOf = ({ body }: StartSpec): string => {
  const { profileId, agentProfileId, profileGroupId, agentProfilePoolId }: Fields = isFields(body) ? body : {};
  return JSON.stringify([profileId ?? agentProfileId, profileGroupId ?? agentProfilePoolId]);
};
