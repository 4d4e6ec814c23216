import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { executionStatuses } from '../../generated/lifecycle.js';
import { type Operation, type OperationId, operationIds, operations } from '../../generated/operations.js';
import { requests, responses, type Validator } from '../../generated/validators.js';
import { formats } from '../../scripts/generate/formats.js';
import { mapSchema, type Schema } from '../../scripts/generate/schema.js';
import { document, examples } from './document.js';

const ajv = new Ajv2020({ strict: false, formats });
for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(closed(schema), name);

/** Null where nothing is said of the body. */
function validatorOf(operation: string, status: string | undefined): Validator<unknown> | null {
  const all: Record<string, Validator<unknown> | null> = status ? responses[operation as OperationId] : requests;
  const found = all[status ?? operation];
  if (found === undefined) throw new Error(`no validator for ${operation} ${status ?? 'request'}`);
  return found;
}

test.each(examples)('the example $name of $operation $status is valid', ({ operation, status, value }) => {
  const validate = validatorOf(operation, status);
  validate?.(value);
  expect(validate?.errors ?? []).toEqual([]);
});

test.each(examples)(
  'the example $name of $operation $status has no field that the contract does not name',
  ({ schema, value }) => {
    const validate = ajv.compile(onlyNamed(closed(schema)));
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  },
);

test.each(operationIds)('every body of %s has an example', (id) => {
  const statuses = examples.filter(({ operation }) => operation === id).map(({ status }) => status ?? 'request');
  const { successes }: Operation = operations[id];
  const bodies = [
    ...(operations[id].requestBody === 'none' ? [] : ['request']),
    ...Object.keys(operations[id].responses).filter((status) => successes[status]?.mediaTypes.length !== 0),
  ];
  expect([...new Set(statuses)].sort()).toEqual(bodies.sort());
});

test('there is one example of an execution for each status', () => {
  const shown = examples
    .filter(({ operation, status }) => operation === 'getExecution' && status === '200')
    .map(({ value }) => (value as { status: string }).status);
  expect(shown.sort()).toEqual([...executionStatuses].sort());
});

/** A schema whose values, at every depth below the first, may have only the fields that are named. */
function closed(schema: Schema): object {
  const isValue = /\/(properties\/[^/]+|items|additionalProperties)$/;
  return mapSchema(schema, ({ $ref, ...part }, at) => {
    const named = $ref === undefined ? part : { ...part, $ref: `${String($ref).split('/').at(-1)}#` };
    return isValue.test(at) ? onlyNamed(named) : named;
  }) as object;
}

function onlyNamed(schema: object): { [keyword: string]: unknown } {
  const namesFields = ['properties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in schema);
  return namesFields ? { ...schema, unevaluatedProperties: false } : { ...schema };
}
