import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../conformance/drive/clock.js';

test.each([2 ** 31, Number.POSITIVE_INFINITY])(
  'a sleep of %d ms is not over at once, and a signal ends it',
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

test('a sleep of nothing is over at once', () => systemClock.sleep(0));
