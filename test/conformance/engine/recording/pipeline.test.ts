import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeRuns, runOf } from '../../../../conformance/engine/recording/merge.js';
import { judgeRecordings, type RecordingOptions } from '../../../../conformance/engine/recording/pipeline.js';
import type { RecordedRun } from '../../../../conformance/engine/recording/recorded-run.js';
import { assembleRecording } from '../../../../conformance/engine/recording/report.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { readReport } from '../../../../conformance/engine/report/json.js';
import { conclude } from '../../../../conformance/engine/rule/verdicts.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { ids } from '../../../support/evidence.js';
import { type EntrySketch, entry, harOf, judged, lines, running, source, start } from '../../../support/recordings.js';
import { histories, mixed } from '../../../support/traffic.js';

const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 12, 0, second)).toISOString();
const reading = (second: number, status: string, executionId: string = ids.execution): EntrySketch => ({
  at: at(second),
  url: `https://api.example.com/agents/v2/executions/${executionId}`,
  body: { ...running, id: executionId, status },
});
const sync: EntrySketch = {
  ...start,
  url: `${start.url}/sync`,
  body: { executionId: ids.execution, status: 'running' },
};
const har = (...sketches: readonly EntrySketch[]) => harOf(...sketches.map((sketch) => entry(sketch)));
const caller = ({ callers }: RecordedRun, id: string) => callers.find((rule) => rule.id === id);

describe('a history that is judged in pieces', () => {
  const changing = Array.from({ length: 9 }, (_, turn) => reading(turn + 1, turn % 2 ? 'paused' : 'running'));

  test('has every transition once', async () => {
    const bounds = { openBytes: 1_000_000, exchanges: 3 };
    const inPieces = await judged(har(start, ...changing), { bounds });
    expect(inPieces.transitions).toEqual((await judged(har(start, ...changing))).transitions);
    expect(inPieces.transitions).toContainEqual({ from: null, to: 'starting', count: 1, standing: 'documented' });
    expect(inPieces.transitions).toContainEqual({ from: 'running', to: 'paused', count: 4, standing: 'undocumented' });
  });

  test('has the step from one piece to the next judged', async () => {
    const bounds = { openBytes: 1_000_000, exchanges: 2 };
    const states = ['running', 'completed', 'running'].map((status, turn) => reading(turn * 3, status));
    const { rules } = await judged(har(...states), { bounds });
    expect(rules.find(({ id }) => id === 'terminal-is-final')?.verdict).toBe('violated');
  });

  test('has its caller judged once', async () => {
    const run = await judged(har(sync, ...changing), { bounds: { openBytes: 1_000_000, exchanges: 3 } });
    expect(caller(run, 'caller-follows-202')).toMatchObject({ verdict: 'passed', observations: 1 });
  });
});

test('a lost start that was repeated for another one is followed once', async () => {
  const lost = (second: number): EntrySketch => ({ ...sync, at: at(second), status: 504, body: {} });
  const run = await judged(har(lost(0), lost(1)));
  expect(caller(run, 'caller-looks-up-after-gateway-timeout')).toMatchObject({ observations: 1, unclear: 1 });
});

describe('starts that all get the same execution', () => {
  test.each([
    ['execute-is-accepted', start],
    ['sync-is-not-idempotent', sync],
  ])('break %s', async (rule, begun) => {
    const asked = Array.from({ length: 20 }, (_, turn) => ({
      ...begun,
      at: at(turn * 3),
      sent: { inputs: { turn } },
    }));
    const { rules } = await judged(har(...asked));
    expect(rules.find(({ id }) => id === rule)).toMatchObject({
      verdict: 'violated',
      why: expect.stringContaining('for two'),
    });
  });
});

describe('an execution read with another key', () => {
  const by = (key: string, sketch: EntrySketch): EntrySketch => ({
    ...sketch,
    headers: { 'X-Api-Key': key, 'X-Service-Agents-Api-Key': key },
  });
  const [one, other] = ['key-of-one-tenant', 'key-of-another-one'];
  const lost = (second: number): EntrySketch => ({ ...reading(second, 'running'), status: 404, body: {} });
  const files = (sketch: EntrySketch) => ({ ...sketch, url: `${sketch.url}/files` });
  const verdictOf = async (rule: string, ...sketches: readonly EntrySketch[]) =>
    (await judged(har(...sketches))).rules.find(({ id }) => id === rule)?.verdict;

  test('may be hidden from it', async () => {
    const asked = [by(one, start), by(one, reading(1, 'running')), by(other, lost(5)), by(other, files(lost(6)))];
    expect(await verdictOf('accepted-execution-is-readable', ...asked)).toBe('passed');
    expect(await verdictOf('files-are-grouped', ...asked)).toBe('untested');
  });

  test('must be found by the key that started it, and by a key that has read it', async () => {
    const rule = 'accepted-execution-is-readable';
    expect(await verdictOf(rule, by(one, start), by(one, lost(5)))).toBe('violated');
    expect(await verdictOf(rule, by(one, start), by(other, lost(5)), by(other, reading(6, 'running')))).toBe(
      'violated',
    );
    expect(await verdictOf(rule, start, lost(5))).toBe('violated');
  });

  test.each(['', '[redacted]', '***', 'sk_live_****', 'sk_l…', '{{token}}', '<key>'])(
    'has an unknown reader if %j is in place of the key',
    async (mask) => {
      const hidden = (sketch: EntrySketch) => by(mask, sketch);
      const read = [start, reading(1, 'running')];
      for (const asked of [[...read, hidden(lost(5))], [...read.map(hidden), lost(5)], [...read, lost(5)].map(hidden)])
        expect(await verdictOf('accepted-execution-is-readable', ...asked)).toBe('passed');
      expect(await verdictOf('files-are-grouped', ...[...read, files(lost(6))].map(hidden))).toBe('untested');
    },
  );
});

describe('a reading that shows an execution as running after its end', () => {
  const dated = (sketch: EntrySketch, date: number, more = {}): EntrySketch => {
    const headers = { 'Content-Type': 'application/json', Date: new Date(at(date)).toUTCString(), ...more };
    return { ...sketch, response: { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) } };
  };
  const ended = reading(31, 'completed');
  const end = { ...ended, body: { ...(ended.body as object), terminalAt: '2026-03-02T12:00:02.000Z' } };
  const verdictOf = async (...sketches: readonly EntrySketch[]) =>
    (await judged(har(...sketches))).rules.find(({ id }) => id === 'status-is-current')?.verdict;

  test('is late, unless the dates of the answers reveal a changed clock', async () => {
    expect(await verdictOf(start, reading(30, 'running'), end)).toBe('violated');
    expect(await verdictOf(dated(start, 0), dated(reading(30, 'running'), 30), end)).toBe('violated');
    expect(await verdictOf(dated(start, 0), dated(reading(30, 'running'), 1), end)).toBe('passed');
  });

  test('is late with the date of an earlier one as well', async () => {
    expect(await verdictOf(dated(start, 0), dated(reading(30, 'running'), 1, { Age: '29' }), end)).toBe('violated');
  });
});

describe('a call with a wait of one second and an answer after five', () => {
  const late: EntrySketch = { ...sync, sent: { timeoutSeconds: 1 }, time: 5000 };
  const verdictOf = async (...sketches: readonly EntrySketch[]) =>
    (await judged(har(...sketches))).rules.find(({ id }) => id === 'sync-wait-is-bounded')?.verdict;
  const slow = { ...reading(20, 'running', ids.workflow), time: 3300 };

  test('is late, if other answers are fast, or there are no others', async () => {
    expect(await verdictOf(late)).toBe('violated');
    expect(await verdictOf(late, { ...slow, time: 30 })).toBe('violated');
    // A gateway has not asked the service.
    expect(await verdictOf(late, { ...slow, status: 504, body: {} })).toBe('violated');
  });

  test('is not late, if a reading before or after it shows a slow connection', async () => {
    expect(await verdictOf(late, slow)).toBe('passed');
    expect(await verdictOf(slow, { ...late, at: at(30) })).toBe('passed');
  });
});

describe('a history that was judged early to free memory', () => {
  const others = Array.from({ length: 5 }, (_, turn) =>
    reading(turn + 1, 'running', `00000000-0000-4000-8000-00000000000${turn}`),
  );

  test('has no missing reading if one may follow', async () => {
    const bounds = { openBytes: 4000, exchanges: 250 };
    const run = await judged(har(sync, ...others, reading(9, 'running')), { bounds });
    expect(caller(run, 'caller-follows-202')?.verdict).toBe('untested');
    const [last] = others.slice(-1);
    const goesOn = har(sync, ...others, { ...last, at: at(3601) });
    expect(caller(await judged(goesOn), 'caller-follows-202')?.verdict).toBe('violated');
  });
});

describe('a history that continued after it was judged', () => {
  const bounds = { openBytes: 4000, exchanges: 250 };
  const other = (turn: number) => reading(turn, 'running', `00000000-0000-4000-8000-00000000000${turn}`);
  const whole = har(
    reading(0, 'completed'),
    reading(1, 'completed'),
    other(1),
    other(2),
    other(3),
    other(4),
    reading(9, 'running'),
  );

  test('is counted, and rules that need the whole of it are inconclusive', async () => {
    const run = await judged(whole, { bounds });
    const verdictOf = (id: string) => run.rules.find((rule) => rule.id === id);
    expect(run.resumed).toEqual({ executions: 1, profiles: 0 });
    expect(verdictOf('identity-is-constant')).toMatchObject({
      verdict: 'inconclusive',
      why: expect.stringContaining('raise --remember'),
    });
    expect(verdictOf('response-matches-schema')?.verdict).toBe('passed');
    expect((await judged(whole)).resumed).toEqual({ executions: 0, profiles: 0 });
  });

  test('is in the report, which can be read again', async () => {
    const run = await judged(whole, { bounds });
    const report = assembleRecording(run, conclude(run, { today: '2026-11-20' }));
    expect(report.verdict).toBe('incomplete');
    expect(report.remarks.join()).toMatch(/^1 execution was not judged as a whole, so .*\(the memory was full, or/);
    expect(runOf(readReport(writeReport('json', report), 'a.json'), 'a.json').resumed).toEqual({
      executions: 1,
      profiles: 0,
    });
    expect(mergeRuns(run, await judged(har())).rules).toEqual(run.rules);
  });

  test('keeps its violations', async () => {
    const run = await judged(
      har(
        reading(0, 'completed'),
        reading(3, 'running'),
        other(4),
        other(5),
        other(6),
        other(7),
        reading(9, 'running'),
      ),
      { bounds },
    );
    expect(run.resumed.executions).toBe(1);
    expect(run.rules.find(({ id }) => id === 'terminal-is-final')?.verdict).toBe('violated');
  });
});

describe('a history in which time goes back', () => {
  const [before, after] = [
    [reading(10, 'running'), reading(11, 'completed')],
    [reading(7, 'completed'), reading(8, 'completed')],
  ];

  test('is judged in two parts, because the order is unknown', async () => {
    const run = await judged(har(...before, ...after));
    expect(run.resumed).toEqual({ executions: 1, profiles: 0 });
    expect(run.rules.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    expect(run.rules.find(({ id }) => id === 'identity-is-constant')?.verdict).toBe('inconclusive');
  });

  test('stays whole if its exchanges are in the order of their ends', async () => {
    const run = await judged(har(reading(10, 'running'), { ...reading(7, 'running'), time: 4000 }));
    expect(run.resumed.executions).toBe(0);
  });
});

const judgedIn = (files: readonly (readonly Exchange[])[], options?: RecordingOptions) =>
  judgeRecordings(
    files.map((exchanges, index) => source(lines(...exchanges), 5000, `${index}.ndjson`)),
    options,
  );

test('traffic that continues in the next file is judged as in one file', async () => {
  await fc.assert(
    fc.asyncProperty(histories.chain(mixed), fc.integer({ min: 1, max: 20 }), async (exchanges, length) => {
      const files = [exchanges.slice(0, length), exchanges.slice(length)];
      expect(await judgedIn(files)).toEqual(await judgedIn([exchanges]));
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
      const whole = await judgedIn([exchanges]);
      const bounded = await judgedIn([exchanges], { bounds: { openBytes, exchanges: 250 } });
      cut += bounded.resumed.executions + bounded.resumed.profiles;
      for (const rule of bounded.rules)
        if (rule.verdict === 'passed')
          expect(whole.rules.find((one) => one.id === rule.id)?.verdict, rule.id).toBe('passed');
    }),
    { numRuns: 4 },
  );
  expect(cut).toBeGreaterThan(0);
});
