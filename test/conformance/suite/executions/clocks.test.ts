import { describe, expect, test } from 'vitest';
import { clocksApart } from '../../../../conformance/suite/executions/clocks.js';
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

describe('the clock of a service', () => {
  test.each([
    ['two and two say so', [0, 0, 90, 90]],
    ['the first was created before all others', [0, 90, 90, 90, 90]],
    ['it was set back after the first', [0, -90, -90, -90, -90]],
  ])('was set where %s', (_, ahead) => {
    expect(clocksApart(created(ahead))).toMatch(/(?:89|90) s apart/);
  });

  test.each([
    ['all say the same', [5, 5, 5, 5, 5]],
    ['one in the middle says otherwise: it may be mistaken', [0, 0, 90, 0, 0]],
    ['few others speak against the first', [0, 90]],
  ])('is one where %s', (_, ahead) => {
    expect(clocksApart(created(ahead))).toBeUndefined();
  });
});
