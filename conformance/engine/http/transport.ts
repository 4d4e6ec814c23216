/** The interface between the engine and what sends a request over the wire. */
import type { Failure, Mark } from '../vocabulary.js';

export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long the whole answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** On a new connection, because it must not be sent twice. */
  readonly newConnection?: boolean;
  readonly signal?: AbortSignal;
  /** Why it is sent. It is not part of the request on the wire. */
  readonly mark: Mark;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded from its content encoding. */
  readonly bytes: Uint8Array;
}

/** Sends one request. Follows no redirect. Throws `TransportError` and nothing else. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

export class TransportError extends Error {
  override name = 'TransportError';
  readonly kind: Failure['kind'];
  constructor(kind: Failure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export const connectTimeoutMs = 10_000;

/** The limit of a body, both encoded and decoded. */
export const bodyLimitBytes = 8 * 1024 * 1024;
