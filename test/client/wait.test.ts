import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { stoppedStatuses } from '../../generated/lifecycle.js';
import { settled } from '../support/fake-clock.js';
import { apiKey, errorOf, execution, executionId, json, never, scripted, workflowId } from './support.js';

const states = (...names: string[]) => names.map((name) => () => execution(name));
/** Every pause is three quarters of its nominal length. */
const at = (...nominal: number[]) => nominal.map((ms) => ms * 0.75);

describe('waiting for an execution', () => {
  test.each(['completed', 'failed', 'cancelled'])('ends with %s', async (end) => {
    const { client, clock } = scripted(states('running', end));
    const done = client.waitFor(executionId);
    await clock.advance(1000);
    expect((await done).status).toBe(end);
  });

  test('has longer and longer pauses while nothing changes, up to maxIntervalMs', async () => {
    const { client, clock, times } = scripted(states('running'));
    const ended = errorOf(client.waitFor(executionId, { timeoutMs: 40_000 }), 'timeout');
    await clock.advance(40_000);
    await ended;
    const pauses = times().map((time, index, all) => time - (all[index - 1] ?? 0));
    expect(pauses.slice(0, 5)).toEqual(at(0, 200, 300, 450, 675));
    expect(pauses.slice(-3)).toEqual(at(10_000, 10_000, 10_000));
  });

  test('returns to the short pause when the state changes', async () => {
    const { client, clock, times } = scripted(states('starting', 'starting', 'starting', 'running', 'completed'));
    const done = client.waitFor(executionId, { intervalMs: 400, maxIntervalMs: 500 });
    await clock.advance(5000);
    await done;
    expect(times()).toEqual(at(0, 400, 900, 1400, 1800));
  });

  test('listens once to a signal of many waits, and no more when all have ended', async () => {
    const { signal } = new AbortController();
    const { client, clock } = scripted(states('running'));
    const ended = Array.from({ length: 20 }, () =>
      errorOf(client.waitFor(executionId, { signal, timeoutMs: 2000 }), 'timeout'),
    );
    await settled();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await clock.advance(2000);
    await Promise.all(ended);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('ends all waits with the same signal when it aborts', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const { client } = scripted(states('running'));
    const ended = Array.from({ length: 3 }, () => errorOf(client.waitFor(executionId, { signal }), 'aborted'));
    await settled();
    controller.abort();
    expect(await Promise.all(ended)).toHaveLength(3);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('uses maxIntervalMs from the start when intervalMs is longer', async () => {
    const { client, clock, times } = scripted(states('running', 'running', 'completed'));
    const done = client.waitFor(executionId, { intervalMs: 5000, maxIntervalMs: 1000 });
    await clock.advance(5000);
    await done;
    expect(times()).toEqual(at(0, 1000, 2000));
  });

  test('treats an unknown state like any other', async () => {
    const { client, clock, times } = scripted(states('hibernating', 'hibernating', 'hibernating', 'completed'));
    const done = client.waitFor(executionId);
    await clock.advance(60_000);
    expect((await done).status).toBe('completed');
    expect(times()).toEqual(at(0, 200, 500, 950));
  });

  test('continues in paused states unless until names them', async () => {
    const paused = states(...stoppedStatuses, 'completed');
    const patient = scripted(paused);
    const done = patient.client.waitFor(executionId);
    await patient.clock.advance(10_000);
    expect((await done).status).toBe('completed');

    const told = scripted(paused);
    const stopped = told.client.waitFor(executionId, { until: ['awaiting_confirmation'] });
    await told.clock.advance(10_000);
    expect((await stopped).status).toBe('awaiting_confirmation');
    expect(told.sent).toHaveLength(2);
  });

  test('passes each change of state to onStatus once', async () => {
    const { client, clock } = scripted(states('queued', 'queued', 'starting', 'running', 'running', 'failed'));
    const told: string[] = [];
    const done = client.waitFor(executionId, { onStatus: ({ status }) => told.push(status) });
    await clock.advance(60_000);
    await done;
    expect(told).toEqual(['queued', 'starting', 'running', 'failed']);
  });

  test('ends at the deadline to the millisecond, during a pause', async () => {
    const { client, clock, sent } = scripted(states('running'));
    let error: unknown;
    client.waitFor(executionId, { timeoutMs: 5000 }).catch((reason: unknown) => {
      error = reason;
    });
    await clock.advance(4999);
    expect(error).toBeUndefined();
    await clock.advance(1);
    expect(error).toMatchObject({ kind: 'timeout', executionId, operation: 'getExecution' });
    expect(String(error)).toContain('still running');
    const before = sent.length;
    await clock.advance(60_000);
    expect(sent).toHaveLength(before);
    expect(clock.pending).toBe(0);
  });

  test('ends at the deadline while a reading hangs', async () => {
    const { client, clock, sent } = scripted([never]);
    const ended = errorOf(client.waitFor(executionId, { timeoutMs: 5000 }), 'timeout');
    await clock.advance(5000);
    expect(await ended).toMatchObject({ executionId });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.signal?.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('cancels a reading that hangs and reads again', async () => {
    const { client, clock, times } = scripted([never, () => execution('completed')]);
    const done = client.waitFor(executionId, { requestTimeoutMs: 2000 });
    await clock.advance(10_000);
    expect((await done).status).toBe('completed');
    expect(times()).toEqual([0, 2000 + 500 * 0.75]);
  });

  test('survives an outage of any length after the first answer', async () => {
    const down = [...Array(9)].flatMap(() => [500, 408, 429, 503].map((status) => () => json({}, status)));
    const { client, clock, sent } = scripted([() => execution('running'), ...down, () => execution('completed')]);
    const done = client.waitFor(executionId);
    await clock.advance(3_600_000);
    expect((await done).status).toBe('completed');
    expect(sent).toHaveLength(38);
  });

  test.each<[name: string, word: () => Response | Promise<Response>]>([
    ['a page with 404', () => new Response('<html><body>default backend - 404</body></html>', { status: 404 })],
    ['a text with 404', () => new Response('default backend - 404', { status: 404 })],
    ['an empty body with 404', () => new Response('', { status: 404 })],
    ['404 in other JSON', () => json({ message: 'no Route matched with those values' }, 404)],
    ['a page with 400', () => new Response('<html>Bad Request</html>', { status: 400 })],
    ['a page with 401', () => new Response('<html>Sign in</html>', { status: 401 })],
    ['a page with 403', () => new Response('<html>Request blocked</html>', { status: 403 })],
    ['421', () => new Response('', { status: 421 })],
    ['JSON that is not an execution', () => json({ data: { status: 'running' } })],
    ['an empty object', () => json({})],
    ['null', () => json(null)],
    ['JSON that is cut', () => new Response('{"status"')],
    ['a page with 200', () => new Response('<html>Back soon</html>')],
    ['an empty body', () => new Response(null)],
    ['a redirect', () => new Response('', { status: 302, headers: { Location: 'https://status.example.com/' } })],
    ['a broken connection', () => Promise.reject(new TypeError('fetch failed'))],
  ])('survives the answer of a gateway: %s', async (_, word) => {
    const { client, clock, sent } = scripted([() => execution('running'), word, word, () => execution('completed')]);
    const done = client.waitFor(executionId);
    await clock.advance(60_000);
    expect((await done).status).toBe('completed');
    expect(sent).toHaveLength(4);
  });

  test('survives the answer of a gateway also before the first reading, for a while', async () => {
    const word = () => new Response('default backend - 404', { status: 404 });
    const soon = scripted([word, () => execution('completed')]);
    const done = soon.client.waitFor(executionId);
    await soon.clock.advance(60_000);
    expect((await done).status).toBe('completed');

    const { client, clock, sent } = scripted([word]);
    const ended = errorOf(client.waitFor(executionId), 'intermediary');
    await clock.advance(60_000);
    expect((await ended).message).toContain('(default backend - 404); is baseUrl right? (HTTP 404)');
    expect(sent).toHaveLength(5);
  });

  test('ends on an answer that is larger than the limit', async () => {
    const { client, clock } = scripted([() => execution('running'), () => json({ status: 'x'.repeat(2000) })], {
      maxResponseBytes: 1000,
    });
    const ended = errorOf(client.waitFor(executionId), 'malformed-response');
    await clock.advance(60_000);
    await ended;
  });

  test('survives an apiKey() that fails once, but not one that fails from the start', async () => {
    const vault = Object.assign(new Error('vault is sealed'), { code: 'ESEALED' });
    let calls = 0;
    const once = scripted([() => execution(calls > 2 ? 'completed' : 'running')], {
      apiKey: () => {
        calls += 1;
        if (calls === 2) throw vault;
        return apiKey;
      },
    });
    const done = once.client.waitFor(executionId);
    await once.clock.advance(60_000);
    expect((await done).status).toBe('completed');
    expect(calls).toBe(3);

    const always = scripted([], { apiKey: () => Promise.reject(vault) });
    const ended = errorOf(always.client.waitFor(executionId), 'configuration');
    await always.clock.advance(60_000);
    expect(await ended).toMatchObject({
      operation: 'getExecution',
      executionId,
      requestSent: false,
      cause: { message: 'vault is sealed', code: 'ESEALED' },
    });
  });

  test('without any answer fails like a single reading', async () => {
    const { client, clock, sent } = scripted([() => Promise.reject(new TypeError('fetch failed'))]);
    const ended = errorOf(client.waitFor(executionId), 'network');
    await clock.advance(3_600_000);
    await ended;
    expect(sent).toHaveLength(5);
  });

  test('does not accept a 404 right after the start as final, but does later', async () => {
    const accepted = () => json({ executionId, status: 'starting' }, 202);
    const unknown = () => json({ code: 404, message: 'No.' }, 404);
    const soon = scripted([accepted, unknown, unknown, () => execution('completed')]);
    await soon.client.execute(workflowId);
    const done = soon.client.waitFor(executionId);
    await soon.clock.advance(5000);
    expect((await done).status).toBe('completed');

    const never = scripted([accepted, unknown]);
    await never.client.execute(workflowId);
    const ended = errorOf(never.client.waitFor(executionId), 'not-found');
    await never.clock.advance(20_000);
    await ended;
    await errorOf(scripted([unknown]).client.waitFor(executionId), 'not-found');
  });

  test('waits for an asynchronous onStatus', async () => {
    const { client, sent } = scripted(states('running', 'completed'));
    let goOn = () => {};
    const stored = new Promise<void>((resolve) => (goOn = resolve));
    const done = client.waitFor(executionId, { onStatus: () => stored, intervalMs: 0.001 });
    await settled();
    expect(sent).toHaveLength(1);
    goOn();
    done.catch(() => {});
  });

  test('ends with a permanent failure', async () => {
    const { client, clock } = scripted([() => execution('running'), () => json({ code: 403, message: 'No.' }, 403)]);
    const ended = errorOf(client.waitFor(executionId), 'forbidden');
    await clock.advance(60_000);
    expect(await ended).toMatchObject({ executionId, status: 403 });
  });

  test('passes on the error that onStatus throws', async () => {
    const { client, clock } = scripted(states('running'));
    const thrown = new RangeError('mine');
    const onStatus = () => {
      throw thrown;
    };
    await expect(client.waitFor(executionId, { onStatus })).rejects.toBe(thrown);
    expect(clock.pending).toBe(0);
  });

  test.each([
    ['an interval of zero', { intervalMs: 0 }, 'intervalMs'],
    ['an interval that is not a number', { maxIntervalMs: Number.NaN }, 'maxIntervalMs'],
    ['a deadline in the past', { timeoutMs: -1 }, 'timeoutMs'],
    ['a deadline of zero for a reading', { requestTimeoutMs: 0 }, 'requestTimeoutMs'],
    ['a deadline that is not a number', { timeoutMs: '5' as never }, 'timeoutMs'],
    ['an invalid signal', { signal: 'stop' as never }, 'signal'],
    ['an onStatus that is not a function', { onStatus: 'log' as never }, 'onStatus'],
    ['a state that does not exist', { until: ['pause'] as never[] }, 'pause'],
  ])('refuses %s before a request is sent', async (_, options, named) => {
    const { client, sent } = scripted(states('completed'));
    expect((await errorOf(client.waitFor(executionId, options), 'invalid-request')).message).toContain(named);
    expect((await errorOf(client.run(executionId, {}, options), 'invalid-request')).message).toContain(named);
    expect(sent).toHaveLength(0);
  });
});

describe('aborting a wait', () => {
  test('sends no request when it was aborted before', async () => {
    const { client, sent } = scripted(states('running'));
    await errorOf(client.waitFor(executionId, { signal: AbortSignal.abort() }), 'aborted');
    expect(sent).toHaveLength(0);
  });

  test.each([
    ['during a pause', states('running')],
    ['while a reading hangs', [never]],
    ['between two attempts of a reading', [() => json({}, 503)]],
  ])('rejects at once and sends no more requests, %s', async (_, answers) => {
    const { client, clock, sent } = scripted(answers);
    const controller = new AbortController();
    const ended = errorOf(client.waitFor(executionId, { signal: controller.signal }), 'aborted');
    await settled();
    controller.abort();
    expect(await ended).toMatchObject({ executionId });
    if (answers.some((answer) => answer === never)) expect(sent[0]?.signal?.aborted).toBe(true);
    expect(clock.pending).toBe(0);
    await clock.advance(60_000);
    expect(sent).toHaveLength(1);
  });
});

describe('watching an execution', () => {
  test('yields the first reading and each change, and ends after the last', async () => {
    const { client, clock } = scripted(states('starting', 'starting', 'running', 'completed', 'running'));
    const seen: string[] = [];
    const watched = (async () => {
      for await (const { status } of client.watch(executionId)) seen.push(status);
    })();
    await clock.advance(60_000);
    await watched;
    expect(seen).toEqual(['starting', 'running', 'completed']);
  });

  test('ends with a state in until', async () => {
    const { client, clock } = scripted(states('running', 'paused', 'running'));
    const seen: string[] = [];
    const watched = (async () => {
      for await (const { status } of client.watch(executionId, { until: ['paused'] })) seen.push(status);
    })();
    await clock.advance(60_000);
    await watched;
    expect(seen).toEqual(['running', 'paused']);
  });

  test('leaves nothing behind when the caller leaves the loop', async () => {
    const { client, clock, sent } = scripted(states('starting', 'running'));
    const watched = (async () => {
      for await (const { status } of client.watch(executionId)) if (status === 'running') break;
    })();
    await clock.advance(1000);
    await watched;
    expect(clock.pending).toBe(0);
    await clock.advance(60_000);
    expect(sent).toHaveLength(2);
  });

  test('counts the time that the loop body takes', async () => {
    const { client, clock } = scripted(states('running'));
    const watching = client.watch(executionId, { timeoutMs: 5000 });
    await watching.next();
    await clock.advance(5000);
    await errorOf(watching.next(), 'timeout');
  });

  test('reads nothing before the caller iterates', async () => {
    const { client, sent } = scripted(states('running'));
    client.watch(executionId);
    await settled();
    expect(sent).toHaveLength(0);
  });
});
