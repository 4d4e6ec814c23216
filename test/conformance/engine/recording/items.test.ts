import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EntryReader } from '../../../../conformance/engine/recording/entry.js';
import { itemsIn } from '../../../../conformance/engine/recording/items.js';
import { judgeRecordings, type RecordingOptions } from '../../../../conformance/engine/recording/pipeline.js';
import type { Source } from '../../../../conformance/engine/recording/source.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { lines, source } from '../../../support/recordings.js';
import { histories, mixed } from '../../../support/traffic.js';

const id = '00000000-0000-4000-8000-000000000001';
const at = (time: number, durationMs = 0) => ({
  at: time,
  durationMs,
  request: { method: 'GET', url: `https://api.example.com/agents/v2/executions/${id}` },
  response: { status: 200, body: { kind: 'json', value: { id } } },
});
const foreign = { at: 0, request: { method: 'GET', url: 'https://elsewhere.example.com/' } };

async function order(files: readonly (readonly unknown[])[]) {
  const unsorted = new Set<string>();
  const reader = new EntryReader();
  const taken: (number | string)[] = [];
  const sources = files.map((values, index) => source(lines(...values), 300, `${index}.ndjson`));
  for await (const { value, id: number } of itemsIn(sources, unsorted)) {
    const entry = reader.read(value, number);
    taken.push(entry.kind === 'exchange' ? entry.exchange.at : entry.kind);
  }
  return { taken, unsorted: [...unsorted] };
}

describe('several files', () => {
  test('are read one after another', async () => {
    const files = [[at(1), at(4)], [], [at(2), at(3)]];
    expect(await order(files)).toEqual({ taken: [1, 4, 2, 3], unsorted: [] });
  });

  test('may be sorted by the time of answers', async () => {
    expect((await order([[at(50, 10), at(0, 100)], [at(40, 1)]])).unsorted).toEqual([]);
  });

  test('that are not sorted are named', async () => {
    expect((await order([[at(9), at(1, 5)], [at(2)]])).unsorted).toEqual(['0.ndjson']);
  });

  test('lose no foreign entry', async () => {
    expect((await order([[at(5), foreign], [at(1)]])).taken).toEqual([5, 'foreign', 1]);
  });

  test.each([
    ['is a HAR without entries', '{"log":{}}'],
    ['has an entry that is cut off', '{"log":{"entries":[nonsense,,'],
  ])('are all closed if one %s', async (_, wrong) => {
    const open = new Set<string>();
    const watched = (name: string, text: string): Source => ({
      name,
      async *open() {
        open.add(name);
        try {
          yield* source(text, 100_000, name).open();
        } finally {
          open.delete(name);
        }
      },
    });
    const files = [
      watched('right', lines(at(1), at(2))),
      watched('wrong', wrong + lines(at(4)).repeat(100_000)),
      watched('other', lines(at(3))),
    ];
    await expect(judgeRecordings(files)).rejects.toThrow('wrong');
    expect([...open]).toEqual([]);
  });
});

const judged = (files: readonly (readonly Exchange[])[], options?: RecordingOptions) =>
  judgeRecordings(
    files.map((exchanges, index) => source(lines(...exchanges), 5000, `${index}.ndjson`)),
    options,
  );

test('traffic that continues in the next file is judged as in one file', async () => {
  await fc.assert(
    fc.asyncProperty(histories.chain(mixed), fc.integer({ min: 1, max: 20 }), async (exchanges, length) => {
      const files = [exchanges.slice(0, length), exchanges.slice(length)];
      expect(await judged(files)).toEqual(await judged([exchanges]));
    }),
    { numRuns: 4 },
  );
});

test('a profile that was judged early and lacks an answer leaves its rules inconclusive', async () => {
  const [path, id] = ['https://api.example.com/agents/v2/agent-profiles', '20000000-0000-4000-8000-00000000000'];
  const update = (at: number, last: number, value: unknown) => ({
    ...{ at, request: { method: 'PATCH', url: `${path}/${id}${last}`, body: { kind: 'json', value: {} } } },
    response: { status: 200, body: { kind: 'json', value } },
  });
  const all = [update(0, 6, { code: 400, message: 'No such profile.' }), update(100, 7, { id: `${id}7` })];
  const verdict = async (options?: RecordingOptions) =>
    (await judgeRecordings([source(lines(...all), 5000, '0.ndjson')], options)).rules.find(
      (rule) => rule.id === 'update-keeps-identity',
    )?.verdict;
  expect(await verdict()).toBe('violated');
  expect(await verdict({ bounds: { openBytes: 1000, exchanges: 250 } })).toBe('inconclusive');
});

test('no rule passes that the whole does not pass, whatever the memory limit', async () => {
  let cut = 0;
  await fc.assert(
    fc.asyncProperty(histories.chain(mixed), fc.integer({ min: 1000, max: 12_000 }), async (exchanges, openBytes) => {
      const whole = await judged([exchanges]);
      const bounded = await judged([exchanges], { bounds: { openBytes, exchanges: 250 } });
      cut += bounded.resumed.executions + bounded.resumed.profiles;
      for (const rule of bounded.rules)
        if (rule.verdict === 'passed')
          expect(whole.rules.find((one) => one.id === rule.id)?.verdict, rule.id).toBe('passed');
    }),
    { numRuns: 4 },
  );
  expect(cut).toBeGreaterThan(0);
});
