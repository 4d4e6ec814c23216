import type { OperationId } from '../generated/operations.js';
import type { ParameterError } from '../generated/types.js';

/** The closed set of what can go wrong, told apart by what a caller does about it. The guide has a table of them. */
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
  'malformed-response',
  'contract',
  'may-have-started',
  'unsuccessful',
  'unexpected-result',
] as const;

/** What happened, as far as a caller would do something else for it. */
export type WorkflowErrorKind = (typeof errorKinds)[number];

/** What an error carries beside its kind and its message, where it is known. */
export interface WorkflowErrorDetails {
  /** The operation that failed; absent for a mistake in the client's own options. */
  operation?: OperationId | undefined;
  /** The HTTP status, once there was an answer. */
  status?: number | undefined;
  /** `code` of the error body. */
  code?: number | undefined;
  /** The parameters that the service found at fault. */
  parameters?: readonly ParameterError[] | undefined;
  /** `title`, `type` and `instance` of the standard error body, where it has them (interface: Errors). */
  title?: string | undefined;
  type?: string | undefined;
  instance?: string | undefined;
  /** The execution that the call was about or had started, where it is known. */
  executionId?: string | undefined;
  /** How long the service asks to wait, in milliseconds, counted from the answer. */
  retryAfterMs?: number | undefined;
  /** False when nothing can have reached the service. */
  requestSent?: boolean;
  /** What the service or its gateway calls the request: the first of the usual headers, such as `X-Request-Id`. */
  requestId?: string | undefined;
  /** The answer's headers, their names in lower case, without keys. Not shown when the error is printed. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** The answer's text, up to 1000 characters, without keys. Not shown when the error is printed. */
  body?: string | undefined;
  /** The reason of the caller's signal, or what the runtime said, without keys. */
  cause?: unknown;
}

/**
 * The one error of this client. `kind` says what to do about it; `message` says what happened. Nothing of it contains an
 * API key: what an implementation of fetch throws may carry the request's headers, so `cause` is a copy of its message.
 */
export class WorkflowError extends Error {
  declare readonly kind: WorkflowErrorKind;
  declare readonly requestSent: boolean;
  declare readonly operation?: OperationId;
  declare readonly status?: number;
  declare readonly code?: number;
  declare readonly parameters?: readonly ParameterError[];
  declare readonly title?: string;
  declare readonly type?: string;
  declare readonly instance?: string;
  declare readonly executionId?: string;
  declare readonly retryAfterMs?: number;
  declare readonly requestId?: string;
  declare readonly headers?: Readonly<Record<string, string>>;
  declare readonly body?: string;

  /** Whether a value is such an error, also one of another copy of this package; `instanceof` says the same. */
  static is(error: unknown): error is WorkflowError {
    return typeof error === 'object' && error !== null && brand in error;
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

/** Not part of what is printed of an error; Node shows the cause by itself. */
const unshown = ['cause', 'headers', 'body'];

/** The same in every copy of the package, of which a program may hold two. */
const brand = Symbol.for('workflow-execution-contract/WorkflowError');

// Not inside the class: a bundler would rename a class that speaks of itself, and Node would print that name.
Object.defineProperties(WorkflowError.prototype, {
  name: { value: 'WorkflowError', writable: true, configurable: true },
  [brand]: { value: true },
});
Object.defineProperty(WorkflowError, Symbol.hasInstance, {
  value(this: unknown, error: unknown) {
    return this === WorkflowError
      ? WorkflowError.is(error)
      : Function.prototype[Symbol.hasInstance].call(this as () => void, error);
  },
});
