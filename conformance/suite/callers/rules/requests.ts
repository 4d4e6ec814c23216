/** Rules about the requests of callers. Recordings and certify are judged by them, never a target. */

import { isJsonType, meaningOf } from '../../../../common/values.js';
import {
  keyHeaders,
  type Operation,
  type OperationId,
  operations,
  type Parameter,
} from '../../../../generated/operations.js';
import type { CallerRuleId } from '../../../../generated/rules.js';
import { parameters, requests } from '../../../../generated/validators.js';
import { deprecatedCalls } from '../../../engine/http/address.js';
import {
  documentedKeyHeaders,
  type Fields,
  hasMalformedId,
  headerOf,
  isFields,
  isWaitingStart,
  requestBody,
  requestFields,
  status,
} from '../../../engine/outcome/read.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { schemaFaults, withoutNulls } from '../../../engine/rule/schema-faults.js';
import { jsonText, sameId } from '../../../engine/rule/values.js';
import type { Exchange, Finding, Judge, SchemaFault } from '../../../engine/vocabulary.js';
import { isToQueue, roomField } from '../../executions/view.js';
import { deletesPool, readsExecution, startsAtOnce } from '../../operations.js';

const operationOf = ({ operation }: Exchange): Operation | undefined =>
  operation === null ? undefined : operations[operation];

/** The body of a request to start an execution. */
const startOf = (exchange: Exchange) =>
  startsAtOnce(exchange) || isWaitingStart(exchange) ? requestBody(exchange) : undefined;

const carriesKey = ({ request }: Exchange, header: string) => (headerOf(request.headers, header) ?? '') !== '';

/** Whether a field is given. Serializers often write null for absent fields, and no sentence forbids it. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Whether the body is null, of an operation that needs none. */
const isNullForNone = ({ operation, request: { body } }: Exchange): boolean =>
  operation !== null && operations[operation].requestBody === 'optional' && body.kind === 'json' && body.value === null;

/** Violated in each of the ways that were found, each named by what the caller sends: `head with version`. */
const none = (exchange: Exchange, found: readonly (string | SchemaFault)[], required: string): Finding =>
  found.length === 0
    ? satisfied(exchange)
    : violated(
        exchange,
        required,
        found.map((one) => (typeof one === 'string' ? { where: '', what: one, says: one } : one)),
      );

/** Judges each start by what it must not have. */
const ofStarts = (found: (body: Fields, operation: Operation) => readonly string[], required: string): Judge => ({
  exchange(exchange) {
    const [body, operation] = [startOf(exchange), operationOf(exchange)];
    return body && operation && none(exchange, found(body, operation), required);
  },
});

export const requestJudges = {
  // interface: Errors rule 3
  /** Judges a start. Passes if it has no two fields that exclude each other. */
  'caller-respects-exclusivity': ofStarts(
    (body, { exclusive }) =>
      exclusive.filter((pair) => pair.every((field) => isGiven(body[field]))).map((pair) => pair.join(' with ')),
    'only one of two that exclude each other',
  ),

  // interface: Errors rule 4
  /** Judges a start with temp files. Passes if it does not ask to be queued. */
  'caller-does-not-queue-temp-files': {
    exchange(exchange) {
      const start = startOf(exchange) && requestFields(exchange);
      if (!Array.isArray(start?.tempFiles) || start.tempFiles.length === 0) return;
      return isToQueue(start)
        ? violated(exchange, 'temp files not to be queued', `${roomField} queue`)
        : satisfied(exchange);
    },
  },

  // interface: Limits
  /** Judges a request with a body or a query. Passes if these match their schemas, with null for absent in the body. */
  'caller-stays-within-limits': {
    exchange(exchange) {
      const { operation } = exchange;
      const faults = [faultsOfQuery(exchange), faultsOfBody(exchange)].flatMap((found) => (found ? [found] : []));
      return faults.length === 0
        ? undefined
        : none(exchange, faults.flat(), `a request of ${operation} that matches its schema`);
    },
  },

  // interface: Resources and their fields
  /** Judges a request with a body that has a schema. Passes if no optional field is null. */
  'caller-sends-no-nulls': {
    exchange(exchange) {
      const { operation, request } = exchange;
      if (operation === null || !hasBody(operation) || request.body.kind !== 'json') return;
      const { nulls } = withoutNulls(requests[operation], request.body.value);
      const found = isNullForNone(exchange)
        ? ['the body null']
        : nulls.map((path) => `${path.slice(1).replaceAll('/', '.')} null`);
      return none(exchange, found, 'no optional field that is null');
    },
  },

  // interface: Versioning
  /** Judges a request that could be deprecated in part. Passes if no field, no parameter and not its path is deprecated. */
  'caller-avoids-deprecated-fields': {
    exchange(exchange) {
      const { operation, request } = exchange;
      if (operation === null) return;
      const { deprecatedFields, deprecatedPaths, queryParameters }: Operation = operations[operation];
      const body = requestBody(exchange);
      const query = queryOf(request.url);
      const old = queryParameters.filter(({ deprecated }) => deprecated);
      const found = [
        ...Object.keys(deprecatedFields).filter((field) => isGiven(body?.[field])),
        ...old.flatMap(({ name }) => (query.has(name) ? name : [])),
        ...deprecatedCalls([exchange]),
      ];
      const isAble = body !== undefined || old.length > 0 || deprecatedPaths.length > 0;
      return isAble ? none(exchange, found, 'nothing deprecated') : undefined;
    },
  },

  // interface: Authentication
  /** Judges a request with a key. Passes if it is in a header of the operation, fails if it is in another one. */
  'caller-sends-shown-header': {
    exchange(exchange) {
      const shown = documentedKeyHeaders(exchange);
      if (shown.length === 0) return;
      if (shown.some((name) => carriesKey(exchange, name))) return satisfied(exchange);
      const other = keyHeaders.find((name) => carriesKey(exchange, name));
      return other === undefined
        ? undefined
        : violated(exchange, `the key in ${shown.join(' or ')}`, `the key in ${other}`);
    },
  },

  // interface: Authentication
  /**
   * Judges a request. Passes if it has a key; fails if it has none, and gets 401. A refused key does not count.
   */
  'caller-sends-a-key': {
    exchange(exchange) {
      const isRefused = status(exchange) === 401;
      if (keyHeaders.some((name) => carriesKey(exchange, name))) return isRefused ? undefined : satisfied(exchange);
      const header = operationOf(exchange)?.keyHeader ?? keyHeaders.join(' or ');
      const seen = carriesKey(exchange, 'Authorization') ? 'no key but in Authorization' : 'no key';
      return isRefused ? violated(exchange, `a key in ${header}`, seen) : undefined;
    },
  },

  // interface: Errors rule 5; Execution options
  /**
   * Judges a start of a declared workflow. Passes if one in variant mode has a variantKey; fails if it has none,
   * or if any other has one.
   */
  'caller-gives-variant-key': {
    exchange(exchange, { workflows }) {
      if (!startsAtOnce(exchange) && !isWaitingStart(exchange)) return;
      const { executionOptions } = requestFields(exchange);
      const hasKey = isFields(executionOptions) && isGiven(executionOptions.variantKey);
      if (workflows.variantMode !== undefined && sameId(exchange.resource, workflows.variantMode))
        return hasKey
          ? satisfied(exchange)
          : violated(exchange, 'a variantKey for a workflow in variant mode', 'no variantKey');
      const isOther = Object.values(workflows).some((id) => sameId(id, exchange.resource));
      return isOther && hasKey
        ? violated(exchange, 'no variantKey for a workflow without variant mode', 'a variantKey')
        : undefined;
    },
  },

  // interface: Resources and their fields
  /** Judges a request with an id in its path. Passes if it is a UUID, or has the form that the contract gives it. */
  'caller-sends-uuids': {
    exchange(exchange) {
      if (exchange.operation === null || exchange.resource === null) return;
      return hasMalformedId(exchange)
        ? violated(exchange, 'an id of the form that the contract has', jsonText(exchange.resource))
        : satisfied(exchange);
    },
  },

  // interface: What the service does
  /** Judges a request with a body and headers. Passes if its Content-Type is JSON. */
  'caller-labels-json': {
    exchange(exchange) {
      const { headers, body } = exchange.request;
      // A recording may lack headers.
      if (body.kind === 'none' || Object.keys(headers).length === 0) return;
      const type = headerOf(headers, 'content-type');
      return type !== undefined && isJsonType(type)
        ? satisfied(exchange)
        : violated(exchange, 'a Content-Type of JSON', type === undefined ? 'no Content-Type' : jsonText(type));
    },
  },

  // interface: GET execution; DELETE agent-profile-pools
  /** Judges a request that takes no body. Passes if it has none. */
  'caller-sends-no-body': {
    exchange(exchange) {
      if (!readsExecution(exchange) && !deletesPool(exchange)) return;
      return exchange.request.body.kind === 'none' ? satisfied(exchange) : violated(exchange, 'no body', 'a body');
    },
  },
} satisfies Partial<Record<CallerRuleId, Judge>>;

const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.replace(/^[^?]*|#.*$/g, ''));

/** The faults of the parameters of a query; undefined if there are none of these. */
function faultsOfQuery({ operation, request }: Exchange): SchemaFault[] | undefined {
  const query = queryOf(request.url);
  const given = (operation === null ? [] : operations[operation].queryParameters).filter(({ name }: Parameter) =>
    query.has(name),
  );
  if (operation === null || given.length === 0) return undefined;
  return given.flatMap(({ name, type, isList }: Parameter) => {
    const values = query.getAll(name).map((text) => meaningOf(text, type));
    const validator = parameters[operation][name];
    const faults = validator ? schemaFaults(validator, isList ? values : values[0]) : [];
    return faults.map((fault) => ({ ...fault, where: name, says: `${name}: ${fault.says}` }));
  });
}

/** The faults of a body; undefined if there is none. */
function faultsOfBody(exchange: Exchange): readonly (string | SchemaFault)[] | undefined {
  const { operation, request } = exchange;
  if (operation === null || !hasBody(operation) || request.body.kind === 'none' || isNullForNone(exchange))
    return undefined;
  const schema = requests[operation];
  return request.body.kind === 'json'
    ? schemaFaults(schema, withoutNulls(schema, request.body.value).value)
    : ['a body that is no JSON'];
}

const hasBody = (operation: OperationId): operation is keyof typeof requests => operation in requests;
