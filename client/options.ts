/** The options of a client, and the settings that result. */

import type { OperationId, operations } from '../generated/operations.js';
import type { pathPrefix } from '../generated/sends.js';
import type { responseValidator } from '../generated/validators.js';
import { checkOptions, type Known, type Refuse } from './checks.js';
import { WorkflowError } from './errors.js';
import { copyOf, isForFramework } from './failures.js';
import type { Hooks } from './hooks.js';
import type { HeadersGiven } from './requests.js';
import type { Runtime } from './runtime.js';
import { Cleaner } from './secrets.js';

/** An API key, or a function that returns one. It is called before each request, so keys can be rotated. */
export type ApiKey = string | (() => string | Promise<string>);

/** Options of a listener, as node-fetch 2 types them: under exactOptionalPropertyTypes those of the web do not fit. */
type Listening = boolean | Readonly<Partial<Record<'capture' | 'once' | 'passive', boolean | undefined>>>;

type Listen = (type: 'abort', listener: (this: never, event: never) => unknown, options?: Listening) => void;

/** What `fetch` is called with, in addition to the address. */
export interface FetchInit {
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** JSON. Absent if there is none. */
  body?: string;
  /** `manual`: the client follows no redirects with the key. */
  redirect: 'follow' | 'error' | 'manual';
  signal?: AbortSignal & Record<'addEventListener' | 'removeEventListener', Listen> & { onabort: null };
  cache?: 'no-store';
}

/** What the client reads of the answer of `fetch`. */
export interface FetchAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** A stream of the web or of Node. */
  readonly body?: unknown;
  text(): Promise<string>;
}

/** The options of `createWorkflowClient`. */
export interface WorkflowClientOptions extends Hooks {
  /** The address of the service: everything before the paths of the contract. In a browser it may be relative to the page. */
  baseUrl: string | URL;
  /** The key for `X-Api-Key`. Also sent as `X-Service-Agents-Api-Key`, unless `serviceApiKey` is given. */
  apiKey: ApiKey;
  /** The key for `X-Service-Agents-Api-Key`, for operations that the interface shows with it. Default: `apiKey`. */
  serviceApiKey?: ApiKey | undefined;
  /** Headers for every request to the service, in addition to the key. */
  headers?: HeadersGiven | undefined;
  /**
   * Replaces fetch, also for `raw`: that of node-fetch, cross-fetch or undici, or your own. Default: the global fetch,
   * looked up at each call.
   */
  fetch?: ((url: string, init: FetchInit) => Promise<FetchAnswer>) | undefined;
  /** How long a call may take, in milliseconds, plus the service's wait in `executeSync`. Default: 30,000. */
  timeoutMs?: number | undefined;
  /**
   * How many times a GET is retried after a failure that may pass. While waiting for an execution that was seen or just
   * started, such failures are retried as long as the wait may last. Nothing else is retried. Default: 4.
   */
  maxRetries?: number | undefined;
  /** The longest pause that `Retry-After` can ask for, in milliseconds, before the usual pause. Default: 60,000. */
  maxRetryAfterMs?: number | undefined;
  /**
   * Called with a line for each request and each answer, bodies included up to 1000 characters: `log: console.error`.
   * Keys, credentials and the values of cookies are redacted; what `inputs` hold is not.
   */
  log?: ((line: string) => void) | undefined;
  /** The largest body of an answer that is read, in bytes. Default: 64 MB (67,108,864). */
  maxResponseBytes?: number | undefined;
  /**
   * Validates every successful answer: pass `responseValidator` of `workflow-execution-contract/validators`. It is a
   * separate import because it is larger than the whole client.
   */
  validate?: typeof responseValidator | undefined;
}

export type KeyHeader = (typeof operations)[OperationId]['keyHeader'];

export interface Settings extends Hooks {
  baseUrl: string;
  /** Returns the key. Throws a `configuration` error if a key function fails or returns none. */
  keyFor(header: KeyHeader): string | Promise<string>;
  /** Redacts every key that was used lately. */
  cleaner: Cleaner;
  headers: Headers;
  /** Call it unbound, not as a method: a replacement of fetch may look at `this`. */
  fetch: (url: string, init: Omit<FetchInit, 'signal'> & { signal?: AbortSignal }) => Promise<Response>;
  timeoutMs: number;
  maxRetries: number;
  maxRetryAfterMs: number;
  maxResponseBytes: number;
  validate?: typeof responseValidator | undefined;
  log?: ((line: string) => void) | undefined;
}

const refuse: Refuse = (text) => new WorkflowError('configuration', `createWorkflowClient: ${text}`);

const known: Known<WorkflowClientOptions> = {
  baseUrl: 'any',
  apiKey: 'any',
  serviceApiKey: 'any',
  headers: 'any',
  fetch: 'function',
  timeoutMs: 'number',
  maxRetries: 'any',
  maxRetryAfterMs: 'number',
  maxResponseBytes: 'number',
  validate: 'function',
  log: 'function',
  onRequest: 'function',
  onResponse: 'function',
  onRetry: 'function',
};

/** Fills in defaults. Throws a `configuration` error, which never contains a key. */
export function resolveOptions(options: Partial<WorkflowClientOptions> = {}): Settings {
  const missing = ['Headers', ...(options?.fetch ? [] : ['fetch'])].filter((name) => !(name in globalThis));
  if (missing.length > 0)
    throw refuse(
      `there is no ${missing.join(', no ')} here, as under jsdom: use Node as the test environment, or define it first.`,
    );
  const headers = checkOptions<Partial<WorkflowClientOptions>>(refuse, options, known);
  const {
    baseUrl,
    apiKey,
    serviceApiKey,
    headers: _,
    fetch: given,
    timeoutMs = 30_000,
    maxRetries = 4,
    maxRetryAfterMs = 60_000,
    maxResponseBytes = 2 ** 26,
    ...others
  } = options;
  const address = base(baseUrl);
  const cache = uncached();
  const cleaner = new Cleaner();
  const own = keyGiver('apiKey', apiKey, cleaner);
  const service = serviceApiKey === undefined ? own : keyGiver('serviceApiKey', serviceApiKey, cleaner);
  return {
    ...others,
    baseUrl: address,
    keyFor: (header) => (header === 'X-Api-Key' ? own() : service()),
    cleaner,
    headers,
    fetch: (url, init) =>
      (given ?? globalThis.fetch)(url, sentOnce({ ...cache, ...(init as FetchInit) })) as Promise<Response>,
    timeoutMs,
    maxRetries,
    maxRetryAfterMs,
    maxResponseBytes,
  };
}

/** Throws for an incomplete runtime at once. Later it would look like a failure of some call. */
export function checkRuntime(runtime: Runtime): void {
  for (const name of ['now', 'timer', 'random'] as const)
    if (typeof runtime?.[name] !== 'function') throw refuse(`runtime.${name} must be a function.`);
}

/** Keeps answers out of caches, such as those that frameworks put before fetch. Some workers throw for this option. */
function uncached(): Pick<FetchInit, 'cache'> {
  const init = { cache: 'no-store' } as const;
  try {
    new Request('https://nothing.invalid', init);
    return init;
  } catch {
    return {};
  }
}

/**
 * Prevents retries by Deno, which sends a request again if a kept-alive connection turns out to be closed, although it
 * may have been handled. It does not do so for a streamed body, such as a Blob.
 */
const sentOnce = (init: FetchInit): FetchInit =>
  'Deno' in globalThis && init.method !== 'GET'
    ? { ...init, body: new Blob(init.body ? [init.body] : []) as unknown as string }
    : init;

function base(address: unknown): string {
  // In a browser, `undefined` would be taken for a path relative to the page.
  if (!address) throw refuse('baseUrl is missing.');
  const url = parse(String(address));
  if (!url || !/^https?:$/.test(url.protocol))
    throw refuse('baseUrl must be an http or https address, such as https://api.example.com.');
  if (url.username || url.password) throw refuse('baseUrl must not contain a user name or a password.');
  // Look at `href`: `search` is empty for a bare `?`, which would still swallow the path that is appended.
  if (/[?#]/.test(url.href)) throw refuse('baseUrl must end before any ? or #.');
  if (/\/agents\/v2\b/.test(url.pathname))
    throw refuse(`baseUrl must end before ${'/agents/v2' satisfies typeof pathPrefix}, which the client adds.`);
  return url.href.replace(/\/+$/, '');
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    return undefined;
  }
}

/** Returns what gives the key for a request. A fixed key is checked now. */
function keyGiver(name: string, key: unknown, cleaner: Cleaner): () => string | Promise<string> {
  const usable = (value: unknown, fail: Refuse): string => {
    if (value === undefined || value === '') throw fail(`${name} is missing.`);
    if (typeof value !== 'string') throw fail(`${name} must be a text, or a function that gives one.`);
    if (!/^[!-~]([ -~]*[!-~])?$/.test(value))
      throw fail(`${name} has a character that no header can carry, such as a line break at its end.`);
    cleaner.add(value);
    return value;
  };
  if (typeof key !== 'function') {
    const value = usable(key, refuse);
    return () => value;
  }
  return async () => {
    let cause: unknown;
    const fail: Refuse = (text) => new WorkflowError('configuration', text, { cause });
    let value: unknown;
    try {
      value = await key();
    } catch (error) {
      if (isForFramework(error)) throw error;
      // Its own message may contain secrets, so it is not part of ours.
      cause = copyOf(error, cleaner);
      throw fail(`your ${name} function failed.`);
    }
    return usable(value, fail);
  };
}
