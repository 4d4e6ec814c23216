/** The pace of requests (rate and concurrency), and queues for what only one can have at a time. */
import type { Clock } from './clock.js';

/** Queues by name. Those who wait for the same thing try in turn: if all tried at once, all but one would fail. */
export class NamedQueues {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether somebody is in this queue. */
  isBusy(name: string): boolean {
    return this.#last.has(name);
  }

  /** Does the work when everyone before has finished, or has called `next`. */
  async runInTurn<T>(name: string, work: (next: () => void) => Promise<T>): Promise<T> {
    let next = () => {};
    const through = new Promise<void>((resolve) => {
      next = resolve;
    });
    const before = this.#last.get(name);
    const mine = Promise.all([before, through]);
    this.#last.set(name, mine);
    void mine.then(() => {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    });
    await before;
    try {
      return await work(next);
    } finally {
      next();
    }
  }
}

/** The first pause that a target asks for sets the spacing of requests to at least this. */
const slowerSpacingMs = 100;
/** Short pauses increase the spacing up to this at most. */
const longestSpacingMs = 1000;
/** Answers until the spacing is halved. The number doubles, up to the longest, if the target objects again soon. */
const recovery = 8;
const longestRecovery = 64;
/** Longer than a second: most rate limits count requests per second. */
const restMs = 1100;
const noScenario = '';

/** A request for a turn. Those with `beforeOthers` are served before all others. */
interface SendOptions {
  readonly beforeOthers?: boolean;
  /** Sent at once with others, without spacing. The next ordinary request waits for the spacing of all of them. */
  readonly withoutSpacing?: boolean;
  readonly by?: string;
  /** Others depend on its answer, maybe the one who sends alone: it is served even then. */
  readonly evenIfExclusive?: boolean;
  /** Ends the wait for a turn; the request itself is sent at once. */
  readonly signal?: AbortSignal;
}

interface Turn extends SendOptions {
  /** `slot`: whether the request counts against `concurrency`. */
  readonly take: (slot: boolean) => void;
}

/** Limits requests to `requestsPerSecond`, and to `concurrency` at once. Both adapt to what the target allows. */
export class Pace {
  readonly #clock: Clock;
  readonly #usualMs: number;
  #spacingMs: number;
  /** Answers needed until the spacing is halved, and how many there were. */
  #patience = recovery;
  #answers = 0;
  #waiting: Turn[] = [];
  readonly #usualRoom: number;
  /** The present limit of concurrent requests, and how many are under way. */
  #room: number;
  #underWay = 0;
  #crowdedAt = Number.NEGATIVE_INFINITY;
  /**
   * Since when no request has been answered, and the limit of concurrency before. If it lasts, the target is away: then
   * fewer concurrent requests are no remedy, and the limit is restored.
   */
  #silence: { readonly since: number; readonly room: number } | undefined;
  /** Answers needed until one more concurrent request is tried, and how many there were. */
  #roomPatience = recovery;
  #answersInRoom = 0;
  #next = 0;
  #heldUntil = 0;
  #isForPace = true;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #asleep: AbortController | undefined;
  /** The scenario that sends alone. `nobody` while its turn is being prepared: then nobody sends. */
  #alone: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, { requestsPerSecond, concurrency }: { requestsPerSecond: number; concurrency: number }) {
    this.#clock = clock;
    this.#usualMs = 1000 / requestsPerSecond;
    this.#spacingMs = this.#usualMs;
    this.#usualRoom = concurrency;
    this.#room = concurrency;
  }

  async schedule<T>(send: () => Promise<T>, asker: SendOptions = {}): Promise<T> {
    const slot = await this.#turn(asker);
    try {
      return await send();
    } finally {
      if (slot) this.#underWay -= 1;
      this.#dispatch();
    }
  }

  /**
   * The target or a gateway asked for a pause, or is unavailable. Nobody sends until the pause is over, and then at half
   * the speed at most: otherwise those who waited would run into the limit again together. If this happens even at the
   * slowest speed, after some answers, to a request that kept to it, speed is not the reason: from then on only pause.
   */
  backOff(ms: number, { withoutSpacing }: SendOptions = {}): void {
    const now = this.#clock.now();
    // Requests under way together, or that hit the rest of one limit, are refused for one reason: slow down once.
    if (now >= this.#heldUntil && now - this.#slowedAt >= Math.max(restMs, 2 * this.#spacingMs)) {
      this.#slowedAt = now;
      this.#slowDown(Math.max(ms, longestSpacingMs), withoutSpacing);
    }
    this.pause(ms);
  }

  #slowDown(slowestMs: number, withoutSpacing = false): void {
    if (this.#spacingMs >= slowestMs && this.#answers >= recovery / 2 && !withoutSpacing) {
      this.#isForPace = false;
      this.#spacingMs = this.#usualMs;
    }
    if (!this.#isForPace) return;
    // The speed went up a moment ago, and that was too fast.
    if (this.#answers < this.#patience / 2 && this.#spacingMs > this.#usualMs)
      this.#patience = Math.min(this.#patience * 2, longestRecovery);
    this.#answers = 0;
    const slower = Math.min(Math.max(this.#spacingMs * 2, slowerSpacingMs), slowestMs);
    this.#spacingMs = Math.max(this.#spacingMs, slower);
  }

  /** Nobody sends for a while: the target is away. */
  pause(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + ms);
    this.#next = Math.max(this.#next, this.#heldUntil);
  }

  /** A connection was refused or cut. If that recurs while others are under way, there is room only for those. */
  connectionFailed(): void {
    const others = this.#underWay - 1;
    const now = this.#clock.now();
    const isAgain = now - this.#crowdedAt < restMs;
    this.#crowdedAt = now;
    this.#silence ??= { since: now, room: this.#room };
    if (others < 1 || !isAgain || others >= this.#room) return;
    if (this.#answersInRoom < this.#roomPatience)
      this.#roomPatience = Math.min(this.#roomPatience * 2, longestRecovery);
    this.#answersInRoom = 0;
    this.#room = others;
  }

  /**
   * An answer without a plea for a pause came, to a request sent at `sentAt`. After some of them, speed and concurrency
   * go up again, to the usual ones at most.
   */
  requestAnswered(sentAt: number): void {
    // Answers to requests from before the silence do not end it.
    if (this.#silence && sentAt >= this.#silence.since) {
      if (this.#crowdedAt - this.#silence.since >= restMs) this.#room = this.#silence.room;
      this.#silence = undefined;
    }
    this.#answersInRoom += 1;
    if (this.#room < this.#usualRoom && this.#answersInRoom >= this.#roomPatience) {
      this.#answersInRoom = 0;
      this.#room += 1;
    }
    this.#answers += 1;
    if (this.#answers < this.#patience || this.#spacingMs === this.#usualMs) return;
    this.#answers = 0;
    this.#spacingMs = Math.max(this.#spacingMs / 2, this.#usualMs);
  }

  /**
   * Serves nobody else until the work is done. If the target has asked for pauses, all sending stops for a moment
   * first, so that the work finds the rate limit unused.
   */
  runExclusively<T>(by: string, work: () => Promise<T>): Promise<T> {
    if (this.#alone === by) return work();
    const mine = this.#last.then(async () => {
      this.#alone = noScenario;
      if (this.#spacingMs > this.#usualMs) {
        await this.#clock.sleep(restMs);
        this.#next = Math.min(this.#next, this.#clock.now());
        this.#spacingMs = this.#usualMs;
      }
      this.#alone = by;
      return work();
    });
    this.#last = mine
      .catch(() => undefined)
      .finally(() => {
        this.#alone = undefined;
        this.#dispatch();
      });
    return mine;
  }

  isExclusive(by: string): boolean {
    return this.#alone === by;
  }

  #turn({ signal, ...asker }: SendOptions): Promise<boolean> {
    return new Promise((resolve) => {
      const turn: Turn = {
        ...asker,
        take: (slot) => {
          signal?.removeEventListener('abort', leave);
          resolve(slot);
        },
      };
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== turn);
        if (this.#waiting.length === 0) this.#asleep?.abort();
        turn.take(false);
      };
      if (signal?.aborted) return turn.take(false);
      signal?.addEventListener('abort', leave);
      this.#waiting.push(turn);
      this.#dispatch();
    });
  }

  /** Gives turns to all who may have one now, and sets a timer for the next. */
  #dispatch(): void {
    while (!this.#asleep && this.#underWay < this.#room) {
      const mayGo = this.#waiting.filter(
        ({ by, evenIfExclusive }) => this.#alone === undefined || by === this.#alone || evenIfExclusive,
      );
      const turn = mayGo.find(({ beforeOthers }) => beforeOthers) ?? mayGo[0];
      if (!turn) return;
      const now = this.#clock.now();
      const next = turn.withoutSpacing ? this.#heldUntil : this.#next;
      // A timer for less than a millisecond costs more than it delays.
      if (next - now >= 1) {
        const asleep = new AbortController();
        this.#asleep = asleep;
        void this.#clock.sleep(next - now, asleep.signal).then(() => {
          this.#asleep = undefined;
          this.#dispatch();
        });
        return;
      }
      this.#waiting = this.#waiting.filter((other) => other !== turn);
      this.#underWay += 1;
      this.#next = Math.max(now, this.#next) + this.#spacingMs;
      turn.take(true);
    }
  }
}
