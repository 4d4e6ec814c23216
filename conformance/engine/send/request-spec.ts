import type { GapId, OperationId } from '../contract.js';
import type { Credential, Exchange, Facts, Probe } from '../vocabulary.js';

/** One request of a journey. */
export interface RequestSpec {
  readonly step: string;
  readonly operation: OperationId;
  /** The id in the path, the last one where it has several; empty where it has none. */
  readonly id: string;
  /** The other ids in the path, by their names. */
  readonly within?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Header parameters, as the contract names them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body that is sent as it stands, with its media type. Wins over `body`. */
  readonly raw?: { readonly text: string; readonly type: string };
  /** Another method than the operation's: the request then belongs to no operation. */
  readonly method?: string;
  readonly credential?: Credential;
  readonly probe?: Probe;
  readonly observes?: readonly GapId[];
  readonly timeoutMs?: number;
  /** A 429 is an answer to this request, not a plea to come back later. */
  readonly mayBeOverLimit?: boolean;
  /** Before all that waits for its turn: what it is to meet is soon over. */
  readonly first?: boolean;
  /** What it tells others wait for: it is sent also while somebody sends alone, who may be one of them. */
  readonly aside?: boolean;
  /** With others at the same time: it does not wait for what lies between two requests. */
  readonly atOnce?: boolean;
  /** A 429 that does not say how long to wait may be one of capacity: whoever asks knows what to do about it. */
  readonly mayBeAtCapacity?: boolean;
  /** Nobody who is right starts anything for it, whatever else is expected of its answer. */
  readonly startsNothing?: boolean;
  /** Whatever it is, nothing is expected of its answer but what holds for every answer. */
  readonly unjudged?: boolean;
  /** The sequence that it is a step of. */
  readonly sequence?: number;
  /** Over a connection of its own, though it may well be sent twice. */
  readonly fresh?: boolean;
  /** The service may well refuse it for what it asks. */
  readonly mayBeRefused?: boolean;
  /** Nothing has its id: whether a success without a body is the service's, a reading tells. */
  readonly madeUp?: boolean;
  /** Sent even when the run is being stopped: to put back what was changed. */
  readonly always?: boolean;
}

/** The part of the driver that code needs which waits for a target: to send, to pause, and to look back. */
export interface DriverPort {
  readonly facts: Facts;
  readonly patienceMs: number;
  send(ask: RequestSpec): Promise<Exchange>;
  pause(ms: number): Promise<void>;
  /** Counts the time that something takes as waited. */
  waiting<T>(wait: () => Promise<T>): Promise<T>;
  says(text: string): void;
  exclude(exchange: Exchange): void;
  expectNothing(exchange: Exchange): void;
  lastAnswer(journey: string, step: string): Exchange | undefined;
  unique(step?: string): string;
  unknownId(step?: string): string;
}
