import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findings } from '../../../../conformance/engine/rule/verdicts.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { LostStarts } from '../../../../conformance/suite/callers/lost-starts.js';
import { callerJudges } from '../../../../conformance/suite/judges.js';
import { gather } from '../../../../conformance/suite/views.js';
import { exchange, facts, ids } from '../../../support/evidence.js';

const noAnswer = 0;
const named = [ids.execution, ids.pool];
const call = fc.oneof(
  fc.record({
    operation: fc.constantFrom('execute' as const, 'executeSync' as const),
    sent: fc.constantFrom({}, { timeoutSeconds: 5 }, { version: 2 }),
    resource: fc.constantFrom(ids.workflow, ids.workflow.toUpperCase(), ids.profile),
    status: fc.constantFrom(202, 202, 409, 504, noAnswer),
    body: fc.constantFrom(...named).map((executionId) => ({ executionId, status: 'starting' })),
    durationMs: fc.constantFrom(5, 250.5),
  }),
  fc.record({
    operation: fc.constant('getExecution' as const),
    resource: fc.constantFrom(...named, ids.profile),
    status: fc.constantFrom(200, 404),
  }),
);

const calls = fc.array(call, { maxLength: 14 }).map((all) =>
  all.map((sketch, index): Exchange => {
    const made = exchange({ ...sketch, id: index + 1, at: index * 100 });
    const { response: _, ...lost } = made;
    return sketch.status === noAnswer ? { ...lost, failure: { kind: 'broken', message: 'It broke.' } } : made;
  }),
);

const lookUps = ['caller-looks-up-after-gateway-timeout', 'caller-does-not-repeat-a-lost-start'] as const;
const found = (exchanges: readonly Exchange[], of?: number) =>
  lookUps.flatMap((id) =>
    findings(callerJudges[id], gather(exchanges), facts())
      .filter((one) => of === undefined || one.exchanges[0] === of)
      .map((one) => `${id} ${one.kind} ${one.exchanges}`),
  );

test('findings of lost starts one after the other equal those of all together', () => {
  fc.assert(
    fc.property(calls, (all) => {
      const one: string[] = [];
      const timeouts = new LostStarts(([start, ...next]) => start && one.push(...found([start, ...next], start.id)));
      for (const exchange of all) timeouts.exchange(exchange);
      timeouts.finish();
      expect(one.sort()).toEqual(found(all).sort());
    }),
    { numRuns: 500 },
  );
});
