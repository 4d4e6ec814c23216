/** Turns errors of the schema validator into messages for callers. */

import { isObject } from '../common/values.js';
import { type OperationId, operations } from '../generated/operations.js';
import type { ParameterError } from '../generated/types.js';
import type { SchemaError } from '../generated/validators.js';

/** A violation of a schema. `kind` separates fields that exclude each other from invalid values. */
export interface Violation extends ParameterError {
  readonly kind: 'exclusivity' | 'value';
}

/** An answer lists no more violations than this. */
const most = 20;

/** Describes a validator's errors, without those that only result from trying the branches of a schema. */
export function readViolations(operation: OperationId, body: unknown, errors: readonly SchemaError[]): Violation[] {
  if (errors.length === 0) return [];
  const excluded = operations[operation].exclusive
    .filter((pair) => pair.every((field) => isObject(body) && Object.hasOwn(body, field)))
    .map(
      ([one, other]): Violation => ({ kind: 'exclusivity', parameter: one, detail: `cannot be given with ${other}` }),
    );
  const found = new Map(excluded.map((violation) => [violation.parameter, violation]));
  for (const error of errors) {
    if (found.size >= most) break;
    if (isSearch(error)) continue;
    const { parameter, detail } = describe(error);
    if (!found.has(parameter)) found.set(parameter, { kind: 'value', parameter, detail });
  }
  return [...found.values()];
}

/** Branches of `anyOf` that did not match. What they express is reported from `exclusive`. */
const isSearch = ({ keyword }: SchemaError): boolean => keyword === 'anyOf' || keyword === 'false schema';

function describe(error: SchemaError): ParameterError {
  const { instancePath, keyword, params } = error;
  const path = instancePath
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : text ? `${text}.${part}` : part), '');
  if (keyword === 'required') {
    const missing = String(params.missingProperty);
    return { parameter: path ? `${path}.${missing}` : missing, detail: 'is required' };
  }
  return { parameter: path || 'body', detail: detailOf(error) };
}

/** The message about an invalid value. */
export const detailOf = ({ keyword, params, message }: SchemaError): string =>
  details[keyword]?.(params) ?? message ?? 'is not valid';

const details: Readonly<Record<string, (params: Record<string, unknown>) => string>> = {
  type: ({ type }) => `must be ${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`,
  format: ({ format }) => (format === 'uuid' ? 'must be a UUID' : `must be a ${format}`),
  enum: ({ allowedValues }) => `must be ${(allowedValues as unknown[]).join(' or ')}`,
  minimum: ({ limit }) => `must be ${limit} or more`,
  maximum: ({ limit }) => `must be ${limit} or less`,
  minLength: ({ limit }) => `must have ${limit} or more characters`,
  maxLength: ({ limit }) => `must have ${limit} or fewer characters`,
};
