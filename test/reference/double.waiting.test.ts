import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest';
import {
  createReference,
  type DisturbanceName,
  type InProcessReference,
  type OwnWorkflow,
  type Reference,
  type ReferenceOptions,
  startReference,
  VirtualClock,
} from '../../certify/double.js';
import { createWorkflowClient, resultOf, type WorkflowClient } from '../../client/index.js';
import { callers } from '../../generated/rules.js';
import { errorOf } from '../client/support.js';

const id = (number: number) => `5d0c4c0e-6a35-4f0b-8a43-${String(number).padStart(12, '0')}`;
const fast = { intervalMs: 2, maxIntervalMs: 10 };

const own: OwnWorkflow[] = [
  { id: id(1), result: { invoices: 3 }, reasoning: 'All three were there.' },
  { id: id(2), result: ({ inputs }) => ({ month: inputs?.month }) },
  { id: id(3), statuses: ['starting', 'running', 'failed'], failure: { error: 'No such field.', step: 2 } },
  { id: id(4), outcome: 'failure', reasoning: 'The portal was closed.' },
  { id: id(5), statuses: ['starting', 'paused', 'running', 'completed'], durations: [20, 3000, 20] },
  { id: id(6), files: [{ directory: 'downloads', name: 'a.csv', text: 'a,b\n', mimeType: 'text/csv' }] },
  { id: id(7), statuses: ['starting', 'running', 'cancelled'], durations: 10 },
  { id: id(8), statuses: ['starting', 'running', 'awaiting_confirmation'] },
  { id: id(9), outcome: 'none' },
  {
    id: id(10),
    result: () => {
      throw new Error('Not today.');
    },
  },
  { id: id(11), variantMode: true },
  ...[async () => 'later', () => undefined, () => ({ total: 1n }), () => Promise.reject(new Error('Never.'))].map(
    (result, index) => ({ id: id(20 + index), result: result as unknown as () => null }),
  ),
];
const reported: string[] = [];
const report = (error: unknown) => void reported.push((error as Error).message);

describe('own workflows', () => {
  let reference: Reference;
  let client: WorkflowClient;
  beforeAll(async () => {
    reference = await startReference({ workflows: own, speed: 20, report });
    client = createWorkflowClient({ baseUrl: reference.url, apiKey: reference.keys.full });
  });
  afterAll(() => reference.close());
  const run = (number: number, inputs: object = {}) => client.run(id(number), { inputs }, fast);

  test('have their own results', async () => {
    const execution = await run(1);
    expect(execution.executionResult).toMatchObject({ outcome: 'success', reasoning: 'All three were there.' });
    expect(await resultOf(execution)).toEqual({ invoices: 3 });
  });

  test('compute a result from the request', async () => {
    expect(await resultOf(await run(2, { month: '2026-02' }))).toEqual({ month: '2026-02' });
  });

  test('fail with their reason', async () => {
    const failed = await run(3);
    expect(failed).toMatchObject({ status: 'failed', executionResult: { outcome: 'failure' } });
    expect(failed.scriptFailures).toMatchObject([{ error: 'No such field.', step: 2 }]);
    expect((await errorOf(resultOf(await run(4)), 'unsuccessful')).message).toContain('The portal was closed.');
  });

  test('go through their states', async () => {
    const paused = await client.run(id(5), {}, { ...fast, until: ['paused'] });
    expect(paused.status).toBe('paused');
    expect((await client.waitFor(paused.id, fast)).status).toBe('completed');
    const cancelled = await run(7);
    expect(cancelled.status).toBe('cancelled');
    expect(cancelled.executionResult).toBeUndefined();
    expect((await client.run(id(8), {}, { ...fast, until: ['awaiting_confirmation'] })).status).toBe(
      'awaiting_confirmation',
    );
  });

  test('write files', async () => {
    const { id: executionId } = await run(6);
    const texts: string[] = [];
    for await (const { file, body } of client.downloadFiles(executionId))
      texts.push(`${file.filePath}: ${await new Response(body).text()}`);
    expect(texts).toEqual(['downloads/a.csv: a,b\n']);
  });

  test('have no result if they declare none', async () => {
    expect((await errorOf(resultOf(await run(9)), 'unsuccessful')).message).toContain('without a result');
  });

  test('fail with the message of a function that throws', async () => {
    expect((await errorOf(resultOf(await run(10)), 'unsuccessful')).message).toContain('Not today.');
  });

  test.each([
    [20, 'workflows[11].result returns a promise, which is not awaited: return the value itself.'],
    [21, 'workflows[12].result returns undefined, which is not JSON; return null instead.'],
    [22, 'workflows[13].result cannot be written as JSON: Do not know how to serialize a BigInt.'],
    [23, 'workflows[14].result returns a promise, which is not awaited: return the value itself.'],
  ])('fail if a function returns no JSON, and report it: %i', async (number, message) => {
    const { executionResult } = await run(number);
    expect(executionResult).toMatchObject({ outcome: 'failure', reasoning: message, result: null });
    expect(reported).toContain(message);
  });

  test('are reported on standard error without a stack, if the caller passes no report function', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const service = await startReference({ workflows: own, speed: 20 });
    try {
      await createWorkflowClient({ baseUrl: service.url, apiKey: service.keys.full }).run(id(21), {}, fast);
      expect(told.mock.calls).toEqual([
        ['workflows[12].result returns undefined, which is not JSON; return null instead.'],
      ]);
    } finally {
      told.mockRestore();
      await service.close();
    }
  });

  test('can require a variant', async () => {
    await errorOf(client.execute(id(11)), 'refused');
    expect((await client.execute(id(11), { executionOptions: { variantKey: 'blue' } })).status).toBe('starting');
  });

  test('are added to those of the service, and replace those with the same id', async () => {
    expect((await client.run(reference.fixtures.workflows.completes, {}, fast)).executionResult?.result).toEqual({
      invoices: 2,
    });
    const { completes } = reference.fixtures.workflows;
    const service = createReference({ workflows: [{ id: completes.toUpperCase(), result: 'mine' }], speed: 20 });
    const other = createWorkflowClient({
      baseUrl: service.fixtures.baseUrl,
      apiKey: service.fixtures.apiKeys.primary,
      fetch: service.fetch,
    });
    expect(await resultOf(await other.run(completes, {}, fast))).toBe('mine');
  });

  test('are typed', () => {
    interface Total {
      readonly total: number;
    }
    expectTypeOf<{ any: 1 } | Total | string[] | null>().toExtend<OwnWorkflow['result']>();
    expectTypeOf<() => Total>().toExtend<OwnWorkflow['result']>();
    expectTypeOf<Promise<Total>>().not.toExtend<OwnWorkflow['result']>();
    expectTypeOf<() => Promise<Total>>().not.toExtend<OwnWorkflow['result']>();
    expectTypeOf<() => undefined>().not.toExtend<OwnWorkflow['result']>();
  });
});

const cycle: { of?: object } = {};
cycle.of = cycle;

describe('an invalid own workflow:', () => {
  test.each<[object | null, string]>([
    [{ id: 'mine' }, 'workflows[0].id must be a UUID.'],
    [null, 'workflows[0] must be an object with an id.'],
    [
      { id: id(1), failure: 'No login.' },
      'workflows[0].failure must be an object, such as { error: "The login was refused." }.',
    ],
    [{ id: id(1), reslt: 1 }, 'the workflow field reslt is unknown; did you mean result?'],
    [{ id: id(1), statuses: [] }, 'workflows[0].statuses must begin with starting.'],
    [
      { id: id(1), files: [{ directory: 'downloads', name: 'a.csv' }] },
      'workflows[0].files[0] must have a name and a text, both strings.',
    ],
    [
      { id: id(1), statuses: ['starting', 'pausd'] },
      'in workflows[0].statuses the status pausd is unknown; did you mean paused?',
    ],
    [
      { id: id(1), statuses: ['starting', 'completed', 'running'] },
      'workflows[0].statuses goes on after a terminal state.',
    ],
    [
      { id: id(1), statuses: ['starting', 'queued'] },
      'workflows[0].statuses cannot have queued: a run is queued when there is no capacity.',
    ],
    [{ id: id(1), durations: [1] }, 'workflows[0].durations must be a number or 2 of them: the last state has none.'],
    [{ id: id(1), durations: -1 }, 'workflows[0].durations must be milliseconds from 0.'],
    [{ id: id(1), outcome: 'sucess' }, 'in workflows[0] the outcome sucess is unknown; did you mean success?'],
    [
      { id: id(1), result: Promise.resolve(1) },
      'workflows[0].result returns a promise, which is not awaited: return the value itself.',
    ],
    [
      { id: id(1), result: cycle },
      'workflows[0].result cannot be written as JSON: Converting circular structure to JSON.',
    ],
    [
      { id: id(1), files: [{ directory: 'download', name: 'a', text: '' }] },
      'in workflows[0].files the directory download is unknown; did you mean downloads?',
    ],
  ])('%o is refused', (workflow, message) => {
    expect(() => createReference({ workflows: [workflow as OwnWorkflow] })).toThrow(
      expect.objectContaining({ message }),
    );
  });
});

describe('the requests of callers', () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await startReference({ workflows: [{ id: id(1) }], speed: 20 });
  });
  afterAll(() => reference.close());
  const send = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
    fetch(`${reference.url}${path}`, { ...init, headers: { 'X-Api-Key': reference.keys.full, ...headers } });
  const start = (body: unknown, sync = '') =>
    send(
      `/agents/v2/workflows/${id(1)}/execute${sync}`,
      { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) },
      { 'Content-Type': 'application/json' },
    );

  test('are recorded, without keys', async () => {
    await start({ inputs: { month: '2026-02', key: reference.keys.full } });
    await send(`/agents/v2/executions/${reference.fixtures.execution}?a=${reference.keys.full}`);
    await send('/elsewhere');
    expect(reference.requests).toMatchObject([
      { operation: 'execute', id: id(1), method: 'POST', body: { inputs: { month: '2026-02' } }, status: 202 },
      { operation: 'getExecution', id: reference.fixtures.execution, method: 'GET', status: 401 },
      { operation: null, id: null, url: `${reference.url}/elsewhere`, status: 404 },
    ]);
    expect(reference.requests[1]).not.toHaveProperty('body');
    expect(JSON.stringify(reference.requests)).not.toContain(reference.keys.full);
  });

  test('are recorded while they wait, and get the same answers as without a reader', async () => {
    const before = reference.requests.length;
    const waiting = start({ inputs: {} }, '/sync');
    while (reference.requests.length === before) await new Promise(setImmediate);
    expect(reference.requests[before]).not.toHaveProperty('status');
    expect(await (await waiting).json()).toMatchObject({ status: 'completed' });
    expect(reference.requests[before]).toHaveProperty('status', 200);
  });

  test('are recorded as text if they are not JSON', async () => {
    await start('{"inputs":');
    expect(reference.requests.at(-1)).toMatchObject({ body: '{"inputs":', status: 400 });
  });
});

describe('a caller is judged:', () => {
  const judged = async (work: (client: WorkflowClient, reference: Reference) => Promise<unknown>) => {
    const reference = await startReference({ workflows: own, speed: 20 });
    try {
      await work(createWorkflowClient({ baseUrl: reference.url, apiKey: reference.keys.full }), reference);
      return await reference.judgeCallers();
    } finally {
      await reference.close();
    }
  };

  test('this client violates no rule for callers', async () => {
    const { broken, kept, untested } = await judged(async (client, { fixtures }) => {
      await client.run(id(1), { inputs: { month: '2026-02' } }, fast);
      const { executionId } = await client.executeSync(id(8), { timeoutSeconds: 1 });
      await client.getExecution(executionId);
      await client.execute(id(1), { tempFiles: [fixtures.tempFile] });
    });
    expect(broken).toEqual([]);
    expect(untested).toEqual([
      'caller-looks-up-after-gateway-timeout',
      'caller-polls-to-the-end',
      'caller-does-not-repeat-a-lost-start',
      'caller-gives-variant-key',
    ]);
    expect(kept).toHaveLength(callers.length - untested.length);
  });

  test('each violated rule is reported, with its requests', async () => {
    const { broken } = await judged(async (client, { fixtures, url, keys }) => {
      await client.execute(id(1), { dynamicData: { month: '2026-02' } });
      await client.executeSync(id(8), { timeoutSeconds: 1 });
      await client.raw.POST('/agents/v2/workflows/{workflowId}/execute', {
        params: { path: { workflowId: id(1) } },
        body: { onCapacityLimit: 'queue', tempFiles: [fixtures.tempFile] },
      });
      await fetch(`${url}/agents/v2/executions/${fixtures.execution}`, { headers: { 'X-Api-Key': keys.full } });
    });
    expect(
      broken.map(({ rule, count, requests }) => [rule, count, requests.map(({ operation }) => operation)]),
    ).toEqual([
      ['caller-avoids-deprecated-fields', 1, ['execute']],
      ['caller-follows-by-polling', 1, ['execute']],
      ['caller-follows-202', 1, ['executeSync']],
      ['caller-does-not-queue-temp-files', 1, ['execute']],
      ['caller-sends-shown-header', 1, ['getExecution']],
    ]);
    expect(broken.at(-1)).toMatchObject({
      level: 'SHOULD',
      says: 'The key is in the header that the operation is shown with.',
      actual: 'the key in X-Api-Key',
    });
  });

  test('a violated rule is printed without its requests', async () => {
    const { broken } = await judged((client) => client.execute(id(1), { dynamicData: {} }));
    expect(broken[0]?.requests).toHaveLength(1);
    expect(Object.keys(broken[0] ?? {})).toEqual(['rule', 'level', 'says', 'expected', 'actual', 'count']);
  });

  test('fields that the contract does not have are reported once, with the most similar name', async () => {
    const { unknownFields } = await judged(async (client) => {
      const params = { path: { workflowId: id(1) } };
      const body = { input: {}, inputs: {}, anything: 1 } as object;
      for (let start = 0; start < 2; start += 1)
        await client.raw.POST('/agents/v2/workflows/{workflowId}/execute', { params, body });
    });
    expect(unknownFields).toEqual([
      { operation: 'execute', field: 'input', meant: 'inputs' },
      { operation: 'execute', field: 'anything' },
    ]);
  });

  test('no rule is reported for a caller without requests', async () => {
    const { broken, kept, untested } = await judged(async () => {});
    expect([broken, kept]).toEqual([[], []]);
    expect(untested).toHaveLength(callers.length);
  });
});

describe('options that the types forbid are refused from plain JavaScript too, with the way out:', () => {
  test.each<[options: Record<string, unknown>, says: string]>([
    [{ latency: 10 }, 'the option latency is unknown; did you mean latencyMs?'],
    [{ fault: ['errors-are-html'] }, 'the option fault is unknown; did you mean faults?'],
    [{ faults: 'errors-are-html' }, 'faults must be a list.'],
    [{ limits: { concurency: 1 } }, 'the limit concurency is unknown; did you mean concurrency?'],
    [{ limits: { queue: '1' } }, 'limits.queue must be a whole number from 0.'],
    [{ denied: ['exceute'] }, 'in denied the operation exceute is unknown; did you mean execute?'],
    [{ port: '4010' }, 'port must be a port from 0 to 65535.'],
    [{ port: 99_999 }, 'port must be a port from 0 to 65535.'],
    [{ basePath: 'gw' }, 'basePath must be a path such as /gateway.'],
    [{ basePath: '/gw/' }, 'basePath must be a path such as /gateway.'],
    [{ latencyMs: -1 }, 'latencyMs must be milliseconds from 0 to a day.'],
    [{ speed: 0 }, 'speed must be a number above 0.'],
    [{ limits: { concurrency: 0 } }, 'limits.concurrency must be a whole number from 1.'],
    [{ limits: { ended: Number.NaN } }, 'limits.ended must be a whole number from 0.'],
    [{ workflows: [{ id: id(1) }, { id: id(1).toUpperCase() }] }, 'workflows[1].id is also the id of workflows[0].'],
    [null as unknown as Record<string, unknown>, 'the options must be an object.'],
    [{ constructor: 1 }, 'the option constructor is unknown; use one of choices,'],
  ])('%j', async (options, says) => {
    await expect(startReference(options)).rejects.toThrow(says);
    expect(() => createReference(options)).toThrow(says);
  });

  test('undefined options are ignored', async () => {
    const options = { speed: undefined, basePath: '', limits: { ended: Infinity } };
    const { fetch, fixtures, close } = createReference(options as object);
    const start = new Request(`${fixtures.baseUrl}/agents/v2/workflows/${fixtures.workflows.completes}/execute/sync`, {
      method: 'POST',
      headers: { 'X-API-Key': fixtures.apiKeys.primary, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await (await fetch(start)).json()).toMatchObject({ status: 'completed' });
    await close();
  });
});

describe('a disturbance', () => {
  const ways: [name: string, open: (options: ReferenceOptions) => Promise<Opened>][] = [
    [
      'on a port',
      async (options) => {
        const { url, ...reference } = await startReference(options);
        return { ...reference, baseUrl: url };
      },
    ],
    [
      'in the process',
      async (options) => {
        const reference = createReference(options);
        return { ...reference, baseUrl: reference.fixtures.baseUrl };
      },
    ],
  ];
  interface Opened extends Omit<InProcessReference, 'fetch'> {
    readonly baseUrl: string;
    readonly fetch?: InProcessReference['fetch'];
  }

  /** Half a second: its first reading comes while it runs, also on a busy machine. */
  const lasting: OwnWorkflow = { id: id(90), durations: [100, 10_000] };

  describe.each(ways)('%s', (_, open) => {
    const under = async (
      disturbances: DisturbanceName[],
      work: (client: WorkflowClient, service: Opened) => Promise<void>,
    ) => {
      const service = await open({ disturbances, speed: 20, workflows: [...own, lasting] });
      const { baseUrl, keys, fetch } = service;
      try {
        await work(createWorkflowClient({ baseUrl, apiKey: keys.full, ...(fetch && { fetch }) }), service);
      } finally {
        await service.close();
      }
    };

    test.each<DisturbanceName>(['start-answer-lost', 'start-504'])('%s lets the first start take effect', (name) =>
      under([name], async (client, { requests }) => {
        await expect(client.run(id(1))).rejects.toMatchObject({ kind: 'may-have-started', requestSent: true });
        expect((await client.run(id(1), {}, fast)).status).toBe('completed');
        expect(requests[0]?.status).toBe(name === 'start-504' ? 504 : undefined);
      }),
    );

    test('rate-limited refuses the first request of each operation with Retry-After', () =>
      under(['rate-limited'], async (client) => {
        const refused = { kind: 'rate-limited', status: 429, retryAfterMs: 1000 };
        await expect(client.updateProfile(id(1), {})).rejects.toMatchObject(refused);
        const read = client.getExecution(id(1), { maxRetries: 0 });
        await expect(read).rejects.toMatchObject(refused);
        await expect(client.getExecution(id(1), { maxRetries: 0 })).rejects.toMatchObject({ kind: 'not-found' });
      }));

    test.each<[DisturbanceName, number]>([
      ['unavailable', 3],
      ['connection-cut', 1],
      ['gateway-404', 2],
    ])('%s disturbs a wait, which continues', (name, times) =>
      under([name], async (client, { requests }) => {
        const { executionId } = await client.execute(lasting.id);
        expect((await client.waitFor(executionId, fast)).status).toBe('completed');
        const statuses = requests.filter(({ operation }) => operation === 'getExecution').map(({ status }) => status);
        expect(statuses.filter((status) => status !== 200)).toHaveLength(times);
      }),
    );
  });

  test('with an unknown name is refused with the most similar name', () => {
    const options = { disturbances: ['gateway-403'] } as unknown as ReferenceOptions;
    expect(() => createReference(options)).toThrow('the disturbance gateway-403 is unknown; did you mean gateway-404?');
  });
});

test('a slow execution lasts longer than the shortest wait at any speed', async () => {
  const { fetch, keys, fixtures, close } = createReference({ speed: 1000 });
  const client = createWorkflowClient({ baseUrl: fixtures.baseUrl, apiKey: keys.full, fetch });
  const answer = await client.executeSync(fixtures.workflows.slow, { timeoutSeconds: 1 });
  expect(answer.status).toBe('running');
  await close();
});

describe('time in tests', () => {
  const long = [{ id: id(1), durations: [100, 3 * 3_600_000] }];

  test('jumps on a virtual clock that the service and the client share', async () => {
    const clock = new VirtualClock();
    const { fetch, keys, fixtures, close } = createReference({ clock, workflows: long });
    const client = createWorkflowClient({ baseUrl: fixtures.baseUrl, apiKey: keys.full, fetch }, clock.runtime);
    const begun = clock.now();
    expect((await clock.run(client.run(id(1)))).status).toBe('completed');
    expect(clock.now() - begun).toBeGreaterThanOrEqual(3 * 3_600_000);
    await close();
  });

  test('may be that of vi.useFakeTimers()', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    try {
      const { fetch, keys, fixtures, close } = createReference({ workflows: long });
      const client = createWorkflowClient({ baseUrl: fixtures.baseUrl, apiKey: keys.full, fetch });
      const running = client.run(id(1));
      await vi.advanceTimersByTimeAsync(4 * 3_600_000);
      expect((await running).status).toBe('completed');
      await close();
    } finally {
      vi.useRealTimers();
    }
  });
});
