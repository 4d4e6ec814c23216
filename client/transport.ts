import type { OperationId } from '../generated/operations.js';
import { sends } from '../generated/sends.js';
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

/** What is asked of the service. The id has been checked. */
export interface Question {
  readonly operation: OperationId;
  readonly id: string;
  readonly body?: object | undefined;
  readonly headers?: HeadersInit | undefined;
}

/** Makes the one function that sends: once, with the key, within limits; it gives the answer or throws a WorkflowError. */
export function createAsk(settings: Settings, runtime: Runtime) {
  const { baseUrl, keyFor, cleaner, fetch, validate, hooks, maxResponseBytes } = settings;

  /** `attempt` is from 1. */
  return async <T>(question: Question, limits: Limits, attempt: number): Promise<Answer<T>> => {
    const { operation, id, body } = question;
    const { method, path, keyHeader } = sends[operation];
    let event: RequestEvent | undefined;
    let since = 0;
    let response: Response | undefined;
    let text: string | undefined;

    const fail = (failure: Failure): WorkflowError => {
      const about = path.includes('{executionId}') ? { executionId: id } : {};
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
    const work = async (signal: AbortSignal): Promise<Outcome> => {
      const key = await keyFor(keyHeader);
      // The time may be over by now.
      signal.throwIfAborted();
      const sent = body && JSON.stringify(body);
      const headers = new Headers(settings.headers);
      if (sent !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
      if (question.headers) for (const [name, value] of new Headers(question.headers)) headers.set(name, value);
      const url = baseUrl + path.replace(/{.*}/, id);
      since = runtime.now();
      event = { operation, attempt, method, url, headers };
      let carrying = headers;
      if (hooks.onRequest || hooks.onResponse) {
        tell(hooks.onRequest, event);
        // What a hook keeps has no key.
        carrying = new Headers(headers);
      }
      // Last, so that no other header stands in its place.
      carrying.set(keyHeader, key);
      // Known everywhere, as `error` is not: a redirect is an answer like any other, and none that is followed.
      const init: RequestInit = { method, headers: carrying, redirect: 'manual', signal };
      if (sent !== undefined) init.body = sent;
      response = await fetch(url, sentOnce(init));
      if (isRedirect(response)) throw fail(redirected(response));
      text = await readText(response, maxResponseBytes);
      return { response, value: response.ok && !hasBody(operation) ? undefined : jsonOf(text, response.ok) };
    };

    let outcome: Outcome;
    try {
      outcome = await within(runtime, limits, work, (kind) =>
        fail(stopped(kind, event !== undefined, limits.signal?.reason)),
      );
    } catch (error) {
      if (error instanceof WorkflowError) throw error;
      // Of an answer that needs no body, none has to be whole.
      if (!response?.ok || hasBody(operation)) throw fail(broken(error, event !== undefined, response));
      outcome = { response, value: undefined };
    }
    const failure = fault(operation, outcome, runtime) ?? (validate && deviation(operation, outcome, validate));
    if (failure) throw fail(failure);
    over();
    return { data: outcome.value as T, response: outcome.response };
  };
}

/** What a text says as JSON. Throws a SyntaxError where it has to be JSON and is not. */
function jsonOf(text: string, isJson: boolean): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch (error) {
    if (isJson) throw error;
    return undefined;
  }
}

/** What an error tells of the answer, where there was one. */
function answered(response: Response | undefined, body: string | undefined) {
  if (!response) return {};
  const { headers } = response;
  return { headers: Object.fromEntries(headers), requestId: requestIdOf(headers), body };
}
