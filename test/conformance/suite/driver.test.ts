import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../conformance/engine/http/transport.js';
import { isExcluded, isProbe } from '../../../conformance/engine/outcome/mark.js';
import { startedId } from '../../../conformance/engine/outcome/read.js';
import { quiet } from '../../../conformance/engine/send/recorder.js';
import { Driver } from '../../../conformance/suite/driver.js';
import type { TargetFile } from '../../../conformance/suite/target/target.js';
import { type Answer, talkingTo } from '../../support/session.js';

const id = '9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813';
const start = { step: 'start', operation: 'execute', id, body: {} } as const;

const driver = (answer: Answer, file: Partial<TargetFile> = {}) => {
  const parts = talkingTo(answer, file);
  return { ...parts, one: new Driver(parts.session, 'test', quiet) };
};
const reads =
  (...statuses: string[]): Answer =>
  (_, nth) => ({ json: { id, status: statuses[nth - 1] ?? statuses.at(-1) } });

const refusal = (status: number) => ({ status, json: { code: status, message: 'm' } });

describe('a driver that follows an execution', () => {
  test('stops at its end', async () => {
    const { one, clock, sent } = driver(reads('starting', 'running', 'completed'));
    expect(await clock.run(one.follow(id, 'completed'))).toBe(true);
    expect(sent).toHaveLength(3);
  });

  test('waits on an unknown state, with pauses', async () => {
    const { one, clock, session, sent } = driver(reads('levitating'), { pace: { patienceSeconds: 30 } });
    expect(await clock.run(one.follow(id, 'completed'))).toBe(false);
    expect(session.failedWaits).toMatchObject([{ executionId: id, wanted: 'completed', reason: 'patience' }]);
    expect(sent.length).toBeLessThan(40);
  });

  test('reads a state that lasts for minutes less often', async () => {
    const began = Date.UTC(2026, 0, 1);
    const { one, clock, sent } = driver(() => ({
      json: { id, status: clock.now() - began < 1_200_000 ? 'running' : 'completed' },
    }));
    await clock.run(one.follow(id, 'completed'));
    // Every two seconds for ten minutes.
    expect(sent.length).toBeLessThan(300 / 2);
  });

  test('has new patience for each state', async () => {
    const began = Date.UTC(2026, 0, 1);
    const { one, clock } = driver(
      () => ({
        json: { id, status: ['starting', 'running', 'completed'][Math.floor((clock.now() - began) / 20_000)] },
      }),
      { pace: { patienceSeconds: 25 } },
    );
    expect(await clock.run(one.follow(id, 'completed'))).toBe(true);
  });

  test.each([
    ['401 repeatedly', refusal(401), 4],
    ['500 repeatedly', refusal(500), 22],
    ['a page repeatedly', { bytes: Buffer.from('<html>') }, 8],
    ['no status repeatedly', { json: {} }, 4],
  ])('stops on %s, and reports it', async (_, answer, times) => {
    const { one, clock, session, sent } = driver(() => answer);
    expect(await clock.run(one.follow(id, 'completed'))).toBe(false);
    expect(session.failedWaits).toMatchObject([{ reason: 'unreadable' }]);
    expect(sent).toHaveLength(times);
  });

  test('reports an end in another state than the expected one', async () => {
    const { one, clock, session } = driver(reads('running', 'completed'));
    expect(await clock.run(one.follow(id, 'paused', (seen) => seen === 'paused'))).toBe(false);
    expect(session.failedWaits).toEqual([]);
  });
});

describe('a driver that starts an execution', () => {
  const other = '11111111-1111-4111-8111-111111111111';
  const accepted = { status: 202, json: { executionId: id, status: 'starting' } };

  /** Room for one execution, which has ended when it is read. */
  const room = (): Answer => {
    let taken: string | undefined;
    return ({ method }, nth) => {
      if (method === 'GET') {
        taken = undefined;
        return { json: { id, status: 'completed' } };
      }
      if (taken !== undefined) return { status: 409, json: {} };
      taken = `00000000-0000-4000-8000-00000000000${nth}`;
      return { status: 202, json: { executionId: taken, status: 'starting' } };
    };
  };
  const begin = async (one: Driver): Promise<number | undefined> => {
    const exchange = await one.start(start);
    await one.follow(startedId(exchange) ?? id, 'completed');
    return exchange.response?.status;
  };

  test('repeats a refused start when another execution of the run has ended', async () => {
    const { one, clock, session } = driver(room());
    await clock.run(one.start(start));
    const [first = ''] = session.executions.started;
    const ending = one.pause(20_000).then(() => one.follow(first, 'completed'));
    expect(await clock.run(Promise.all([begin(one), ending]))).toEqual([202, true]);
    expect(session.sent.filter(isExcluded)).not.toEqual([]);
  });

  test.each([
    ['has ended', 300, 300],
    ['has not ended for a while', 60_000, 15_000],
  ])('starts no other before the first run %s', async (_, lastsMs, atMs) => {
    const { one, clock, session } = driver(({ method }) =>
      method === 'GET' ? { json: { id, status: clock.now() - from < lastsMs ? 'running' : 'completed' } } : accepted,
    );
    const from = clock.now();
    await clock.run(Promise.all([begin(one), one.start(start)]));
    const [first, other] = session.exchanges.filter(({ operation }) => operation === 'execute');
    expect(first?.at).toBe(from);
    expect((other?.at ?? 0) - from).toBeGreaterThanOrEqual(atMs);
    expect((other?.at ?? 0) - from).toBeLessThan(atMs + 200);
  });

  test.each([400, 409, 202])('waits for capacity with a start that must be refused, and gets %d then', async (code) => {
    let isFull = true;
    const { one, clock, session } = driver(({ method, mark }) => {
      if (method === 'GET') isFull = false;
      if (method === 'GET') return { json: { id, status: 'completed' } };
      if (!mark.probe || (!isFull && code === 202)) return accepted;
      return refusal(isFull ? 429 : code);
    });
    await clock.run(one.start(start));
    const from = clock.now();
    const ending = one.pause(20_000).then(() => one.follow(id, 'completed'));
    const wrong = one.probe('head-excludes-version', 'both', [], { ...start, body: { head: true, version: 1 } });
    const [probe] = await clock.run(Promise.all([wrong, ending]));
    expect(probe).toMatchObject({ response: { status: code }, mark: { probe: { fault: 'both' } } });
    expect(session.sent.filter((one) => isProbe(one) && !isExcluded(one))).toHaveLength(1);
    expect(probe.at - from).toBeLessThan(25_000);
  });

  test('repeats refused starts that were sent in parallel with the accepted one', async () => {
    const { one, clock, session } = driver(room());
    expect(await clock.run(Promise.all([begin(one), begin(one), begin(one)]))).toEqual([202, 202, 202]);
    expect(session.executions).toMatchObject({ ended: 3, running: new Set() });
  });

  test('repeats a refused start when an execution that the run does not read may have ended', async () => {
    const { one, clock, session } = driver((_, nth) => (nth === 1 || nth > 3 ? accepted : { status: 409, json: {} }));
    await clock.run(one.start(start));
    expect((await clock.run(one.start(start))).response?.status).toBe(202);
    expect(session.sent.map(isExcluded)).toEqual([false, true, true, false]);
  });

  test('accepts a refusal as the answer when patience ends', async () => {
    const { one, clock, session } = driver(() => ({ status: 409, json: {} }), { pace: { patienceSeconds: 5 } });
    session.executions.running.add(other);
    const from = clock.now();
    const exchange = await clock.run(one.start(start));
    expect(session.sent.filter((one) => !isExcluded(one)).map((one) => one.id)).toEqual([exchange.id]);
    expect(clock.now() - from).toBeGreaterThan(5000);
    expect(session.exchanges.length).toBeLessThan(30);
  });

  test.each([
    [401, 4],
    [403, 4],
    [500, 1],
  ])('accepts %i as the answer whatever else is running', async (status, times) => {
    const { one, clock, session, sent } = driver(() => refusal(status));
    session.executions.running.add(other);
    await clock.run(one.start(start));
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(times);
  });

  test('accepts a refusal as the answer when no other execution is running', async () => {
    const { one, clock, sent } = driver(() => refusal(400));
    await clock.run(one.start(start));
    expect(sent).toHaveLength(1);
  });

  test('waits for other clients of the organization for a while, once in a run', async () => {
    const { one, clock, sent } = driver(() => refusal(409));
    await clock.run(one.start(start));
    const tries = sent.length;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(20);
    await clock.run(one.start(start));
    expect(sent).toHaveLength(tries + 1);
  });

  test('an exclusive driver does not wait for starts that wait for it', async () => {
    const { one, clock, session } = driver(() => ({ status: 202, json: { executionId: id, status: 'queued' } }));
    const lone = new Driver(session, 'alone', quiet);
    let others: Promise<unknown> | undefined;
    const queued = lone.runExclusively(() => {
      others = one.start(start);
      return lone.startOnce({ ...start, body: { onCapacityLimit: 'queue' } });
    });
    expect((await clock.run(queued)).response?.status).toBe(202);
    await clock.run(Promise.resolve(others));
  });

  test('stops at the budget of the target file', async () => {
    const { one, clock } = driver(
      (_, nth) => ({
        status: 202,
        json: { executionId: `00000000-0000-4000-8000-00000000000${nth}`, status: 'starting' },
      }),
      { budget: { executions: 3, copies: 0 } },
    );
    await clock.run(one.start(start));
    await clock.run(one.start(start));
    await expect(clock.run(one.start(start))).rejects.toThrow('The budget of 3 executions is spent.');
  });

  test('keeps one execution of a budget for starts that must be refused', async () => {
    const { one, clock } = driver(
      (_, nth) => ({
        status: 202,
        json: { executionId: `00000000-0000-4000-8000-0000000000${10 + nth}`, status: 'starting' },
      }),
      { budget: { executions: 12, copies: 0 } },
    );
    for (let meant = 0; meant < 11; meant += 1) await clock.run(one.start(start));
    await expect(clock.run(one.start(start))).rejects.toThrow('The budget of 12 executions is spent.');
    const probe = () => one.probe('version-must-exist', 'a version of its own', [], start);
    await clock.run(probe());
    // What is taken all the same counts as well.
    const wrong = { ...start, unjudged: true, startsNothing: true };
    await expect(clock.run(one.send(wrong))).rejects.toThrow('The budget of 12 executions is spent.');
    await expect(clock.run(probe())).rejects.toThrow('The budget of 12 executions is spent.');
  });
});

test('stops making copies at the budget of the target file, counting open requests but not those that must be refused', async () => {
  const id = '00000000-0000-4000-8000-000000000000';
  const { one, clock, sent } = driver(() => ({ status: 201, json: { id } }), {
    profile: id,
    budget: { executions: 0, copies: 2 },
  });
  const duplicate = { step: 'duplicate', operation: 'duplicateProfile', id } as const;
  const outcomes = await clock.run(Promise.allSettled([1, 2, 3].map(() => one.send(duplicate))));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await expect(clock.run(one.send(duplicate))).rejects.toThrow('2 of 2 copies exist.');
  await clock.run(one.probe('duplicate-into-unknown-organization', 'no such', [], duplicate));
  expect(sent).toHaveLength(3);
});

describe('while every connection breaks', () => {
  const away = (isAway: (at: number) => boolean, file: Partial<TargetFile> = {}) => {
    const parts = driver((request) => {
      if (isAway(parts.clock.now() - Date.UTC(2026, 0, 1))) throw new TransportError('broken', 'Reset.');
      return { status: request.method === 'POST' ? 201 : 200, json: { id, status: 'completed' } };
    }, file);
    return parts;
  };
  const duplicates = (sent: readonly { method: string }[]) => sent.filter(({ method }) => method === 'POST');
  const read = { step: 'read', operation: 'getExecution', id } as const;

  test('a copy is not requested repeatedly, because it may have been made', async () => {
    const { one, clock, sent } = away((at) => at >= 1000 && at < 4000, { budget: { executions: 0, copies: 3 } });
    await clock.run(one.send(read));
    await clock.run(one.pause(1500));
    const copied = await clock.run(one.send({ step: 'duplicate', operation: 'duplicateProfile', id }));
    expect(copied.response?.status).toBe(201);
    expect(duplicates(sent)).toHaveLength(2);
    expect(one.budget.copiesLeft).toBe(1);
  });

  test('a request that cannot make a copy uses none of the budget', async () => {
    const { one, clock } = away((at) => at >= 1000, { budget: { executions: 0, copies: 3 } });
    await clock.run(one.send(read));
    await clock.run(one.pause(1500));
    const raw = { text: '{"organizationId": 5}', type: 'application/json' };
    const lost = one.send({ step: 'odd', operation: 'duplicateProfile', id, raw, unjudged: true });
    await clock.run(lost.catch(() => undefined));
    expect(one.budget.copiesLeft).toBe(3);
  });
});

test('parallel waits count once', async () => {
  const { one, clock } = driver(() => ({}));
  await clock.run(Promise.all([one.pause(300), one.pause(500)]));
  await clock.run(one.pause(200));
  expect(one.waitedMs).toBe(700);
});

test('made-up ids are version 4 UUIDs and differ', () => {
  const { one } = driver(() => ({}));
  const made = [one.unknownId(), one.unknownId()];
  for (const id of made) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(made).size).toBe(2);
});
