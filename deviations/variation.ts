import type { RuleId, rules } from '../generated/rules.js';
import type { AppOptions } from '../reference/app.js';
import type { Clock } from '../reference/clock.js';
import type { Deviation } from '../reference/deviation.js';
import type { ScenarioName } from '../reference/scenarios.js';
import type { ServiceOptions } from '../reference/service.js';

/** What is at most implied: a service that breaks it conforms, and is warned. */
type ShouldId = Extract<(typeof rules)[number], { level: 'SHOULD' }>['id'];

/** A service, or what stands before one: a function from a request to its response. It rejects where a connection breaks. */
export type Service = (request: Request) => Promise<Response>;

/** What a target file says of the service otherwise than that of the reference does. */
export interface Declared {
  /** How long runs take at most, in milliseconds. */
  readonly takes?: { readonly [role in ScenarioName]?: number };
  readonly budget?: { readonly executions?: number; readonly copies?: number };
  readonly pace?: {
    readonly requestsPerSecond?: number;
    readonly concurrency?: number;
    readonly patienceSeconds?: number;
    readonly latencyGraceMs?: number;
  };
  readonly capacity?: { readonly profileGroup: string; readonly size: number; readonly workflow: string };
  /** What the file does not tell. */
  readonly undeclared?: readonly ('agentHardTimeoutMins' | 'capacity' | 'profileGroup')[];
}

/** What a service is like beside what it answers: what stands before it, and how it is reached. */
export interface Surroundings {
  readonly id: string;
  readonly says: string;
  readonly options?: Omit<ServiceOptions, 'deviations'> & AppOptions & { readonly faults?: readonly Deviation[] };
  /** What stands between the suite and the service. */
  readonly gateway?: ((service: Service, clock: Clock) => Service) | undefined;
  readonly declared?: Declared;
}

/** A way to conform that no caller expects and every caller has to bear. */
export type Variation = (Deviation | Surroundings) & {
  /** The rules that a service of this kind is warned of: all of them, and no others. */
  readonly warns?: readonly ShouldId[];
  /** Rules that cannot be judged there, and are to stay untested. */
  readonly untested?: readonly RuleId[] | 'any';
  /**
   * Any rule may stay untested there, or in doubt: runs take longer than they are waited for, others hold all room, or the group
   * is not full for as long as it takes to ask.
   */
  readonly open?: true;
};
