/** Starts reference services, in this process or on a port. */

import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp } from './app.js';
import { systemClock } from './clock.js';
import { BrokenConnection } from './disturbances.js';
import { keys, type ReferenceTarget, targetOf } from './fixtures.js';
import { createHttpServer } from './http/server.js';
import { createService, type Service, type ServiceOptions } from './service.js';
import { steadyClock } from './steady-clock.js';

export { type Choices, choices } from './choices.js';
export { choiceSets, chooseFrom } from './choose.js';
export type { Clock } from './clock.js';
export type { Deviation } from './deviation.js';
export { type DisturbanceName, disturbances } from './disturbances.js';
export { keys, type ReferenceTarget } from './fixtures.js';
export type { OwnWorkflow, StartedWith } from './own-workflows.js';
export type { Directory, WrittenFile } from './scenarios.js';

export interface ReferenceOptions extends ServiceOptions, AppOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /**
   * Whether to replace the global Request and Response by others that make it about twice as fast. Default: false,
   * because it affects the whole process.
   */
  readonly replaceGlobals?: boolean;
}

/** A reference service without a socket. */
export interface InProcessReference {
  /** Handles a request whose URL begins with the target's base URL. Has the signature of the global fetch. */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly target: ReferenceTarget;
  /** The keys that it accepts. */
  readonly keys: typeof keys;
  /** Stops all executions in their current states, and answers the calls that wait for them. */
  close(): Promise<void>;
}

/** A reference service that listens. */
export interface Reference {
  readonly url: string;
  readonly target: ReferenceTarget;
  /** The keys that it accepts. */
  readonly keys: typeof keys;
  /** Stops listening, stops all executions in their current states, and resolves when every call has been answered. */
  close(): Promise<void>;
}

/** Creates a service without a socket. Throws a UserError for wrong options, such as an unknown choice. */
export function createReference(options: ReferenceOptions = {}): InProcessReference {
  const service = createService(options);
  const app = createApp(service, options);
  return {
    async fetch(input, init) {
      try {
        return await app(input instanceof Request && !init ? input : new Request(input, init));
      } catch (error) {
        if (!(error instanceof BrokenConnection)) throw error;
        return error.asFetch();
      }
    },
    keys,
    target: targetOf(`http://reference.invalid${options.basePath ?? ''}`, options.denied, hasTwoKeys(service)),
    close: async () => service.lifecycle.stop(),
  };
}

/** Starts a service that listens on a port. Rejects with a UserError for wrong options, or a port that is taken. */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  const { port = 0, host = '127.0.0.1', basePath = '', replaceGlobals = false } = options;
  const service = createService({ clock: steadyClock(systemClock), ...options });
  const server = createHttpServer(createApp(service, options), replaceGlobals);
  await server.listen(port, host);
  const { port: actual } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}${basePath}`;
  return {
    url,
    target: targetOf(url, options.denied, hasTwoKeys(service)),
    keys,
    async close() {
      const closed = server.close();
      // Answer the calls that wait for an execution; otherwise closing would wait for them.
      service.lifecycle.stop();
      await closed;
    },
  };
}

const hasTwoKeys = ({ choices }: Service) => choices['service-agents-key'] === 'own';
