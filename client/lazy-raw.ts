import type { ContractClient } from '../generated/client.js';
import type { Settings } from './options.js';
import type { Runtime } from './runtime.js';

/** The openapi-fetch client, loaded when it is first called: most programs do without. What is said before is kept. */
export function lazyRaw(settings: Settings, runtime: Runtime): ContractClient {
  let raw: Promise<ContractClient> | undefined;
  const load = () => {
    raw ??= import('./raw.js').then(({ createRaw }) => createRaw(settings, runtime));
    return raw;
  };
  const names = [
    'request',
    'GET',
    'PUT',
    'POST',
    'DELETE',
    'OPTIONS',
    'HEAD',
    'PATCH',
    'TRACE',
    'use',
    'eject',
  ] as const;
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (...args: unknown[]) => ((await load())[name] as (...args: unknown[]) => unknown)(...args),
    ]),
  ) as unknown as ContractClient;
}
