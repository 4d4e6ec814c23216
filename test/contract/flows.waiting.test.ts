import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../generated/operations.js';
import { responseValidator } from '../../generated/validators.js';
import { type Reference, startReference } from '../../reference/index.js';
import { runRedocly } from '../../scripts/lint/redocly.js';
import { temporaryFolder } from '../support/folder.js';

interface Step {
  readonly stepId: string;
  readonly response: { readonly statusCode: number; readonly body: unknown };
  readonly checks: readonly { readonly name: string; readonly passed: boolean }[];
}

const flows = 'openapi/arazzo/flows.arazzo.yaml';
const operations: Record<string, Record<string, OperationId>> = {
  startAndFollow: { start: 'execute', follow: 'getExecution', listFiles: 'listExecutionFiles' },
  startSynchronously: { start: 'executeSync', follow: 'getExecution' },
  duplicateAndTune: { duplicate: 'duplicateProfile', tune: 'updateProfile' },
};

describe('on the reference service, redocly respect', () => {
  let reference: Reference;
  const folder = temporaryFolder();
  let steps: Map<string, readonly Step[]>;

  beforeAll(async () => {
    reference = await startReference();
    steps = await respect(reference, join(folder, 'log.json'));
  });
  afterAll(async () => {
    await reference.close();
  });

  test('starts a workflow and reads until the execution has ended', () => {
    const readings = steps.get('startAndFollow')?.filter(({ stepId }) => stepId === 'follow') ?? [];
    expect(readings.length).toBeGreaterThan(1);
    expect(readings.at(-1)?.response.body).toMatchObject({ status: 'completed' });
    expect(steps.get('startAndFollow')?.at(-1)).toMatchObject({ stepId: 'listFiles', response: { statusCode: 200 } });
  });

  test('follows an execution after an unfinished synchronous start', () => {
    const [start, ...readings] = steps.get('startSynchronously') ?? [];
    expect(start).toMatchObject({ stepId: 'start', response: { statusCode: 202 } });
    expect(readings.at(-1)?.response.body).toMatchObject({ status: 'completed' });
  });

  test('duplicates a profile and tunes the copy', () => {
    expect(steps.get('duplicateAndTune')?.map(({ response }) => response)).toMatchObject([
      { body: { description: expect.any(String) } },
      { statusCode: 200, body: { name: 'Tuned', description: 'A copy' } },
    ]);
  });

  test('gets only answers that the contract lists', () => {
    for (const [flow, taken] of steps)
      for (const { stepId, response } of taken) {
        const operation = operations[flow]?.[stepId];
        if (!operation) throw new Error(`${flow} has an unknown step ${stepId}`);
        expect(responseValidator(operation, response.statusCode)?.(response.body), `${flow}/${stepId}`).toBe(true);
      }
    expect([...steps.keys()]).toEqual(Object.keys(operations));
  });
});

/** The steps that each flow took, readings again included. Throws what went wrong. */
async function respect({ url, keys, fixtures: target }: Reference, log: string): Promise<Map<string, readonly Step[]>> {
  const inputs = {
    apiKey: keys.full,
    serviceApiKey: keys.full,
    workflowId: target.workflows.slow,
    inputs: { month: '2026-02' },
    timeoutSeconds: 1,
    profileId: target.profile,
    name: 'Tuned',
    description: 'A copy',
  };
  // Respect knows no ranges of statuses, and takes every schema for one that closes its objects.
  const tolerated = 'STATUS_CODE_CHECK=off,SCHEMA_CHECK=off';
  const args = ['--input', JSON.stringify(inputs), '--server', `contract=${url}`, '--severity', tolerated];
  await runRedocly('respect', flows, ...args, '--json-output', log);
  const { files } = JSON.parse(await readFile(log, 'utf8')) as {
    files: Record<string, { executedWorkflows: { workflowId: string; executedSteps: Step[] }[] }>;
  };
  const run = Object.values(files).flatMap(({ executedWorkflows }) => executedWorkflows);
  return new Map(run.map(({ workflowId, executedSteps }) => [workflowId, executedSteps]));
}
