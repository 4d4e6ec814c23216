/** Rules for every answer. */

import { isJsonType } from '../../../../common/values.js';
import { keyHeaders, type Operation, type OperationId, operations } from '../../../../generated/operations.js';
import {
  responseValidator,
  schemas,
  type Validator,
  headers as validHeaders,
} from '../../../../generated/validators.js';
import { isExcluded, isOfRun, keyOf } from '../../../engine/outcome/mark.js';
import { isLost, mayHaveCopied, mayHaveStarted, outcomeOf, saysUnavailable } from '../../../engine/outcome/outcome.js';
import {
  accepted,
  entryForStatus,
  headerOf,
  isReadRequest,
  redirects,
  sendsOtherThanJson,
  traitsOf,
} from '../../../engine/outcome/read.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { noJson, schemaFaults, withoutNulls } from '../../../engine/rule/schema-faults.js';
import { waitMsIn } from '../../../engine/rule/times.js';
import { jsonText, textOfResponse } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judges } from '../../../engine/vocabulary.js';
import { listsFiles } from '../../operations.js';

const carriesKey = (exchange: Exchange) =>
  isOfRun(exchange)
    ? keyOf(exchange) !== 'none'
    : keyHeaders.some((name) => headerOf(exchange.request.headers, name) !== undefined);

/** Whether the contract lists the status, by itself or in a range. */
const lists = ({ responses }: Operation, status: number) =>
  [`${status}`, `${Math.floor(status / 100)}XX`, 'default'].some((listed) => listed in responses);

/**
 * The schemas for the body of a success. A success with an undocumented status must match one of a documented status:
 * status-is-documented judges only the status.
 */
const successes = (operation: OperationId, status: number): Validator<unknown>[] => {
  const listed = responseValidator(operation, status);
  if (listed !== undefined) return listed ? [listed] : [];
  return Object.keys(operations[operation].responses).flatMap((one) =>
    one.startsWith('2') ? (responseValidator(operation, Number(one)) ?? []) : [],
  );
};

const errorBodies = { standard: schemas.StandardError, simple: schemas.SimpleError, either: schemas.FilesError };
const errorOf = (operation: OperationId): Validator<unknown> => errorBodies[operations[operation].errorBody];

/**
 * Whether a gateway says that the service did not answer in time. That is expected where the answer waits, and for
 * requests that may have taken effect, and so are not repeated.
 */
const isGatewaysWord = (exchange: Exchange): boolean =>
  outcomeOf(exchange).by === 'gateway' &&
  isLost(exchange) &&
  (mayHaveStarted(exchange) || mayHaveCopied(exchange) || isGatewayTimeout(exchange));
const isGatewayTimeout = (exchange: Exchange): boolean => waitMsIn(exchange) > 0 && exchange.response?.status === 504;

/**
 * Fails if a required header is missing, or one has a value that the contract does not allow. Some recordings have no
 * headers at all: these tell nothing.
 */
function wrongHeader(exchange: Exchange): Finding | undefined {
  const { own } = outcomeOf(exchange);
  const { requiredHeaders = {} } = traitsOf(exchange) ?? {};
  if (!own || !exchange.operation || Object.keys(own.headers).length === 0) return undefined;
  const lacking = entryForStatus(requiredHeaders, own.status)?.find(
    (name) => headerOf(own.headers, name) === undefined,
  );
  if (lacking !== undefined)
    return violated(exchange, `the header ${lacking}, with the ${own.status}`, `no ${lacking}`);
  for (const [name, isValid] of Object.entries(entryForStatus(validHeaders[exchange.operation], own.status) ?? {})) {
    const text = headerOf(own.headers, name);
    if (text !== undefined && !meanings(text).some(isValid))
      return violated(exchange, `a header ${name} that its schema allows`, `${name}: ${text}`);
  }
  return undefined;
}

/** What the text of a header may mean: itself, a number, a truth, or a list of texts or numbers. */
function meanings(text: string): unknown[] {
  const items = text.split(/\s*,\s*/);
  const numbers = items.map((item) => (item === '' ? Number.NaN : Number(item)));
  const truths = text === 'true' || text === 'false' ? [text === 'true'] : [];
  return [text, ...(numbers.length === 1 ? numbers : []), ...truths, items, numbers];
}

const isReading = (exchange: Exchange) => exchange.resource !== null && isReadRequest(exchange);

export const traffic = {
  // interface: What the service does. Judges a body. Passes if it is JSON. The page of a redirect is a web server's.
  'responses-are-json': {
    exchange(exchange) {
      const response = outcomeOf(exchange).bound;
      if (!response || response.body.kind === 'none' || redirects.includes(response.status)) return;
      return response.body.kind === 'json'
        ? satisfied(exchange)
        : violated(exchange, 'a JSON body', textOfResponse(response));
    },
  },

  // Judges a body that is JSON. Passes if its Content-Type says so.
  'json-is-labelled': {
    exchange(exchange) {
      const response = outcomeOf(exchange).own;
      if (response?.body.kind !== 'json') return;
      const type = response.headers['content-type'];
      // Every answer has headers: they were not recorded.
      if (!isOfRun(exchange) && Object.keys(response.headers).length === 0) return;
      return type !== undefined && isJsonType(type)
        ? satisfied(exchange)
        : violated(exchange, 'Content-Type application/json', type === undefined ? 'no Content-Type' : jsonText(type));
    },
  },

  // interface: Resources and their fields; Endpoints. Judges a success. Passes if its body matches, nulls aside.
  'response-matches-schema': {
    exchange(exchange) {
      const { operation } = exchange;
      const wrong = wrongHeader(exchange);
      if (wrong) return wrong;
      const response = accepted(exchange) ? exchange.response : undefined;
      if (!operation || !response || exchange.mayShowWrong) return;
      const { body, status } = response;
      const validators = successes(operation, status);
      // For some successes, the contract shows no body.
      if (validators.length === 0) return;
      const faultsBy = (validator: Validator<unknown>) =>
        body.kind === 'json'
          ? schemaFaults(validator, withoutNulls(validator, body.value).value).filter(
              // Directories that are missing, or are no lists, are judged by files-are-grouped.
              ({ where }) => !listsFiles({ operation }) || !/^\/directories(?:\/\w+)?$/.test(where),
            )
          : [noJson(response)];
      const [faults = [], ...others] = validators.map(faultsBy);
      return [faults, ...others].some(({ length }) => length === 0)
        ? satisfied(exchange)
        : violated(
            exchange,
            `the ${responseValidator(operation, status) ? status : '2xx'} body of ${operation}`,
            faults,
          );
    },
  },

  // Judges a body with a schema. Passes if no optional field is null.
  'optional-fields-are-not-null': {
    exchange(exchange) {
      const { operation } = exchange;
      const response = outcomeOf(exchange).own;
      if (!operation || response?.body.kind !== 'json' || exchange.mayShowWrong) return;
      const { value } = response.body;
      const validators = accepted(exchange) ? successes(operation, response.status) : [errorOf(operation)];
      const nulls = validators.map((validator) => withoutNulls(validator, value).nulls);
      const [first] = nulls;
      // The contract shows no body for this success.
      if (!first) return undefined;
      if (nulls.some(({ length }) => length === 0)) return satisfied(exchange);
      return violated(exchange, 'no optional field that is null', first.join(', '));
    },
  },

  // interface: Endpoints
  /** Judges an answer of the service itself. Passes if the contract lists its status. */
  'status-is-documented': {
    exchange(exchange) {
      const { operation } = exchange;
      const response = outcomeOf(exchange).own;
      if (!operation || !response || sendsOtherThanJson(exchange)) return;
      return lists(operations[operation], response.status)
        ? satisfied(exchange)
        : violated(exchange, `one of ${Object.keys(operations[operation].responses).join(', ')}`, `${response.status}`);
    },
  },

  // interface: Errors
  /** Judges an answer. Passes if it is below 500, else fails, except for limits and gateways. */
  'no-server-errors': {
    exchange(exchange) {
      const { operation, response, failure } = exchange;
      // The answer to an unknown method is not shown; HTTP has 501 for it.
      if (!response || failure || (operation === null && response.status === 501)) return;
      // interface: Errors rule 2. It is not shown with which status a start fails at a limit.
      if (saysUnavailable(exchange) || isGatewaysWord(exchange)) return;
      if (response.status < 500) return satisfied(exchange);
      return isReading(exchange) ? undefined : violated(exchange, 'no 5xx', textOfResponse(response));
    },
    // Shown beside the start, which may be the cause.
    trace: ({ start, readings, listings }) =>
      [...readings, ...listings].flatMap((one) =>
        one.response && !one.failure && !isExcluded(one) && one.response.status >= 500
          ? violated(start ? [one, start] : one, 'no 5xx', textOfResponse(one.response))
          : [],
      ),
  },

  // interface: Authentication
  /** Judges the answer to a request with a key. Passes if it contains no key. */
  'no-secrets-in-responses': {
    exchange(exchange) {
      const { response } = exchange;
      if (response?.repeatsKey)
        return violated(exchange, 'no key in an answer', `${response.status} that repeats a key`);
      return exchange.operation && response && carriesKey(exchange) ? satisfied(exchange) : undefined;
    },
  },
} satisfies Judges;
