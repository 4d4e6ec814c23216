import { type ContractClient, createContractClient } from '../generated/client.js';
import type { OperationId } from '../generated/operations.js';
import { sends } from '../generated/sends.js';
import { type Exchange, type RequestEvent, tell, tellResponse } from './hooks.js';
import type { KeyHeader, Settings } from './options.js';
import type { Runtime } from './runtime.js';

/** Sends a request once, with the key where a header is named for it; tells the hooks that it does. */
export async function send(
  settings: Settings,
  { now }: Runtime,
  exchange: Exchange,
  event: RequestEvent,
  keyHeader: KeyHeader | undefined,
  init: RequestInit,
): Promise<Response> {
  // Before the hooks, as it may fail: who is told of a request is told of its end.
  const key = keyHeader && (await settings.keyFor(keyHeader));
  // The time may be over by now.
  init.signal?.throwIfAborted();
  exchange.event = event;
  exchange.since = now();
  tell(settings.onRequest, event);
  // A copy: what a hook keeps has no key. Last, so that no other header stands in the place of the key.
  const headers = new Headers(event.headers);
  if (keyHeader && key) headers.set(keyHeader, key);
  const response = await settings.fetch(event.url, { ...init, method: event.method, headers });
  // What stands in for fetch in a test may give anything.
  if (!response?.headers) throw new TypeError('fetch gave no Response');
  exchange.response = response;
  return response;
}

/** The same where nothing is made of the answer: its beginning is its end for the hooks. */
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
    tellResponse(settings, runtime, exchange);
  }
}

/** The openapi-fetch client for the caller; sends the key to the base URL only, and only where no redirect can carry it away. */
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
      // Firefox has no `body`.
      const body = request.body === null ? null : (await request.text()) || null;
      return sendAlone(settings, runtime, event, keyHeader, { redirect, signal, body });
    },
  });
}

/** The operation of a method and an address below the base URL. */
const operationAt = (method: string, address: string): OperationId | null =>
  (Object.keys(sends) as OperationId[]).find(
    (id) =>
      sends[id].method === method && RegExp(`^${sends[id].path.replace(/{.*?}/g, '[^/?#]+')}([?#]|$)`).test(address),
  ) ?? null;
