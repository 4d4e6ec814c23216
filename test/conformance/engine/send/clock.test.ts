import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../../conformance/engine/send/clock.js';

test.each([2 ** 31, Number.POSITIVE_INFINITY])(
  'a sleep of %d ms does not end at once, and a signal ends it',
  async (ms) => {
    const stop = new AbortController();
    let isOver = false;
    const sleep = systemClock.sleep(ms, stop.signal).then(() => {
      isOver = true;
    });
    await delay(30);
    expect(isOver).toBe(false);
    stop.abort();
    await sleep;
  },
);

test('a sleep of zero ends at once', () => systemClock.sleep(0));

test('the lag of this process is measured only while it is used', () => {
  vi.useFakeTimers();
  try {
    const [one, other] = [systemClock.lag?.(), systemClock.lag?.()];
    vi.advanceTimersByTime(1000);
    expect([one?.(), vi.getTimerCount()]).toEqual([0, 1]);
    vi.setSystemTime(Date.now() + 100);
    expect([other?.(), vi.advanceTimersByTime(100).getTimerCount()]).toEqual([expect.any(Number), 0]);
  } finally {
    vi.useRealTimers();
  }
});
