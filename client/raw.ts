import { type ContractClient, createContractClient } from '../generated/client.js';
import { operations } from '../generated/operations.js';
import type { Settings } from './options.js';

/** The openapi-fetch client; sends the key to the base URL only, and only where no redirect can carry it away. */
export function createRaw({ baseUrl, keys, fetch }: Settings): ContractClient {
  const raw = createContractClient({ baseUrl, redirect: 'error', fetch: (request) => fetch(request) });
  raw.use({
    onRequest({ request, schemaPath }) {
      const operation = Object.values(operations).find(
        ({ method, path }) => method === request.method && path === schemaPath,
      );
      const key = operation && keys[operation.keyHeader];
      if (key && request.url.startsWith(`${baseUrl}/`) && request.redirect === 'error') {
        request.headers.set(operation.keyHeader, key);
      }
    },
  });
  return raw;
}
