/** Sends requests with the key, and tells the hooks. */

import { type ContractClient, createContractClient } from '../generated/client.js';
import type { OperationId } from '../generated/operations.js';
import { sends } from '../generated/sends.js';
import { callHook, callOnResponse, type Exchange, type RequestEvent } from './hooks.js';
import type { KeyHeader, Settings } from './options.js';
import type { Runtime } from './runtime.js';

/** Sends a request once, with the key if `keyHeader` is given. Calls `onRequest`. */
export async function send(
  settings: Settings,
  { now }: Runtime,
  exchange: Exchange,
  event: RequestEvent,
  keyHeader: KeyHeader | undefined,
  init: RequestInit,
): Promise<Response> {
  // Get the key before calling the hooks: it may fail, and every onRequest should have its onResponse.
  const key = keyHeader && (await settings.keyFor(keyHeader));
  // Getting the key may have taken too long.
  init.signal?.throwIfAborted();
  exchange.event = event;
  exchange.since = now();
  callHook(settings.onRequest, event);
  // Copy, so that the headers that a hook keeps have no key. Set it last, so that no other header replaces it.
  const headers = new Headers(event.headers);
  if (keyHeader && key) headers.set(keyHeader, key);
  const response = await settings.fetch(event.url, { ...init, method: event.method, headers });
  // A fetch for tests may return anything.
  if (!response?.headers) throw new TypeError('fetch gave no Response');
  exchange.response = response;
  return response;
}

/** The same for answers whose body is not read here: calls `onResponse` when the headers are there. */
export async function sendAlone(
  settings: Settings,
  runtime: Runtime,
  event: RequestEvent,
  keyHeader: KeyHeader | undefined,
  init: RequestInit,
): Promise<Response> {
  const exchange: Exchange = { since: 0 };
  try {
    return await send(settings, runtime, exchange, event, keyHeader, init);
  } finally {
    callOnResponse(settings, runtime, exchange);
  }
}

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
      const body = request.body === null ? null : (await request.text()) || null;
      return sendAlone(settings, runtime, event, keyHeader, { redirect, signal, body });
    },
  });
}

/** The operation for a method and an address below the base URL, or null. */
const operationAt = (method: string, address: string): OperationId | null =>
  (Object.keys(sends) as OperationId[]).find(
    (id) =>
      sends[id].method === method && RegExp(`^${sends[id].path.replace(/{.*?}/g, '[^/?#]+')}([?#]|$)`).test(address),
  ) ?? null;
