import type { Clock } from './clock.js';

/** How often the clock checks its timers, and how far it advances at most between two checks. */
const lookMs = 10;
const mostMs = 25;

interface Timer {
  readonly due: number;
  readonly fire: () => void;
}

/**
 * A clock that stands still while this process is suspended. On a busy machine a process may stop for seconds; by the
 * system's clock, a pause of one second would then be over before anyone could observe it. The clock lags behind while
 * timers are pending; otherwise it shows the system's time.
 */
export function steadyClock(system: Clock): Clock {
  const timers = new Set<Timer>();
  let handle: unknown;
  let lag = 0;
  let looked = 0;
  /** When the next check is due. */
  let armed = 0;

  const now = (): number => (handle === undefined ? system.now() : Math.min(system.now(), looked + mostMs) - lag);

  const look = () => {
    const at = now();
    looked = system.now();
    lag = looked - at;
    const due = [...timers].filter((timer) => timer.due <= at).sort((a, b) => a.due - b.due);
    for (const timer of due) if (timers.delete(timer)) timer.fire();
    next();
  };

  const arm = (ms: number) => {
    handle = system.setTimeout(look, ms);
    armed = looked - lag + ms;
  };

  const next = () => {
    handle = undefined;
    if (timers.size === 0) return;
    const soonest = Math.min(...[...timers].map(({ due }) => due)) - (looked - lag);
    arm(Math.max(0, Math.min(lookMs, soonest)));
  };

  return {
    now,
    setTimeout(fire, ms) {
      if (handle === undefined) [lag, looked] = [0, system.now()];
      const timer = { due: now() + ms, fire };
      timers.add(timer);
      if (handle !== undefined && timer.due < armed) system.clearTimeout(handle);
      if (handle === undefined || timer.due < armed) arm(Math.min(lookMs, ms));
      return timer;
    },
    clearTimeout(timer) {
      timers.delete(timer as Timer);
    },
  };
}
