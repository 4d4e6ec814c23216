import type { OperationId } from '../generated/operations.js';
import type { WorkflowError } from './errors.js';
import type { Runtime } from './runtime.js';

/** One request, as it is sent. Never the key. */
export interface RequestEvent {
  /** Null for a file, and for a request of `raw` that is none of the contract's. */
  operation: OperationId | null;
  /** From 1; above it for a reading that is repeated. */
  attempt: number;
  method: string;
  url: string;
  /** What is sent beside the key: a hook may add to it, a `traceparent` for instance. */
  headers: Headers;
}

/** What came of one request: an answer, or an error, or both. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status; absent where there was no answer. */
  status?: number;
  /** What the service or its gateway calls the request. */
  requestId?: string;
  /** From sending to the end of the answer, in milliseconds; of `raw` and of a file to its beginning. */
  durationMs: number;
  /** Absent for a success, and for every answer to `raw` and every file. */
  error?: WorkflowError;
}

/** A pause, after which something is tried again. */
export interface RetryEvent {
  operation: OperationId;
  /** The attempt that failed, from 1. */
  attempt: number;
  /** The pause, in milliseconds. */
  delayMs: number;
  error: WorkflowError;
}

/**
 * Tell what happens, for logs, metrics and traces. They are called at once and not awaited; what one throws is reported as
 * uncaught and ends no call.
 */
export interface Hooks {
  onRequest?: ((event: RequestEvent) => void) | undefined;
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  onRetry?: ((event: RetryEvent) => void) | undefined;
}

/** Calls a hook, where there is one. */
export function tell<E>(hook: ((event: E) => void) | undefined, event: E): void {
  if (!hook) return;
  try {
    hook(event);
  } catch (error) {
    // As with the listeners of an event: a start that was answered must not be lost to a logger that fails.
    queueMicrotask(() => {
      throw error;
    });
  }
}

const usual = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'x-amz-request-id', 'cf-ray'];

/** What a service or its gateway calls a request, where one of the usual headers says it. */
export const requestIdOf = (headers: Headers): string | undefined =>
  usual.map((name) => headers.get(name)).find((value) => value !== null) ?? undefined;

/** One request on its way, as far as it got. */
export interface Exchange {
  /** Absent until it is sent. */
  event?: RequestEvent;
  /** When it was sent. */
  since: number;
  response?: Response;
}

/** Tells what came of a request that was sent. */
export function tellResponse(
  { onResponse }: Hooks,
  { now }: Runtime,
  { event, since, response }: Exchange,
  error?: WorkflowError,
): void {
  if (!onResponse || !event) return;
  const requestId = response && requestIdOf(response.headers);
  tell(onResponse, {
    ...event,
    durationMs: now() - since,
    ...(response && { status: response.status }),
    ...(requestId !== undefined && { requestId }),
    ...(error && { error }),
  });
}
