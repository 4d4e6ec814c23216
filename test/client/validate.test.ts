import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { responseValidator } from '../../generated/validators.js';
import { errorOf, executionId, json, profileId, scripted, workflowId } from './support.js';

const example = (name: string) => {
  const { value } = parse(readFileSync(new URL(`../../openapi/examples/${name}.yaml`, import.meta.url), 'utf8'));
  return value as Record<string, unknown>;
};
const strict = (body: unknown, status = 200) =>
  scripted([() => json(body, status)], { validate: responseValidator }).client;

describe('validate', () => {
  test('accepts every success that conforms to the contract', async () => {
    expect(await strict(example('started-starting'), 202).execute(workflowId)).toHaveProperty('executionId');
    expect(await strict(example('finished-failed'), 200).executeSync(workflowId)).toHaveProperty('executionId');
    expect(await strict(example('unfinished-paused'), 202).executeSync(workflowId)).toHaveProperty('executionId');
    expect(await strict(example('execution-completed')).getExecution(executionId)).toHaveProperty('status');
    expect(await strict(example('execution-files')).listExecutionFiles(executionId)).toHaveProperty('directories');
    expect(await strict(example('profile')).updateProfile(profileId, {})).toHaveProperty('name');
    expect(await strict(example('profile-duplicate'), 201).duplicateProfile(profileId)).toHaveProperty('name');
  });

  test('accepts fields that the contract does not name', async () => {
    const body = { ...example('execution-running'), novelty: 1 };
    expect(await strict(body).getExecution(executionId)).toEqual(body);
  });

  test('names the place where an answer does not conform to the contract', async () => {
    const { comments, ...body } = example('execution-running');
    const error = await errorOf(strict({ ...body, agentName: 7 }).getExecution(executionId), 'invalid-response');
    expect(error).toMatchObject({ operation: 'getExecution', status: 200, executionId, requestSent: true });
    expect(error.message).toMatch(/\/agentName must be string|must have required property 'comments'/);
  });

  test('refuses a status that the contract does not list', async () => {
    const error = await errorOf(strict(example('started-starting'), 200).execute(workflowId), 'invalid-response');
    expect(error.message).toContain('does not list the status');
  });

  test('names the execution that was started nevertheless', async () => {
    const started = { executionId, status: 'levitating' };
    expect(await errorOf(strict(started, 202).execute(workflowId), 'invalid-response')).toMatchObject({ executionId });
    expect(await errorOf(strict(started, 202).run(workflowId), 'invalid-response')).toMatchObject({ executionId });
  });

  test('leaves failures to their own kinds', async () => {
    await errorOf(strict({ code: 'x' }, 404).getExecution(executionId), 'intermediary');
  });

  test('is off by default', async () => {
    const body = { id: executionId, status: 'levitating' };
    const { client } = scripted([() => json(body)]);
    expect(await client.getExecution(executionId)).toEqual(body);
  });
});
