import { describe, expect, test } from 'vitest';
import {
  type Execution,
  type FinishedExecution,
  isTerminal,
  resultOf,
  type StandardSchema,
  type UnfinishedExecution,
  WorkflowError,
} from '../../client/index.js';
import { errorOf, executionId } from './support.js';

const ended = (status: string, executionResult?: object) =>
  ({ id: executionId, status, ...(executionResult && { executionResult }) }) as unknown as Execution;
const success = { outcome: 'success', reasoning: 'Found.', result: { total: 3 } };

const schema = (
  validate: StandardSchema<{ total: number }>['~standard']['validate'],
): StandardSchema<{ total: number }> => ({
  '~standard': { version: 1, vendor: 'test', validate },
});

describe('the result of an execution', () => {
  test('cannot be read from a promise', async () => {
    const promise = Promise.resolve(ended('completed', success)) as unknown as Execution;
    expect((await errorOf(resultOf(promise), 'invalid-request')).message).toContain('await');
  });

  test.each([
    ['nothing', undefined],
    ['an id', executionId],
  ])('cannot be read from another value: %s', async (_, given) => {
    expect((await errorOf(resultOf(given as never), 'invalid-request')).message).toContain('that is not an execution');
  });

  test('cannot be checked with a schema of another kind', async () => {
    const given = { type: 'object' } as never;
    expect((await errorOf(resultOf(ended('completed', success), given), 'invalid-request')).message).toContain(
      'schema',
    );
  });

  test('is read from the answer of a synchronous start', async () => {
    const answer = { executionId, status: 'completed', executionResult: success } as unknown as FinishedExecution;
    expect(await resultOf(answer)).toEqual({ total: 3 });
    const running: UnfinishedExecution = { executionId, status: 'running' };
    expect(await errorOf(resultOf(running), 'unsuccessful')).toMatchObject({
      executionId,
      message: `execution ${executionId} is running`,
    });
  });

  test('is the recorded one', async () => {
    expect(await resultOf(ended('completed', success))).toEqual({ total: 3 });
  });

  test('is the output of the schema', async () => {
    const doubled = schema(async (value) => ({ value: { total: (value as { total: number }).total * 2 } }));
    expect(await resultOf(ended('completed', success), doubled)).toEqual({ total: 6 });
  });

  test('is refused when the schema refuses it', async () => {
    const strict = schema(() => ({ issues: [{ message: 'must be a date', path: ['due', { key: 0 }] }] }));
    const error = await errorOf(resultOf(ended('completed', success), strict), 'unexpected-result');
    expect(error).toMatchObject({ executionId });
    expect(error.message).toContain('due.0 must be a date');
  });

  test.each([
    ['failed', ended('failed', { ...success, outcome: 'failure', reasoning: 'No login.' }), 'is failed: No login.'],
    ['was cancelled', ended('cancelled'), 'is cancelled'],
    ['runs', ended('running'), 'is running'],
    ['did not find it', ended('completed', { ...success, outcome: 'failure', reasoning: 'None.\n' }), 'failure: None.'],
    ['left none', ended('completed'), 'without a result'],
  ])('is an error for an execution that %s', async (_, execution, text) => {
    expect((await errorOf(resultOf(execution), 'unsuccessful')).message).toContain(text);
  });
});

test.each([
  ['nothing', undefined],
  ['a promise', Promise.resolve({ status: 'completed' })],
])('isTerminal refuses %s', (_, given) => {
  const ask = () => isTerminal(given as never);
  expect(ask).toThrow(WorkflowError);
  expect(ask).toThrow('await the call that returns one');
});
