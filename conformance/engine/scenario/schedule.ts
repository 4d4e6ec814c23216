/** Which scenarios run, and when. */

import type { Effect } from '../contract.js';
import type { Clock } from '../send/clock.js';
import type { Progress } from '../send/recorder.js';
import { allows, declares } from '../settings/needs.js';
import type { ScenarioTime } from '../vocabulary/report.js';
import type { Facts, Halted } from '../vocabulary.js';

/** A scripted sequence of requests. It sends what the rules need and judges nothing. */
export interface Scenario<Driver> {
  readonly id: string;
  /** The worst effect that it has on the target. */
  readonly effect: Effect;
  /** Needs as in openapi/rules.yaml. The scenario is left out if the target file does not declare one of them. */
  readonly needs: readonly string[];
  /** Scenarios that have to end before it starts: they use the same profile, or send the controls of its probes. */
  readonly after?: readonly string[];
  /** Its requests are sent before those of other scenarios: what it is to observe does not last. */
  readonly first?: true;
  /** Useful even on a target that keeps no state. */
  readonly stateless?: true;
  run(driver: Driver): Promise<unknown>;
}

/** Ends a scenario, not the run: the run is being stopped, or the scenario may do no more of what it wants to do. */
export class Halt extends Error {
  override name = 'Halt';
  readonly halted: Halted;

  constructor(why: string, more: Omit<Halted, 'why'> = {}) {
    super(why);
    this.halted = { why, ...more };
  }
}

/** The scenarios whose needs the target file declares and whose effect it allows. */
export const allowedScenarios = <Of extends Omit<Scenario<never>, 'run'>>(
  scenarios: readonly Of[],
  facts: Facts,
): Of[] =>
  scenarios.filter(
    ({ effect, needs, stateless }) =>
      allows(facts.allow, effect) && (facts.stateful ? needs.every((need) => declares(facts, need)) : stateless),
  );

export interface ScenariosResult<Driver> {
  readonly drivers: readonly Driver[];
  readonly times: readonly ScenarioTime[];
  /** Why scenarios ended early. */
  readonly halts: readonly Halted[];
}

/** Runs scenarios concurrently, each as soon as those in its `after` have ended. Times count from `from`. */
export async function runScenarios<Driver extends { readonly waitedMs: number; parallelWorkEnded(): Promise<void> }>(
  scenarios: readonly Scenario<Driver>[],
  driverOf: (scenario: Scenario<Driver>) => Driver,
  clock: Clock,
  progress: Progress,
  from = clock.now(),
): Promise<ScenariosResult<Driver>> {
  const over = new Map<string, Promise<void>>();
  const drivers: Driver[] = [];
  const times: ScenarioTime[] = [];
  const halts: Halted[] = [];
  const go = async (scenario: Scenario<Driver>): Promise<void> => {
    await Promise.all((scenario.after ?? []).map((id) => over.get(id)));
    const driver = driverOf(scenario);
    const startedMs = clock.now() - from;
    drivers.push(driver);
    progress.started(scenario.id);
    try {
      await scenario.run(driver).finally(() => driver.parallelWorkEnded());
      progress.ended(scenario.id, 'done');
    } catch (error) {
      progress.ended(scenario.id, error instanceof Halt ? 'skipped' : 'failed');
      if (!(error instanceof Halt)) throw error;
      if (!halts.some(({ why }) => why === error.message)) halts.push(error.halted);
    } finally {
      times.push({ scenario: scenario.id, startedMs, endedMs: clock.now() - from, waitedMs: driver.waitedMs });
    }
  };
  // `after` only names scenarios that come earlier in the list.
  for (const scenario of scenarios) over.set(scenario.id, go(scenario));
  const outcomes = await Promise.allSettled(over.values());
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  return { drivers, times: times.toSorted((a, b) => a.startedMs - b.startedMs), halts };
}

/** The longest chain of deliberate waits: a lower bound of the duration of a run, however fast the target is. */
export function longestWait(
  scenarios: readonly Pick<Scenario<never>, 'id' | 'after'>[],
  times: readonly ScenarioTime[],
): number {
  const waited = new Map(times.map(({ scenario, waitedMs }) => [scenario, waitedMs]));
  const chains = new Map<string, number>();
  for (const { id, after = [] } of scenarios)
    chains.set(id, (waited.get(id) ?? 0) + Math.max(0, ...after.map((earlier) => chains.get(earlier) ?? 0)));
  return Math.max(0, ...chains.values());
}
