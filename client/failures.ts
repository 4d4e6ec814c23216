import type { OperationId } from '../generated/operations.js';
import { WorkflowError, type WorkflowErrorDetails, type WorkflowErrorKind } from './errors.js';
import type { Cleaner } from './secrets.js';

/** Why a call failed, before it is told to the caller. */
export interface Failure extends WorkflowErrorDetails {
  kind: WorkflowErrorKind;
  text: string;
  /** The service may have done what it was asked for all the same. */
  uncertain?: boolean;
}

const advice =
  'The execution may have started: look it up before you start another. This client does not send the call again.';

/** Tells a failure to the caller, without the keys in what others wrote. */
export function toError(operation: OperationId, failure: Failure, { text: clean, body }: Cleaner): WorkflowError {
  const { kind, text, uncertain, ...details } = failure;
  const parameters = details.parameters?.map((each) => ({
    parameter: clean(each.parameter),
    detail: clean(each.detail),
  }));
  const starting = details.requestSent && (operation === 'execute' || operation === 'executeSync');
  const said = [text, ...(parameters ?? []).map(({ parameter, detail }) => `${parameter}: ${detail}`)].join('; ');
  const status = details.status ? ` (HTTP ${details.status})` : '';
  return new WorkflowError(
    starting && uncertain ? 'may-have-started' : kind,
    `${operation}: ${clean(said)}${status}${starting && (uncertain || kind === 'aborted') ? `. ${advice}` : ''}`,
    {
      operation,
      ...cleaned(details, clean),
      parameters,
      body: details.body === undefined ? undefined : body(details.body),
      headers: details.headers && cleaned(details.headers, clean),
      cause: details.cause instanceof Foreign ? told(details.cause.error, clean) : details.cause,
    },
  );
}

/** The same fields, their texts cleaned. */
const cleaned = <T extends object>(fields: T, clean: (text: string) => string): T =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value]),
  ) as T;

/** What somebody else threw: it is not handed on, since it may carry the request's headers. */
export class Foreign {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** A copy of what is known to be text. */
function told(error: unknown, clean: (text: string) => string): Error {
  const copy = new Error(clean(reasons(error)));
  if (error instanceof Error) copy.name = clean(error.name);
  const code = codeOf(error);
  delete copy.stack;
  return code ? Object.assign(copy, { code: clean(code) }) : copy;
}

/** The caller or a deadline ended the call. `reason` is the caller's own. */
export const stopped = (kind: 'aborted' | 'timeout', requestSent: boolean, reason?: unknown): Failure => ({
  kind,
  text: kind === 'aborted' ? 'aborted by the caller' : 'no answer in time',
  requestSent,
  uncertain: kind === 'timeout',
  ...(kind === 'aborted' && { cause: reason }),
});

// What Node, Bun and Deno report when no connection came about, TLS included, so that the request cannot have arrived.
// Browsers and workers do not tell.
const unreachable = [
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$/,
  /^(ConnectionRefused|FailedToOpenSocket|DNS\w*)$/,
  /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_|UNKNOWN_CERT)/,
  /^ERR_SSL_(WRONG_VERSION|UNSUPPORTED_PROTOCOL|NO_|PACKET_LENGTH|\w*ALERT_(HANDSHAKE|PROTOCOL|UNKNOWN_CA|\w*CERT))/,
];
// Deno has no codes: it says where its HTTP client failed. Ports that fetch forbids have no code either, nor has what Bun
// finds on a port that speaks no TLS one that says so.
const neverConnected =
  /client error \(Connect\)|^bad port$|Requests to port \d+ are blocked|Unable to connect\.|TLS handshake failed/;

function neverLeft(error: unknown): boolean {
  const { code, message = '', cause } = (error ?? {}) as { code?: unknown; message?: string; cause?: unknown };
  return (
    unreachable.some((codes) => codes.test(String(code ?? ''))) ||
    neverConnected.test(message) ||
    (cause !== undefined && cause !== error && neverLeft(cause))
  );
}

/** Sending or reading threw. */
export function broken(error: unknown, sent: boolean, response: Response | undefined): Failure {
  const reason = reasons(error);
  const cause = new Foreign(error);
  if (!sent)
    return { kind: 'invalid-request', text: `the request cannot be sent: ${reason}`, requestSent: false, cause };
  if (!response) {
    const requestSent = !neverLeft(error);
    return { kind: 'network', text: `no answer: ${reason}`, requestSent, uncertain: true, cause };
  }
  const { status } = response;
  if (error instanceof TooLarge) return malformed(error.message, status);
  return error instanceof SyntaxError
    ? malformed('the answer is not JSON', status)
    : { kind: 'network', text: `the answer broke off: ${reason}`, status, requestSent: true, uncertain: true, cause };
}

/** An answer has more bytes than the client takes. */
export class TooLarge extends Error {
  constructor(limit: number) {
    super(`the answer is larger than ${limit} bytes (maxResponseBytes)`);
  }
}

export const malformed = (text: string, status: number): Failure => ({
  kind: 'malformed-response',
  text,
  status,
  requestSent: true,
  uncertain: true,
});

// fetch says only that it failed; why stands in the cause.
function reasons(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message || codeOf(error) : '';
  return cause ? `${error.message} (${cause})` : error.message;
}

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return String(cause?.code ?? code ?? '');
}
