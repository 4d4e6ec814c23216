/** Sends one request to the service and reads its answer, within a deadline. */

import { createContractClient } from '../generated/client.js';
import type { OperationId } from '../generated/operations.js';
import { type Sent, sends } from '../generated/sends.js';
import { deviationOf, hasBody, isRedirect, redirected } from './answers.js';
import { readText } from './body.js';
import type { Answer } from './call.js';
import type { Ids } from './checks.js';
import { WorkflowError } from './errors.js';
import { broken, type Failure, stopped, toError } from './failures.js';
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

/** What openapi-fetch passes to the constructor of a request. */
interface Prepared {
  readonly url: string;
  readonly headers: Headers;
  readonly redirect: RequestRedirect;
  readonly body?: string;
}

/** Replaces `Request` in openapi-fetch: a real one would only be taken apart again. */
function Plain(url: string, init: Omit<Prepared, 'url'>): Prepared {
  return { ...init, url };
}

/** What openapi-fetch returns for an answer. */
interface Read {
  readonly data?: unknown;
  readonly error?: unknown;
}

/** The openapi-fetch client, typed for operations that are only known at run time. */
interface Contract {
  request(method: string, path: string, init: object): Promise<Read>;
}

/** Returns the function that sends a request once, with the key. It returns the answer or throws a WorkflowError. */
export function createSender(settings: Settings, runtime: Runtime) {
  const { baseUrl, cleaner, validate, maxResponseBytes } = settings;
  // `manual` and not `error`, which some runtimes do not support.
  const contract = createContractClient({
    baseUrl,
    redirect: 'manual',
    Request: Plain as unknown as typeof Request,
  }) as unknown as Contract;

  /** `attempt` counts from 1. */
  return async <T>(
    { operation, ids, query, body, headers }: ServiceRequest,
    limits: Limits,
    attempt: number,
  ): Promise<Answer<T>> => {
    const { method, path, keyHeader, mediaType }: Sent & { keyHeader: KeyHeader } = sends[operation];
    const exchange: Exchange = { since: 0 };
    let text: string | undefined;

    const fail = (failure: Failure): WorkflowError => {
      const { response } = exchange;
      const { executionId } = ids;
      const answered = response && {
        status: response.status,
        requestSent: true,
        headers: Object.fromEntries(response.headers),
        requestId: requestIdOf(response.headers),
        body: text,
      };
      return toError(operation, { ...(executionId && { executionId }), ...answered, ...failure }, cleaner);
    };

    const work = async (signal: AbortSignal): Promise<Answer<T>> => {
      // Load it before sending: if the import failed later, the answer would be lost.
      const deviation = validate && (await import('./deviation.js')).contractCheck(validate);
      const fetch = async ({ url, headers, redirect, body }: Prepared): Promise<Partial<Response>> => {
        const event = { operation, attempt, method, url, headers };
        const response = await send(settings, runtime, exchange, event, keyHeader, {
          redirect,
          signal,
          body: body ?? null,
        });
        if (isRedirect(response)) throw fail(redirected(response));
        const reading = readText(response, maxResponseBytes);
        // Where a success needs no body, it does not matter if reading it fails.
        text = await (response.ok && !hasBody(operation) ? reading.catch(() => undefined) : reading);
        // Leave out the headers: a wrong Content-Length must not make openapi-fetch skip the body.
        return { ok: response.ok, status: response.status, headers: new Headers(), text: async () => text ?? '' };
      };
      const params = { path: ids, query, header: { 'Content-Type': mediaType } };
      const { data, error } = await contract
        .request(method, path, { params, headers, body, fetch })
        .catch((thrown): Read => {
          // A body that is not JSON is judged below; only a failure to send or read is thrown.
          if (text === undefined) throw thrown;
          return {};
        });
      const response = exchange.response as Response;
      const outcome = { response, text, value: response.ok ? data : error };
      const failure = deviationOf(operation, outcome, settings, runtime) ?? deviation?.(operation, outcome);
      if (failure) throw fail(failure);
      return { data: (hasBody(operation) ? data : undefined) as T, response };
    };

    let failed: WorkflowError | undefined;
    try {
      return await within(runtime, limits, work, (stop) => fail(stopped(stop, !!exchange.event)));
    } catch (error) {
      const { event, response } = exchange;
      failed = error instanceof WorkflowError ? error : fail(broken(error, !!event, !!response, cleaner));
      throw failed;
    } finally {
      callOnResponse(settings, runtime, exchange, failed);
    }
  };
}
