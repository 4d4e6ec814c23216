/** Judges what the service answered: a success of the operation, an error of the service, or something else. */

import { isObject, isUuid } from '../common/values.js';
import type { OperationId } from '../generated/operations.js';
import { type Sent, sends } from '../generated/sends.js';
import type { ParameterError } from '../generated/types.js';
import type { WorkflowErrorKind } from './errors.js';
import { type Failure, malformed } from './failures.js';
import type { Settings } from './options.js';
import { retryAfter } from './retry.js';
import type { Runtime } from './runtime.js';

/** An answer and its body. */
export interface Outcome {
  readonly response: Response;
  /** Undefined if the body is larger than `maxResponseBytes`. */
  readonly text: string | undefined;
  /** Undefined if the body is not JSON. */
  readonly value: unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The field that every success must have, and its type. Undefined if a success may be empty. */
const essentialOf = (operation: OperationId) => (sends[operation] as Sent).essential;

/** Whether a value has the type that is required: a JSON type, `uuid` or `any`. */
const holds = (value: unknown, type: string | undefined): boolean =>
  type === 'uuid'
    ? isUuid(value)
    : type === 'array'
      ? Array.isArray(value)
      : type === 'any' || (value !== null && typeof value === type);

export const hasBody = (operation: OperationId): boolean => essentialOf(operation) !== undefined;

/**
 * Returns why an answer is not a success of the operation, or undefined if it is one. Where a success may be empty,
 * anything but an HTML page is accepted.
 */
export function deviationOf(
  operation: OperationId,
  { response, text, value }: Outcome,
  { maxResponseBytes }: Settings,
  runtime: Runtime,
): Failure | undefined {
  if (!response.ok) return refusal(value, text, response, runtime);
  const [name, type] = essentialOf(operation) ?? [];
  const said: Record<string, unknown> = { ...(value as object), '': value };
  if (name === undefined ? !/^\s*</.test(text ?? '') : holds(said[name], type)) return undefined;
  const seen =
    text === undefined
      ? `larger than ${maxResponseBytes} bytes (maxResponseBytes)`
      : text === ''
        ? 'empty'
        : value === undefined
          ? 'not JSON'
          : 'not one of this operation';
  return malformed(`the answer is ${seen}${quoted(text)}; is baseUrl right?`);
}

/** The first line of a body, to recognise who answered. */
const quoted = (text = ''): string => {
  const line = text.trim().split('\n')[0]?.slice(0, 200);
  return line ? ` (${line})` : '';
};

const statusKinds: Readonly<Record<number, WorkflowErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  429: 'rate-limited',
};

function refusal(body: unknown, text: string | undefined, { status, headers }: Response, { now }: Runtime): Failure {
  const error = serviceError(body);
  return {
    // Whoever limits the rate, the caller has to wait.
    kind: error || status === 429 ? (statusKinds[status] ?? (status < 500 ? 'refused' : 'server')) : 'intermediary',
    text: `the answer is not an error of the service${quoted(text)}; is baseUrl right?`,
    ...error,
    retryAfterMs: retryAfter(headers, now()),
  };
}

/** Reads both error bodies: the simple one is the standard one without its optional fields (interface: Errors). */
function serviceError(body: unknown) {
  if (!isObject(body) || !isText(body.message) || typeof body.code !== 'number') return undefined;
  const parameters = Array.isArray(body.errors) ? body.errors.filter(isParameterError) : [];
  const text = (value: unknown) => (isText(value) ? value : undefined);
  return {
    text: body.message,
    code: body.code,
    parameters: parameters.length ? parameters : undefined,
    title: text(body.title),
    type: text(body.type),
    instance: text(body.instance),
  };
}

const isParameterError = (item: unknown): item is ParameterError =>
  isObject(item) && isText(item.parameter) && isText(item.detail);

/** Browsers hide the status and headers of a redirect: its status is then 0. */
export const isRedirect = ({ ok, status }: Response): boolean => !ok && status < 400;

/** Redirects are not followed, because fetch would send the key along. */
export function redirected({ headers }: Response): Failure {
  const to = headers.get('Location');
  return {
    ...malformed(`the service redirects${to ? ` to ${to}` : ''}, and redirects are not followed; is baseUrl right?`),
    // Do not show the body: it need not be the service's.
    body: '',
  };
}
