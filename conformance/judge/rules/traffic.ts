/** What holds for every answer. */
import { type Operation, type OperationId, operations } from '../../../generated/operations.js';
import type { RuleId } from '../../../generated/rules.js';
import { responseValidator, type Validator } from '../../../generated/validators.js';
import { accepted } from '../../evidence/read.js';
import type { Exchange, Judge } from '../../vocabulary.js';
import { answered, isJsonType, ownAnswer, sendsOtherThanJson } from '../answers.js';
import { broken, kept } from '../findings.js';
import { noJson, schemaFaults } from '../schema-faults.js';
import { seen, shown } from '../words.js';

const keyHeaders = new Set(Object.values(operations).map(({ keyHeader }) => keyHeader.toLowerCase()));
const carriesKey = ({ mark, request }: Exchange) =>
  mark ? mark.credential !== 'none' : Object.keys(request.headers).some((name) => keyHeaders.has(name.toLowerCase()));

/** Whether the contract lists the status, by itself or in a range. */
const lists = ({ responses }: Operation, status: number) =>
  [`${status}`, `${Math.floor(status / 100)}XX`, 'default'].some((listed) => listed in responses);

/** What the bodies of an operation's successes are held to. */
const successes = (operation: OperationId): Validator<unknown>[] =>
  Object.keys(operations[operation].responses).flatMap((listed) =>
    listed.startsWith('2') ? (responseValidator(operation, Number(listed)) ?? []) : [],
  );

export const traffic = {
  // interface: What the service does
  'responses-are-json': {
    exchange(exchange) {
      const response = ownAnswer(exchange);
      if (!response || response.body.kind === 'none') return;
      if (response.body.kind === 'not-json') return broken(exchange, 'a JSON body', seen(response));
      const type = response.headers['content-type'];
      return type !== undefined && isJsonType(type)
        ? kept(exchange)
        : broken(exchange, 'Content-Type application/json', type === undefined ? 'no Content-Type' : shown(type));
    },
  },

  // interface: Resources and their fields; Endpoints
  'response-matches-schema': {
    exchange(exchange) {
      const { operation } = exchange;
      const response = answered(exchange);
      // Whether a deleted pool is answered with a body, and with which, is not shown.
      if (!operation || operation === 'deletePool' || !response || !accepted(exchange)) return;
      const { body, status } = response;
      const faultsBy = (validator: Validator<unknown>) =>
        body.kind === 'json' ? schemaFaults(validator, body.value) : [noJson(response)];
      const validator = responseValidator(operation, status);
      // A success that is not listed has to tell the same: status-is-documented speaks of the status alone.
      const validators = validator ? [validator] : successes(operation);
      const [faults = [], ...others] = validators.map(faultsBy);
      return [faults, ...others].some(({ length }) => length === 0)
        ? kept(exchange)
        : broken(exchange, `the ${validator ? status : '2xx'} body of ${operation}`, faults);
    },
  },

  // interface: Endpoints
  'status-is-documented': {
    exchange(exchange) {
      const { operation } = exchange;
      const response = ownAnswer(exchange);
      if (!operation || !response || sendsOtherThanJson(exchange)) return;
      return lists(operations[operation], response.status)
        ? kept(exchange)
        : broken(exchange, `one of ${Object.keys(operations[operation].responses).join(', ')}`, `${response.status}`);
    },
  },

  // interface: Errors
  'no-server-errors': {
    exchange(exchange) {
      const { operation, response, failure } = exchange;
      // What answers an unknown method is not shown; 501 is one of the answers that HTTP has for it.
      if (!response || failure || (operation === null && response.status === 501)) return;
      return response.status < 500 ? kept(exchange) : broken(exchange, 'no 5xx', seen(response));
    },
  },

  // interface: Authentication
  'no-secrets-in-responses': {
    exchange(exchange) {
      const { response } = exchange;
      if (response?.repeatsKey) return broken(exchange, 'no key in an answer', `${response.status} that repeats a key`);
      return answered(exchange) && carriesKey(exchange) ? kept(exchange) : undefined;
    },
  },
} satisfies Partial<Record<RuleId, Judge>>;
