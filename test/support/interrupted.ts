/** Runs that are interrupted, against a service that lives on. */
import { type CheckOptions, check, type Run } from '../../conformance/check.js';
import type { Transport, WireRequest } from '../../conformance/engine/http/transport.js';
import { VirtualClock } from '../../conformance/engine/send/clock.js';
import type { CopiesEntry, KnownCopies } from '../../conformance/engine/send/known-copies.js';
import type { Target } from '../../conformance/engine/send/request-spec.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { createReference, type ReferenceOptions } from '../../deviations/index.js';
import type { RuleId } from '../../generated/rules.js';
import { inProcess } from '../../proof/transport.js';

/** Known copies in memory. */
export function memory() {
  let kept: CopiesEntry | undefined;
  const knownCopies: KnownCopies = {
    of: async () => kept,
    async write(entry) {
      kept = entry;
    },
  };
  return { knownCopies, copies: () => (kept?.copies ?? []).map(({ id }) => id) };
}

export interface Stage {
  readonly target: Target;
  readonly clock: VirtualClock;
  /** The ids of the copies that runs made. */
  copies(): readonly string[];
  readonly knownCopies: KnownCopies;
  /** The transport to the service, with the gateway in between. */
  readonly wire: Transport;
  /** The profile as stored in the service, without its times. If a change is given, it is applied first. */
  profile(id?: string, change?: object): Promise<Record<string, unknown>>;
  /** Runs the suite to its end, or until it is interrupted at a request. */
  run(end?: End, options?: Partial<CheckOptions>): Promise<Run | undefined>;
  close(): Promise<void>;
}

export interface End {
  /** `stop`: like Ctrl-C, SIGTERM or SIGHUP. `kill`: nothing of the run continues. */
  readonly how: 'stop' | 'kill';
  /** The request at which to interrupt, counted from 1. */
  readonly nth: number;
  /** Whether the service handles that request before. */
  readonly handled: boolean;
}

/** A service on a virtual clock, and runs against it. `between` wraps the transport, as a gateway would. */
export function stage(
  options: ReferenceOptions = {},
  declared: Record<string, unknown> = {},
  between: (service: Transport) => Transport = (service) => service,
): Stage {
  const clock = new VirtualClock();
  const service = createReference({ seed: 1, report: () => {}, latencyMs: 20, ...options, clock });
  const { knownCopies, copies } = memory();
  const target = toTarget({ ...service.fixtures, ...declared });
  const wire = between(inProcess(service.fetch, clock));
  const id = service.fixtures.profile;
  return {
    target,
    clock,
    knownCopies,
    copies,
    wire,
    async profile(profile = id, change = {}) {
      const headers = { 'content-type': 'application/json', 'x-service-agents-api-key': target.keys.primary ?? '' };
      const url = `${target.facts.baseUrl}/agents/v2/agent-profiles/${profile}`;
      const response = await clock.run(
        service.fetch(new Request(url, { method: 'PATCH', headers, body: JSON.stringify(change) })),
      );
      const { updatedAt, ...shown } = (await response.json()) as Record<string, unknown>;
      return shown;
    },
    async run(end, more = {}) {
      const stop = new AbortController();
      let isDead = false;
      let count = 0;
      let die: () => void = () => {};
      const died = new Promise<undefined>((resolve) => {
        die = () => {
          isDead = true;
          resolve(undefined);
        };
      });
      const never = new Promise<never>(() => {});
      const hit = () => (end?.how === 'kill' ? die() : stop.abort());
      const transport: Transport = async (request: WireRequest) => {
        if (isDead) return never;
        count += 1;
        const isHere = count === end?.nth;
        if (isHere && !end.handled) hit();
        if (isDead) return never;
        const answer = await wire(request);
        if (isHere && end.handled) hit();
        return isDead ? never : answer;
      };
      const alive = <T>(work: () => Promise<T>): Promise<T> => (isDead ? never : work());
      const work = check({
        target,
        transport,
        clock,
        seed: 1,
        signal: stop.signal,
        knownCopies: {
          of: (baseUrl, profile) => alive(() => knownCopies.of(baseUrl, profile)),
          write: (entry) => alive(() => knownCopies.write(entry)),
        },
        ...more,
      });
      return clock.run(Promise.race([work, died]));
    },
    close: () => service.close(),
  };
}

/** Judges these rules and one of every answer, for which all is sent but starts, unless these rules need them. */
export const judging = (...ids: readonly RuleId[]): Partial<CheckOptions> => ({
  selected: ({ id }) => id === 'no-server-errors' || ids.includes(id),
});

/** For tests of what a run sends and leaves where it starts nothing. */
export const unjudged = judging();

/** A target that allows only the scenarios of a profile, which take a fraction of the time. */
export const profileAlone = { allow: 'write', workflows: {}, capacity: undefined, profileGroup: undefined } as const;
