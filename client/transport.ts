import { bindOperations, type CallInit, createContractClient } from '../generated/client.js';
import { type OperationId, operations } from '../generated/operations.js';
import { deviation, fault, hasBody, isRedirect, type Outcome, redirected } from './answers.js';
import { readText } from './body.js';
import type { Answer } from './call.js';
import { WorkflowError } from './errors.js';
import { broken, type Failure, stopped, toError } from './failures.js';
import { type RequestEvent, type ResponseEvent, requestIdOf, tell } from './hooks.js';
import { type Limits, within } from './limits.js';
import { sentOnce } from './once.js';
import type { Settings } from './options.js';
import type { Runtime } from './runtime.js';

/** Sends one request by openapi-fetch. */
export type Send<T> = (init: CallInit) => Promise<Outcome<T>>;

/** Of one request among those of a call. */
export interface Sending {
  headers?: HeadersInit | undefined;
  /** From 1. */
  attempt: number;
}

/**
 * Stands where openapi-fetch makes a Request, which fetch would only copy: a call is faster without, and a fetch that
 * has a Request class of its own does not take the global one.
 */
export class PlainRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly method: string | undefined;

  constructor(url: string, init: RequestInit) {
    this.url = url;
    this.init = init;
    this.method = init.method;
  }
}

/** Stands for the response whose text has been read. */
class ReadResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly #text: string;

  constructor({ ok, status, headers }: Response, text: string) {
    this.ok = ok;
    this.status = status;
    this.headers = headers;
    this.#text = text;
  }
  text = async () => this.#text;
  json = async () => JSON.parse(this.#text);
}

/** The operations by openapi-fetch, without their keys. */
export const contractCalls = (baseUrl: string) =>
  bindOperations(
    createContractClient({
      baseUrl,
      // Known everywhere, as `error` is not: a redirect is an answer like any other, and none that is followed.
      redirect: 'manual',
      Request: PlainRequest as unknown as typeof Request,
      // Every path has one id, which has been checked; openapi-fetch takes its time over paths of every kind.
      pathSerializer: (path, ids) =>
        path.slice(0, path.indexOf('{')) + Object.values(ids)[0] + path.slice(path.indexOf('}') + 1),
    }),
  );

/** Makes the one function that sends: once, with the key, within limits; it gives the answer or throws a WorkflowError. */
export function createAsk(settings: Settings, runtime: Runtime) {
  const { keyFor, cleaner, fetch, validate, hooks, maxResponseBytes } = settings;

  return async <T>(
    operation: OperationId,
    id: string,
    send: Send<T>,
    limits: Limits,
    { headers, attempt }: Sending,
  ): Promise<Answer<T>> => {
    const { keyHeader, pathParameter } = operations[operation];
    let event: RequestEvent | undefined;
    let since = 0;
    let response: Response | undefined;
    let text: string | undefined;

    const fail = (failure: Failure): WorkflowError => {
      const about = pathParameter === 'executionId' ? { executionId: id } : {};
      const error = toError(operation, { ...about, ...answered(response, text), ...failure }, cleaner);
      over(error);
      return error;
    };
    const over = (error?: WorkflowError) => {
      if (!event || !hooks.onResponse) return;
      const { status, headers } = response ?? {};
      const requestId = headers && requestIdOf(headers);
      tell<ResponseEvent>(hooks.onResponse, {
        ...event,
        durationMs: runtime.now() - since,
        ...(status !== undefined && { status }),
        ...(requestId !== undefined && { requestId }),
        ...(error && { error }),
      });
      event = undefined;
    };
    const exchange = async (key: string, { url, init }: PlainRequest): Promise<ReadResponse> => {
      const sent = init.headers as Headers;
      since = runtime.now();
      event = { operation, attempt, method: init.method ?? 'GET', url, headers: sent };
      if (hooks.onRequest) tell(hooks.onRequest, event);
      // Last, so that no other header stands in its place.
      init.headers = new Headers(sent);
      init.headers.set(keyHeader, key);
      response = await fetch(url, sentOnce(init));
      if (isRedirect(response)) throw fail(redirected(response));
      text = await readText(response, maxResponseBytes);
      return new ReadResponse(response, text);
    };
    const work = async (signal: AbortSignal): Promise<Outcome<T>> => {
      const key = await keyFor(keyHeader);
      // The time may be over by now.
      signal.throwIfAborted();
      const merged = new Headers(settings.headers);
      for (const [name, value] of new Headers(headers)) merged.set(name, value);
      const through = (request: unknown) => exchange(key, request as PlainRequest) as unknown as Promise<Response>;
      return send({ headers: merged, signal, fetch: through } as CallInit);
    };

    let outcome: Outcome<T>;
    try {
      outcome = await within(runtime, limits, work, (kind) =>
        fail(stopped(kind, event !== undefined, limits.signal?.reason)),
      );
    } catch (error) {
      if (error instanceof WorkflowError) throw error;
      if (!response?.ok || hasBody(operation)) throw fail(broken(error, event !== undefined, response));
      outcome = { response };
    }
    const failure = fault(operation, outcome, runtime) ?? (validate && deviation(operation, outcome, validate));
    if (failure) throw fail(failure);
    over();
    return { data: outcome.data as T, response: response as unknown as Response };
  };
}

/** What an error tells of the answer, where there was one. */
function answered(response: Response | undefined, body: string | undefined) {
  if (!response) return {};
  const { headers } = response;
  return { headers: Object.fromEntries(headers), requestId: requestIdOf(headers), body };
}
