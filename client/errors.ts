/** The error of the client. */

import type { OperationId } from '../generated/operations.js';
import type { ParameterError } from '../generated/types.js';

/** All kinds of errors. They differ where a caller should act differently; docs/client.md has a table of them. */
export const errorKinds = [
  'configuration',
  'invalid-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'refused',
  'rate-limited',
  'server',
  'network',
  'timeout',
  'aborted',
  'intermediary',
  'malformed-response',
  'invalid-response',
  'may-have-started',
  'unsuccessful',
  'unexpected-result',
] as const;

/** The kind of an error. It says what a caller can do about it. */
export type WorkflowErrorKind = (typeof errorKinds)[number];

/**
 * The error of this client. `kind` says what a caller can do, `message` what happened. It contains no API key. What
 * fetch throws may carry the request's headers, so `cause` is a copy of its name, message and code.
 */
export class WorkflowError extends Error {
  /** What a caller can do about it. */
  declare readonly kind: WorkflowErrorKind;
  /** False if nothing can have reached the service. */
  declare readonly requestSent: boolean;
  /** The operation that failed; absent for a mistake in the client's own options. */
  declare readonly operation?: OperationId;
  /** The HTTP status; absent if there was no answer. */
  declare readonly status?: number;
  /** `code` of the service's error body. */
  declare readonly code?: number;
  /** The invalid parameters, as the service names them. */
  declare readonly parameters?: readonly ParameterError[];
  /** `title` of the service's error body: a short summary of the type of problem. */
  declare readonly title?: string;
  /** `type` of the service's error body: the URI of the type of problem. */
  declare readonly type?: string;
  /** `instance` of the service's error body: the path of the request. */
  declare readonly instance?: string;
  /** The execution that the call was about or has started, if known. */
  declare readonly executionId?: string;
  /** How long the service asks to wait (`Retry-After`), in milliseconds from the answer. */
  declare readonly retryAfterMs?: number;
  /** The service's or gateway's id of the request: the first of the usual headers, such as `X-Request-Id`. */
  declare readonly requestId?: string;
  /** Headers of the answer, names in lower case, keys redacted. Not shown when the error is printed. */
  declare readonly headers?: Readonly<Record<string, string>>;
  /** Body of the answer, up to 1000 characters, keys redacted. Not shown when the error is printed. */
  declare readonly body?: string;
  /** The `reason` of the caller's signal, or a copy of what the runtime or `apiKey()` threw, keys redacted. */
  declare readonly cause?: unknown;

  /** Whether a value is a WorkflowError, even from another copy of this package. `instanceof` gives the same answer. */
  static is(error: unknown): error is WorkflowError {
    return typeof error === 'object' && error !== null && brand in error;
  }

  static override [Symbol.hasInstance](error: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: it may be a subclass, whose prototype has no brand of its own.
    return Object.hasOwn(this.prototype, brand) ? this.is(error) : super[Symbol.hasInstance](error);
  }

  constructor(kind: WorkflowErrorKind, message: string, details: WorkflowErrorDetails = {}) {
    super(message);
    for (const [name, value] of Object.entries({ kind, requestSent: false, ...details }))
      if (value !== undefined)
        Object.defineProperty(this, name, {
          value,
          enumerable: !unshown.includes(name),
          writable: true,
          configurable: true,
        });
  }
}

/** What is known about an error, in addition to its kind and message. */
export type WorkflowErrorDetails = {
  -readonly [Name in Exclude<keyof WorkflowError, 'kind' | 'name' | 'message' | 'stack'>]?:
    | WorkflowError[Name]
    | undefined;
};

/** Not printed with the error; Node prints the cause by itself. */
const unshown = ['cause', 'headers', 'body'];

/** Shared by all copies of the package that a program may have loaded. */
const brand = Symbol.for('workflow-execution-contract/WorkflowError');

// Outside the class: bundlers rename a class that names itself, and Node would print the new name.
Object.defineProperties(WorkflowError.prototype, {
  name: { value: 'WorkflowError', writable: true, configurable: true },
  [brand]: { value: true },
});
