import { describe, expect, test } from 'vitest';
import type { RunAllOptions, RunItem, RunResult, WorkflowErrorKind } from '../../client/index.js';
// Loaded here already: the clock of these tests does not wait for a module.
import '../../client/deviation.js';
import '../../client/run-all.js';
import { responseValidator } from '../../generated/validators.js';
import { settled } from '../support/fake-clock.js';
import { errorOf, execution, executionId, json, scripted, together, workflowId } from './support.js';

const started = () => json({ executionId, status: 'starting' }, 202);
const refused =
  (status: number, headers = {}) =>
  () =>
    json({ code: status, message: 'Full.' }, status, headers);

const items = (count: number) => Array.from({ length: count }, (_, n) => ({ workflowId, n }));

async function collect<I extends RunItem>(results: AsyncIterable<RunResult<I>>): Promise<RunResult<I>[]> {
  const all: RunResult<I>[] = [];
  for await (const result of results) all.push(result);
  return all;
}

describe('runAll', () => {
  test('causes no warning of a leak, however many runs there are at once', async () => {
    const warnings: string[] = [];
    const note = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
    process.on('warning', note);
    const { clock, client, target } = together();
    const given = Array.from({ length: 40 }, () => ({ workflowId: target.workflows.completes }));
    const { signal } = new AbortController();
    const done = collect(client.runAll(given, { concurrency: 40, signal }));
    await clock.advance(5000);
    expect((await done).map(({ execution }) => execution?.status)).toEqual(given.map(() => 'completed'));
    await settled();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('starts no item after the caller left the loop', async () => {
    let give = (_: RunItem) => {};
    async function* slowly() {
      yield { workflowId };
      yield await new Promise<RunItem>((resolve) => {
        give = resolve;
      });
    }
    const { client, sent } = scripted([started, () => execution('completed')]);
    for await (const _ of client.runAll(slowly())) break;
    give({ workflowId });
    await settled();
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('yields each run when it has ended, and never runs more at once than concurrency allows', async () => {
    const { clock, client, target } = together();
    const { slow, completes } = target.workflows;
    let underWay = 0;
    let most = 0;
    const order: string[] = [];
    const done = (async () => {
      const given = [slow, completes, completes, completes].map((id, n) => ({ workflowId: id, n }));
      const onStarted = () => {
        underWay += 1;
        most = Math.max(most, underWay);
      };
      for await (const { item, execution } of client.runAll(given, { concurrency: 2, onStarted })) {
        underWay -= 1;
        order.push(`${item?.n} ${execution?.status}`);
      }
    })();
    await clock.advance(30_000);
    await done;
    expect(order).toEqual(['1 completed', '2 completed', '3 completed', '0 completed']);
    expect(most).toBe(2);
  });

  test('passes on each id before it waits, and waits until it is stored', async () => {
    const { client, sent } = scripted([started, () => execution('completed')]);
    let store: (() => void) | undefined;
    const stored: [string, number][] = [];
    const onStarted = (id: string, { n }: { n: number }) => {
      stored.push([id, n]);
      return new Promise<void>((resolve) => {
        store = resolve;
      });
    };
    const all = collect(client.runAll(items(1), { onStarted }));
    await settled();
    expect(stored).toEqual([[executionId, 0]]);
    expect(sent).toHaveLength(1);
    store?.();
    expect(await all).toMatchObject([{ executionId, execution: { status: 'completed' } }]);
  });

  test('ends with the error that onStarted throws', async () => {
    const { client } = scripted([started, () => execution('completed')]);
    const onStarted = () => {
      throw new RangeError('full');
    };
    await expect(collect(client.runAll(items(1), { onStarted }))).rejects.toThrow(RangeError);
  });

  test('waits for executions of an earlier process and does not start them again', async () => {
    const { client, sent } = scripted([() => execution('completed')]);
    const results = await collect(client.runAll([], { resume: [executionId] }));
    expect(results).toMatchObject([{ executionId, execution: { status: 'completed' } }]);
    expect(sent.map(({ method }) => method)).toEqual(['GET']);
  });

  test('reports a start that may have happened, and does not repeat it', async () => {
    const { client, sent } = scripted([() => json({}, 504)]);
    const [result] = await collect(client.runAll(items(1), { retryStart: () => true }));
    expect(result).toMatchObject({ item: { n: 0 }, error: { kind: 'may-have-started' } });
    expect(sent).toHaveLength(1);
  });

  test.each<[name: string, answer: () => Response, kind: WorkflowErrorKind]>([
    ['violates the contract', () => json({ executionId, status: 'levitating' }, 202), 'invalid-response'],
    ['has another status', () => json({ executionId, status: 'starting' }, 201), 'invalid-response'],
    ['names no execution', () => json({ executionId: 'x' }, 202), 'may-have-started'],
    ['is a redirect', () => json({}, 307, { Location: 'https://elsewhere.example' }), 'malformed-response'],
  ])('does not repeat a start whose answer %s', async (_, answer, kind) => {
    const { client, clock, sent } = scripted([answer], { validate: responseValidator });
    const all = collect(client.runAll(items(1), { retryStart: () => sent.length < 3 }));
    await clock.advance(60_000);
    expect(await all).toMatchObject([{ item: { n: 0 }, error: { kind } }]);
    expect(sent).toHaveLength(1);
  });

  test('repeats a start that was not sent, when retryStart allows it', async () => {
    const refusal = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { client, clock, sent } = scripted([
      () => Promise.reject(new TypeError('fetch failed', { cause: refusal })),
      started,
      () => execution('completed'),
    ]);
    const all = collect(client.runAll(items(1), { retryStart: ({ kind }) => kind === 'network' }));
    await clock.advance(60_000);
    expect(await all).toMatchObject([{ execution: { status: 'completed' } }]);
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  test.each<[name: string, retryStart: RunAllOptions<RunItem>['retryStart'], status: number, starts: number]>([
    ['is not set', undefined, 429, 1],
    ['is set, after 429', true, 429, 2],
    ['is set, but not after another refusal', true, 409, 1],
    ['is set by name', ({ status }) => status === 409, 409, 2],
  ])('repeats a refused start when retryStart %s', async (_, retryStart, status, starts) => {
    const { client, clock, sent } = scripted([
      refused(status, { 'Retry-After': '3' }),
      started,
      () => execution('completed'),
    ]);
    const all = collect(client.runAll(items(1), { retryStart }));
    await clock.advance(60_000);
    await all;
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(starts);
  });

  test('starts no more items when it is aborted, and names the executions that continue', async () => {
    const { clock, client, target, starts } = together();
    const controller = new AbortController();
    const results: RunResult<RunItem>[] = [];
    const all = (async () => {
      const given = Array.from({ length: 5 }, () => ({ workflowId: target.workflows.slow }));
      for await (const one of client.runAll(given, { concurrency: 2, signal: controller.signal })) results.push(one);
    })();
    const ended = errorOf(all, 'aborted');
    await clock.advance(300);
    controller.abort(new Error('enough'));
    expect((await ended).cause).toEqual(new Error('enough'));
    expect(results.map(({ error, executionId }) => [error?.kind, typeof executionId])).toEqual([
      ['aborted', 'string'],
      ['aborted', 'string'],
    ]);
    expect(starts()).toBe(2);
  });

  test('does not wait for the next item when it is aborted, and never starts it', async () => {
    let give = (_: RunItem) => {};
    let isClosed = false;
    async function* slowly() {
      try {
        yield { workflowId };
        yield await new Promise<RunItem>((resolve) => {
          give = resolve;
        });
      } finally {
        isClosed = true;
      }
    }
    const { client, sent } = scripted([started, () => execution('completed')]);
    const controller = new AbortController();
    const ended = errorOf(collect(client.runAll(slowly(), { signal: controller.signal })), 'aborted');
    await settled();
    controller.abort(new Error('enough'));
    expect((await ended).cause).toEqual(new Error('enough'));
    give({ workflowId });
    await settled();
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(isClosed).toBe(true);
  });

  test('leaves no listener and no timer when the caller leaves the loop', async () => {
    const { clock, client, target } = together();
    const done = (async () => {
      const given = Array.from({ length: 9 }, () => ({ workflowId: target.workflows.completes }));
      for await (const _ of client.runAll(given, { concurrency: 3 })) break;
    })();
    await clock.advance(1000);
    await done;
    await clock.advance(60_000);
    expect(clock.pending).toBe(0);
  });

  test('takes the next item only when there is room for it', async () => {
    const { client } = scripted([started, () => new Promise(() => {})]);
    let taken = 0;
    function* endless() {
      for (;;) {
        taken += 1;
        yield { workflowId };
      }
    }
    client.runAll(endless(), { concurrency: 3 }).next();
    await settled();
    expect(taken).toBe(3);
  });
});

describe('refused at the call:', () => {
  test.each<[name: string, items: unknown, options: object | undefined, said: string]>([
    ['no items', undefined, undefined, 'items'],
    ['one item instead of a list', { workflowId }, undefined, 'items'],
    ['one id instead of a list', [], { resume: executionId }, 'resume'],
    ['invalid ids', [], { resume: 5 }, 'resume'],
    ['a text as retryStart', [], { retryStart: 'yes' }, 'retryStart'],
    ['a text as a number', [], { concurrency: '3' }, 'concurrency'],
    ['no concurrency', [], { concurrency: 0 }, 'concurrency'],
    ['an onStarted that is not a function', [], { onStarted: 'store' }, 'onStarted'],
    ['a misspelt option', [], { concurency: 3 }, 'concurency is not an option; did you mean concurrency?'],
  ])('%s', async (_, given, options, said) => {
    const { client, sent } = scripted([]);
    const error = await errorOf(collect(client.runAll(given as RunItem[], options as RunAllOptions<RunItem>)));
    expect(error).toMatchObject({ kind: 'invalid-request', message: expect.stringContaining(said) });
    expect(sent).toHaveLength(0);
  });

  test('an item whose inputs are beside its request, but an item may have members of its own', async () => {
    const { client, sent } = scripted([started, () => execution('completed')]);
    const items = [
      { workflowId, inputs: { month: '2026-02' } },
      { workflowId, inputs: 'of my own', request: { inputs: { month: '2026-02' } } },
    ];
    const results = await collect(client.runAll(items, { concurrency: 1 }));
    expect(results.map(({ error, execution }) => error?.message ?? execution?.status)).toEqual([
      'runAll: An item has its inputs in its request: { workflowId, request: { inputs } }. Nothing was sent.',
      'completed',
    ]);
    expect(sent[0]?.body).toEqual({ inputs: { month: '2026-02' } });
  });

  test('a value that is not an item, and the other items run', async () => {
    const { client, sent } = scripted([started, () => execution('completed')]);
    const none = [null, undefined, workflowId] as unknown as RunItem[];
    const results = await collect(client.runAll([...none, { workflowId }], { concurrency: 1 }));
    expect(results.map(({ error, execution }) => error?.message ?? execution?.status)).toEqual([
      ...Array(3).fill('runAll: An item must be an object with a workflowId. Nothing was sent.'),
      'completed',
    ]);
    expect(sent).toHaveLength(2);
  });
});
