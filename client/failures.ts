import type { OperationId } from '../generated/operations.js';
import { isObject } from './checks.js';
import { WorkflowError, type WorkflowErrorDetails, type WorkflowErrorKind } from './errors.js';
import type { Stop } from './limits.js';
import type { Cleaner } from './secrets.js';

/** Why a call failed, before it is told to the caller. */
export interface Failure extends WorkflowErrorDetails {
  kind: WorkflowErrorKind;
  text: string;
  /** The service may have done what it was asked for all the same. */
  uncertain?: boolean;
}

const advice =
  '. The execution may have started: look it up before you start another. This client does not send the call again.';

/** Tells a failure to the caller, without the keys in what others wrote. */
export function toError(
  operation: OperationId,
  { kind, text, uncertain, body, cause, ...details }: Failure,
  cleaner: Cleaner,
): WorkflowError {
  const { requestSent, parameters = [], status } = details;
  const starting = requestSent && (operation === 'execute' || operation === 'executeSync');
  // Most services say in the message what is wrong with the parameter.
  const unsaid = parameters.filter(({ parameter, detail }) => !(text.includes(parameter) && text.includes(detail)));
  const said = [text, ...unsaid.map(({ parameter, detail }) => `${parameter}: ${detail}`)].join('; ');
  return new WorkflowError(
    starting && uncertain ? 'may-have-started' : kind,
    `${operation}: ${cleaner.text(said)}${status ? ` (HTTP ${status})` : ''}${starting && (uncertain || kind === 'aborted') ? advice : ''}`,
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
  uncertain: stop.kind === 'timeout',
});

/** Sending or reading threw. */
export function broken(error: unknown, isSent: boolean, hasAnswer: boolean, { text: clean }: Cleaner): Failure {
  const [thrown = { name: 'Error', message: error }, reason] = chain(error);
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
    ? { kind: 'network', text: `the answer was cut off: ${said}`, uncertain: true, cause }
    : isSent
      ? { kind: 'network', text: `no answer: ${said}`, requestSent: !neverLeft(error), uncertain: true, cause }
      : { kind: 'invalid-request', text: `the request cannot be sent: ${said}`, cause };
}

/** What was thrown, and what caused it; fetch says only that it failed. */
function chain(error: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  for (let each = error; isObject(each) && found.length < 5; each = each.cause) found.push(each);
  return found;
}

// What Node, Bun and Deno report when no connection came about, TLS included, so that the request cannot have arrived.
// Browsers and workers do not tell.
const unreachable = [
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_(CONNECT_TIMEOUT|INVALID_ARG))$/,
  /^(ConnectionRefused|FailedToOpenSocket|DNS\w*)$/,
  /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_|UNKNOWN_CERT)/,
  /^ERR_SSL_(WRONG_VERSION|UNSUPPORTED_PROTOCOL|NO_|PACKET_LENGTH|\w*ALERT_(HANDSHAKE|PROTOCOL|UNKNOWN_CA|\w*CERT))/,
  // Deno has no codes: it says where its HTTP client failed. Ports that fetch forbids have no code either, nor have TLS
  // that Bun finds none of, and that Node finds ended, one that says so.
  /client error \(Connect\)|^bad port$|Requests to port \d+ are blocked|Unable to connect\.|TLS handshake failed/,
  /before secure TLS connection was established/,
];

const neverLeft = (error: unknown): boolean =>
  chain(error).some(({ code, message }) => unreachable.some((said) => said.test(`${code}`) || said.test(`${message}`)));

/** Something came that is no answer of the operation. */
export const malformed = (text: string): Failure => ({ kind: 'malformed-response', text, uncertain: true });
