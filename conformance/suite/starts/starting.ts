/** Starts executions, also if there is no room at first, or if answers get lost. */

import type { StartId } from '../../engine/contract.js';
import { isLost, saysUnavailable } from '../../engine/outcome/outcome.js';
import {
  type Fields,
  fieldNames,
  isFields,
  isStartRequest,
  isWaitingStart,
  refused,
  status,
  tooManyRequests,
  underPresentNames,
} from '../../engine/outcome/read.js';
import { sameId } from '../../engine/rule/values.js';
import { firstPollMs, longestPauseMs, nextInterval } from '../../engine/send/clock.js';
import type { RequestSpec } from '../../engine/send/request-spec.js';
import type { Exchange, Facts } from '../../engine/vocabulary.js';
import type { Driver } from '../driver.js';
import { learnDurations } from '../executions/follow.js';
import { isToQueue, roomField } from '../executions/view.js';
import { startsAtOnce } from '../operations.js';
import type { Session } from '../session.js';
import { workflowFor, workflowUses } from '../target/roles.js';
import { namesOnlyOtherFields, without } from './asked.js';

// Bodies of starts. Their free fields carry a marker, which tells starts apart, and other values.

/** The same body with another marker, to start another execution. */
const withAnotherMarker = (body: unknown, marker: string): unknown =>
  isFields(body) ? withMarked(body, (value) => ({ ...value, conformanceMarker: marker })) : body;

const withMarked = (body: Fields, change: (value: Fields) => Fields): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      isFields(value) && 'conformanceMarker' in value ? change(value) : value,
    ]),
  );

/**
 * Adds to a start the inputs that the target file declares for every run of its workflow. Values of the suite win, and
 * a body whose inputs are wrong on purpose is left alone.
 */
export function withDeclaredInputs(ask: RequestSpec, facts: Facts): RequestSpec {
  if (!startsAtOnce(ask) && !isWaitingStart(ask)) return ask;
  const declared = workflowUses.flatMap((use) =>
    sameId(workflowFor(use, facts), ask.id) ? (facts.inputs?.[use] ?? []) : [],
  )[0];
  const body = ask.body ?? {};
  if (!declared || ask.raw || !isFields(body)) return ask;
  const given = fieldNames(ask, 'inputs').filter((name) => name in body);
  const [name = 'inputs'] = given;
  const own: unknown = name in body ? body[name] : {};
  if (given.length > 1 || !isFields(own)) return ask;
  return { ...ask, body: { ...body, [name]: { ...declared, ...own } satisfies Fields } };
}

/** interface: Errors rule 2: a start over capacity fails, with a status that is not shown. Not with these. */
const neverOfCapacity: readonly number[] = [401, 403, 404, 405, 406, 408, 410, 411, 413, 414, 415, 431];
const mayBeOfCapacity = (code: number): boolean => code < 500 && !neverOfCapacity.includes(code);

/** A refusal for want of room comes sooner than this. */
const soonRefusedMs = 500;
/** How long others may occupy all room, at least: their runs take as long as those of this run. */
const othersRoomMs = 30_000;
const roomPollMs = 500;
/** Factor by which pauses between tries grow: each refused try is a wasted request. */
const growth = 1.5;
const togetherMs = 5;

export type StartSpec = RequestSpec & { readonly operation: StartId };
export const isStart = (asked: RequestSpec): asked is StartSpec => isStartRequest(asked);

export class Starts {
  readonly #driver: Driver;
  readonly #session: Session;
  readonly #scenario: string;

  constructor(driver: Driver, session: Session, scenario: string) {
    this.#driver = driver;
    this.#session = session;
    this.#scenario = scenario;
  }

  /**
   * Starts an execution. A refusal while other executions of the run hold capacity, or are about to, is no answer yet:
   * it is tried again, at once when one of them has ended, until patience runs out. A start whose answer was lost may
   * have begun an execution, so it is not sent again: another one is started instead, if the budget allows.
   */
  async start(asked: StartSpec): Promise<Exchange> {
    const { roomQueues } = this.#session.executions;
    const room = roomOf(asked);
    // While others wait for the same room, a request would be in vain.
    const first = roomQueues.isBusy(room) ? undefined : await this.startWithoutWaiting(asked);
    if (first && !lacksRoom(first, asked)) return first;
    return roomQueues.runInTurn(room, (next) => this.#startInTurn(asked, next, first));
  }

  /** Tries until there is room, or patience runs out. */
  async #startInTurn(asked: StartSpec, next: () => void, first?: Exchange): Promise<Exchange> {
    const session = this.#session;
    const { executions } = session;
    const { now } = session.clock;
    const since = now();
    let answered = first;
    let ask = asked;
    for (
      let ended = -1, giveUp = 0, interval = 0;
      ;
      interval = nextInterval(interval, longestPauseMs(now() - since), growth)
    ) {
      const before = executions.ended;
      if (before > ended)
        [ended, giveUp, interval] = [before, now() + executions.roomPatienceMs, Math.max(firstPollMs, interval / 2)];
      const exchange = answered ?? (await this.#unlessLong(ask, next));
      answered = undefined;
      if (!lacksRoom(exchange, asked)) return exchange;
      const isAlone = executions.progressing + executions.starting.size === 0 && executions.ended === ended;
      // Room may come free a while after an end.
      const full = this.#driver.lastAnswer('capacity/over-default');
      if (isAlone) interval = Math.max(interval, roomPollMs);
      if (isAlone && !mayPass(exchange, full)) return exchange;
      const othersMs = Math.max(othersRoomMs, executions.longestMs ?? 0);
      if (now() > giveUp || (isAlone && now() - since >= othersMs)) executions.endedWhenFull = executions.ended;
      // If patience ran out and nothing has ended since, other starts do not wait as long again.
      if (executions.endedWhenFull === executions.ended || !this.#driver.facts.stateful) return exchange;
      ask = { ...asked, replaces: [exchange] };
      this.#driver.reportProgress('waits for capacity');
      await this.#until(() => executions.ended > ended, interval);
    }
  }

  /** Sends a start in its turn. A synchronous one may take long: the next is let in if no refusal comes soon. */
  #unlessLong(asked: StartSpec, next: () => void): Promise<Exchange> {
    let isAnswered = false;
    if (isWaitingStart(asked))
      void this.#session.clock.sleep(soonRefusedMs, this.#session.signal).then(() => isAnswered || next());
    return this.startWithoutWaiting(asked).finally(() => {
      isAnswered = true;
    });
  }

  /** Starts an execution, and does not wait for room. */
  startWithoutWaiting(asked: StartSpec): Promise<Exchange> {
    const ask = { ...asked, mayBeAtCapacity: true };
    return asked.probe ? this.#driver.send(ask) : this.startOnce(ask);
  }

  /** Starts an execution if there is room for it. If the answer is lost, starts another one instead. */
  async startOnce(asked: StartSpec): Promise<Exchange> {
    await this.#afterFirst();
    const ask = await this.#unlessFull(asked);
    const exchange = await this.#driver.send(ask);
    if (!isLost(exchange) || !(await this.#isThere())) return exchange;
    const body = withAnotherMarker(ask.body, this.#driver.uniqueText());
    return this.#driver.send({ ...ask, body, replaces: [exchange] });
  }

  /**
   * Waits for the first run for a while, since it tells how long runs take. Then the capacity scenario, which takes
   * longest, can fill its group before others take all places.
   */
  async #afterFirst(): Promise<void> {
    const { executions, clock } = this.#session;
    const { firstAt } = executions;
    executions.firstAt ??= clock.now();
    if (firstAt !== undefined) await learnDurations(this.#driver, this.#session, firstAt);
  }

  /**
   * Asks to queue only if the queue moves. If other users fill the organization, or runs take longer than is waited for,
   * what is queued begins when nobody follows it any more.
   */
  async #unlessFull(asked: StartSpec): Promise<StartSpec> {
    const { executions } = this.#session;
    const { body = {} } = asked;
    if (!isFields(body) || !isToQueue(underPresentNames(asked, body)) || !this.#driver.facts.stateful) return asked;
    // Starts of the same moment are then registered.
    if (!executions.hasFoundRoom) await this.#driver.pause(togetherMs);
    const others = () => (executions.hasFoundRoom ? [] : this.#session.pendingStarts(this.#scenario));
    while (others().length > 0) await Promise.race(others());
    return executions.isQueueMoving ? asked : { ...asked, body: without(body, roomField) };
  }

  /** Whether the service still answers. */
  async #isThere(): Promise<boolean> {
    const id = this.#driver.unknownId('look');
    const look = await this.#driver.send({ step: 'look', operation: 'getExecution', id });
    return !isLost(look);
  }

  /** Waits until a condition holds, or time is up. */
  async #until(condition: () => boolean, ms: number): Promise<void> {
    const giveUp = this.#session.clock.now() + ms;
    while (!condition() && this.#session.clock.now() < giveUp && !this.#session.signal?.aborted)
      await this.#driver.pause(Math.min(firstPollMs, ms));
  }
}

/** Statuses of refusals that may pass soon, if others use the service too, besides that for a full group. */
const ofRoom: readonly number[] = [409, 423, 429, 503];
const mayPass = (exchange: Exchange, full: Exchange | undefined): boolean =>
  [...ofRoom, full && refused(full) ? status(full) : 0].includes(status(exchange));

/** Fields that concern room. A refusal that names only other fields is not for want of room. */
const roomFields = [roomField, 'profileId', 'profileGroupId'] as const;

/** Whether a start was refused, possibly for want of room. */
const mayBeFull = (exchange: Exchange): boolean =>
  refused(exchange) &&
  (mayBeOfCapacity(status(exchange) ?? 0) || saysUnavailable(exchange)) &&
  !namesOnlyOtherFields(
    exchange,
    roomFields.flatMap((field) => fieldNames(exchange, field)),
  );

/** Whether to try again when there may be room. Probes should be refused anyway, so for them only one status counts. */
const lacksRoom = (exchange: Exchange, { probe }: StartSpec): boolean =>
  probe ? status(exchange) === tooManyRequests : mayBeFull(exchange);

/** The room that a start needs, as a key: those with the same key wait in one line. */
const roomOf = (start: StartSpec): string => {
  const { profileId, profileGroupId } = underPresentNames(start, isFields(start.body) ? start.body : {});
  return JSON.stringify([profileId, profileGroupId]);
};
