/** Moves executions from state to state, on the service's clock. */

import { isTerminal } from '../generated/lifecycle.js';
import type { ExecutionStatus } from '../generated/types.js';
import type { Behaviour } from './behaviour/index.js';
import type { Clock } from './clock.js';
import type { NewId } from './ids.js';
import type { Run } from './store.js';

export interface Lifecycle {
  /** Starts a run: from now on it changes state by itself. */
  start(run: Run): void;
  /** Puts a run into a state in which it stays, unless it has ended. */
  steer(run: Run, to: ExecutionStatus): void;
  /** Resolves when `until` holds for the run, after `ms` at the latest; `speed` does not shorten `ms`. */
  wait(run: Run, ms: number, until: (run: Run) => boolean): Promise<void>;
  /** Stops all runs in their current states, and resolves all waits. */
  stop(): void;
}

interface Deps {
  readonly behaviour: Behaviour;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly speed: number;
  readonly onEnd: (run: Run) => void;
}

export function createLifecycle({ behaviour, clock, newId, speed, onEnd }: Deps): Lifecycle {
  const timers = new Map<object, { handle: unknown; stop: () => void }>();
  const watchers = new Map<Run, Set<() => void>>();

  /** Sets the one timer of an owner. `stop` is called if the service stops before it fires. */
  const schedule = (owner: object, ms: number, fn: () => void, stop: () => void) => {
    const fire = () => {
      timers.delete(owner);
      fn();
    };
    timers.set(owner, { handle: clock.setTimeout(fire, ms), stop });
  };

  const cancel = (owner: object) => {
    const timer = timers.get(owner);
    if (timer) clock.clearTimeout(timer.handle);
    timers.delete(owner);
  };

  /** Moves a run to a state. Returns whether it is in that state afterwards. */
  function move(run: Run, to: ExecutionStatus): boolean {
    if (run.status === to) return true;
    if (!behaviour.mayMove(run.status, to)) return false;
    run.status = to;
    if (isTerminal(to) && run.terminalAt === undefined) end(run);
    for (const watch of [...(watchers.get(run) ?? [])]) watch();
    return true;
  }

  function end(run: Run): void {
    const now = clock.now();
    run.terminalAt = now;
    const result = behaviour.resultOf(run, newId(), now);
    const failures = behaviour.failuresOf(run, now);
    if (result) run.result = result;
    if (failures) run.scriptFailures = failures;
    run.files = behaviour.filesOf(run, newId, now, speed);
    onEnd(run);
  }

  return {
    start(run) {
      const steps = behaviour.stepsOf(run);
      const enter = (index: number) => {
        const step = steps[index];
        if (!step || !move(run, step.status)) return;
        if (step.ms !== undefined)
          schedule(
            run,
            step.ms / (step.isNeverShorter ? Math.min(1, speed) : speed),
            () => enter(index + 1),
            () => {},
          );
      };
      run.startedAt = clock.now();
      enter(0);
    },

    steer(run, to) {
      cancel(run);
      move(run, to);
    },

    wait(run, ms, until) {
      if (until(run)) return Promise.resolve();
      return new Promise((resolve) => {
        const watching = watchers.get(run) ?? new Set();
        const done = () => {
          cancel(watch);
          watching.delete(watch);
          if (watching.size === 0) watchers.delete(run);
          resolve();
        };
        const watch = () => {
          if (until(run)) done();
        };
        watchers.set(run, watching.add(watch));
        schedule(watch, ms, done, done);
      });
    },

    stop() {
      for (const [owner, { stop }] of [...timers]) {
        cancel(owner);
        stop();
      }
    },
  };
}
