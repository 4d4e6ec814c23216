import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp } from './app.js';
import { systemClock } from './clock.js';
import { keys, type ReferenceTarget, targetOf } from './fixtures.js';
import { createHttpServer } from './http/server.js';
import { createService, type Service, type ServiceOptions } from './service.js';
import { steadyClock } from './steady-clock.js';

export { type Choices, choices } from './choices.js';
export { choiceSets, chooseFrom } from './choose.js';
export type { Clock } from './clock.js';
export type { Deviation } from './deviation.js';
export { keys, type ReferenceTarget } from './fixtures.js';
export type { OwnWorkflow, StartedWith } from './own-workflows.js';
export type { Directory, WrittenFile } from './scenarios.js';

export interface ReferenceOptions extends ServiceOptions, AppOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /**
   * Whether the global Request and Response may be replaced by ones that answer about twice as fast. Default: false, for
   * a process that does other things as well.
   */
  readonly replaceGlobals?: boolean;
}

/** A reference service without a socket. */
export interface InProcessReference {
  /** Answers a request whose URL begins with the target's base URL. Takes what the global one takes, and can stand for it. */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly target: ReferenceTarget;
  /** Stops every run where it stands, and answers every call that waits for one. */
  close(): Promise<void>;
}

/** A reference service that listens. */
export interface Reference {
  readonly url: string;
  readonly target: ReferenceTarget;
  readonly keys: typeof keys;
  /** Takes no more requests, stops every run where it stands, and resolves when every call has been answered. */
  close(): Promise<void>;
}

/** Throws an error that names the choice that does not exist. */
export function createReference(options: ReferenceOptions = {}): InProcessReference {
  const service = createService(options);
  const app = createApp(service, options);
  return {
    fetch: async (input, init) => app(input instanceof Request && !init ? input : new Request(input, init)),
    target: targetOf(`http://reference.invalid${options.basePath ?? ''}`, options.denied, hasTwoKeys(service)),
    close: async () => service.lifecycle.stop(),
  };
}

/** Rejects with an error that names the choice that does not exist, or why the port cannot be had. */
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
      // Calls that wait for a run are answered: else they would hold up the end for as long as they may take.
      service.lifecycle.stop();
      await closed;
    },
  };
}

const hasTwoKeys = ({ choices }: Service) => choices['service-agents-key'] === 'own';
