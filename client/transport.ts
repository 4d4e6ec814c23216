import { bindOperations, type CallInit, createContractClient } from '../generated/client.js';
import { type OperationId, operations } from '../generated/operations.js';
import { deviation, fault, hasBody, type Outcome } from './answers.js';
import { WorkflowError } from './errors.js';
import { broken, cleaner, type Failure, stopped, toError } from './failures.js';
import { type Limits, within } from './limits.js';
import type { Settings } from './options.js';
import type { Runtime } from './runtime.js';

/** Sends one request by openapi-fetch. */
export type Send<T> = (init: CallInit) => Promise<Outcome<T>>;

/**
 * Stands where openapi-fetch makes a Request, which fetch would only copy: a call is faster without, and a fetch that
 * has a Request class of its own does not take the global one.
 */
class PlainRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly method: string | undefined;

  constructor(url: string, init: RequestInit) {
    this.url = url;
    this.init = init;
    this.method = init.method;
  }
}

/** The operations by openapi-fetch, without their keys. */
export const contractCalls = (baseUrl: string) =>
  bindOperations(
    createContractClient({
      baseUrl,
      redirect: 'error',
      Request: PlainRequest as unknown as typeof Request,
      // Every path has one id, which has been checked; openapi-fetch takes its time over paths of every kind.
      pathSerializer: (path, ids) =>
        path.slice(0, path.indexOf('{')) + Object.values(ids)[0] + path.slice(path.indexOf('}') + 1),
    }),
  );

/** Makes the one function that sends: once, with the key, within limits; it gives the answer or throws a WorkflowError. */
export function createAsk({ keys, fetch, validate }: Settings, runtime: Runtime) {
  const clean = cleaner(Object.values(keys));

  return async <T>(operation: OperationId, id: string, send: Send<T>, limits: Limits): Promise<T> => {
    const { keyHeader, pathParameter } = operations[operation];
    const about = pathParameter === 'executionId' ? { executionId: id } : {};
    const fail = (failure: Failure) => toError(operation, { ...about, ...failure }, clean);
    let sent = false;
    let response: Response | undefined;
    const init = {
      headers: { [keyHeader]: keys[keyHeader] },
      fetch: async (request: PlainRequest) => {
        sent = true;
        response = await fetch(request.url, request.init);
        return response;
      },
    };

    let outcome: Outcome<T>;
    try {
      outcome = await within(
        runtime,
        limits,
        (signal) => send({ ...init, signal }),
        (kind) => fail(stopped(kind, sent)),
      );
    } catch (error) {
      if (error instanceof WorkflowError) throw error;
      if (!response?.ok || hasBody(operation)) throw fail(broken(error, sent, response));
      outcome = { response };
    }
    const failure = fault(operation, outcome, runtime) ?? (validate ? await deviation(operation, outcome) : undefined);
    if (failure) throw fail(failure);
    return outcome.data as T;
  };
}
