import { type CheckOptions, check, type Run } from '../conformance/check.js';
import { type Transport, TransportError } from '../conformance/drive/transport.js';
import { toTarget } from '../conformance/target/target.js';
import { createReference, type ReferenceOptions } from '../reference/index.js';
import { VirtualClock } from './virtual-clock.js';

/** Checks a reference service that runs in this process on a clock of its own: no socket, no waiting. */
export async function checkInProcess(reference: ReferenceOptions, options: Partial<CheckOptions> = {}): Promise<Run> {
  const clock = new VirtualClock();
  const service = createReference({ seed: 1, ...reference, clock });
  const work = check({
    target: toTarget(service.target),
    transport: inProcess(service.fetch, clock),
    clock,
    random: seeded(1),
    ...options,
  });
  try {
    return await clock.run(work);
  } finally {
    await service.close();
  }
}

function inProcess(fetch: (request: Request) => Promise<Response>, clock: VirtualClock): Transport {
  return async ({ method, url, headers, body, timeoutMs }) => {
    let timer: unknown;
    const late = new Promise<never>((_, reject) => {
      timer = clock.setTimeout(() => reject(new TransportError('timeout', `No answer within ${timeoutMs} ms.`)), timeoutMs);
    });
    try {
      const response = await Promise.race([fetch(new Request(url, { method, headers, ...(body !== undefined && { body }) })), late]);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
    } finally {
      clock.clearTimeout(timer);
    }
  };
}

/** A generator of numbers from 0 to 1 that begins the same way each time (Park and Miller's). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}
