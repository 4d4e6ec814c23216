import type { Answer, Call, Execution, Fields, Profile, Status } from './state.js';
import type { Problem } from './ways.js';

export type Entry = 'ok' | 'missing' | 'invalid' | 'forbidden';

/** Where a fault can put something of its own in the place of what the service does. */
export interface Hooks {
  /** Whom the service lets in. */
  entry(entry: Entry, call: Call): Entry;
  /** What it understands of a body. */
  reads(body: Fields, call: Call): Fields;
  /** Whether it refuses what it should; `field` is at fault. */
  refuses(problem: Problem, call: Call, field?: string): boolean;
  /** Changes a new execution before it starts. */
  starts(execution: Execution, call: Call): void;
  /** How many runs a group holds at once. */
  holds(free: boolean, call: Call): boolean;
  /** Which of those that wait is next. */
  next(waiting: readonly Execution[]): Execution | undefined;
  /** What becomes of a step; undefined stops it. */
  steps(to: Status, execution: Execution): Status | undefined;
  /** How long a synchronous start waits. */
  waits(ms: number, call: Call): number;
  /** Changes what is shown of an execution. */
  shows(view: Fields, execution: Execution, call: Call): void;
  /** Changes the listing of files. */
  lists(view: Fields, execution: Execution, call: Call): void;
  /** Changes a profile after an update; `before` is how it was. */
  updates(profile: Profile, before: Profile, call: Call): void;
  /** Changes a profile after an update that was refused. */
  refused(profile: Profile, call: Call): void;
  /** Changes what is shown of a profile. */
  profile(view: Fields, profile: Profile, call: Call): void;
  /** Changes a copy. */
  copies(copy: Profile, source: Profile, call: Call): void;
  /** Whether a pool is really deleted. */
  deletes(call: Call): boolean;
  /** Changes an answer as it leaves. */
  answers(answer: Answer, call: Call): void;
  /** Milliseconds before an answer leaves. */
  delays(call: Call): number;
}

export const faultless: Hooks = {
  entry: (entry) => entry,
  reads: (body) => body,
  refuses: () => true,
  starts: () => undefined,
  holds: (free) => free,
  next: (waiting) => waiting[0],
  steps: (to) => to,
  waits: (ms) => ms,
  shows: () => undefined,
  lists: () => undefined,
  updates: () => undefined,
  refused: () => undefined,
  profile: () => undefined,
  copies: () => undefined,
  deletes: () => true,
  answers: () => undefined,
  delays: () => 0,
};

export type Level = 'MUST' | 'SHOULD';

/** One way to break one sentence of the interface. */
export interface Fault {
  readonly id: string;
  /** MUST where the interface says so in words, SHOULD where it only follows. */
  readonly level: Level;
  /** Made anew for each service, so that what it counts begins at nought. */
  readonly make: () => Partial<Hooks>;
}
