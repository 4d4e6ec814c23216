import type { OperationId } from '../generated/operations.js';
import type { ApiKey } from './store.js';

/** One request, as far as it is known: what is not read yet is undefined. */
export interface Call {
  readonly operation: OperationId;
  readonly method: string;
  /** As it was sent, with the base path before it. */
  readonly path: string;
  /** Scheme, host, port and base path: what the service's own addresses begin with. */
  readonly origin: string;
  /** The id in the path. */
  readonly id: string;
  readonly headers: Headers;
  body?: unknown;
  /** Bytes of the body. */
  size?: number;
  key?: ApiKey;
}

/** `body` is any JSON value; undefined is no body. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
