import { type Transport, TransportError } from '../conformance/engine/http/transport.js';
import type { VirtualClock } from '../conformance/engine/send/clock.js';

/** A transport that passes requests to a service in this process. */
export function inProcess(fetch: (request: Request) => Promise<Response>, clock: VirtualClock): Transport {
  return async ({ method, url, headers, body, timeoutMs }) => {
    let timer: unknown;
    const late = new Promise<never>((_, reject) => {
      timer = clock.setTimeout(
        () => reject(new TransportError('timeout', `No answer within ${timeoutMs} ms.`)),
        timeoutMs,
      );
    });
    try {
      const answer = fetch(new Request(url, { method, headers, ...(body !== undefined && { body }) }));
      const response = await Promise.race([
        answer.catch((error: Error) => {
          throw new TransportError('broken', error.message);
        }),
        late,
      ]);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
    } finally {
      clock.clearTimeout(timer);
    }
  };
}
