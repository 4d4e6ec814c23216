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
  /** The last id in the path; empty if there is none. */
  readonly id: string;
  /** All path parameters by name, as they were sent. */
  readonly inPath: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The values of its path, query and header parameters. */
  given?: Given;
  /** JSON, or the bytes of another media type. */
  body?: unknown;
  /** Bytes of the body. */
  size?: number;
  key?: ApiKey;
}

/** The parameters of a request, as the handlers take them. */
export interface Given {
  readonly [nameInPath: string]: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** An answer. `body` is a JSON value, or a text or bytes of `mediaType`; undefined means no body. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** The media type of a body that is not JSON. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
