import { describe, expect, it } from 'vitest';
import { steadyClock } from '../../reference/steady-clock.js';
import { FakeClock } from '../support/fake-clock.js';

/** A system whose timers fire late: the process stood still. */
class StallingClock extends FakeClock {
  #stall = 0;

  override now(): number {
    return super.now() + this.#stall;
  }

  stall(ms: number): void {
    this.#stall += ms;
  }
}

function started(...waits: number[]) {
  const system = new StallingClock();
  const clock = steadyClock(system);
  const fired: string[] = [];
  const begun = clock.now();
  for (const ms of waits) clock.setTimeout(() => fired.push(`${ms} at ${clock.now() - begun}`), ms);
  return { system, clock, fired, begun };
}

describe('the steady clock', () => {
  it('is that of the system when the process does not stall', async () => {
    const { system, fired } = started(100, 5, 35);
    await system.advance(34);
    expect(fired).toEqual(['5 at 5']);
    await system.advance(100);
    expect(fired).toEqual(['5 at 5', '35 at 35', '100 at 100']);
  });

  it('advances by at most a moment while the process stalls', async () => {
    const { system, clock, fired, begun } = started(100);
    await system.advance(20);
    system.stall(5000);
    expect(clock.now() - begun).toBe(45);
    await system.advance(10);
    expect(fired).toEqual([]);
    await system.advance(60);
    expect(fired).toEqual(['100 at 100']);
  });

  it('never goes back, and has the time of the system when no timer waits', async () => {
    const { system, clock, begun } = started(10);
    system.stall(1000);
    const before = clock.now();
    await system.advance(20);
    expect(clock.now()).toBeGreaterThan(before);
    expect(clock.now()).toBe(system.now());
    expect(clock.now() - begun).toBe(1020);
  });

  it('fires no timer that was cleared', async () => {
    const { system, clock, fired } = started(50);
    clock.clearTimeout(clock.setTimeout(() => fired.push('taken back'), 20));
    await system.advance(100);
    expect(fired).toEqual(['50 at 50']);
  });
});
