import type { OperationId } from '../generated/operations.js';
import { isObject } from './checks.js';
import { WorkflowError, type WorkflowErrorDetails, type WorkflowErrorKind } from './errors.js';
import type { Stop } from './limits.js';
import type { Cleaner } from './secrets.js';

/** Why a call failed, before it is told to the caller. */
export interface Failure extends WorkflowErrorDetails {
  kind: WorkflowErrorKind;
  text: string;
}

/**
 * Whether an execution may have started all the same, by what came of the start: the first row that fits says it. Only
 * what the service itself says, in the words of its contract, is a refusal.
 */
const failedStarts: readonly (readonly [fits: (failure: Failure) => boolean, mayHaveStarted: boolean])[] = [
  // Nothing of it has reached the service.
  [({ requestSent }) => !requestSent, false],
  // The caller ended it, or knows the execution: the kind says more.
  [({ kind }) => kind === 'aborted' || kind === 'contract', false],
  // These statuses say that the request is to be made elsewhere: nothing was done here.
  [({ status = 0 }) => [301, 307, 308].includes(status), false],
  // Gateways answer so where the service does not, or not in time. What became of the request they do not know.
  [({ status = 0 }) => status === 502 || status === 504 || status > 511, true],
  // The error body of the contract, which alone has a code.
  [({ code }) => code !== undefined, false],
  // Any other status of whoever stands before the service; no answer, half of one, or one that names no execution.
  [() => true, true],
];

const advice =
  '. The execution may have started: look it up before you start another. This client does not send the call again.';

/** Tells a failure to the caller, without the keys in what others wrote. */
export function toError(operation: OperationId, failure: Failure, cleaner: Cleaner): WorkflowError {
  const { kind, text, body, cause, ...details } = failure;
  const { requestSent, parameters = [], status } = details;
  const starting = operation === 'execute' || operation === 'executeSync';
  const mayHaveStarted = starting && failedStarts.find(([fits]) => fits(failure))?.[1];
  // Most services say in the message what is wrong with the parameter.
  const unsaid = parameters.filter(({ parameter, detail }) => !(text.includes(parameter) && text.includes(detail)));
  const said = [text, ...unsaid.map(({ parameter, detail }) => `${parameter}: ${detail}`)].join('; ');
  return new WorkflowError(
    mayHaveStarted ? 'may-have-started' : kind,
    `${operation}: ${cleaner.text(said)}${status ? ` (HTTP ${status})` : ''}${mayHaveStarted || (starting && requestSent && kind === 'aborted') ? advice : ''}`,
    {
      operation,
      ...JSON.parse(JSON.stringify(details), (_, value) => (typeof value === 'string' ? cleaner.text(value) : value)),
      body: body && cleaner.body(body),
      cause,
    },
  );
}

/** The caller or a deadline ended the call. */
export const stopped = (stop: Stop, requestSent: boolean): Failure => ({
  ...stop,
  text: stop.kind === 'aborted' ? 'aborted by the caller' : 'no answer in time',
  requestSent,
});

/** Sending or reading threw. */
export function broken(error: unknown, isSent: boolean, hasAnswer: boolean, { text: clean }: Cleaner): Failure {
  const [thrown = { name: 'Error', message: error }, ...reasons] = chain(error);
  const reason = reasons.at(-1);
  const code = reason?.code ?? thrown.code;
  const why = reason && (reason.message || code);
  const said = clean(String(thrown.message) + (why ? ` (${why})` : ''));
  // A copy of what is known to be text: what somebody else threw may carry the request's headers.
  const cause = Object.assign(
    new Error(said),
    { name: clean(String(thrown.name)) },
    code && { code: clean(String(code)) },
  );
  delete cause.stack;
  return hasAnswer
    ? { kind: 'network', text: `the answer was cut off: ${said}`, cause }
    : isSent
      ? { kind: 'network', text: `no answer: ${said}`, requestSent: !neverLeft(error), cause }
      : { kind: 'invalid-request', text: `the request cannot be sent: ${said}`, cause };
}

/** What was thrown, and what caused it; fetch says only that it failed. */
function chain(error: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  for (let each = error; isObject(each) && !found.includes(each); each = each.cause) found.push(each);
  return found;
}

// What Node, Bun and Deno say where no connection came about, TLS and the tunnel of a proxy included, so that not a byte
// of the request was sent. Deno has no codes. Browsers and workers do not tell.
const unreachable =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|E(HOST|NET)UNREACH|EADDRNOTAVAIL|ERR_ACCESS_DENIED|UND_ERR_(CONNECT_|CLOSED|INVALID_ARG|NOT_SUPP|PRX_)|ConnectionRefused|FailedToOpenSocket|DNS|bad port$)|^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_|UNKNOWN_CERT|ERR_SSL_(WRONG_VERSION|UNSUPPORTED_PROTOCOL|NO_|PACKET_LENGTH|\w*ALERT_(HANDSHAKE|PROTOCOL|UNKNOWN_CA|\w*CERT)))|client error \(Connect\)|Requests to port \d+ are blocked|Unable to connect\.|TLS handshake failed|before secure TLS connection|HTTP Tunneling/;

/** Of several addresses, none may have been reached. What the system was asked to do decides where it is known. */
const neverLeft = (error: unknown): boolean =>
  chain(error).some(({ errors, syscall, code, message }) =>
    Array.isArray(errors)
      ? errors.length > 0 && errors.every(neverLeft)
      : typeof syscall === 'string'
        ? /^(connect|getaddrinfo|query)/.test(syscall)
        : [code, message].some((said) => unreachable.test(`${said}`)),
  );

/** Something came that is no answer of the operation. */
export const malformed = (text: string): Failure => ({ kind: 'malformed-response', text });
