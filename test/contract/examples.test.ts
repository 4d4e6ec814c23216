import { expect, test } from 'vitest';
import { executionStatuses } from '../../generated/lifecycle.js';
import { type Operation, type OperationId, operationIds, operations } from '../../generated/operations.js';
import { requests, responses, type Validator } from '../../generated/validators.js';
import { examples } from './document.js';

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

test.each(operationIds)('every body of %s has an example', (id) => {
  const statuses = examples.filter(({ operation }) => operation === id).map(({ status }) => status ?? 'request');
  // A success that the interface does not show has an example of its own.
  const { successes, openSuccess }: Operation = operations[id];
  const bodies = [
    ...(operations[id].requestBody === 'none' ? [] : ['request']),
    ...Object.keys(operations[id].responses).filter(
      (status) => openSuccess !== null || successes[status]?.schema !== null,
    ),
  ];
  expect([...new Set(statuses)].sort()).toEqual(bodies.sort());
});

test('there is one example of an execution for each status', () => {
  const shown = examples
    .filter(({ operation, status }) => operation === 'getExecution' && status === '200')
    .map(({ value }) => (value as { status: string }).status);
  expect(shown.sort()).toEqual([...executionStatuses].sort());
});
