import type { OperationId } from '../generated/operations.js';
import type { ParameterError } from '../generated/types.js';
import type { responseValidator } from '../generated/validators.js';
import { isObject, isUuid } from './checks.js';
import type { WorkflowErrorKind } from './errors.js';
import { type Failure, malformed } from './failures.js';
import { retryAfter } from './retry.js';
import type { Runtime } from './runtime.js';

/** An answer, and what it says; undefined where it says nothing that is JSON. */
export interface Outcome {
  readonly response: Response;
  readonly value: unknown;
}

/** What an answer has to have at the least. A pool's deletion has none: what it answers with is not shown. */
const essential: Readonly<Record<OperationId, string | null>> = {
  execute: 'executionId',
  executeSync: 'executionId',
  getExecution: 'status',
  listExecutionFiles: 'directories',
  updateProfile: 'id',
  duplicateProfile: 'id',
  deletePool: null,
};

export const hasBody = (operation: OperationId): boolean => essential[operation] !== null;

function isAnswer(name: string, value: unknown): boolean {
  const field = isObject(value) && value[name];
  if (name === 'status') return typeof field === 'string';
  return name === 'directories' ? isObject(field) : isUuid(field);
}

/** What is wrong with an answer, if anything is. */
export function fault(operation: OperationId, { response, value }: Outcome, runtime: Runtime): Failure | undefined {
  if (!response.ok) return refusal(value, response, runtime);
  const name = essential[operation];
  if (!name || isAnswer(name, value)) return undefined;
  const seen = value === undefined ? 'empty' : 'not one of this operation';
  return malformed(`the answer is ${seen}; is baseUrl the address of the service?`, response.status);
}

const statusKinds: Readonly<Record<number, WorkflowErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  429: 'rate-limited',
};

function refusal(body: unknown, { status, headers }: Response, { now }: Runtime): Failure {
  if (status < 400) return malformed('the answer is neither a success nor an error', status);
  const told = serviceError(body);
  return {
    kind: statusKinds[status] ?? (status < 500 ? 'refused' : 'server'),
    text: told?.message ?? 'the answer has no error body',
    status,
    requestSent: true,
    ...told?.details,
    retryAfterMs: retryAfter(headers.get('Retry-After'), now()),
    // A gateway does not know what became of a request that it passed on; only the service's own word counts.
    uncertain: status === 502 || status === 504 || (status >= 500 && !told),
  };
}

/** Reads both error bodies: the simple one is the standard one without its optional fields (interface: Errors). */
function serviceError(body: unknown) {
  if (!isObject(body) || typeof body.message !== 'string' || typeof body.code !== 'number') return undefined;
  const parameters = Array.isArray(body.errors) ? body.errors.filter(isParameterError) : [];
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    message: body.message,
    details: {
      code: body.code,
      parameters: parameters.length ? parameters : undefined,
      title: text(body.title),
      type: text(body.type),
      instance: text(body.instance),
    },
  };
}

const isParameterError = (item: unknown): item is ParameterError =>
  isObject(item) && typeof item.parameter === 'string' && typeof item.detail === 'string';

const redirects = [301, 302, 303, 307, 308];

/** A browser hides what a redirect says; it says that it is one. */
export const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || redirects.includes(status);

/** Redirects are not followed: fetch would carry the key along. */
export function redirected({ status, headers }: Response): Failure {
  const to = headers.get('Location');
  const where = to ? ` to ${to}` : '';
  return {
    ...malformed(`the service redirects${where}, and redirects are not followed; is baseUrl right?`, status),
    // 301, 307 and 308 say that the request is to be made elsewhere: nothing was done here.
    uncertain: ![301, 307, 308].includes(status),
  };
}

/** Holds a success against the contract. */
export function deviation(
  operation: OperationId,
  { value, response }: Outcome,
  validator: typeof responseValidator,
): Failure | undefined {
  const isValid = validator(operation, response.status);
  if (isValid?.(value)) return undefined;
  const seen = isValid
    ? (isValid.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`)
    : ['the contract does not list the status'];
  return {
    kind: 'contract',
    text: `the answer is not as the contract says: ${seen.join('; ')}`,
    status: response.status,
    requestSent: true,
    ...(isObject(value) && isUuid(value.executionId) && { executionId: value.executionId }),
  };
}
