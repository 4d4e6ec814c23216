/** Sends requests with the key, and tells the hooks. */

import { callHook, callOnResponse, type Exchange, type RequestEvent } from './hooks.js';
import type { FetchInit, KeyHeader, Settings } from './options.js';
import type { Runtime } from './runtime.js';

type Init = Pick<FetchInit, 'body' | 'redirect'> & { signal?: AbortSignal };

/** Sends a request once, with the key if `keyHeader` is given. Calls `onRequest`. */
export async function send(
  settings: Settings,
  { now }: Runtime,
  exchange: Exchange,
  event: RequestEvent,
  keyHeader: KeyHeader | undefined,
  init: Init,
): Promise<Response> {
  // Get the key before calling the hooks: it may fail, and every onRequest should have its onResponse.
  const key = keyHeader && (await settings.keyFor(keyHeader));
  // Getting the key may have taken too long.
  init.signal?.throwIfAborted();
  exchange.event = event;
  exchange.since = now();
  callHook(settings.onRequest, event);
  if (settings.log) callHook(settings.log, settings.cleaner.line(`${event.method} ${event.url} ${init.body ?? ''}`));
  // Copy, so that the headers that a hook keeps have no key. Put it last, so that no other header replaces it. A record,
  // because the fetch of another library may not know these Headers.
  const headers = Object.fromEntries(event.headers);
  if (keyHeader && key) headers[keyHeader.toLowerCase()] = key;
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
  init: Init,
): Promise<Response> {
  const exchange: Exchange = { since: 0 };
  try {
    return await send(settings, runtime, exchange, event, keyHeader, init);
  } finally {
    callOnResponse(settings, runtime, exchange);
  }
}
