import type { Exchange, Facts } from '../vocabulary.js';
import type { RequestSpec } from './request-spec.js';

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
