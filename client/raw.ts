/** The client for `raw`, on openapi-fetch. Loaded on first use. */

import { type ContractClient, createContractClient } from '../generated/client.js';
import type { OperationId } from '../generated/operations.js';
import { sends } from '../generated/sends.js';
import type { Settings } from './options.js';
import type { Runtime } from './runtime.js';
import { sendAlone } from './sending.js';

/**
 * Creates the openapi-fetch client for `raw`. It sends the key to operations below the base URL only, and not if
 * redirects are followed, which would carry it elsewhere.
 */
export function createRaw(settings: Settings, runtime: Runtime): ContractClient {
  const { baseUrl, headers } = settings;
  return createContractClient({
    baseUrl,
    headers,
    redirect: 'manual',
    async fetch(request) {
      const { method, url, redirect, signal } = request;
      const operation = operationAt(method, url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : '');
      const event = { operation, attempt: 1, method, url, headers: new Headers(request.headers) };
      const keyHeader = operation && redirect !== 'follow' ? sends[operation].keyHeader : undefined;
      // In Firefox, requests have no `body`.
      const body = request.body === null ? '' : await request.text();
      return sendAlone(settings, runtime, event, keyHeader, { redirect, signal, ...(body && { body }) });
    },
  });
}

/** The operation for a method and an address below the base URL, or null. */
const operationAt = (method: string, address: string): OperationId | null =>
  (Object.keys(sends) as OperationId[]).find(
    (id) =>
      sends[id].method === method && RegExp(`^${sends[id].path.replace(/{.*?}/g, '[^/?#]+')}([?#]|$)`).test(address),
  ) ?? null;
