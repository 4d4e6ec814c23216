/** The two error bodies. */

import { fields, namesOf } from '../../../../generated/fields.js';
import {
  keyHeaders,
  type Operation,
  type OperationId,
  operationIds,
  operations,
} from '../../../../generated/operations.js';
import type { RuleId } from '../../../../generated/rules.js';
import { requests, responseValidator, schemas, type Validator } from '../../../../generated/validators.js';
import { contract } from '../../../engine/contract.js';
import { faultOf, isProbe, isProbeOf, isUnjudged } from '../../../engine/outcome/mark.js';
import { outcomeOf } from '../../../engine/outcome/outcome.js';
import {
  answerBody,
  entryForStatus,
  hasMalformedId,
  isFields,
  refused,
  sendsOtherThanJson,
} from '../../../engine/outcome/read.js';
import { satisfied, violated } from '../../../engine/rule/findings.js';
import { noJson, schemaFaults, withoutNulls } from '../../../engine/rule/schema-faults.js';
import { jsonText, listOf, pathOf, textOfResponse } from '../../../engine/rule/values.js';
import type { Exchange, Judge, Judges, Response, SchemaFault } from '../../../engine/vocabulary.js';

/** A failure that must have this error body. */
const failureOf = (exchange: Exchange, body: Operation['errorBody']): Response | undefined => {
  const { operation } = exchange;
  if (!operation || operations[operation].errorBody !== body || !refused(exchange)) return undefined;
  if (sendsOtherThanJson(exchange)) return undefined;
  return outcomeOf(exchange).bound ?? ofCapacity(exchange) ?? inItsWords(exchange);
};

/** A 429 for want of capacity, if it has the fields of an error body. Other rate limiters use their own words. */
function ofCapacity(exchange: Exchange): Response | undefined {
  const { response } = exchange;
  const { code, message } = answerBody(exchange) ?? {};
  const isRefused = lacksCapacity.some((rule) => isProbeOf(exchange, rule));
  return isRefused && response?.status === 429 && code !== undefined && message !== undefined ? response : undefined;
}

/** An answer with all these fields is the service's, whatever its status: nobody before it would send them all. */
function inItsWords(exchange: Exchange): Response | undefined {
  const { message, detail, instance } = answerBody(exchange) ?? {};
  const isMeant = [message, detail, instance].every((one) => typeof one === 'string');
  return isMeant ? exchange.response : undefined;
}

/** What a body lacks of a schema; null may stand for absent. */
const faultsOf = (response: Response, validator: Validator<unknown>): readonly SchemaFault[] =>
  response.body.kind === 'json'
    ? schemaFaults(validator, withoutNulls(validator, response.body.value).value)
    : [noJson(response)];

/** What a failure lacks of the schema that the contract lists for its status, in the fields that are wanted. */
function ownFaults(operation: OperationId, response: Response, isWanted: (field: string) => boolean) {
  const validator = responseValidator(operation, response.status);
  const faults = validator ? faultsOf(response, validator) : [];
  return faults.filter(({ where }) => isWanted(where.split('/')[1] ?? ''));
}

/** Whether the contract lists the status of an answer by itself. Of others, the simple body is not shown. */
const isListed = ({ operation }: Exchange, { status }: Response): boolean =>
  operation !== null && `${status}` in operations[operation].responses;

/**
 * Judges a failure of these. Passes if the body is the operation's, and has what the contract lists beside that for its
 * status. What its usual fields hold there is judged by other rules.
 */
const shape = (
  of: Operation['errorBody'],
  says: string,
  name: 'StandardError' | 'SimpleError' | 'FilesError',
  covers: (exchange: Exchange, response: Response) => boolean = () => true,
): Judge => ({
  exchange(exchange) {
    const { operation } = exchange;
    const response = failureOf(exchange, of);
    if (!operation || !response || !covers(exchange, response)) return;
    const usual = faultsOf(response, schemas[name]);
    const further = ownFaults(operation, response, (field) => field !== '' && !(field in fields[name]));
    const faults = usual.length > 0 ? usual : further;
    return faults.length === 0
      ? satisfied(exchange)
      : violated(exchange, `${says} error body, with the ${response.status}`, faults);
  },
});

/** A failure whose body may have an optional field: the standard body, or one whose schema names it. */
function failureWith(exchange: Exchange, field: string): Response | undefined {
  const { operation } = exchange;
  const { errorBody, failures }: Partial<Operation> = operation ? operations[operation] : {};
  const response = errorBody && errorBody !== 'either' ? failureOf(exchange, errorBody) : undefined;
  const schema = response && entryForStatus(failures ?? {}, response.status);
  return errorBody === 'standard' || (schema && field in fields[schema as keyof typeof fields]) ? response : undefined;
}

/** Judges a field that repeats something else; `says` returns undefined if the field is absent. */
const agrees = (
  field: string,
  says: (exchange: Exchange, response: Response) => readonly [required: string, holds: boolean] | undefined,
): Judge => ({
  exchange(exchange) {
    const response = failureWith(exchange, field);
    const found = response && says(exchange, response);
    if (!found) return;
    const [required, holds] = found;
    return holds
      ? satisfied(exchange)
      : violated(exchange, required, `${field} ${jsonText(answerBody(exchange)?.[field])}`);
  },
});

/** Rules with probes that are refused for want of capacity, which is not the caller's mistake. */
const lacksCapacity: readonly RuleId[] = [
  'over-capacity-is-rejected',
  'deprecated-fields-still-work',
  'queue-is-not-overtaken',
  'temp-files-are-never-queued',
];

/** Whether a caller should not have sent the request. */
const mistaken = (exchange: Exchange): boolean => {
  const { operation, request } = exchange;
  const { body } = request;
  if (isProbe(exchange)) return !lacksCapacity.some((rule) => isProbeOf(exchange, rule));
  if (body.kind === 'not-json' || hasMalformedId(exchange)) return true;
  return body.kind === 'json' && operation !== null && operation in requests
    ? !requests[operation as keyof typeof requests](body.value)
    : false;
};

export const errors = {
  'standard-error-shape': shape('standard', 'the standard', 'StandardError'),

  /** Judges detail and message. Passes if they are the same text. */
  'standard-error-detail': agrees('detail', (exchange) => {
    const { detail, message } = answerBody(exchange) ?? {};
    if (typeof detail !== 'string' || typeof message !== 'string') return;
    return [`the same text as message ${jsonText(message)}`, detail === message];
  }),

  /** Judges instance. Passes if it is the path of the request, however it is percent-encoded. */
  'standard-error-instance': agrees('instance', (exchange) => {
    const instance = answerBody(exchange)?.instance;
    if (typeof instance !== 'string') return;
    const path = pathOf(exchange.request.url);
    // A gateway may replace the path of the base URL by another one.
    const own = (one: string) =>
      one.startsWith('/') ? one.slice(Math.max(0, one.lastIndexOf(contract().prefix))) : one;
    return [`the path of the request, ${own(path)}`, samePath(own(path), own(instance))];
  }),

  /** Judges status in the body. Passes if it is the HTTP status. */
  'standard-error-status': agrees('status', (exchange, response) => {
    const status = answerBody(exchange)?.status;
    if (typeof status !== 'number') return;
    return [`the HTTP status ${response.status}`, status === response.status];
  }),

  /** Judges type. Passes if it is a URI, or a reference to one. */
  'standard-error-type': agrees('type', (exchange) => {
    const type = answerBody(exchange)?.type;
    return typeof type === 'string' ? ['the URI of the type of problem', isUri(type)] : undefined;
  }),

  /** Judges title. Passes if it is one short line. */
  'standard-error-title': agrees('title', (exchange) => {
    const title = answerBody(exchange)?.title;
    return typeof title === 'string' && title !== '' ? ['a short summary', isShort(title)] : undefined;
  }),

  /** Judges parameters in a list of errors. Passes if each names a part of the request, in any notation. */
  'standard-error-parameter': {
    exchange(exchange) {
      const items = listOf(failureWith(exchange, 'errors') && answerBody(exchange)?.errors);
      const names = items.map(({ parameter }) => parameter).filter((name) => typeof name === 'string');
      const wrong = names.find((name) => !namesPart(exchange, name));
      if (wrong !== undefined) return violated(exchange, 'the name of a parameter of the request', jsonText(wrong));
      return names.length > 0 ? satisfied(exchange) : undefined;
    },
  },

  'simple-error-shape': shape('simple', 'the simple', 'SimpleError', isListed),
  'files-error-shape': shape('either', 'either', 'FilesError'),

  /** Judges the simple error body with a status that is listed. Passes if code is what is listed with it: the status. */
  'simple-error-code': {
    exchange(exchange) {
      const { operation } = exchange;
      const response = failureOf(exchange, 'simple');
      const code = answerBody(exchange)?.code;
      if (!operation || !response || typeof code !== 'number' || !isListed(exchange, response)) return;
      const faults = ownFaults(operation, response, (field) => field === 'code');
      return faults.length > 0 ? violated(exchange, `code ${response.status}`, `code ${code}`) : satisfied(exchange);
    },
  },

  /**
   * Judges a failure of a request that violates the contract. Passes if it is a 4xx, fails if it is a 5xx. A failure
   * that went away was not due to the mistake.
   */
  'refusals-are-client-errors': {
    exchange(exchange) {
      const response = outcomeOf(exchange).own;
      const isPassing = isProbe(exchange) && isUnjudged(exchange);
      if (!response || response.status < 400 || isPassing || !mistaken(exchange)) return;
      const mistake = faultOf(exchange) ?? 'a request that breaks its schema';
      return response.status < 500
        ? satisfied(exchange)
        : violated(exchange, `a 4xx for ${mistake}`, textOfResponse(response));
    },
  },
} satisfies Judges;

/** A URI, or a reference to one on the same host. A plain word is neither. */
const isUri = (text: string): boolean => /^(?:[a-z][a-z\d+.-]*:|\/)[^\s<>"{}|\\^`]*$/i.test(text);

const isShort = (text: string): boolean => text.trim() !== '' && text.length <= 120 && !/[\r\n]/.test(text);

/** Whether two paths are the same, apart from percent-encoding, the case of ids, the query, and a slash at the end. */
const samePath = (path: string, shown: string): boolean =>
  [shown, shown.split(/[?#]/, 1)[0] ?? ''].some((one) => bare(one) === bare(path));

const bare = (path: string): string =>
  decoded(path)
    .replace(/\/$/, '')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, (id) => id.toLowerCase());

/** The bytes of a text, with all percent-encoding undone. */
function decoded(text: string): string {
  const bytes = (of: string): string => {
    const once = of.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return once === of ? of : bytes(once);
  };
  return bytes(Buffer.from(text).toString('latin1'));
}

/** The names that an error may use for a part of the request. interface: Errors, errors[].parameter. */
const all: readonly Operation[] = operationIds.map((id) => operations[id]);
/** What may be in a request whose errors name parts, and what the interface names of agents and workflows. */
const carried = [
  ...all
    .filter(
      ({ errorBody, failures }) =>
        errorBody === 'standard' ||
        (errorBody === 'simple' &&
          Object.values(failures).some((name) => name && 'errors' in fields[name as keyof typeof fields])),
    )
    .flatMap(({ pathParameters, queryParameters, requestFields }) => [
      ...[...pathParameters, ...requestFields],
      ...queryParameters.map(({ name }) => name),
    ]),
  ...[...namesOf(fields.ExecutionOptions), ...namesOf(fields.TempFileReference)],
  ...['max_timeout_mins', 'variant_mode'],
];
/** Names for a part of the request as a whole. */
const parts = ['body', 'request', 'requestBody', 'payload', 'json', 'root', 'path', 'query', 'header', 'headers'];
const headers = ['Content-Type', 'Content-Length', ...keyHeaders];

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const names = [...carried, ...parts, ...headers].map(plain);
/** `profile` for `profileId`. */
const isPartOf = (step: string, name: string): boolean => step.length >= 4 && name.includes(step);

/**
 * Whether a name is that of a part of the request, in any notation: `executionOptions.softTimeoutMins`,
 * `/tempFiles/0/id`, `soft_timeout_mins`, `$.inputs`. An empty name, or the root, stands for the body.
 */
function namesPart({ request: { body } }: Exchange, name: string): boolean {
  const steps = [name, ...name.split(/[^\p{L}\p{N}_-]+/u)].map(plain).filter((step) => step !== '');
  if (steps.length === 0) return /^[\s$.#/]*$/.test(name);
  if (steps.some((step) => names.some((one) => one === step || isPartOf(step, one)))) return true;
  const sent = body.kind === 'json' ? namesWithin(body.value) : [];
  return steps.some((step) => sent.includes(step));
}

const namesWithin = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(namesWithin);
  return isFields(value) ? Object.entries(value).flatMap(([name, inner]) => [plain(name), ...namesWithin(inner)]) : [];
};
