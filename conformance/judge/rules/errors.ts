/** The two error bodies. */
import { type Operation, operations } from '../../../generated/operations.js';
import type { RuleId } from '../../../generated/rules.js';
import { requests, schemas, type Validator } from '../../../generated/validators.js';
import { answer } from '../../evidence/read.js';
import { isUuid } from '../../evidence/values.js';
import type { Exchange, Judge, Response } from '../../vocabulary.js';
import { ownAnswer, sendsOtherThanJson } from '../answers.js';
import { broken, kept } from '../findings.js';
import { noJson, schemaFaults } from '../schema-faults.js';
import { seen, shown } from '../words.js';

/** A failure that is answered with this error body. */
const failureOf = (exchange: Exchange, body: Operation['errorBody']): Response | undefined => {
  const { operation } = exchange;
  const response = ownAnswer(exchange);
  if (!operation || !response || response.status < 400 || sendsOtherThanJson(exchange)) return undefined;
  return operations[operation].errorBody === body ? response : undefined;
};

const shape = (of: Operation['errorBody'], name: string, validator: Validator<unknown>): Judge => ({
  exchange(exchange) {
    const response = failureOf(exchange, of);
    if (!response) return;
    const { body } = response;
    const faults = body.kind === 'json' ? schemaFaults(validator, body.value) : [noJson(response)];
    return faults.length === 0
      ? kept(exchange)
      : broken(exchange, `${name} error body, with the ${response.status}`, faults);
  },
});

/** The fields of the standard error body that say a thing again; `undefined` where a field does not. */
const agrees = (
  says: (
    exchange: Exchange,
    response: Response,
  ) => readonly [field: string, required: string, holds: boolean] | undefined,
): Judge => ({
  exchange(exchange) {
    const response = failureOf(exchange, 'standard');
    const found = response && says(exchange, response);
    if (!found) return;
    const [field, required, holds] = found;
    return holds ? kept(exchange) : broken(exchange, required, `${field} ${shown(answer(exchange)?.[field])}`);
  },
});

// interface: Errors, "Shown statuses"
const codedStatuses = [400, 401, 403, 404, 500];

/** Refused for want of capacity, which is no mistake of the caller's. */
const lacksCapacity: readonly RuleId[] = [
  'over-capacity-is-rejected',
  'queue-is-not-overtaken',
  'temp-files-are-never-queued',
];

/** Whether the request is one that a caller should not have sent. */
const mistaken = ({ operation, resource, request: { body }, mark }: Exchange): boolean => {
  if (mark?.probe) return !lacksCapacity.includes(mark.probe.rule);
  if (body.kind === 'not-json' || (resource !== null && !isUuid(resource))) return true;
  return body.kind === 'json' && operation !== null && operation in requests
    ? !requests[operation as keyof typeof requests](body.value)
    : false;
};

export const errors = {
  'standard-error-shape': shape('standard', 'the standard', schemas.StandardError),

  'standard-error-detail': agrees((exchange) => {
    const { detail, message } = answer(exchange) ?? {};
    if (typeof detail !== 'string' || typeof message !== 'string') return;
    return ['detail', `the same text as message ${shown(message)}`, detail === message];
  }),

  'standard-error-instance': agrees((exchange) => {
    const instance = answer(exchange)?.instance;
    if (typeof instance !== 'string') return;
    const { pathname } = new URL(exchange.request.url, 'http://target');
    // A gateway may hide the base URL's own path from the service.
    const paths = [pathname, pathname.slice(Math.max(0, pathname.lastIndexOf('/agents/v2/')))];
    return ['instance', `the path of the request, ${paths[1]}`, paths.some((path) => plain(path) === plain(instance))];
  }),

  'standard-error-status': agrees((exchange, response) => {
    const status = answer(exchange)?.status;
    if (typeof status !== 'number') return;
    return ['status', `the HTTP status ${response.status}`, status === response.status];
  }),

  'simple-error-shape': shape('simple', 'the simple', schemas.SimpleError),
  'files-error-shape': shape('either', 'either', schemas.FilesError),

  'simple-error-code': {
    exchange(exchange) {
      const response = failureOf(exchange, 'simple');
      const code = answer(exchange)?.code;
      if (!response || typeof code !== 'number' || !codedStatuses.includes(response.status)) return;
      return code === response.status ? kept(exchange) : broken(exchange, `code ${response.status}`, `code ${code}`);
    },
  },

  'refusals-are-client-errors': {
    exchange(exchange) {
      const response = ownAnswer(exchange);
      if (!response || response.status < 400 || !mistaken(exchange)) return;
      const mistake = exchange.mark?.probe?.fault ?? 'a request that breaks its schema';
      return response.status < 500 ? kept(exchange) : broken(exchange, `a 4xx for ${mistake}`, seen(response));
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;

/** A path without its query and percent-encoding. */
function plain(path: string): string {
  const [bare = ''] = path.split(/[?#]/);
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}
