import { describe, expect, test } from 'vitest';
import { type Bounds, Histories } from '../../../../conformance/engine/recording/histories.js';
import type { ProfileHistory, Trace } from '../../../../conformance/engine/vocabulary.js';
import { exchange, type Sketch } from '../../../support/evidence.js';
import { judged as judgedOf, lines } from '../../../support/recordings.js';

interface Judged {
  readonly traces: { readonly trace: Trace; readonly isPiece: boolean; readonly isLast: boolean }[];
  readonly profiles: ProfileHistory[];
}

/** What is judged of these exchanges; `early` is what was before their end. */
function histories(sketches: readonly Sketch[], bounds?: Partial<Bounds>): Judged & { early: number } {
  const judged: Judged = { traces: [], profiles: [] };
  const all = new Histories(
    {
      trace: (trace, isPiece, isLast) => judged.traces.push({ trace, isPiece, isLast }),
      profile: (history) => judged.profiles.push(history),
    },
    { openBytes: 1_000_000, exchanges: 250, ...bounds },
  );
  for (const [index, sketch] of sketches.entries()) {
    const one = exchange({ at: index * 100, durationMs: 10, ...sketch, id: index + 1 });
    const answer = JSON.stringify(sketch.body ?? '');
    all.add({ exchange: one as never, baseUrl: '', answer, question: '', showsKey: true, isFull: {} });
  }
  const early = judged.traces.length + judged.profiles.length;
  all.finish();
  return { ...judged, early };
}

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const start = (of = 1): Sketch => ({
  operation: 'execute',
  status: 202,
  body: { executionId: id(of), status: 'starting' },
});
const reading = (status: string, of = 1, more: Partial<Sketch> = {}): Sketch => ({
  operation: 'getExecution',
  resource: id(of),
  status: 200,
  body: { status },
  ...more,
});
const listing = (files: number, of = 1): Sketch => ({
  operation: 'listExecutionFiles',
  resource: id(of),
  status: 200,
  body: { files },
});
const update = (of = 1): Sketch => ({ operation: 'updateProfile', resource: id(of), status: 200, body: { of } });

const numbers = ({ start: begun, readings, listings }: Trace) =>
  [begun, ...readings, ...listings].flatMap((one) => one?.id ?? []);

test('all exchanges of one execution are one trace, in any notation of its id', () => {
  const upper = (sketch: Sketch) => ({ ...sketch, resource: 'ABCDEF00-0000-4000-8000-00000000000A' });
  const lower = { ...start(), body: { executionId: 'abcdef00-0000-4000-8000-00000000000a', status: 'starting' } };
  const { traces } = histories([lower, upper(reading('running')), reading('running', 2), upper(listing(1))]);
  expect(traces.map(({ trace }) => numbers(trace))).toEqual([[3], [1, 2, 4]]);
});

test('all updates and duplications of one profile are one history', () => {
  const copy: Sketch = { operation: 'duplicateProfile', resource: id(1), status: 201, body: {} };
  const { profiles } = histories([update(), update(2), copy, { ...update(), status: 400 }]);
  expect(profiles.map(({ exchanges }) => exchanges.map((one) => one.id))).toEqual([[2], [1, 3, 4]]);
});

const timesOf = (...given: readonly Partial<Sketch>[]) =>
  histories(given.map((more) => reading('running', 1, more))).traces.map(({ trace }) =>
    trace.readings.map((one) => one.at),
  );

test('entries in the order of their ends are judged in the order of their starts', () => {
  expect(timesOf({ at: 900 }, { at: 300, durationMs: 700 })).toEqual([[300, 900]]);
});

test('if time goes back, the order is unknown', () => {
  expect(timesOf({ at: 900 }, { at: 300 })).toEqual([[900], [300]]);
});

test('an exchange of no execution and no profile is in no history', () => {
  const { traces, profiles } = histories([{ operation: 'execute', status: 400, body: { code: 400 } }]);
  expect([traces, profiles]).toEqual([[], []]);
});

describe('the first and the last of equal answers in a row are kept:', () => {
  const runs = (...states: string[]) =>
    histories([start(), ...states.map((state) => reading(state))]).traces.flatMap(({ trace }) => numbers(trace));
  test.each([
    ['a a', [2, 3]],
    ['a a a', [2, 4]],
    ['a a a b b b b', [2, 4, 5, 8]],
    ['a b a b', [2, 3, 4, 5]],
  ])('%s', (states, want) => {
    expect(runs(...states.split(' '))).toEqual([1, ...want]);
  });

  test('in ten thousand as well', () => {
    const polls = Array.from({ length: 10_000 }, () => reading('running'));
    const { traces, early } = histories([start(), ...polls, reading('completed')]);
    expect(early).toBe(0);
    expect(traces.map(({ trace }) => numbers(trace))).toEqual([[1, 2, 10_001, 10_002]]);
  });

  test('unless their statuses differ', () => {
    const found = [reading('x'), reading('x', 1, { status: 500 }), reading('x', 1, { status: 500 })];
    expect(histories(found).traces[0]?.trace.readings).toHaveLength(3);
  });

  test('unless they were requested at the same time', () => {
    const overlapping = [0, 5, 9, 12].map((at) => reading('running', 1, { at }));
    expect(histories(overlapping).traces[0]?.trace.readings).toHaveLength(4);
  });

  test('of listings too', () => {
    expect(
      histories([listing(1), listing(1), listing(1), listing(2)]).traces.map(({ trace }) => numbers(trace)),
    ).toEqual([[1, 3, 4]]);
  });
});

describe('a long history is judged in pieces', () => {
  test('that each begin with the start, and with the last reading of the one before', () => {
    const changing = Array.from({ length: 7 }, (_, turn) => reading(`state ${turn}`));
    const { traces } = histories([start(), ...changing], { exchanges: 4 });
    expect(traces.map(({ trace, isPiece }) => [numbers(trace), isPiece])).toEqual([
      [[1, 2, 3, 4, 5], false],
      [[1, 5, 6, 7, 8], true],
      [[1, 8], true],
    ]);
  });

  test('that keep the first answer as the first of its kind', () => {
    const states = ['a', 'b', 'c', 'c', 'c', 'c'].map((state) => reading(state));
    const { traces } = histories(states, { exchanges: 4 });
    expect(traces.map(({ trace }) => numbers(trace))).toEqual([
      [1, 2, 3, 4],
      [4, 6],
    ]);
  });

  test('separately for each profile', () => {
    const { profiles } = histories(
      Array.from({ length: 5 }, () => update()),
      { exchanges: 2 },
    );
    expect(profiles.map(({ exchanges }) => exchanges.map((one) => one.id))).toEqual([[1, 2], [3, 4], [5]]);
  });
});

describe('when the memory is full,', () => {
  const order = (...sketches: Sketch[]) => {
    const { traces, early } = histories(sketches, { openBytes: 3500 });
    return traces.slice(0, early).map(({ trace, isLast }) => [...numbers(trace), isLast]);
  };

  test('the history without exchanges for the longest time is judged', () => {
    expect(order(reading('a', 1), reading('a', 2), reading('b', 1), reading('a', 3))).toEqual([[2, false]]);
  });

  test('memory stays limited with any traffic', () => {
    const many = Array.from({ length: 4000 }, (_, number) => reading('running', number));
    const { early, traces } = histories(many, { openBytes: 100_000 });
    expect(traces).toHaveLength(4000);
    expect(early).toBeGreaterThan(3850);
  });

  test('one history that is larger than the limit is judged at once', () => {
    const { early } = histories([reading('a'.repeat(5000))], { openBytes: 3500 });
    expect(early).toBe(1);
  });
});

test('the same id on two hosts is two executions, on one host under two paths it is one', async () => {
  const reading = (baseUrl: string, index: number, status: string) => ({
    at: 1_770_000_000_000 + index * 3000,
    durationMs: 5,
    request: { method: 'GET', url: `${baseUrl}/agents/v2/executions/${id(1)}` },
    response: { status: 200, body: { kind: 'json', value: { id: id(1), status } } },
  });
  const final = async (ended: string, later: string) => {
    const { rules } = await judgedOf(lines(reading(ended, 0, 'completed'), reading(later, 1, 'running')));
    return rules.find((rule) => rule.id === 'terminal-is-final')?.verdict;
  };
  expect(await final('https://a.example.com', 'https://b.example.com')).not.toBe('violated');
  expect(await final('https://a.example.com', 'https://A.example.com:443/gateway')).toBe('violated');
});
