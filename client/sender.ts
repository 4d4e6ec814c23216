/** Sends one request to the service and reads its answer, within a deadline. */

import type { OperationId } from '../generated/operations.js';
import { type Sent, sends } from '../generated/sends.js';
import { deviationOf, hasBody, isRedirect, redirected } from './answers.js';
import { readText } from './body.js';
import type { Answer } from './call.js';
import type { Ids } from './checks.js';
import { WorkflowError } from './errors.js';
import { broken, type Failure, isForFramework, stopped, toError } from './failures.js';
import { callOnResponse, type Exchange, requestIdOf } from './hooks.js';
import { type Limits, within } from './limits.js';
import type { KeyHeader, Settings } from './options.js';
import type { Runtime } from './runtime.js';
import { send } from './sending.js';

/** A request to the service. Its ids have been checked. */
export interface ServiceRequest {
  readonly operation: OperationId;
  readonly ids: Ids;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  /** Headers in addition to the key. */
  readonly headers: Headers;
}

/** The query of an address. Each item of a list is a parameter of its own. */
function search(query: object = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, `${one}`]),
  );
  return parameters.length ? `?${new URLSearchParams(parameters)}` : '';
}

/** The JSON value of a text, or undefined if it is none. */
function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the function that sends a request once, with the key. It returns the answer or throws a WorkflowError. */
export function createSender(settings: Settings, runtime: Runtime) {
  const { baseUrl, cleaner, validate, maxResponseBytes } = settings;
  /** `attempt` counts from 1. */
  return async <T>(
    { operation, ids, query, body, headers }: ServiceRequest,
    limits: Limits,
    attempt: number,
  ): Promise<Answer<T>> => {
    const {
      method,
      path,
      keyHeader,
      mediaType = 'application/json',
    }: Sent & { keyHeader: KeyHeader } = sends[operation];
    const exchange: Exchange = { since: 0 };

    const fail = (failure: Failure): WorkflowError => {
      const { response } = exchange;
      const { executionId } = ids;
      const answered = response && {
        status: response.status,
        requestSent: true,
        headers: Object.fromEntries(response.headers),
        requestId: requestIdOf(response.headers),
        body: exchange.text,
      };
      return toError(operation, { ...(executionId && { executionId }), ...answered, ...failure }, cleaner);
    };

    const work = async (signal: AbortSignal): Promise<Answer<T>> => {
      // Load it before sending: if the import failed later, the answer would be lost.
      const deviation = validate && (await import('./deviation.js')).contractCheck(validate);
      const url = baseUrl + path.replace(/{(.*?)}/g, (_, name) => encodeURIComponent(`${ids[name]}`)) + search(query);
      const event = { operation, attempt, method, url, headers: new Headers(headers) };
      if (body && !headers.has('Content-Type')) event.headers.set('Content-Type', mediaType);
      const response = await send(settings, runtime, exchange, event, keyHeader, {
        // Not `error`, which some runtimes do not support.
        redirect: 'manual',
        signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (isRedirect(response)) throw fail(redirected(response));
      const reading = readText(response, maxResponseBytes);
      // Where a success needs no body, it does not matter if reading it fails.
      exchange.text = await (response.ok && !hasBody(operation) ? reading.catch(() => undefined) : reading);
      const { text } = exchange;
      const value = parsed(text);
      const outcome = { response, text, value };
      const failure = deviationOf(operation, outcome, settings, runtime) ?? deviation?.(operation, outcome);
      if (failure) throw fail(failure);
      return { data: (hasBody(operation) ? value : undefined) as T, response };
    };

    let failed: WorkflowError | undefined;
    try {
      return await within(runtime, limits, work, (stop) => fail(stopped(stop, !!exchange.event)));
    } catch (error) {
      const { event, response } = exchange;
      if (isForFramework(error)) throw error;
      failed =
        error instanceof WorkflowError
          ? error.operation
            ? error
            : fail({ kind: error.kind, text: error.message, cause: error.cause })
          : fail(broken(error, !!event, !!response, cleaner));
      throw failed;
    } finally {
      callOnResponse(settings, runtime, exchange, failed);
    }
  };
}
