import { describe, expect, test } from 'vitest';
import type { ExecuteRequest, WorkflowClient } from '../../client/index.js';
import { operationIds, operations } from '../../generated/operations.js';
import { callOf, errorOf, executionId, json, otherId, profileId, scripted, workflowId } from './support.js';

describe('the request', () => {
  const inputs = { month: '2026-10' };
  const pathOf = (id: 'updateProfile' | 'duplicateProfile') =>
    operations[id].path.replace('/agents/v2/', '').replace('{profileId}', profileId);
  test.each<[name: string, call: (client: WorkflowClient) => Promise<unknown>, request: string, body: unknown]>([
    ['execute', (c) => c.execute(workflowId, { inputs }), `POST workflows/${workflowId}/execute`, { inputs }],
    ['execute without a body', (c) => c.execute(workflowId), `POST workflows/${workflowId}/execute`, {}],
    [
      'executeSync',
      (c) => c.executeSync(workflowId, { version: 2, timeoutSeconds: 5 }),
      `POST workflows/${workflowId}/execute/sync`,
      { version: 2, timeoutSeconds: 5 },
    ],
    ['getExecution', (c) => c.getExecution(executionId), `GET executions/${executionId}`, undefined],
    ['listExecutionFiles', (c) => c.listExecutionFiles(executionId), `GET executions/${executionId}/files`, undefined],
    [
      'updateProfile',
      (c) => c.updateProfile(profileId, { name: 'Robin' }),
      `PATCH ${pathOf('updateProfile')}`,
      { name: 'Robin' },
    ],
    ['duplicateProfile', (c) => c.duplicateProfile(profileId), `POST ${pathOf('duplicateProfile')}`, undefined],
    [
      'duplicateProfile into another organization',
      (c) => c.duplicateProfile(profileId, { organizationId: otherId }),
      `POST ${pathOf('duplicateProfile')}`,
      { organizationId: otherId },
    ],
  ])('of %s has the expected method, address, headers and body', async (_, call, request, body) => {
    const { client, sent } = scripted([() => json({ code: 400, message: 'No.' }, 400)]);
    await errorOf(call(client), 'refused');
    expect(sent).toHaveLength(1);
    const [{ method, url, headers, body: sentBody } = sent[0] as never] = sent;
    expect(`${method} ${url}`).toBe(request.replace(' ', ' https://api.example.com/agents/v2/'));
    expect(sentBody).toEqual(body);
    expect(headers.get('Content-Type')).toBe(body === undefined ? null : 'application/json');
  });
});

describe('refused before a request is sent:', () => {
  test.each(
    operationIds
      .filter((one) => operations[one].pathParameters.length > 0 && Object.keys(operations[one].otherIds).length === 0)
      .flatMap((operation) =>
        ['..', '', 'abc', `${executionId}/files`, `../${executionId}`, `${executionId}\n`, undefined].map(
          (id) => [operation, id] as const,
        ),
      ),
  )('%s with the id %j', async (operation, id) => {
    const { client, sent } = scripted([]);
    const error = await errorOf(callOf(client, operation, { id }), 'invalid-request');
    expect(error).toMatchObject({ operation, requestSent: false });
    expect(error.message).toContain(operations[operation].pathParameters[0]);
    expect(sent).toHaveLength(0);
  });

  test.each<[name: string, id: unknown, said: string]>([
    ['nothing', undefined, 'must be a UUID, and is undefined. Nothing'],
    ['the answer of a start', { executionId, status: 'starting' }, 'must be a UUID: give the id in the object.'],
    ['a promise', Promise.resolve(executionId), 'must be a UUID: await what gives it.'],
    ['an address', `https://api.example.com/executions/${executionId}`, 'must be a UUID, with nothing around it.'],
    ['an id after a space', ` ${executionId}`, 'must be a UUID, with nothing around it.'],
    ['a name', 'my execution', 'must be a UUID. Nothing'],
  ])('an error names what the caller passed as an id: %s', async (_, id, said) => {
    const { client } = scripted([]);
    expect((await errorOf(client.getExecution(id as string))).message).toContain(`executionId ${said}`);
  });

  test('an error names the method that the caller called', async () => {
    const { client } = scripted([]);
    const id = 'x';
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      run: () => client.run(id),
      waitFor: () => client.waitFor(id),
      watch: () => client.watch(id).next(),
      downloadFiles: () => client.downloadFiles(id).next(),
      execute: () => client.execute(id),
    };
    for (const [method, call] of Object.entries(calls))
      expect((await errorOf(call(), 'invalid-request')).message).toMatch(new RegExp(`^${method}: .*Id must be a UUID`));
  });

  test.each(operations.execute.exclusive)('%s together with %s', async (one, other) => {
    const { client, sent } = scripted([]);
    const both = { [one]: 1, [other]: null } as unknown as ExecuteRequest;
    for (const start of [client.execute, client.executeSync, client.run]) {
      const { message } = await errorOf(start(workflowId, both), 'invalid-request');
      expect(message).toContain(`${one} and ${other} exclude each other`);
    }
    expect(sent).toHaveLength(0);
  });

  test.each<[name: string, call: (client: WorkflowClient) => Promise<unknown>, said: string]>([
    ['a deadline of zero', (c) => c.getExecution(executionId, { timeoutMs: 0 }), 'timeoutMs'],
    ['a wait of zero', (c) => c.executeSync(workflowId, { timeoutSeconds: 0 }), 'timeoutSeconds'],
    ['a wait of half a minute', (c) => c.executeSync(workflowId, { timeoutSeconds: 30 }), 'up to 25'],
    [
      'no soft timeout at all',
      (c) => c.run(workflowId, { executionOptions: { softTimeoutMins: 0 } }),
      'executionOptions.softTimeoutMins',
    ],
    ['an empty name', (c) => c.updateProfile(profileId, { name: '' }), 'name'],
    ['null for a number', (c) => c.executeSync(workflowId, { timeoutSeconds: null as never }), 'timeoutSeconds'],
    [
      'inputs that are a promise',
      (c) => c.run(workflowId, { inputs: Promise.resolve({ month: '2026-10' }) }),
      'inputs must be a plain object, not a promise',
    ],
    ['a request that is a promise', (c) => c.execute(workflowId, Promise.resolve({}) as never), 'The request must be'],
    ['inputs in a Map', (c) => c.execute(workflowId, { inputs: new Map([['month', '2026-10']]) }), 'inputs must be a'],
    ['no update', (c) => c.updateProfile(profileId, undefined as never), 'The request must be an object'],
    [
      'an invalid signal',
      (c) => c.getExecution(executionId, { signal: { aborted: false } as never }),
      'signal must be an AbortSignal',
    ],
    ['a description that is not a text', (c) => c.updateProfile(profileId, { description: 5 as never }), 'description'],
    [
      'the option queue for temp files',
      (c) => c.execute(workflowId, { onCapacityLimit: 'queue', tempFiles: [{ id: otherId, name: 'a' }] }),
      'Temp files cannot be queued',
    ],
    [
      'a misspelt option',
      (c) => c.getExecution(executionId, { timeout: 5 } as never),
      'timeout is not an option; did you mean timeoutMs?',
    ],
    [
      'a misspelt option of a wait',
      (c) => c.waitFor(executionId, { interval: 5 } as never),
      'interval is not an option; did you mean intervalMs?',
    ],
    [
      'a misspelt option of a download',
      (c) => c.downloadFiles(executionId, { directory: 'debug' } as never).next(),
      'directory is not an option; did you mean directories?',
    ],
    [
      'inputs under a name that is nearly right',
      (c) => c.run(workflowId, { input: {} } as never),
      'did you mean inputs?',
    ],
    [
      'a field in another letter case',
      (c) => c.execute(workflowId, { profile_id: otherId } as never),
      'profile_id is not a field of the request; did you mean profileId?',
    ],
    [
      'a field unlike any other',
      (c) => c.executeSync(workflowId, { wait: 5 } as never),
      'wait is not a field of the request; there are version, head,',
    ],
    [
      'a misspelt field of an object in the request',
      (c) => c.execute(workflowId, { executionOptions: { variantkey: 'a' } } as never),
      'executionOptions.variantkey is not a field of the request; did you mean executionOptions.variantKey?',
    ],
    [
      'a misspelt field of an update',
      (c) => c.updateProfile(profileId, { cookieToAdd: [] } as never),
      'did you mean cookiesToAdd?',
    ],
    [
      'a misspelt field of a duplication',
      (c) => c.duplicateProfile(profileId, { organisationId: otherId } as never),
      'did you mean organizationId?',
    ],
    [
      'the request of an item of runAll',
      async (c) => {
        for await (const { error } of c.runAll([{ workflowId, request: { input: {} } as never }]))
          if (error) throw error;
      },
      'did you mean inputs?',
    ],
    [
      'an invalid number of retries',
      (c) => c.getExecution(executionId, { maxRetries: -1 }),
      'maxRetries must be a whole number from 0',
    ],
    [
      'options in place of the request',
      (c) => c.run(workflowId, { inputs: {}, timeoutMs: 5 } as never),
      'timeoutMs is an option: options come after the request',
    ],
    [
      'options in place of a request that is optional',
      (c) => c.duplicateProfile(profileId, { signal: AbortSignal.timeout(5) } as never),
      'signal is an option',
    ],
    [
      'an option of waits for watch',
      (c) => c.watch(executionId, { onStatus: () => {} } as never).next(),
      'onStatus is not an option; there are signal,',
    ],
    ['invalid options', (c) => c.getExecution(executionId, 5 as never), 'options'],
    [
      'a directory that does not exist',
      (c) => c.downloadFiles(executionId, { directories: ['download'] as never }).next(),
      'directories names "download", which is not one of debug, downloads,',
    ],
    ['invalid headers', (c) => c.getExecution(executionId, { headers: { 'a b': '1' } }), 'headers'],
  ])('%s', async (_, call, said) => {
    const { client, sent } = scripted([]);
    expect((await errorOf(call(client), 'invalid-request')).message).toContain(said);
    expect(sent).toHaveLength(0);
  });

  test('lengths are counted in characters', async () => {
    const { client, sent } = scripted([() => json({ id: profileId })]);
    await client.updateProfile(profileId, { name: '😀'.repeat(255) });
    expect(sent).toHaveLength(1);
  });

  test('a field is accepted where its value is undefined, or where any field is allowed', async () => {
    const { client, sent } = scripted([() => json({ executionId, status: 'starting' }, 202)]);
    await client.execute(workflowId, {
      input: undefined,
      inputs: { input: { any: 1 } },
      metadata: { x: 'y' },
    } as never);
    expect(sent[0]?.body).toEqual({ inputs: { input: { any: 1 } }, metadata: { x: 'y' } });
  });

  test('a field that is undefined is not sent', async () => {
    const { client, sent } = scripted([() => json({ executionId, status: 'starting' }, 202)]);
    await client.execute(workflowId, { head: true, version: undefined } as unknown as ExecuteRequest);
    expect(sent[0]?.body).toEqual({ head: true });
  });

  test('a body that is not JSON', async () => {
    const { client, sent } = scripted([]);
    const inputs: Record<string, unknown> = {};
    inputs.inputs = inputs;
    const error = await errorOf(client.execute(workflowId, { inputs }), 'invalid-request');
    expect(error.requestSent).toBe(false);
    expect(sent).toHaveLength(0);
  });
});

describe('a call', () => {
  test('resolves with the unchanged answer, including fields that the contract does not name', async () => {
    const answer = { id: executionId, status: 'running', novelty: { a: [1] } };
    const { client } = scripted([() => json(answer)]);
    expect(await client.getExecution(executionId)).toEqual(answer);
  });

  test('sends no request when it was aborted before', async () => {
    const { client, sent } = scripted([]);
    const error = await errorOf(client.execute(workflowId, {}, { signal: AbortSignal.abort() }), 'aborted');
    expect(error.requestSent).toBe(false);
    expect(error.message).not.toContain('unknown whether the execution started');
    expect(sent).toHaveLength(0);
  });

  test('names itself as possibly started when it is aborted while it starts an execution', async () => {
    const controller = new AbortController();
    const { client } = scripted([
      () => {
        controller.abort();
        return json({ executionId, status: 'starting' }, 202);
      },
    ]);
    const error = await errorOf(client.execute(workflowId, {}, { signal: controller.signal }), 'may-have-started');
    expect(error.requestSent).toBe(true);
    expect(error.message).toContain('unknown whether the execution started');
  });

  test('has the deadline of the client, or its own', async () => {
    const { client, clock } = scripted([() => new Promise(() => {})], { timeoutMs: 3000 });
    const ended: string[] = [];
    const note = (name: string) => (error: Error) => void ended.push(`${name}: ${(error as { kind?: string }).kind}`);
    client.getExecution(executionId).catch(note('usual'));
    client.getExecution(executionId, { timeoutMs: 1000 }).catch(note('own'));
    client.executeSync(workflowId, { timeoutSeconds: 2 }).catch(note('sync'));
    client.executeSync(workflowId).catch(note('longest sync'));
    client.executeSync(workflowId, {}, { timeoutMs: 2000 }).catch(note('own sync'));
    await clock.advance(999);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual(['own: timeout']);
    await clock.advance(1000);
    expect(ended.splice(0)).toEqual(['own: timeout', 'own sync: may-have-started']);
    await clock.advance(1000);
    expect(ended.splice(0)).toEqual(['usual: timeout']);
    await clock.advance(2000);
    expect(ended.splice(0)).toEqual(['sync: may-have-started']);
    await clock.advance(22_999);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual(['longest sync: may-have-started']);
    expect(clock.pending).toBe(0);
  });
});
