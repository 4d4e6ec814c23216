import { type ContractClient, createContractClient } from '../generated/client.js';
import { type OperationId, operationIds, operations } from '../generated/operations.js';
import { type RequestEvent, tell, tellResponse } from './hooks.js';
import { sentOnce } from './once.js';
import type { Settings } from './options.js';
import type { Runtime } from './runtime.js';

/** The openapi-fetch client; sends the key to the base URL only, and only where no redirect can carry it away. */
export function createRaw(settings: Settings, { now }: Runtime): ContractClient {
  const { baseUrl, keyFor, headers, fetch } = settings;
  const asked = new WeakMap<Request, OperationId>();
  const raw = createContractClient({
    baseUrl,
    headers,
    redirect: 'manual',
    fetch: async (request) => {
      const { method, url, redirect, signal } = request;
      const operation = asked.get(request) ?? null;
      const isOurs = operation && redirect !== 'follow' && url.startsWith(`${baseUrl}/`);
      const keyHeader = isOurs ? operations[operation].keyHeader : undefined;
      // Whatever may fail is before the hooks: who is told of a request is told of its end.
      const key = keyHeader && (await keyFor(keyHeader));
      const body = request.body === null ? undefined : await request.text();
      const since = now();
      const event: RequestEvent = { operation, attempt: 1, method, url, headers: new Headers(request.headers) };
      tell(settings.onRequest, event);
      const sent = new Headers(event.headers);
      if (keyHeader && key) sent.set(keyHeader, key);
      // As the methods call it: whatever stands in for fetch sees one kind of call.
      const init = { method, headers: sent, redirect, signal, ...(body !== undefined && { body }) };
      let response: Response | undefined;
      try {
        response = await fetch(url, sentOnce(init));
        return response;
      } finally {
        tellResponse(settings, event, now() - since, response);
      }
    },
  });
  raw.use({
    onRequest({ request, schemaPath }) {
      const operation = operationIds.find(
        (id) => operations[id].method === request.method && operations[id].path === schemaPath,
      );
      if (operation) asked.set(request, operation);
    },
  });
  return raw;
}
