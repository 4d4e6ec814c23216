import type { Body, Exchange, ProfileHistory, Trace } from '../vocabulary.js';

/** Where histories go when they are complete, or have to make room. */
export interface Bench {
  /** `isPiece`: not the first of it. `isLast`: the recording is over, and nothing of it is missing or can follow. */
  trace(trace: Trace, isPiece: boolean, isLast: boolean): void;
  profile(history: ProfileHistory): void;
  /** Shown what has ended, each time that there is more of it: nothing is counted by that. */
  readonly glimpse?: Bench;
}

/** What is remembered of one thing: an execution, or a profile. */
export interface History {
  /** How many exchanges of it are remembered. */
  readonly length: number;
  readonly bytes: number;
  /** Whether it was seen to be over: little more is to be expected. */
  readonly hasEnded: boolean;
  /** `answer` is the body as it was written, `key` the number of the key that it was sent with. */
  add(exchange: Exchange, answer: string, key?: number): void;
  /** There was one more that was not recorded. */
  miss(): void;
  judge(bench: Bench, isLast: boolean): void;
  /** Forgets what was judged, apart from what the next has to be compared with. */
  shorten(): void;
}

/** Of an exchange without bodies, about. */
const frame = 1000;

export const weight = ({ request, response }: Exchange): number =>
  frame + bytes(request.body) + (response ? bytes(response.body) : 0);

const bytes = (body: Body): number => (body.kind === 'none' ? 0 : body.bytes);

/** Recorders write exchanges as they end, and files are named in any order. */
export const inOrder = (exchanges: readonly Exchange[]): Exchange[] => exchanges.toSorted((a, b) => a.at - b.at);
