import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loaded, unloaded } from '../../../../conformance/engine/proxy/messages.js';

const message = fc.record({
  headers: fc.array(fc.string({ unit: 'binary' })),
  body: fc.option(fc.uint8Array(), { nil: undefined }),
});
const passed = fc.record(
  {
    at: fc.double({ noNaN: true, noDefaultInfinity: true }).map((at) => at + 0),
    durationMs: fc.nat(),
    request: fc.tuple(message, fc.record({ method: fc.string(), url: fc.webUrl() })).map(([a, b]) => ({ ...a, ...b })),
    response: fc.tuple(message, fc.record({ status: fc.nat() })).map(([a, b]) => ({ ...a, ...b })),
    failure: fc.record({ kind: fc.constant('broken' as const), message: fc.string() }),
  },
  { requiredKeys: ['at', 'durationMs', 'request'] },
);

test('what is handed to the thread that judges arrives as it was', () => {
  fc.assert(
    fc.property(fc.array(passed), (all) => {
      const arrived = unloaded(structuredClone(loaded(all)));
      expect(arrived.map((one) => ({ ...one }))).toEqual(all);
      for (const [index, { request, response }] of arrived.entries()) {
        expect(request.body && Buffer.from(request.body)).toEqual(
          all[index]?.request.body && Buffer.from(all[index].request.body),
        );
        expect(response?.body?.length).toBe(all[index]?.response?.body?.length);
      }
    }),
  );
});
