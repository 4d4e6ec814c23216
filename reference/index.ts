/** Starts reference services, in this process or on a port. */

import { createApp } from './app.js';
import { systemClock } from './clock.js';
import { applyDeviations } from './deviation.js';
import { BrokenConnection } from './disturbances.js';
import { extensions } from './extensions.js';
import { type Fixtures, fixturesOf, keys } from './fixtures.js';
import { createHttpServer } from './http/server.js';
import { checkReferenceOptions, type ReferenceOptions } from './options.js';
import { balanced } from './replicas.js';
import { type CallersVerdict, type ReceivedRequest, RequestLog, withRequests } from './requests.js';
import { createService } from './service.js';
import { steadyClock } from './steady-clock.js';

export { type Choices, choices } from './choices.js';
export { choiceSets, chooseFrom } from './choose.js';
export type { Clock } from './clock.js';
export type { Deviation } from './deviation.js';
export { type DisturbanceName, disturbances } from './disturbances.js';
export { type Fixtures, keys } from './fixtures.js';
export type { ReferenceOptions } from './options.js';
export type { OwnWorkflow, StartedWith } from './own-workflows.js';
export type { BrokenCallerRule, CallersVerdict, ReceivedRequest, UnknownField } from './requests.js';
export type { Directory, WrittenFile } from './scenarios.js';

interface Started {
  /** The ids, names and keys of everything in the service. It is also a target for the conformance suite. */
  readonly fixtures: Fixtures;
  /** The keys that it accepts. */
  readonly keys: typeof keys;
  /** The requests so far without keys, oldest first, the last 10,000. The list grows while the service runs. */
  readonly requests: readonly ReceivedRequest[];
  /** Judges these requests by the rules that the interface has for callers. */
  judgeCallers(): Promise<CallersVerdict>;
  /** Stops all executions in their current states, and resolves when every call has been answered. */
  close(): Promise<void>;
}

/** A reference service without a socket. */
export interface InProcessReference extends Started {
  /** Handles a request whose URL begins with the base URL of the fixtures. Has the signature of the global fetch. */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** A reference service that listens. */
export interface Reference extends Started {
  readonly url: string;
}

/** Creates a service without a socket. Throws a UserError that names the option, choice, fault or field at fault. */
export function createReference(options: ReferenceOptions = {}): InProcessReference {
  const { app, stop, started } = prepare(options);
  return {
    ...started(`http://reference.invalid${options.basePath ?? ''}`),
    async fetch(input, init) {
      try {
        return await app(input instanceof Request && !init ? input : new Request(input, init));
      } catch (error) {
        if (!(error instanceof BrokenConnection)) throw error;
        return error.asFetch();
      }
    },
    close: async () => stop(),
  };
}

/** Starts a service that listens on a port. Rejects with a UserError, also if the port is taken. */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  const { app, stop, started } = prepare(options, steadyClock(systemClock));
  const { port = 0, host = '127.0.0.1', basePath = '', replaceGlobals = false } = options;
  const server = createHttpServer(app, replaceGlobals);
  const url = `${await server.listen(port, host)}${basePath}`;
  return {
    ...started(url),
    url,
    async close() {
      const closed = server.close();
      // Answer the calls that wait for an execution; otherwise closing would wait for them.
      stop();
      await closed;
    },
  };
}

function prepare(options: ReferenceOptions, clock = systemClock) {
  checkReferenceOptions(options);
  const { faults = [], front = (app) => app, ...others } = options;
  const deviations = faults.map((fault) => (typeof fault === 'string' ? extensions.findFault(fault) : fault));
  const { replicas } = options;
  const service = createService({ clock, ...others, deviations: replicas === undefined ? deviations : [] });
  const log = new RequestLog(service.limits.requests);
  const faulty = { ...service, behaviour: applyDeviations(service.behaviour, deviations) };
  const app =
    replicas === undefined
      ? createApp(service, others)
      : balanced(
          Array.from({ length: replicas }, (_, place) => createApp(place === 0 ? faulty : service, others)),
          service.clock,
          options.seed,
        );
  return {
    app: log.front(front(app)),
    stop: () => service.lifecycle.stop(),
    started: (url: string): Omit<Started, 'close'> => ({
      fixtures: fixturesOf(url, options.denied, service.choices['service-agents-key'] === 'own'),
      keys,
      requests: log.requests,
      async judgeCallers() {
        const kept = [...log.kept];
        return withRequests(await extensions.judgeCallers(kept), kept);
      },
    }),
  };
}
