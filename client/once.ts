/**
 * Deno sends a request again by itself when a connection that it kept turns out to be closed, whatever may have been done by
 * then; but none whose body it streams, as it does with a Blob.
 */
export const sentOnce = (init: RequestInit): RequestInit =>
  'Deno' in globalThis && init.method !== 'GET'
    ? { ...init, body: new Blob(init.body ? [init.body as string] : []) }
    : init;
