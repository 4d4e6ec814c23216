import { type ContractClient, createContractClient } from '../generated/client.js';
import type { OperationId } from '../generated/operations.js';
import { sends } from '../generated/sends.js';
import type { Settings } from './options.js';
import type { Runtime } from './runtime.js';
import { send } from './sending.js';

/** The openapi-fetch client; sends the key to the base URL only, and only where no redirect can carry it away. */
export function createRaw(settings: Settings, runtime: Runtime): ContractClient {
  const { baseUrl, headers } = settings;
  const asked = new WeakMap<Request, OperationId>();
  const raw = createContractClient({
    baseUrl,
    headers,
    redirect: 'manual',
    fetch: async (request) => {
      const { method, url, redirect, signal } = request;
      const operation = asked.get(request) ?? null;
      const isOurs = operation && redirect !== 'follow' && url.startsWith(`${baseUrl}/`);
      // As the methods call it: whatever stands in for fetch sees one kind of call.
      const body = request.body && (await request.text());
      const event = { operation, attempt: 1, method, url, headers: new Headers(request.headers) };
      const init = { redirect, signal, body };
      return send(settings, runtime, event, isOurs ? sends[operation].keyHeader : undefined, init);
    },
  });
  raw.use({
    onRequest({ request, schemaPath }) {
      const operation = (Object.keys(sends) as OperationId[]).find(
        (id) => sends[id].method === request.method && sends[id].path === schemaPath,
      );
      if (operation) asked.set(request, operation);
    },
  });
  return raw;
}
