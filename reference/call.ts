/** A request and its answer, independent of HTTP libraries. */

import type { OperationId } from '../generated/operations.js';
import type { ApiKey } from './store.js';

/** A request. Optional fields are undefined until they have been read. */
export interface Call {
  readonly operation: OperationId;
  readonly method: string;
  /** As it was sent, including the base path. */
  readonly path: string;
  /** Scheme, host, port and base path: the beginning of the service's own URLs. */
  readonly origin: string;
  /** The id in the path; empty if there is none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The values of its path and query parameters. */
  given?: Given;
  body?: unknown;
  /** Bytes of the body. */
  size?: number;
  key?: ApiKey;
}

/** The parameters of a request, as the handlers take them. */
export interface Given {
  readonly [nameInPath: string]: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** An answer. `body` is a JSON value; undefined means no body. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
