import type { OperationId } from '../generated/operations.js';
import { type Behaviour, createBehaviour } from './behaviour/index.js';
import { type Capacity, createCapacity } from './capacity.js';
import type { Choices } from './choices.js';
import { chooseFrom } from './choose.js';
import { type Clock, systemClock } from './clock.js';
import { applyDeviations, type Deviation } from './deviation.js';
import { idSource, type NewId } from './ids.js';
import { createLifecycle, type Lifecycle } from './lifecycle.js';
import { Mistake, type Report, toConsole } from './mistakes.js';
import { type OwnWorkflow, ownWorkflow } from './own-workflows.js';
import { seed } from './seed.js';
import { type Run, retain, type Store } from './store.js';

/** What keeps a service that runs for weeks from growing, and its callers from breaking it. */
interface Limits {
  /** Executions of an organization that run at the same time, and that wait for it. */
  readonly concurrency: number;
  readonly queue: number;
  /** Executions that have ended and can still be read, and the bytes of the requests that started them. */
  readonly ended: number;
  readonly endedBytes: number;
  /** Duplicates of profiles that an organization keeps, and the bytes that a profile may take. */
  readonly copies: number;
  readonly profileBytes: number;
  /** Bytes of a request's body, and how deep it may be nested. */
  readonly bodyBytes: number;
  readonly bodyDepth: number;
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
};

/** All are optional; `choices` as chooseFrom reads them. */
export interface ServiceOptions {
  readonly choices?: string | Partial<Choices>;
  /** What it does otherwise, each over those before it. */
  readonly deviations?: readonly Deviation[];
  /** With a seed, the ids that the service gives repeat from run to run. */
  readonly seed?: number;
  readonly clock?: Clock;
  /** How many times faster than at speed 1 runs go, and with them the file sync. */
  readonly speed?: number;
  /** Operations that the restricted key may not call. Default: all. */
  readonly denied?: readonly OperationId[];
  readonly limits?: Partial<Limits>;
  /** Workflows beside its own. */
  readonly workflows?: readonly OwnWorkflow[] | undefined;
  /**
   * Told of every failure of the service itself, where the caller gets a 500, and of a result that a function of one of
   * the workflows does not give. Default: console.error.
   */
  readonly report?: Report;
}

/** What the handlers work with. */
export interface Service {
  readonly behaviour: Behaviour;
  readonly choices: Choices;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly limits: Limits;
  readonly store: Store;
  readonly lifecycle: Lifecycle;
  readonly capacity: Capacity;
  /** Starts a run, with the profile that was selected for it. */
  begin(run: Run, profileId?: string): void;
}

export function createService(options: ServiceOptions): Service {
  const { speed = 1, workflows = [], report = toConsole } = options;
  if (!(speed > 0)) throw new Mistake('speed must be a number above 0.');
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
    if (first < index) throw new Mistake(`workflows[${index}].id is also the id of workflows[${first}].`);
  });
  const store = seed(clock.now(), choices, options.denied, own);
  return { behaviour, choices, clock, newId, limits, store, lifecycle, capacity, begin };
}
