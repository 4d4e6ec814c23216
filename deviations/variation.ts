/** Variations: unusual services that conform, which the suite must not call faulty. */

import type { RuleId, rules } from '../generated/rules.js';
import type { AppOptions } from '../reference/app.js';
import type { Clock } from '../reference/clock.js';
import type { Deviation } from '../reference/deviation.js';
import type { ScenarioName } from '../reference/scenarios.js';
import type { ServiceOptions } from '../reference/service.js';

/** A rule that is only implied: a service that violates it conforms, with a warning. */
type ShouldId = Extract<(typeof rules)[number], { level: 'SHOULD' }>['id'];

/** A service, or a gateway in front of one, as a function. It rejects if a connection breaks. */
export type Service = (request: Request) => Promise<Response>;

/** What the target file declares differently from that of the reference service. */
export interface Declared {
  /** The longest duration of runs, in milliseconds. */
  readonly takes?: { readonly [role in ScenarioName]?: number };
  readonly budget?: { readonly executions?: number; readonly copies?: number };
  readonly pace?: {
    readonly requestsPerSecond?: number;
    readonly concurrency?: number;
    readonly patienceSeconds?: number;
    readonly latencyGraceMs?: number;
  };
  readonly capacity?: {
    readonly profileGroup: string;
    readonly size: number;
    readonly workflow: string;
    readonly exclusive?: true;
  };
  /** The pool is made for each run. */
  readonly hooks?: { readonly makePool: string };
  /** What the file leaves out. */
  readonly undeclared?: readonly ('agentHardTimeoutMins' | 'capacity' | 'profileGroup')[];
}

/** A gateway between the suite and the service. */
type Gateway = (service: Service, clock: Clock) => Service;

/** The surroundings of a service: its options, a gateway in front of it, and its target file. */
export interface Surroundings {
  readonly id: string;
  readonly options?: Omit<ServiceOptions, 'deviations'> & AppOptions & { readonly faults?: readonly Deviation[] };
  readonly gateway?: Gateway | undefined;
  readonly declared?: Declared;
}

/** A variation: an unusual way to conform. */
export type Variation = (Deviation | Surroundings) & {
  /** Exactly the rules that the suite warns about. */
  readonly warns?: readonly ShouldId[];
  /** Rules that cannot be judged for this service, and must stay untested. */
  readonly untested?: readonly RuleId[] | 'any';
  /** Any rule may stay untested or inconclusive: runs exceed the patience, or others hold all places. */
  readonly open?: true;
  /** All notes of the report but the usual one. Each matches a note, or the reason of a rule that was not judged. */
  readonly notes?: readonly RegExp[];
};

type More = Pick<Variation, 'warns' | 'untested' | 'open' | 'notes'> & Pick<Surroundings, 'declared'>;

type Behaviour = Deviation['behaviour'];
type MoreBehind = More & Pick<Surroundings, 'options'>;

/** Variations of what the service does, by their ids: how, and what else is to be known of them. */
export const behaving = (
  variations: Readonly<Record<string, Behaviour | readonly [how: Behaviour, more: More]>>,
): Variation[] =>
  Object.entries(variations).map(([id, one]) => {
    const [behaviour, more] = typeof one === 'function' ? [one] : one;
    return { id, behaviour, ...more };
  });

/** Services behind a gateway, by their ids: the gateway, and what else is to be known of them. */
export const behind = (
  variations: Readonly<Record<string, Gateway | readonly [gateway: Gateway | undefined, more: MoreBehind]>>,
): Variation[] =>
  Object.entries(variations).map(([id, one]) => {
    const [gateway, more] = typeof one === 'function' ? [one] : one;
    return { id, gateway, ...more };
  });
