import { WorkflowError } from './errors.js';

/** The result of `withResponse()`: the data, and the response that carried it. */
export interface Answer<T> {
  data: T;
  /** Status and headers of the answer. Its body has been read already. */
  response: Response;
}

/** A promise of the data of a call; `withResponse()` also gives the HTTP response. */
export class Call<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>;
  #data: Promise<T> | undefined;

  static override get [Symbol.species]() {
    return Promise;
  }

  /** Only this client creates calls. */
  constructor(answer: Promise<Answer<T>>) {
    super(() => {});
    this.#answer = answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#data ??= this.#answer.then(({ data }) => data);
    return this.#data.then(fulfilled, rejected);
  }

  /** Resolves to the data together with the response, whose status and headers can be read. */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }
}

type Traced = { stack?: string };

/**
 * Does the work. If it rejects with a WorkflowError, gives it the stack of the caller: where the error was created, in
 * a timer or inside fetch, does not help to find the call.
 */
export function withCallerStack<T>(work: () => Promise<T>): Promise<T> {
  const here: Traced = {};
  (Error as { captureStackTrace?: (on: object, above: unknown) => void }).captureStackTrace?.(here, withCallerStack);
  return work().catch((error: unknown) => {
    const frames = here.stack?.slice(here.stack.indexOf('\n    at '));
    if (error instanceof WorkflowError && frames?.startsWith('\n'))
      Object.defineProperty(error, 'stack', {
        value: `${error.name}: ${error.message}${frames}`,
        writable: true,
        configurable: true,
      });
    throw error;
  });
}
