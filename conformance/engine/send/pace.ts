import type { Clock } from './clock.js';

/** Who waits for the same thing asks for it one after the other: all at once would ask in vain, all but one. */
export class Lines {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether somebody waits there. */
  isAwaited(name: string): boolean {
    return this.#last.has(name);
  }

  /** Does the work when all who came before are through, or called `next`. */
  async turn<T>(name: string, work: (next: () => void) => Promise<T>): Promise<T> {
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

/** What the first pause that a target asks for slows the sending down to at least. */
const slowerSpacingMs = 100;
/** Short pauses slow the sending down to this and no further. */
const longestSpacingMs = 1000;
/** So many answers after a pause it goes faster again; at most so many where the target minds. */
const recovery = 8;
const longestRecovery = 64;
/** Limits of a pace are mostly limits of a second. */
const restMs = 1100;
const nobody = '';

/** Who asks for a turn. Those that go `first` are let through before all others. */
interface Asker {
  readonly first?: boolean;
  /** Together with others; those that come later wait for as long as all of them would have. */
  readonly atOnce?: boolean;
  readonly by?: string;
  /** Others wait for its answer, and whoever sends alone may be one of them: it goes through all the same. */
  readonly aside?: boolean;
  /** Ends the wait for a turn, not what is sent. */
  readonly signal?: AbortSignal;
}

interface Turn extends Asker {
  /** `slot`: whether it takes one of the places that requests under way have. */
  readonly take: (slot: boolean) => void;
}

/** Lets requests through no faster than `requestsPerSecond`, and no more than `concurrency` at once. */
export class Pace {
  readonly #clock: Clock;
  readonly #usualMs: number;
  #spacingMs: number;
  /** Answers until it goes faster again, and how many there were. */
  #patience = recovery;
  #answers = 0;
  #waiting: Turn[] = [];
  readonly #usualRoom: number;
  /** So many may be under way at once, and so many are. */
  #room: number;
  #underWay = 0;
  #crowdedAt = Number.NEGATIVE_INFINITY;
  /** Since when nothing that is sent is answered, and the room before: where that lasts, nobody is there, and few is no help. */
  #silence: { readonly since: number; readonly room: number } | undefined;
  /** Answers until one more is tried, and how many there were. */
  #roomPatience = recovery;
  #answersInRoom = 0;
  #next = 0;
  #heldUntil = 0;
  #isForPace = true;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #asleep: AbortController | undefined;
  /** Who sends alone, and what that is to wait for. */
  #alone: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, { requestsPerSecond, concurrency }: { requestsPerSecond: number; concurrency: number }) {
    this.#clock = clock;
    this.#usualMs = 1000 / requestsPerSecond;
    this.#spacingMs = this.#usualMs;
    this.#usualRoom = concurrency;
    this.#room = concurrency;
  }

  async through<T>(send: () => Promise<T>, asker: Asker = {}): Promise<T> {
    const slot = await this.#turn(asker);
    try {
      return await send();
    } finally {
      if (slot) this.#underWay -= 1;
      this.#dispatch();
    }
  }

  /**
   * The target asked for a pause: nobody sends before it is over, and then at half the speed at most, or those who
   * waited would run into the limit again together.
   */
  hold(ms: number): void {
    const now = this.#clock.now();
    // What was under way together, or meets the rest of the same limit, is refused for one reason, and slows down once.
    if (now >= this.#heldUntil && now - this.#slowedAt >= Math.max(restMs, 2 * this.#spacingMs)) {
      this.#slowedAt = now;
      // Who was faster again a moment ago was too fast.
      if (this.#answers < this.#patience / 2 && this.#spacingMs > this.#usualMs)
        this.#patience = Math.min(this.#patience * 2, longestRecovery);
      this.#answers = 0;
      const slower = Math.min(Math.max(this.#spacingMs * 2, slowerSpacingMs), Math.max(ms, longestSpacingMs));
      this.#spacingMs = Math.max(this.#spacingMs, slower);
    }
    this.pause(ms);
  }

  /**
   * The target, or what stands before it, is not there for now, or sent too much. Where it says so however slowly it is asked,
   * it is not for the pace, and to be slow helps nobody.
   */
  yield(ms: number): void {
    if (this.#spacingMs >= longestSpacingMs) {
      this.#isForPace = false;
      this.#spacingMs = this.#usualMs;
      this.#patience = recovery;
    }
    if (this.#isForPace) this.hold(ms);
    else this.pause(ms);
  }

  /** Nobody sends for a while: there is nobody who would answer. */
  pause(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + ms);
    this.#next = Math.max(this.#next, this.#heldUntil);
  }

  /**
   * A request had no answer for which its connection was refused or cut. Where that happens again and again while others are
   * under way, there is room for no more than those.
   */
  crowded(): void {
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
   * An answer that asks for no pause, to what was sent at this time. After some of them it goes faster again, up to the usual
   * pace.
   */
  answered(sentAt: number): void {
    // What was let in before tells nothing of who came after it.
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
   * Lets nobody else through until the work is done. Where a target has asked for pauses, nobody sends for a while before,
   * so that all of what it lets through in a while is there for the work.
   */
  alone<T>(by: string, work: () => Promise<T>): Promise<T> {
    if (this.#alone === by) return work();
    const mine = this.#last.then(async () => {
      this.#alone = nobody;
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

  isAlone(by: string): boolean {
    return this.#alone === by;
  }

  #turn({ signal, ...asker }: Asker): Promise<boolean> {
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

  /** Lets through whoever may be, and wakes up again when the next one may. */
  #dispatch(): void {
    while (!this.#asleep && this.#underWay < this.#room) {
      const mayGo = this.#waiting.filter(({ by, aside }) => this.#alone === undefined || by === this.#alone || aside);
      const turn = mayGo.find(({ first }) => first) ?? mayGo[0];
      if (!turn) return;
      const now = this.#clock.now();
      const next = turn.atOnce ? this.#heldUntil : this.#next;
      // Below a millisecond a timer costs more than it spaces.
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
