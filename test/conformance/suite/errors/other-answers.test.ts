import { Ajv } from 'ajv';
import { afterEach, expect, test } from 'vitest';
import { contract, describe, type Operation } from '../../../../conformance/engine/contract.js';
import { hasMalformedId, isId, isIdOf } from '../../../../conformance/engine/outcome/read.js';
import { suite } from '../../../../conformance/engine/suite.js';

import type { Exchange, Judge } from '../../../../conformance/engine/vocabulary.js';
import { callerJudges, judges } from '../../../../conformance/suite/judges.js';
import { samples } from '../../../../generated/samples.js';
import { headers } from '../../../../generated/validators.js';
import { exchange, ids } from '../../../support/evidence.js';

const today = contract();
afterEach(() => describe(today));

/** As the contract may have a reading one day. */
const has = (more: Partial<Operation>) =>
  describe({
    ...today,
    operations: { ...today.operations, getExecution: { ...today.operations.getExecution, ...more } },
  });

const verdictOf = ({ exchange: judge }: Judge, one: Exchange) =>
  [judge?.(one, suite().unknownTarget) ?? []]
    .flat()
    .map(({ kind }) => kind)
    .join();

test('an answer without a documented header violates its schema, except if no headers are recorded', () => {
  const refusal = exchange({ operation: 'getExecution', status: 404, body: { code: 404, message: 'm' } });
  const verdict = (headers: Record<string, string>) =>
    verdictOf(judges['response-matches-schema'], {
      ...refusal,
      response: { ...(refusal.response as NonNullable<Exchange['response']>), headers },
    });
  has({ requiredHeaders: { '4XX': ['Retry-After'] } });
  expect(verdict({ date: 'now' })).toBe('violated');
  expect(verdict({ date: 'now', 'retry-after': '1' })).toBe('');
  expect(verdict({})).toBe('');
});

test.each([
  ['satisfied', { type: 'integer', minimum: 1 }, '1'],
  ['violated', { type: 'integer', minimum: 1 }, '0'],
  ['violated', { type: 'integer' }, 'soon'],
  ['violated', { type: 'integer' }, ''],
  ['satisfied', { type: 'boolean' }, 'false'],
  ['satisfied', { type: 'string', maxLength: 4 }, '1234'],
  ['violated', { type: 'string', maxLength: 4 }, '12345'],
  ['satisfied', { type: 'array', items: { enum: ['GET', 'PUT'] } }, 'GET, PUT'],
  ['violated', { type: 'array', items: { enum: ['GET', 'PUT'] } }, 'GET, PATCH'],
])('a header of an answer is checked against its schema: %s, %j, %s', (verdict, schema, text) => {
  const reading = exchange({ operation: 'getExecution', status: 200, body: samples.Execution.full });
  const response = {
    ...(reading.response as NonNullable<Exchange['response']>),
    headers: { date: 'now', limit: text },
  };
  const known = Object.getOwnPropertyDescriptor(headers, 'getExecution') ?? {};
  Object.assign(headers, { getExecution: { '200': { Limit: new Ajv().compile(schema) } } });
  try {
    expect(verdictOf(judges['response-matches-schema'], { ...reading, response })).toBe(verdict);
    expect(
      verdictOf(judges['response-matches-schema'], { ...reading, response: { ...response, headers: { date: 'now' } } }),
    ).toBe('satisfied');
  } finally {
    Object.defineProperty(headers, 'getExecution', known);
  }
});

test('an id that is not a UUID is checked against its pattern in every place', () => {
  const asked = exchange({ operation: 'getExecution', resource: 'exec_1', status: 200, body: {} });
  const other = { ...asked, resource: ids.execution };
  expect([hasMalformedId(asked), hasMalformedId(other)]).toEqual([true, false]);
  expect(verdictOf(callerJudges['caller-sends-uuids'], asked)).toBe('violated');
  has({ otherIds: { executionId: { pattern: '^exec_', sample: 'exec_1' } } });
  expect([hasMalformedId(asked), hasMalformedId(other)]).toEqual([false, true]);
  expect(verdictOf(callerJudges['caller-sends-uuids'], asked)).toBe('satisfied');
  expect(verdictOf(callerJudges['caller-sends-uuids'], other)).toBe('violated');
  expect([isId('exec_1'), isId(ids.execution), isId('exec')]).toEqual([true, true, false]);
  has({ otherIds: { executionId: { pattern: '^[a-z-]+$', sample: 'one' } } });
  expect([isId('one'), isIdOf('getExecution', 'one')]).toEqual([false, true]);
  expect(isIdOf('getExecution', undefined)).toBe(false);
});
