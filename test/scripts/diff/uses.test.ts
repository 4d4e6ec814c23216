import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { usesOf } from '../../../scripts/diff/uses.js';

const document = JSON.parse(await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
const uses = usesOf(document);

it.each([
  ['#/components/schemas/ExecuteRequest/properties/inputs', ['request']],
  ['#/components/schemas/DuplicateProfileRequest', ['request']],
  ['#/components/schemas/ExecutionResult', ['response']],
  ['#/components/schemas/Cookie/required', ['request', 'response']],
  ['#/components/parameters/executionId/schema', ['request']],
  ['#/components/responses/SimpleNotFound', ['response']],
  ['#/paths/~1agents~1v2~1executions~1{executionId}/get/responses/200', ['response']],
  ['#/paths/~1agents~1v2~1agent-profiles~1{profileId}/patch/requestBody/required', ['request']],
  ['#/info/description', []],
])('%s is used in %j', (pointer, want) => {
  expect([...uses(pointer)].sort()).toEqual(want);
});
