import type { OperationId } from '../generated/operations.js';
import { sends } from '../generated/sends.js';
import { fault, hasBody, isRedirect, redirected } from './answers.js';
import { readText } from './body.js';
import type { Answer } from './call.js';
import { WorkflowError } from './errors.js';
import { broken, type Failure, stopped, toError } from './failures.js';
import { type RequestEvent, requestIdOf, tell, tellResponse } from './hooks.js';
import { type Limits, within } from './limits.js';
import { sentOnce } from './once.js';
import type { Settings } from './options.js';
import type { Runtime } from './runtime.js';

/** What is asked of the service. The id has been checked. */
export interface Question {
  readonly operation: OperationId;
  readonly id: string;
  readonly body?: object | undefined;
  /** What is sent beside the key. */
  readonly headers: Headers;
}

/** Makes the one function that sends: once, with the key, within limits; it gives the answer or throws a WorkflowError. */
export function createAsk(settings: Settings, runtime: Runtime) {
  const { baseUrl, keyFor, cleaner, fetch, validate, maxResponseBytes } = settings;

  /** `attempt` is from 1. */
  return async <T>(question: Question, limits: Limits, attempt: number): Promise<Answer<T>> => {
    const { operation, id, body } = question;
    const { method, path, keyHeader } = sends[operation];
    let event: RequestEvent | undefined;
    let since = 0;
    let response: Response | undefined;
    let text: string | undefined;

    const fail = (failure: Failure): WorkflowError => {
      const about = path.includes('{executionId}') && { executionId: id };
      const answered = response && {
        status: response.status,
        requestSent: true,
        headers: Object.fromEntries(response.headers),
        requestId: requestIdOf(response.headers),
        body: text,
      };
      const error = toError(operation, { ...about, ...answered, ...failure }, cleaner);
      over(error);
      return error;
    };
    const over = (error?: WorkflowError) => {
      if (event) tellResponse(settings, event, runtime.now() - since, response, error);
      event = undefined;
    };
    const work = async (signal: AbortSignal): Promise<Answer<T>> => {
      const key = await keyFor(keyHeader);
      // Before anything is sent: no answer is lost to what cannot be loaded.
      const deviation = validate && (await import('./deviation.js')).holdTo(validate);
      // The time may be over by now.
      signal.throwIfAborted();
      const sent = body ? JSON.stringify(body) : null;
      const headers = new Headers(question.headers);
      if (body && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
      const url = baseUrl + path.replace(/{.*}/, id);
      since = runtime.now();
      event = { operation, attempt, method, url, headers };
      tell(settings.onRequest, event);
      // A copy: what a hook keeps has no key. Last, so that no other header stands in the place of the key.
      const carrying = new Headers(headers);
      carrying.set(keyHeader, key);
      // Known everywhere, as `error` is not: a redirect is an answer like any other, and none that is followed.
      const init: RequestInit = { method, headers: carrying, redirect: 'manual', signal, body: sent };
      const answer = await fetch(url, sentOnce(init));
      // What stands in for fetch in a test may give anything.
      if (!answer?.headers) throw new TypeError('fetch gave no Response');
      response = answer;
      if (isRedirect(response)) throw fail(redirected(response));
      // Of an answer that needs no body, none has to be whole.
      const reading = readText(response, maxResponseBytes);
      text = await (response.ok && !hasBody(operation) ? reading.catch(() => undefined) : reading);
      const outcome = { response, text, value: jsonOf(text) };
      const failure = fault(operation, outcome, settings, runtime) ?? deviation?.(operation, outcome);
      if (failure) throw fail(failure);
      over();
      return { data: (hasBody(operation) ? outcome.value : undefined) as T, response };
    };

    try {
      return await within(runtime, limits, work, (stop) => fail(stopped(stop, event !== undefined)));
    } catch (error) {
      throw error instanceof WorkflowError
        ? error
        : fail(broken(error, event !== undefined, response !== undefined, cleaner));
    }
  };
}

/** What a text says as JSON; undefined where it says nothing that is JSON. */
function jsonOf(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
