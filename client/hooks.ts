/** Hooks for logs, metrics and traces. */

import type { OperationId } from '../generated/operations.js';
import type { WorkflowError } from './errors.js';
import type { Settings } from './options.js';
import type { Runtime } from './runtime.js';

/** A request as it is sent, without the key. */
export interface RequestEvent {
  /** Null for the download of a file, and for a request by `raw` that is not an operation of the contract. */
  operation: OperationId | null;
  /** Counts from 1; above 1 for a retry. */
  attempt: number;
  method: string;
  url: string;
  /** The headers, without the key. A hook may add to them, for instance a `traceparent`. */
  headers: Headers;
}

/** The result of one request: an answer, an error, or both. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status; absent if there was no answer. */
  status?: number;
  /** The service's or gateway's id of the request, such as `X-Request-Id`. */
  requestId?: string;
  /** From sending to the end of the answer, in milliseconds. For `raw` and files: to its headers. */
  durationMs: number;
  /** Absent for a success, and always for `raw` and files. */
  error?: WorkflowError;
}

/** A pause before a retry. */
export interface RetryEvent {
  operation: OperationId;
  /** The attempt that failed, from 1. */
  attempt: number;
  /** The pause, in milliseconds. */
  delayMs: number;
  error: WorkflowError;
}

/**
 * Hooks for logs, metrics and traces. They are called synchronously; a promise that one returns is not awaited. If one
 * throws, the call goes on, and the error is reported as uncaught.
 */
export interface Hooks {
  /** Called before each request is sent. It may add headers. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called for each answer, and for each request that failed. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before the pause that precedes a retry. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
}

/** Calls a hook, if there is one. */
export function callHook<E>(hook: ((event: E) => void) | undefined, event: E): void {
  if (!hook) return;
  try {
    hook(event);
  } catch (error) {
    // Rethrow outside of the call, as with event listeners: a failing logger must not lose the answer to a start.
    queueMicrotask(() => {
      throw error;
    });
  }
}

const usual = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'x-amz-request-id', 'cf-ray'];

/** The id of a request, from the first of the usual headers that the answer has. */
export const requestIdOf = (headers: Headers): string | undefined =>
  usual.map((name) => headers.get(name)).find((value) => value !== null) ?? undefined;

/** The progress of one request. */
export interface Exchange {
  /** Absent before it is sent. */
  event?: RequestEvent;
  /** When it was sent. */
  since: number;
  response?: Response;
  /** The body of the answer, if it was read. */
  text?: string | undefined;
}

/** Calls `onResponse` and `log` for a request that was sent. */
export function callOnResponse(
  { onResponse, log, cleaner }: Settings,
  { now }: Runtime,
  { event, since, response, text = '' }: Exchange,
  error?: WorkflowError,
): void {
  if (!event) return;
  const durationMs = now() - since;
  if (log) {
    const came = response ? `${response.status} ${text}` : error?.message;
    callHook(log, cleaner.line(`${event.method} ${event.url} after ${Math.round(durationMs)} ms: ${came}`));
  }
  if (!onResponse) return;
  const requestId = response && requestIdOf(response.headers);
  callHook(onResponse, {
    ...event,
    durationMs,
    ...(response && { status: response.status }),
    ...(requestId !== undefined && { requestId }),
    ...(error && { error }),
  });
}
