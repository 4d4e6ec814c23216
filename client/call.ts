import { WorkflowError } from './errors.js';

/** What `withResponse()` gives: the data, and the response that it came with. */
export interface Answer<T> {
  data: T;
  /** Its body has been read. */
  response: Response;
}

/** A promise of what a call gives, and on demand of the response as well. */
export class Call<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>;
  #data: Promise<T> | undefined;

  static override get [Symbol.species]() {
    return Promise;
  }

  /** Only for this client. */
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

  /** The data together with the response: its status and headers. */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }
}

type Traced = { stack?: string };

/**
 * Does the work, and gives an error of it the stack of the call: where it is made, in a timer or in the innards of fetch,
 * says nothing to whoever called.
 */
export function fromHere<T>(work: () => Promise<T>): Promise<T> {
  const here: Traced = {};
  (Error as { captureStackTrace?: (on: object, above: unknown) => void }).captureStackTrace?.(here, fromHere);
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
