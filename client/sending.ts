import { type RequestEvent, tell, tellResponse } from './hooks.js';
import { sentOnce } from './once.js';
import type { KeyHeader, Settings } from './options.js';
import type { Runtime } from './runtime.js';

/** What is sent as it is, with the key where a header is named for it; the hooks are told. */
export async function send(
  settings: Settings,
  { now }: Runtime,
  event: RequestEvent,
  keyHeader: KeyHeader | undefined,
  init: RequestInit,
): Promise<Response> {
  // Before the hooks, as it may fail: who is told of a request is told of its end.
  const key = keyHeader && (await settings.keyFor(keyHeader));
  const since = now();
  tell(settings.onRequest, event);
  const sent = new Headers(event.headers);
  if (keyHeader && key) sent.set(keyHeader, key);
  let response: Response | undefined;
  try {
    response = await settings.fetch(event.url, sentOnce({ ...init, method: event.method, headers: sent }));
    return response;
  } finally {
    tellResponse(settings, event, now() - since, response);
  }
}
