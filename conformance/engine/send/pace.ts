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

/** Answers until one more concurrent request is tried. */
const recovery = 32;
/** For so long after a pause the target's limit may be used up. Most limits count requests per second. */
const [soonMs, restMs] = [10_000, 1100];
const nobody = '';

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

/** Limits requests to `requestsPerSecond`, and to `concurrency` at once; to fewer where connections break beside others. */
export class Pace {
  readonly #clock: Clock;
  readonly #spacingMs: number;
  #waiting: Turn[] = [];
  readonly #usualRoom: number;
  /** The present limit of concurrent requests, and how many are under way. */
  #room: number;
  #underWay = 0;
  /** How many answers came since a connection broke. */
  #answers = 0;
  #next = 0;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #asleep: AbortController | undefined;
  /** The scenario that sends alone. */
  #alone: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, { requestsPerSecond, concurrency }: { requestsPerSecond: number; concurrency: number }) {
    this.#clock = clock;
    this.#spacingMs = 1000 / requestsPerSecond;
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

  /** Nobody sends for a while: the target is away, or asked for a pause. */
  pause(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + ms);
    this.#next = Math.max(this.#next, this.#heldUntil);
  }

  /** A connection was refused or cut: there may be room only for those that are under way besides. */
  connectionFailed(): void {
    const others = this.#underWay - 1;
    this.#answers = 0;
    if (others > 0) this.#room = Math.min(this.#room, others);
  }

  /** After some answers one more concurrent request is tried, up to the usual number. */
  requestAnswered(): void {
    this.#answers += 1;
    if (this.#answers % recovery === 0) this.#room = Math.min(this.#room + 1, this.#usualRoom);
  }

  /** Serves nobody else until the work is done. It finds a limit that was met a moment ago unused. */
  runExclusively<T>(by: string, work: () => Promise<T>): Promise<T> {
    if (this.#alone === by) return work();
    const mine = this.#last.then(async () => {
      this.#alone = nobody;
      if (this.#clock.now() - this.#heldUntil < soonMs) await this.#clock.sleep(restMs);
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
        take: (slot) => {
          signal?.removeEventListener('abort', leave);
          resolve(slot);
        },
        ...asker,
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
