/** A session with answers made by hand, on a virtual clock. */

import type { BodyCache } from '../../conformance/engine/http/body.js';
import type { WireRequest, WireResponse } from '../../conformance/engine/http/transport.js';
import { VirtualClock } from '../../conformance/engine/send/clock.js';
import { Session } from '../../conformance/suite/session.js';
import { type TargetFile, toTarget } from '../../conformance/suite/target/target.js';

export const key = 'a-key-that-nobody-may-see';

/** A minimal answer for any operation. */
const whatever = { executionId: 'e', status: 'running', directories: {}, id: 'p', code: 0, message: '' };

export type Answer = (request: WireRequest, nth: number) => Partial<WireResponse> & { json?: unknown };

export function talkingTo(answer: Answer, file: Partial<TargetFile> = {}, signal?: AbortSignal, kept?: BodyCache) {
  const clock = new VirtualClock();
  const sent: WireRequest[] = [];
  const session = new Session(toTarget({ baseUrl: 'http://target.test/gateway', apiKeys: { primary: key }, ...file }), {
    clock,
    seed: 7,
    ...(signal && { signal }),
    ...(kept && { kept }),
    async transport(request) {
      sent.push(request);
      const { json, ...response } = answer(request, sent.length);
      const bytes = new TextEncoder().encode(JSON.stringify(json ?? whatever));
      return { status: 200, headers: { 'content-type': 'application/json' }, bytes, ...response };
    },
  });
  return { session, clock, sent };
}
