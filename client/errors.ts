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
] as const;

export type WorkflowErrorKind = (typeof errorKinds)[number];

export interface WorkflowErrorDetails {
  /** The operation that failed; absent for a mistake in the client's own options. */
  operation?: OperationId | undefined;
  /** The HTTP status, once there was an answer. */
  status?: number | undefined;
  /** `code` of the error body. */
  code?: number | undefined;
  /** The parameters that the service found at fault. */
  parameters?: readonly ParameterError[] | undefined;
  /** The execution that the call was about or had started, where it is known. */
  executionId?: string | undefined;
  /** How long the service asks to wait, in milliseconds, counted from the answer. */
  retryAfterMs?: number | undefined;
  /** False when nothing can have reached the service. */
  requestSent?: boolean;
}

/**
 * The one error of this client. `kind` says what to do about it; `message` says what happened, and never contains an
 * API key. There is no `cause`: what an implementation of fetch throws may carry the request's headers.
 */
export class WorkflowError extends Error {
  readonly kind: WorkflowErrorKind;
  readonly requestSent: boolean;
  declare readonly operation?: OperationId;
  declare readonly status?: number;
  declare readonly code?: number;
  declare readonly parameters?: readonly ParameterError[];
  declare readonly executionId?: string;
  declare readonly retryAfterMs?: number;

  constructor(
    kind: WorkflowErrorKind,
    message: string,
    { requestSent = false, ...details }: WorkflowErrorDetails = {},
  ) {
    super(message);
    this.kind = kind;
    this.requestSent = requestSent;
    Object.assign(this, Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)));
  }
}

// Not inside the class: a bundler would rename a class that speaks of itself, and Node would print that name.
WorkflowError.prototype.name = 'WorkflowError';
