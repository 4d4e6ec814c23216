import { describe, expect, test } from 'vitest';
import { readings } from '../../../../conformance/engine/outcome/readings.js';
import { clocksApart, withoutTimes } from '../../../../conformance/suite/executions/clocks.js';
import { times } from '../../../../conformance/suite/executions/rules/times.js';
import { gather } from '../../../../conformance/suite/views.js';
import { inOrder } from '../../../support/evidence.js';
import { reading, start } from '../../../support/runs.js';

const from = Date.UTC(2026, 0, 1) + 123;
const minute = 61_357;

/** Executions that were created, a minute and a bit after one another, by a clock that is so many seconds ahead. */
const created = (ahead: readonly number[]) =>
  gather(
    inOrder(
      ahead.flatMap((seconds, n) => {
        const id = `00000000-0000-4000-8000-0000000000a${n}`;
        const at = from + n * minute;
        return [
          start({}, { at, body: { executionId: id, status: 'starting' } }),
          reading(
            'running',
            { id, createdAt: new Date(at + seconds * 1000).toISOString() },
            { resource: id, at: at + 1000 },
          ),
        ];
      }),
    ),
  );

describe('a service has a second clock', () => {
  test.each([
    ['two against two differ', [0, 0, 90, 90]],
    ['the first was created before all others', [0, 90, 90, 90, 90]],
    ['it was set back after the first', [0, -90, -90, -90, -90]],
  ])('if %s', (_, ahead) => {
    expect(clocksApart(created(ahead))).toMatch(/(?:89|90) s apart/);
  });

  test.each([
    ['all agree', [5, 5, 5, 5, 5]],
    ['one in the middle differs: it may be wrong', [0, 0, 90, 0, 0]],
    ['few others differ from the first', [0, 90]],
  ])('a service has a single clock if %s', (_, ahead) => {
    expect(clocksApart(created(ahead))).toBeUndefined();
  });
});

/** Executions that went on for so many seconds each, and the times of their ends by some other clock. */
const ended = (lasted: readonly number[], end: (created: number, ended: number) => number) =>
  gather(
    inOrder(
      lasted.flatMap((seconds, n) => {
        const id = `00000000-0000-4000-8000-0000000000b${n}`;
        const at = from + n * minute;
        const over = at + seconds * 1000;
        const run = { id, createdAt: new Date(at).toISOString() };
        return [
          start({}, { at, body: { executionId: id, status: 'starting' } }),
          reading('running', run, { resource: id, at: over - 400 }),
          reading(
            'completed',
            { ...run, terminalAt: new Date(end(at, over)).toISOString() },
            { resource: id, at: over + 400 },
          ),
        ];
      }),
    ),
  );

describe('the clock that ends executions', () => {
  test.each([
    ['behind', -4],
    ['ahead', 4],
  ])('is %s if all ends are off by the same', (_, seconds) => {
    expect(clocksApart(ended([2, 9, 5], (__, over) => over + seconds * 1000))).toMatch(/[34] s apart/);
  });

  test.each<[string, number[], (created: number, over: number) => number]>([
    ['hardly off', [2, 9, 5], (_, over) => over - 1500],
    ['off by more than clocks are', [2, 9, 5], (_, over) => over + 3_600_000],
    ['the time of the creation', [2, 9, 5], (created) => created],
    ['off once', [2, 9, 5], (_, over) => (over % minute === (from + 9000) % minute ? over + 4000 : over)],
  ])('is not another one if terminalAt is %s', (_, lasted, end) => {
    expect(clocksApart(ended(lasted, end))).toBeUndefined();
  });
});

test('the order of times is not judged if a service has several clocks', () => {
  const result = { createdAt: '2026-03-02T11:59:00Z' };
  const seen = gather(inOrder([start({}, { at: 0 }), reading('completed', { executionResult: result }, { at: 2200 })]));
  const { traces } = withoutTimes(seen);
  const order = (evidence: typeof seen) => times['times-are-in-order'].run(evidence);
  expect(order(seen)).toEqual([expect.objectContaining({ kind: 'violated' })]);
  expect(order(withoutTimes(seen))).toBeUndefined();
  expect(readings(traces[0]?.readings ?? [])[0]?.execution).not.toHaveProperty('terminalAt');
});
