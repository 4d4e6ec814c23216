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
  /** The id in the path: the last one, where it has several; empty where it has none. */
  readonly id: string;
  /** By their names: what stands in the path, and what else stands there than the id. */
  readonly inPath: Readonly<Record<string, string>>;
  /** After the path. */
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** What its path, query and headers say. */
  given?: Given;
  /** JSON, or the bytes of another media type. */
  body?: unknown;
  /** Bytes of the body. */
  size?: number;
  key?: ApiKey;
}

/** What a request says beside its body, as the handlers take it. */
export interface Given {
  readonly [nameInPath: string]: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** `body` is any JSON value, or what `mediaType` says; undefined is no body. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Of a body that is no JSON, which is then a text or bytes. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
