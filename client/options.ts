import type { OperationId, operations } from '../generated/operations.js';
import type { responseValidator } from '../generated/validators.js';
import { checkBounds, checkOptions, type Known, type Refuse } from './checks.js';
import { WorkflowError } from './errors.js';
import type { Hooks } from './hooks.js';
import type { HeadersGiven } from './requests.js';
import type { Runtime } from './runtime.js';
import { Cleaner } from './secrets.js';

/** A key, or what gives the key for a request: it may change while the client lives. */
export type ApiKey = string | (() => string | Promise<string>);

/** What a client is made of. */
export interface WorkflowClientOptions extends Hooks {
  /** Everything before `/agents/v2`; may have a path of its own. In a browser it may be relative to the page. */
  baseUrl: string | URL;
  /** Sent as `X-Api-Key`, and wherever else `serviceApiKey` is not given. A function is asked before each request. */
  apiKey: ApiKey;
  /** Sent as `X-Service-Agents-Api-Key`, on the operations that the interface shows with that header. Default: `apiKey`. */
  serviceApiKey?: ApiKey | undefined;
  /** Sent with every request to the service, beside the key. */
  headers?: HeadersGiven | undefined;
  /** Called with an address and an init, by `raw` as well. Default: the global fetch, looked up at each call. */
  fetch?: typeof fetch | undefined;
  /** How long a call may take, in milliseconds; executeSync's own wait comes on top. Default: 30,000. */
  timeoutMs?: number | undefined;
  /**
   * How many times a reading that failed for a passing reason is repeated. A wait goes on through such failures as long as
   * it may last. Nothing else is ever repeated. Default: 4.
   */
  retry?: number | undefined;
  /** The longest pause that `Retry-After` can ask for, in milliseconds. Default: 60,000. */
  maxRetryAfterMs?: number | undefined;
  /** The bytes that an answer may have. Default: 64 MB (67,108,864). */
  maxResponseBytes?: number | undefined;
  /**
   * Holds every successful answer against the contract: `responseValidator` of
   * `workflow-execution-contract/validators`, an import of its own because it is larger than all of the client.
   */
  validate?: typeof responseValidator | undefined;
}

export type KeyHeader = (typeof operations)[OperationId]['keyHeader'];

export interface Settings extends Hooks {
  baseUrl: string;
  /** Throws a `configuration` error where a function gives no key. */
  keyFor(header: KeyHeader): string | Promise<string>;
  /** Knows every key that was used. */
  cleaner: Cleaner;
  headers: Headers;
  /** To be called by itself, not as a method: what stands in for fetch may look at `this`. */
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  timeoutMs: number;
  retry: number;
  maxRetryAfterMs: number;
  maxResponseBytes: number;
  validate: typeof responseValidator | undefined;
}

const refuse: Refuse = (text) => new WorkflowError('configuration', `createWorkflowClient: ${text}`);

const known: Known<WorkflowClientOptions> = {
  baseUrl: 'any',
  apiKey: 'any',
  serviceApiKey: 'any',
  headers: 'any',
  fetch: 'function',
  timeoutMs: 'number',
  retry: 'any',
  maxRetryAfterMs: 'number',
  maxResponseBytes: 'number',
  validate: 'function',
  onRequest: 'function',
  onResponse: 'function',
  onRetry: 'function',
};

/** The options with their defaults filled in; throws a `configuration` error that repeats no key. */
export function settle(options: Partial<WorkflowClientOptions> = {}): Settings {
  const missing = ['Headers', ...(options?.fetch ? [] : ['fetch'])].filter((name) => !(name in globalThis));
  if (missing.length > 0)
    throw refuse(
      `there is no ${missing.join(', no ')} here, as under jsdom: use Node as the test environment, or define it first.`,
    );
  const headers = checkOptions<Partial<WorkflowClientOptions>>(refuse, options, known);
  checkBounds(refuse, 'retry', options.retry, { of: 'integer', minimum: 0 });
  const {
    fetch: given,
    timeoutMs = 30_000,
    retry = 4,
    maxRetryAfterMs = 60_000,
    maxResponseBytes = 2 ** 26,
    validate,
    onRequest,
    onResponse,
    onRetry,
  } = options;
  const baseUrl = base(options.baseUrl);
  const cache = uncached();
  const cleaner = new Cleaner();
  const own = keyGiver('apiKey', options.apiKey, cleaner);
  const service = options.serviceApiKey === undefined ? own : keyGiver('serviceApiKey', options.serviceApiKey, cleaner);
  return {
    baseUrl,
    keyFor: (header) => (header === 'X-Api-Key' ? own() : service()),
    cleaner,
    headers,
    fetch: (url, init) => (given ?? globalThis.fetch)(url, sentOnce({ ...cache, ...init })),
    timeoutMs,
    retry,
    maxRetryAfterMs,
    maxResponseBytes,
    validate,
    onRequest,
    onResponse,
    onRetry,
  };
}

/** Throws for a clock that lacks something. Late, it would be told as a failure of some call. */
export function checkRuntime(runtime: Runtime): void {
  for (const name of ['now', 'timer', 'random'] as const)
    if (typeof runtime?.[name] !== 'function') throw refuse(`runtime.${name} must be a function.`);
}

/** What keeps an answer out of every cache; frameworks put one before fetch. Some workers throw for it. */
function uncached(): RequestInit {
  const init = { cache: 'no-store' } as const;
  try {
    new Request('https://nothing.invalid', init);
    return init;
  } catch {
    return {};
  }
}

/**
 * Deno sends a request again by itself when a connection that it kept turns out to be closed, whatever may have been done by
 * then; but none whose body it streams, as it does with a Blob.
 */
const sentOnce = (init: RequestInit): RequestInit =>
  'Deno' in globalThis && init.method !== 'GET'
    ? { ...init, body: new Blob(init.body ? [init.body as string] : []) }
    : init;

function base(address: unknown): string {
  // In a browser, `undefined` would be a path of the page.
  if (!address) throw refuse('baseUrl is missing.');
  const url = parse(String(address));
  if (!url || !/^https?:$/.test(url.protocol))
    throw refuse('baseUrl must be an http or https address, such as https://api.example.com.');
  if (url.username || url.password) throw refuse('baseUrl must not contain a user name or a password.');
  // `search` is empty where nothing follows the question mark, and what is added to the address would.
  if (/[?#]/.test(url.href)) throw refuse('baseUrl must end before any ? or #.');
  if (/\/agents\/v2\b/.test(url.pathname)) throw refuse('baseUrl must end before /agents/v2, which the client adds.');
  return url.href.replace(/\/+$/, '');
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    return undefined;
  }
}

/** What gives the key for a request. One that never changes is looked at now. */
function keyGiver(name: string, key: unknown, cleaner: Cleaner): () => string | Promise<string> {
  const usable = (value: unknown): string => {
    if (value === undefined || value === '') throw refuse(`${name} is missing.`);
    if (typeof value !== 'string') throw refuse(`${name} must be a text, or a function that gives one.`);
    if (!/^[!-~]([ -~]*[!-~])?$/.test(value))
      throw refuse(`${name} has a character that no header can carry, such as a line break at its end.`);
    cleaner.add(value);
    return value;
  };
  if (typeof key !== 'function') {
    const value = usable(key);
    return () => value;
  }
  return async () => {
    try {
      return usable(await key());
    } catch (error) {
      // What it throws may hold anything: only that it failed is told.
      throw error instanceof WorkflowError ? error : refuse(`${name}() failed.`);
    }
  };
}
