/** Recognises starts whose answer was lost, and later starts that repeat them. */

import { createHash } from 'node:crypto';
import type { Address } from '../../engine/http/address.js';
import { memoize } from '../../engine/memoize.js';
import {
  accepted,
  awaits,
  type HasOperation,
  isStart,
  isWaitingStart,
  readsOne,
  startedId,
  status,
} from '../../engine/outcome/read.js';
import { endOf } from '../../engine/outcome/when.js';
import { type Entry, Recent } from '../../engine/recording/history.js';
import type { Exchange, Failure } from '../../engine/vocabulary.js';
import { freeFields, roomField } from '../executions/view.js';
import { requestFieldsWithout } from '../starts/asked.js';

const gatewayTimeout = 504;

const looksUp = (asked: HasOperation): boolean => readsOne(asked, 'execution') || awaits(asked);

/** A synchronous start that was answered with a gateway timeout. */
export const isGatewayTimeoutOfSync = (exchange: Exchange): boolean =>
  isWaitingStart(exchange) && status(exchange) === gatewayTimeout;

/** Failures after which the request may not have been sent. */
const unsent: readonly Failure['kind'][] = ['unreachable', 'tls', 'unknown'];

/** A start whose answer was lost, so that its caller cannot know whether it took effect. */
export const isLostStart = (exchange: Exchange): boolean =>
  isStart(exchange) &&
  (exchange.failure
    ? !unsent.includes(exchange.failure.kind)
    : !isWaitingStart(exchange) && status(exchange) === gatewayTimeout);

/** Statuses that say nothing about the execution: the caller may not read, or should come back later. */
const uninformative: readonly (number | undefined)[] = [undefined, 401, 408, 429];

/** Whether a reading says something about the execution, be it that there is none. */
export const showsWhetherItExists = (reading: Exchange): boolean => {
  const code = status(reading);
  return !uninformative.includes(code) && Number(code) < 500;
};

/** Whether a later start asks for the same, even by the other operation, or with another wait or queueing. */
export const isSameStart = (first: Exchange, later: Exchange): boolean =>
  isStart(later) && fingerprintOfStart(later) === fingerprintOfStart(first);

/** A text that is equal for starts that ask for the same. */
const fingerprintOfStart = (start: Exchange): string => `${start.resource?.toLowerCase()} ${fingerprintOfBody(start)}`;

const fingerprintOfBody = memoize((start: Exchange): string => {
  const rest = requestFieldsWithout(start, 'timeoutSeconds', roomField, freeFields.metadata);
  const wish = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(wish).digest('base64');
});

/** Whether a request was sent when the other was over. Before that, its caller could not know the outcome. */
export const isAfter = (earlier: Exchange, later: Exchange): boolean => later.at >= endOf(earlier);

/**
 * Whether the caller sends equal starts anyway: another was accepted before this one was over, or overlapped with it,
 * or was accepted and followed by yet another. Each starts its own execution, so a further one need not be a retry.
 */
export function isOneOfMany(start: Exchange, exchanges: readonly Exchange[]): boolean {
  const others = exchanges.filter((one) => one !== start && isSameStart(start, one));
  return others.some((one, place) =>
    accepted(one) ? !isAfter(start, one) || place < others.length - 1 : !isAfter(start, one) && !isAfter(one, start),
  );
}

// Follows recorded traffic to see what callers do after starts whose answer was lost.

/** The most starts that wait for what their caller does next. */
const most = 200;
/** The most starts whose executions and wishes are remembered. At least half as many are. */
const mostKnown = 20_000;

interface Pending {
  readonly start: Exchange;
  readonly wish: string;
  /** Its caller sends equal starts anyway, so a further one says nothing. */
  isOneOfMany: boolean;
  /** The retry, unless it turns out that the caller sends equal starts anyway. */
  again?: Exchange;
  /** The execution that was looked up afterwards. */
  lookUp?: Exchange;
}

/** Starts with a gateway timeout or a lost answer, each with what its caller did next. */
export class LostStarts {
  readonly #onFollowUp: (exchanges: readonly Exchange[]) => void;
  #pending: Pending[] = [];
  /** Ids of known executions, in lower case. */
  readonly #known = new Recent<string, true>(mostKnown, () => 1);
  /** Until when a start that asked for this was pending; infinite once one was accepted. */
  readonly #asked = new Recent<string, number>(mostKnown, () => 1);

  constructor(onFollowUp: (exchanges: readonly Exchange[]) => void) {
    this.#onFollowUp = onFollowUp;
  }

  /** Takes entries in the order of time. */
  entry(entry: Entry): void {
    if (entry.kind === 'exchange') this.exchange(entry.exchange);
    else if (entry.kind === 'foreign') {
      if (entry.mayLookUp) this.#unseen();
    } else if (entry.kind === 'unrecorded' && this.#isReading(entry.address)) this.#unseen();
  }

  exchange(exchange: Exchange): void {
    const { resource } = exchange;
    if (looksUp(exchange) && showsWhetherItExists(exchange) && this.#isAwaited(resource ?? '')) this.#found(exchange);
    if (!isStart(exchange)) return;
    const wish = fingerprintOfStart(exchange);
    const until = this.#asked.get(wish) ?? 0;
    this.#sentAgain(exchange, wish, until === Number.POSITIVE_INFINITY);
    const id = startedId(exchange);
    if (id !== undefined) this.#known.set(id.toLowerCase(), true);
    if (isGatewayTimeoutOfSync(exchange) || isLostStart(exchange))
      this.#pending.push({ start: exchange, wish, isOneOfMany: until > exchange.at });
    this.#asked.set(wish, accepted(exchange) ? Number.POSITIVE_INFINITY : Math.max(until, endOf(exchange)));
    if (this.#pending.length > most) for (const pending of this.#pending.splice(0, 1)) this.#tell(pending);
  }

  /** Whether reading this execution may be what some caller does next. */
  #isAwaited(executionId: string): boolean {
    return this.#pending.length > 0 && this.#known.get(executionId.toLowerCase()) === undefined;
  }

  #isReading(address: Address): boolean {
    return looksUp(address) && this.#isAwaited(address.resource);
  }

  /** Somebody may have looked up an execution unseen. It could be any caller that has not retried. */
  #unseen(): void {
    this.#settle(({ again }) => !again);
  }

  finish(): void {
    this.#settle(() => true);
  }

  #found(reading: Exchange): void {
    this.#settle((pending) => {
      if (!isAfter(pending.start, reading)) return false;
      pending.lookUp ??= reading;
      return !pending.again;
    });
  }

  /** `isTaken`: an equal start was accepted before. */
  #sentAgain(start: Exchange, wish: string, isTaken: boolean): void {
    this.#settle((pending) => {
      if (pending.wish !== wish) return false;
      pending.isOneOfMany ||= isTaken || !isAfter(pending.start, start);
      if (!pending.isOneOfMany) pending.again ??= start;
      else delete pending.again;
      return pending.isOneOfMany && pending.lookUp !== undefined;
    });
  }

  /** Reports the starts of which enough is known. */
  #settle(isKnown: (pending: Pending) => boolean): void {
    this.#pending = this.#pending.filter((pending) => {
      if (!isKnown(pending)) return true;
      this.#tell(pending);
      return false;
    });
  }

  #tell({ start, again, lookUp }: Pending): void {
    const next = again ?? lookUp;
    this.#onFollowUp(next ? [start, next] : [start]);
  }
}

/**
 * How many readings after the first that shows the end may come from several parts of a caller. It is certain sooner of one
 * that does not end by itself.
 */
export const maxAfterEnd = (isOver: boolean): number => (isOver ? 5 : 2);
