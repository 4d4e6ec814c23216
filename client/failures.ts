/** Turns failures of all sorts into a WorkflowError. */

import { isObject } from '../common/values.js';
import type { OperationId } from '../generated/operations.js';
import { type Sent, sends } from '../generated/sends.js';
import { WorkflowError, type WorkflowErrorDetails, type WorkflowErrorKind } from './errors.js';
import type { Stop } from './limits.js';
import type { Cleaner } from './secrets.js';

/** Why a call failed, before it becomes a WorkflowError. */
export interface Failure extends WorkflowErrorDetails {
  kind: WorkflowErrorKind;
  text: string;
}

/**
 * Whether an execution may have started although the start failed: the first row that fits decides. Only an error body
 * as the contract defines it counts as a refusal by the service.
 */
const failedStarts: readonly (readonly [fits: (failure: Failure) => boolean, mayHaveStarted: boolean])[] = [
  // Nothing reached the service.
  [({ requestSent }) => !requestSent, false],
  // The answer names the execution.
  [({ kind }) => kind === 'invalid-response', false],
  // These redirects ask for the same request elsewhere: nothing was done here.
  [({ status = 0 }) => [301, 307, 308].includes(status), false],
  // Gateways send these if the service does not answer, or not in time. They do not know what became of the request.
  [({ status = 0 }) => status === 502 || status === 504 || status > 511, true],
  // An error body as the contract defines it: only that has a code.
  [({ code }) => code !== undefined, false],
  // Another status, no answer, half of one, or a success that names no execution.
  [() => true, true],
];

const advice = '. It is unknown whether the execution started: look for it by your metadata before you start another.';

/** Creates the error for the caller, with keys redacted. */
export function toError(operation: OperationId, failure: Failure, cleaner: Cleaner): WorkflowError {
  const { kind, text, body, cause, ...details } = failure;
  const { parameters = [], status } = details;
  const { starts: starting }: Sent = sends[operation];
  const mayHaveStarted = starting && failedStarts.find(([fits]) => fits(failure))?.[1];
  // Skip parameters that the message already explains.
  const unsaid = parameters.filter(({ parameter, detail }) => !(text.includes(parameter) && text.includes(detail)));
  const said = [text, ...unsaid.map(({ parameter, detail }) => `${parameter}: ${detail}`)].join('; ');
  return new WorkflowError(
    mayHaveStarted ? 'may-have-started' : kind,
    `${operation}: ${cleaner.text(said)}${status ? ` (HTTP ${status})` : ''}${mayHaveStarted ? advice : ''}`,
    {
      operation,
      ...JSON.parse(JSON.stringify(details), (_, value) => (typeof value === 'string' ? cleaner.text(value) : value)),
      body: body && cleaner.body(body),
      cause,
    },
  );
}

/** The call was aborted, or its deadline passed. */
export const stopped = (stop: Stop, requestSent: boolean): Failure => ({
  ...stop,
  text: stop.kind === 'aborted' ? 'aborted by the caller' : 'no answer in time',
  requestSent,
});

/** Sending the request or reading the answer threw. */
export function broken(error: unknown, isSent: boolean, hasAnswer: boolean, cleaner: Cleaner): Failure {
  const cause = copyOf(error, cleaner);
  const said = cause.message;
  return hasAnswer
    ? { kind: 'network', text: `the answer was cut off: ${said}`, cause }
    : isSent
      ? { kind: 'network', text: `no answer: ${said}`, requestSent: !neverLeft(error), cause }
      : { kind: 'invalid-request', text: `the request cannot be sent: ${said}`, cause };
}

/** A copy of what was thrown, texts only: an error of fetch may carry the request's headers. */
export function copyOf(error: unknown, { text: clean }: Cleaner): Error {
  const [thrown = { name: 'Error', message: error }, ...reasons] = chain(error);
  const reason = reasons.at(-1);
  const code = reason?.code ?? thrown.code;
  const why = reason && (reason.message || code);
  const copy = Object.assign(
    new Error(clean(String(thrown.message) + (why ? ` (${why})` : ''))),
    { name: clean(String(thrown.name)) },
    code && { code: clean(String(code)) },
  );
  delete copy.stack;
  return copy;
}

/**
 * Whether a framework throws this for its own purposes: React and Next mark it, others throw what is no error, such as a
 * Response that redirects. It must reach the framework unchanged.
 */
export const isForFramework = (thrown: unknown): boolean =>
  isObject(thrown) && ('digest' in thrown || '$$typeof' in thrown || !('message' in thrown));

/** The error and its causes; fetch itself only says that it failed. */
function chain(error: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  for (let each = error; isObject(each) && !found.includes(each); each = each.cause) found.push(each);
  return found;
}

// Codes and messages of Node, Bun and Deno for a connection that was never made, TLS and proxy tunnels included: not a
// byte of the request was sent. Deno has messages only. Browsers and workers do not tell.
const unreachable =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|E(HOST|NET)UNREACH|EADDRNOTAVAIL|ERR_ACCESS_DENIED|UND_ERR_(CONNECT_|CLOSED|INVALID_ARG|NOT_SUPP|PRX_)|ConnectionRefused|FailedToOpenSocket|DNS|bad port$)|^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_|UNKNOWN_CERT|ERR_SSL_(WRONG_VERSION|UNSUPPORTED_PROTOCOL|NO_|PACKET_LENGTH|\w*ALERT_(HANDSHAKE|PROTOCOL|UNKNOWN_CA|\w*CERT)))|client error \(Connect\)|Requests to port \d+ are blocked|Unable to connect\.|TLS handshake failed|before secure TLS connection|HTTP Tunneling/;

/** Whether the request never left: for several addresses, none may have been reached. A known system call decides. */
const neverLeft = (error: unknown): boolean =>
  chain(error).some(({ errors, syscall, code, message }) =>
    Array.isArray(errors)
      ? errors.length > 0 && errors.every(neverLeft)
      : typeof syscall === 'string'
        ? /^(connect|getaddrinfo|query)/.test(syscall)
        : [code, message].some((said) => unreachable.test(`${said}`)),
  );

/** The answer is not one of the operation. */
export const malformed = (text: string): Failure => ({ kind: 'malformed-response', text });
