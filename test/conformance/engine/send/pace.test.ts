import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../conformance/engine/send/clock.js';
import { Pace } from '../../../../conformance/engine/send/pace.js';

/** When each of `count` requests goes out, and how many are under way at most. */
async function through(
  pace: { requestsPerSecond: number; concurrency: number },
  count: number,
  takesMs: number,
  prepare?: (pace: Pace) => void,
) {
  const clock = new VirtualClock(0);
  const gate = new Pace(clock, pace);
  prepare?.(gate);
  const times: number[] = [];
  let under = 0;
  let most = 0;
  const send = async () => {
    times.push(clock.now());
    under += 1;
    most = Math.max(most, under);
    await clock.sleep(takesMs);
    under -= 1;
  };
  await clock.run(Promise.all(Array.from({ length: count }, () => gate.schedule(send))));
  return { times, most };
}

test('requests are spaced', async () => {
  expect((await through({ requestsPerSecond: 10, concurrency: 99 }, 4, 1)).times).toEqual([0, 100, 200, 300]);
});

test('requests without spacing do not wait for each other, and the next one waits for all of them', async () => {
  const clock = new VirtualClock(0);
  const gate = new Pace(clock, { requestsPerSecond: 10, concurrency: 9 });
  const times: number[] = [];
  const send = async () => void times.push(clock.now());
  const together = Array.from({ length: 3 }, () => gate.schedule(send, { withoutSpacing: true }));
  await clock.run(Promise.all([...together, gate.schedule(send)]));
  expect(times).toEqual([0, 0, 0, 300]);
  const held = gate.schedule(send, { withoutSpacing: true });
  gate.pause(2000);
  await clock.run(Promise.all([held, gate.schedule(send, { withoutSpacing: true })]));
  expect(times.slice(4)).toEqual([300, 2300]);
});

test('no more requests are open than the concurrency allows', async () => {
  const { times, most } = await through({ requestsPerSecond: 1000, concurrency: 2 }, 6, 50);
  expect(most).toBe(2);
  expect(times.at(-1)).toBeGreaterThanOrEqual(100);
});

test('no request is sent before a pause has ended', async () => {
  const { times } = await through({ requestsPerSecond: 1000, concurrency: 9 }, 3, 1, (pace) => pace.pause(2000));
  expect(Math.min(...times)).toBe(2000);
});

test('during an exclusive scenario no other sends, and it finds a limit unused', async () => {
  const clock = new VirtualClock(0);
  const gate = new Pace(clock, { requestsPerSecond: 100, concurrency: 9 });
  gate.pause(500);
  const order: string[] = [];
  const send = (by: string) => gate.schedule(async () => void order.push(`${by} ${clock.now()}`), { by });
  const alone = gate.runExclusively('a', async () => {
    await send('a');
    await send('a');
  });
  await clock.run(Promise.all([alone, send('b'), send('a')]));
  expect(order).toEqual(['a 1100', 'a 1110', 'a 1120', 'b 1130']);
});

test('an exclusive scenario may wait for a result of another one', async () => {
  const clock = new VirtualClock(0, 200);
  const gate = new Pace(clock, { requestsPerSecond: 100, concurrency: 9 });
  const learns = (evenIfExclusive: boolean) => {
    const alone = gate.runExclusively('a', () => learned);
    const learned: Promise<string> = clock
      .sleep(10)
      .then(() => gate.schedule(async () => 'it', { by: 'b', evenIfExclusive }));
    return clock.run(alone);
  };
  expect(await learns(true)).toBe('it');
  await expect(learns(false)).rejects.toThrow('each part of it waits for another one');
});

test('a request that fails frees its place', async () => {
  const clock = new VirtualClock(0);
  const gate = new Pace(clock, { requestsPerSecond: 1000, concurrency: 1 });
  await expect(clock.run(gate.schedule(() => Promise.reject(new Error('lost'))))).rejects.toThrow('lost');
  expect(await clock.run(gate.schedule(() => Promise.resolve('sent')))).toBe('sent');
});

test('if connections break while others are open, no more are open than had room, and one more is tried after a while', async () => {
  const clock = new VirtualClock(0);
  const gate = new Pace(clock, { requestsPerSecond: 10_000, concurrency: 8 });
  let [under, most, broken] = [0, 0, 0];
  const send = async () => {
    under += 1;
    most = Math.max(most, under);
    if (under > 3) {
      broken += 1;
      gate.connectionFailed();
    } else {
      await clock.sleep(10);
      gate.requestAnswered();
    }
    under -= 1;
  };
  const sendAll = (count: number) => clock.run(Promise.all(Array.from({ length: count }, () => gate.schedule(send))));
  await sendAll(20);
  const first = broken;
  expect(most).toBeGreaterThan(3);
  await sendAll(200);
  expect(broken - first).toBeGreaterThan(0);
  expect(broken - first).toBeLessThan(10);
});

test('a single broken connection does not reduce the concurrency', async () => {
  const clock = new VirtualClock(0);
  const gate = new Pace(clock, { requestsPerSecond: 10_000, concurrency: 2 });
  for (let time = 0; time < 3; time += 1) await clock.run(gate.schedule(async () => gate.connectionFailed()));
  let [under, most] = [0, 0];
  const send = async () => {
    under += 1;
    most = Math.max(most, under);
    await clock.sleep(10);
    under -= 1;
  };
  await clock.run(Promise.all([gate.schedule(send), gate.schedule(send)]));
  expect(most).toBe(2);
});
