/** Generated traffic of several executions and profiles, conformant and not, interleaved. */
import fc from 'fast-check';
import type { Exchange } from '../../conformance/engine/vocabulary.js';
import { executionStatuses } from '../../generated/lifecycle.js';
import { exchange, type Sketch } from './evidence.js';
import { running } from './recordings.js';

const uuid = (kind: number, number: number) => `${kind}0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

const state = fc.constantFrom(...executionStatuses, 'done');
const key = { 'x-api-key': 'a-secret-key' };

const startOf = (executionId: string): fc.Arbitrary<Sketch> =>
  fc.record({
    operation: fc.constantFrom('execute', 'executeSync'),
    sent: fc.constantFrom(
      {},
      { inputs: { a: 1 } },
      { head: true, version: 2 },
      { profileId: uuid(3, 1), onCapacityLimit: 'queue' },
      { agentProfileId: 'no-uuid', timeoutSeconds: 1 },
    ),
    status: fc.constantFrom(200, 202, 202),
    body: fc.record({ executionId: fc.constant(executionId), status: state }),
    durationMs: fc.constantFrom(5, 40_000),
  });

const readingOf = (executionId: string): fc.Arbitrary<Sketch> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        operation: fc.constant('getExecution'),
        resource: fc.constant(executionId),
        status: fc.constant(200),
        body: fc
          .record(
            {
              status: state,
              duration: fc.constant(3),
              hasBeenRerun: fc.constant(true),
              inputs: fc.constantFrom({ a: 1 }, {}),
              agentId: fc.constantFrom(uuid(4, 1), uuid(4, 2)),
              triggerContext: fc.constantFrom({ source: 'api' }, { source: 'schedule' }),
            },
            { requiredKeys: ['status'] },
          )
          .map((shown) => ({ ...running, id: executionId, ...shown })),
      }),
    },
    fc.constantFrom(
      { operation: 'getExecution', resource: executionId, status: 404, body: { code: 404, message: 'No.' } },
      { operation: 'getExecution', resource: executionId, status: 500, body: 'Oops' },
      { operation: 'listExecutionFiles', resource: executionId, status: 200, body: { directories: {} } },
      { operation: 'listExecutionFiles', resource: executionId, status: 404, body: { code: 404, message: 'gone' } },
    ) as fc.Arbitrary<Sketch>,
  ) as fc.Arbitrary<Sketch>;

const execution = (number: number): fc.Arbitrary<Sketch[]> =>
  fc
    .tuple(
      fc.option(startOf(uuid(1, number)), { nil: undefined }),
      fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        {
          weight: 3,
          arbitrary: fc.array(fc.tuple(readingOf(uuid(1, number)), fc.integer({ min: 1, max: 4 })), { maxLength: 6 }),
        },
      ),
    )
    .map(([begun, polls]) => [
      ...(begun ? [begun] : []),
      // Most polls show nothing new.
      ...polls.flatMap(([poll, times]) => Array.from({ length: times }, () => poll)),
    ]);

const profile = (number: number): fc.Arbitrary<Sketch[]> =>
  fc.array(
    fc.record({
      operation: fc.constantFrom('updateProfile', 'duplicateProfile'),
      resource: fc.constant(uuid(2, number)),
      sent: fc.constantFrom({ description: 'a' }, { name: '' }, {}),
      status: fc.constantFrom(200, 201, 400, 404),
      // In words of its own: parts of a recording cannot tell alike what says the same of all operations.
      body: fc.constantFrom({ code: 400, message: 'No such profile.' }, { id: uuid(2, number), description: 'b' }),
    }) as fc.Arbitrary<Sketch>,
    { maxLength: 4 },
  );

/** The exchanges of each execution or profile, in order. */
export const histories: fc.Arbitrary<Sketch[][]> = fc
  .tuple(...Array.from({ length: 8 }, (_, number) => (number < 6 ? execution(number) : profile(number))))
  .map((all) => all.filter((history) => history.length > 0));

/** Interleaves histories at random. Times advance by a constant step, short or of an hour. */
export const mixed = (all: readonly (readonly Sketch[])[]): fc.Arbitrary<Exchange[]> => {
  const turns = all.flatMap((history, index) => history.map(() => index));
  const shuffled = fc.shuffledSubarray(turns, { minLength: turns.length });
  return fc.tuple(shuffled, fc.constantFrom(100, 100, 3_600_000)).map(([order, stepMs]) => {
    const next = all.map(() => 0);
    return order.map((index, turn) => {
      const sketch = all[index]?.[next[index] ?? 0] as Sketch;
      next[index] = (next[index] ?? 0) + 1;
      const made = exchange({ durationMs: 5, ...sketch, id: turn + 1, at: 1_770_000_000_000.25 + turn * stepMs });
      return { ...made, request: { ...made.request, headers: key } };
    });
  });
};
