/** Assembles a service from its parts. */

import { UserError } from '../common/user-error.js';
import type { OperationId } from '../generated/operations.js';
import { type Behaviour, createBehaviour } from './behaviour/index.js';
import { type Capacity, createCapacity } from './capacity.js';
import type { Choices } from './choices.js';
import { chooseFrom } from './choose.js';
import { type Clock, systemClock } from './clock.js';
import { applyDeviations, type Deviation } from './deviation.js';
import { idSource, type NewId } from './ids.js';
import { createLifecycle, type Lifecycle } from './lifecycle.js';
import { type Report, toConsole } from './mistakes.js';
import { type OwnWorkflow, ownWorkflow } from './own-workflows.js';
import { seed } from './seed.js';
import { type Run, retain, type Store } from './store.js';

/** Limits that keep memory bounded in a service that runs for weeks, and protect it from its callers. */
interface Limits {
  /** How many executions of an organization may be active; more are refused as at any capacity limit. Default: 1000. */
  readonly concurrency: number;
  /** How many may be queued. Default: 1000. */
  readonly queue: number;
  /** How many ended executions are kept; older ones are removed. Default: 5000. */
  readonly ended: number;
  /** How many bytes of requests that started ended executions are kept. Default: 50,000,000. */
  readonly endedBytes: number;
  /** How many duplicated profiles an organization keeps; older ones are removed. Default: 200. */
  readonly copies: number;
  /** How many bytes a profile may have. Default: 1,000,000. */
  readonly profileBytes: number;
  /** How many bytes the body of a request may have. Default: 1,000,000. */
  readonly bodyBytes: number;
  /** How deep a body may be nested. Default: 200. */
  readonly bodyDepth: number;
  /** How many requests are kept for `requests` and `judgeCallers`. Default: 10,000. */
  readonly requests: number;
}

const defaultLimits: Limits = {
  concurrency: 1000,
  queue: 1000,
  ended: 5000,
  endedBytes: 50_000_000,
  copies: 200,
  profileBytes: 1_000_000,
  bodyBytes: 1_000_000,
  bodyDepth: 200,
  requests: 10_000,
};

/** Options of a service, all optional. `chooseFrom` explains `choices`. */
export interface ServiceOptions {
  /** What to do where the interface is silent: a set, `gap=value`, or several separated by commas. Default: `default`. */
  readonly choices?: string | Partial<Choices>;
  /** Changes of behaviour, applied in order. */
  readonly deviations?: readonly Deviation[];
  /** With a seed, the service generates the same ids on each run. */
  readonly seed?: number;
  /** Replaces the clock of the system: `now`, `setTimeout` and `clearTimeout`. */
  readonly clock?: Clock;
  /** How many times faster executions and the file sync run. Default: 1. */
  readonly speed?: number;
  /** Operations that the restricted key may not call. Default: all. */
  readonly denied?: readonly OperationId[];
  /** Limits other than the usual ones. */
  readonly limits?: Partial<Limits>;
  /** Further workflows. */
  readonly workflows?: readonly OwnWorkflow[] | undefined;
  /**
   * Called for every internal error, for which the caller gets a 500, and if the function of a workflow fails to make a
   * result. Default: console.error.
   */
  readonly report?: Report;
}

/** The parts of a service that handlers use. */
export interface Service {
  readonly behaviour: Behaviour;
  readonly choices: Choices;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly limits: Limits;
  readonly store: Store;
  readonly lifecycle: Lifecycle;
  readonly capacity: Capacity;
  /** Starts a run, with the profile that was selected from its group. */
  begin(run: Run, profileId?: string): void;
}

export function createService(options: ServiceOptions): Service {
  const { speed = 1, workflows = [], report = toConsole } = options;
  if (!(speed > 0)) throw new UserError('speed must be a number above 0.');
  const choices = chooseFrom(options.choices ?? 'default');
  const behaviour = applyDeviations(createBehaviour(choices), options.deviations ?? []);
  const clock = options.clock ?? systemClock;
  const newId = idSource(options.seed);
  const limits = { ...defaultLimits, ...options.limits };

  const begin = (run: Run, profileId?: string) => {
    const profile = profileId === undefined ? undefined : run.organization.profiles.get(profileId);
    if (profile) run.profile = { id: profile.id, name: profile.name };
    capacity.occupy(run);
    lifecycle.start(run);
  };
  const onEnd = (run: Run) => {
    retain(run.organization, run, { count: limits.ended, bytes: limits.endedBytes });
    capacity.release(run);
  };
  const capacity = createCapacity({ behaviour, limits, begin });
  const lifecycle = createLifecycle({ behaviour, clock, newId, speed, onEnd });
  const own = workflows.map((workflow, index) => ownWorkflow(workflow, index, report));
  own.forEach(({ id }, index) => {
    const first = own.findIndex((workflow) => workflow.id === id);
    if (first < index) throw new UserError(`workflows[${index}].id is also the id of workflows[${first}].`);
  });
  const store = seed(clock.now(), choices, options.denied, own);
  return { behaviour, choices, clock, newId, limits, store, lifecycle, capacity, begin };
}
