import { expect, test } from 'vitest';
import type { Exchange, Judge } from '../../../conformance/engine/vocabulary.js';
import { callerJudges, judges } from '../../../conformance/suite/judges.js';
import { unknownTarget } from '../../../conformance/suite/target/target.js';
import { exchange, ids } from '../../support/evidence.js';
import { running } from '../../support/recordings.js';

const ended = {
  status: 'completed',
  terminalAt: '2026-03-02T12:00:09Z',
  createdAt: '2026-03-02T12:00:01Z',
  duration: 8,
};
const bodies = [running, { ...running, ...ended }, { code: 404, message: 'No.' }, { directories: {} }, 'a page'];
const readings = (['getExecution', 'listExecutionFiles'] as const).flatMap((operation) =>
  bodies.flatMap((body) =>
    [200, 404, 500].map((status) => exchange({ operation, resource: ids.execution, status, body })),
  ),
);

/** The exchange, which puts down what is looked at that two readings that say the same may differ in. */
function watched(one: Exchange, seen: Set<string>): Exchange {
  const watch = <T extends object>(of: T, isFree: (name: string) => boolean): T =>
    new Proxy(of, {
      get(target, name) {
        if (!isFree(String(name))) seen.add(String(name));
        return Reflect.get(target, name);
      },
    });
  const { response } = one;
  return watch(
    {
      ...one,
      ...(response && {
        response: {
          ...response,
          headers: watch({ date: 'now', ...response.headers }, (name) => name === 'content-type'),
        },
      }),
    },
    (name) => name !== 'at' && name !== 'durationMs' && name !== 'delayMs',
  );
}

// A recording has readings that say the same judged once, whenever they were sent.
test('a judge of single readings uses no field that may differ in the next reading of the same state', () => {
  const all: Readonly<Record<string, Judge>> = { ...judges, ...callerJudges };
  let found = 0;
  for (const [rule, judge] of Object.entries(all))
    for (const reading of readings) {
      const seen = new Set<string>();
      if (judge.exchange?.(watched(reading, seen), unknownTarget)) found += 1;
      expect([rule, ...seen]).toEqual([rule]);
    }
  expect(found).toBeGreaterThan(100);
});
