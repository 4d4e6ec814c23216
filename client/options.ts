import type { OperationId, operations } from '../generated/operations.js';
import { WorkflowError } from './errors.js';

export interface WorkflowClientOptions {
  /** Everything before `/agents/v2`; may have a path of its own. In a browser it may be relative to the page. */
  baseUrl: string | URL;
  /** Sent as `X-Api-Key`, and wherever else `serviceApiKey` is not given. */
  apiKey: string;
  /** Sent as `X-Service-Agents-Api-Key`, on the operations that the interface shows with that header. Default: `apiKey`. */
  serviceApiKey?: string;
  /** Default: the global fetch, looked up at each call. */
  fetch?: typeof fetch;
  /** How long a call may take, in milliseconds; executeSync's own wait comes on top. Default: 30,000. */
  timeoutMs?: number;
  /** How many times a reading that failed for a passing reason is repeated. Nothing else is ever repeated. Default: 4. */
  retry?: number;
  /** Check every successful answer against the contract; loads the validators when first needed. */
  validate?: 'responses';
}

export interface Settings {
  baseUrl: string;
  keys: Readonly<Record<(typeof operations)[OperationId]['keyHeader'], string>>;
  fetch: typeof fetch;
  timeoutMs: number;
  retry: number;
  validate: boolean;
}

const mistake = (text: string) => new WorkflowError('configuration', `createWorkflowClient: ${text}`);

/** The options with their defaults filled in; throws a `configuration` error that repeats no key. */
export function settle(options: WorkflowClientOptions): Settings {
  if (!options) throw mistake('baseUrl and apiKey are missing.');
  const { timeoutMs = 30_000, retry = 4, validate } = options;
  if (!(timeoutMs > 0)) throw mistake('timeoutMs must be a number of milliseconds above 0.');
  if (!(Number.isInteger(retry) && retry >= 0)) throw mistake('retry must be a whole number from 0.');
  if (validate !== undefined && validate !== 'responses') throw mistake("validate can only be 'responses'.");
  const apiKey = key('apiKey', options.apiKey);
  return {
    baseUrl: base(options.baseUrl),
    keys: { 'X-Api-Key': apiKey, 'X-Service-Agents-Api-Key': key('serviceApiKey', options.serviceApiKey ?? apiKey) },
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs,
    retry,
    validate: validate === 'responses',
  };
}

function base(baseUrl: string | URL): string {
  const url = parse(String(baseUrl));
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw mistake('baseUrl must be an http or https address, such as https://api.example.com.');
  }
  if (url.username || url.password) throw mistake('baseUrl must not contain a user name or a password.');
  if (url.search || url.hash) throw mistake('baseUrl must end before any ? or #.');
  if (/\/agents\/v2\b/.test(url.pathname)) throw mistake('baseUrl must end before /agents/v2, which the client adds.');
  return url.href.replace(/\/+$/, '');
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    return undefined;
  }
}

function key(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw mistake(`${name} is missing.`);
  if (!/^[!-~]([ -~]*[!-~])?$/.test(value)) {
    throw mistake(`${name} has a character that no header can carry, such as a line break at its end.`);
  }
  return value;
}
