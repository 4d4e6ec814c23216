import { createContractClient } from '../generated/client.js';
import type { OperationId } from '../generated/operations.js';
import { type Sent, sends } from '../generated/sends.js';
import { fault, hasBody, isRedirect, redirected } from './answers.js';
import { readText } from './body.js';
import type { Answer } from './call.js';
import type { Ids } from './checks.js';
import { WorkflowError } from './errors.js';
import { broken, type Failure, stopped, toError } from './failures.js';
import { type Exchange, requestIdOf, tellResponse } from './hooks.js';
import { type Limits, within } from './limits.js';
import type { KeyHeader, Settings } from './options.js';
import type { Runtime } from './runtime.js';
import { send } from './sending.js';

/** What is asked of the service. The ids have been checked. */
export interface Question {
  readonly operation: OperationId;
  readonly ids: Ids;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  /** What is sent beside the key. */
  readonly headers: Headers;
}

/** What openapi-fetch makes a request of. */
interface Prepared {
  readonly url: string;
  readonly headers: Headers;
  readonly redirect: RequestRedirect;
  readonly body?: string;
}

/** In the place of `Request`: fetch would only make another one of it. */
function Plain(url: string, init: Omit<Prepared, 'url'>): Prepared {
  return { ...init, url };
}

/** What openapi-fetch reads of an answer. */
interface Read {
  readonly data?: unknown;
  readonly error?: unknown;
}

/** The openapi-fetch client for an operation that is known when it is called. */
interface Contract {
  request(method: string, path: string, init: object): Promise<Read>;
}

/** Makes the one function that asks: once, with the key, within limits; it gives the answer or throws a WorkflowError. */
export function createAsk(settings: Settings, runtime: Runtime) {
  const { baseUrl, cleaner, validate, maxResponseBytes } = settings;
  // A redirect is an answer like any other, and none that is followed. Not every runtime knows `error`.
  const contract = createContractClient({
    baseUrl,
    redirect: 'manual',
    Request: Plain as unknown as typeof Request,
  }) as unknown as Contract;

  /** `attempt` is from 1. */
  return async <T>(
    { operation, ids, query, body, headers }: Question,
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
      // Before anything is sent: no answer is lost to what cannot be loaded.
      const deviation = validate && (await import('./deviation.js')).holdTo(validate);
      const fetch = async ({ url, headers, redirect, body }: Prepared): Promise<Partial<Response>> => {
        const event = { operation, attempt, method, url, headers };
        const response = await send(settings, runtime, exchange, event, keyHeader, {
          redirect,
          signal,
          body: body ?? null,
        });
        if (isRedirect(response)) throw fail(redirected(response));
        const reading = readText(response, maxResponseBytes);
        // Of an answer that needs no body, none has to be whole.
        text = await (response.ok && !hasBody(operation) ? reading.catch(() => undefined) : reading);
        // Without headers: the text is all there, whatever its length was said to be.
        return { ok: response.ok, status: response.status, headers: new Headers(), text: async () => text ?? '' };
      };
      const params = { path: ids, query, header: { 'Content-Type': mediaType } };
      const { data, error } = await contract
        .request(method, path, { params, headers, body, fetch })
        .catch((thrown): Read => {
          // What is there and is no JSON says nothing.
          if (text === undefined) throw thrown;
          return {};
        });
      const response = exchange.response as Response;
      const outcome = { response, text, value: response.ok ? data : error };
      const failure = fault(operation, outcome, settings, runtime) ?? deviation?.(operation, outcome);
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
      tellResponse(settings, runtime, exchange, failed);
    }
  };
}
