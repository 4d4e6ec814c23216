import type { Failure, Mark } from '../vocabulary.js';

/** A request as it is to be sent. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long the whole answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Over a connection of its own: it may not be sent twice. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
  /** Why it is sent. Nothing of it goes over the wire. */
  readonly mark: Mark;
}

/** An answer as it came. */
export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded from its content encoding. */
  readonly bytes: Uint8Array;
}

/** Sends one request. Follows no redirect. Throws `TransportError` and nothing else. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** Why a request has no answer. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly kind: Failure['kind'];
  constructor(kind: Failure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export const connectTimeoutMs = 10_000;

/** Bodies are read up to here, decoded and encoded. */
export const bodyLimitBytes = 8 * 1024 * 1024;
