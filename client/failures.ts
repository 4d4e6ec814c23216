import type { OperationId } from '../generated/operations.js';
import { WorkflowError, type WorkflowErrorDetails, type WorkflowErrorKind } from './errors.js';

/** Why a call failed, before it is told to the caller. */
export interface Failure extends WorkflowErrorDetails {
  kind: WorkflowErrorKind;
  text: string;
  /** The service may have done what it was asked for all the same. */
  uncertain?: boolean;
}

const advice =
  'The execution may have started: look it up before you start another. This client does not send the call again.';

/** Tells a failure to the caller; `clean` takes the keys out of what others wrote. */
export function toError(operation: OperationId, failure: Failure, clean: (text: string) => string): WorkflowError {
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
    { operation, ...details, parameters },
  );
}

/** The caller or a deadline ended the call. */
export const stopped = (kind: 'aborted' | 'timeout', requestSent: boolean): Failure => ({
  kind,
  text: kind === 'aborted' ? 'aborted by the caller' : 'no answer in time',
  requestSent,
  uncertain: kind === 'timeout',
});

// What Node reports when no connection came about, so that the request cannot have arrived. Browsers do not tell.
const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Sending or reading threw. */
export function broken(error: unknown, sent: boolean, response: Response | undefined): Failure {
  const reason = reasons(error);
  if (!sent) return { kind: 'invalid-request', text: `the request cannot be sent: ${reason}`, requestSent: false };
  if (!response) {
    const requestSent = !unreachable.has(codeOf(error));
    return { kind: 'network', text: `no answer: ${reason}`, requestSent, uncertain: true };
  }
  const { status } = response;
  // openapi-fetch lets the parser's error through.
  return error instanceof SyntaxError
    ? malformed('the answer is not JSON', status)
    : { kind: 'network', text: `the answer broke off: ${reason}`, status, requestSent: true, uncertain: true };
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

const codeOf = (error: unknown): string =>
  String((error as { cause?: { code?: unknown } } | undefined)?.cause?.code ?? '');

/** Takes the keys out of a text, and what would forge lines in a log; keeps it to a readable length. */
export function cleaner(keys: readonly string[]): (text: string) => string {
  // The longer first, in case that one key begins with the other.
  const secrets = [...keys].sort((a, b) => b.length - a.length);
  return (text) =>
    secrets
      .reduce((rest, key) => rest.replaceAll(key, '[key]'), text)
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, 1000);
}
