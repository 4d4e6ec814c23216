/** The names that an error may use for a part of the request. interface: Errors, errors[].parameter. */
import { fields, namesOf } from '../../../generated/fields.js';
import { keyHeaders, type Operation, operationIds, operations } from '../../../generated/operations.js';
import { isFields } from '../../engine/outcome/read.js';
import type { Exchange } from '../../engine/vocabulary.js';

const all: readonly Operation[] = operationIds.map((id) => operations[id]);
/** What may be in a request whose errors name parts, and what the interface names of agents and workflows. */
const carried = [
  ...all
    .filter(({ errorBody }) => errorBody === 'standard')
    .flatMap(({ pathParameters, queryParameters, headerParameters, requestFields }) => [
      ...[...pathParameters, ...requestFields],
      ...[...queryParameters, ...headerParameters].map(({ name }) => name),
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
const isShort = (step: string, name: string): boolean => step.length >= 4 && name.includes(step);

/**
 * Whether a name is that of a part of the request, in any notation: `executionOptions.softTimeoutMins`,
 * `/tempFiles/0/id`, `soft_timeout_mins`, `$.inputs`. An empty name, or the root, stands for the body.
 */
export function namesPart({ request: { body } }: Exchange, name: string): boolean {
  const steps = [name, ...name.split(/[^\p{L}\p{N}_-]+/u)].map(plain).filter((step) => step !== '');
  if (steps.length === 0) return /^[\s$.#/]*$/.test(name);
  if (steps.some((step) => names.some((one) => one === step || isShort(step, one)))) return true;
  const sent = body.kind === 'json' ? namesWithin(body.value) : [];
  return steps.some((step) => sent.includes(step));
}

const namesWithin = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(namesWithin);
  return isFields(value) ? Object.entries(value).flatMap(([name, inner]) => [plain(name), ...namesWithin(inner)]) : [];
};
