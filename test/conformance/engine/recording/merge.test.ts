import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeRuns, runOf } from '../../../../conformance/engine/recording/merge.js';
import type { RecordedRun } from '../../../../conformance/engine/recording/recorded-run.js';
import { assembleRecording } from '../../../../conformance/engine/recording/report.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { readReport } from '../../../../conformance/engine/report/json.js';
import { conclude } from '../../../../conformance/engine/rule/verdicts.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { historyOf } from '../../../../conformance/suite/views.js';
import { ids } from '../../../support/evidence.js';
import { entry, harOf, judged, lines, running, start } from '../../../support/recordings.js';
import { sampleReport } from '../../../support/report.js';
import { histories, mixed } from '../../../support/traffic.js';
import { violation } from '../../../support/violations.js';

/** Traffic, and three parts of it: all of one execution or profile in the same. */
const inParts = fc
  .tuple(histories.chain(mixed), fc.array(fc.nat(2), { minLength: 20, maxLength: 20 }))
  .map(([exchanges, places]) => {
    const names = [...new Set(exchanges.map((one) => historyOf(one) ?? ''))];
    const placeOf = (one: Exchange) => places[names.indexOf(historyOf(one) ?? '')];
    return { exchanges, parts: [0, 1, 2].map((part) => exchanges.filter((one) => placeOf(one) === part)) };
  });

const judge = (exchanges: readonly Exchange[]) => judged(lines(...exchanges));
const reportOf = (run: RecordedRun) => assembleRecording(run, conclude(run, { today: '2026-11-20' }));
/** As it is written, and read again. */
const written = (run: RecordedRun) => runOf(readReport(writeReport('json', reportOf(run)), 'part.json'), 'part.json');

/** What parts and whole agree in. What exchanges are shown depends on the cut, and so do rules for callers. */
const counted = (run: RecordedRun) => ({
  ...run,
  verdict: reportOf(run).verdict,
  rules: run.rules.map(({ id, verdict, observations, unclear, operations }) => [
    ...[id, verdict, observations, unclear, operations],
  ]),
  ...{ callers: [], exchanges: [] },
});

test('parts of a recording, cut by execution and profile, add up to the whole, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(inParts, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), async ({ exchanges, parts }, order) => {
      const [first, ...others] = await Promise.all(order.map(async (part) => written(await judge(parts[part] ?? []))));
      const whole = counted(await judge(exchanges));
      expect(counted(mergeRuns(...(first ? [first] : []), ...others))).toEqual(whole);
      expect(counted(mergeRuns(...(first ? [first] : []), written(mergeRuns(...others))))).toEqual(whole);
    }),
    { numRuns: 3 },
  );
});

test('a violation of several parts is counted and reported once, with its first exchanges', async () => {
  const of = (part: number) =>
    harOf(
      ...[0, 1].map((turn) =>
        entry({ at: `2026-03-02T12:0${turn}:0${part}.000Z`, status: 500, body: { code: 500, message: 'No.' } }),
      ),
    );
  const parts = await Promise.all([2, 1, 3].map((part) => judged(of(part))));
  const merged = mergeRuns(...parts);
  const rule = merged.rules.find(({ id }) => id === 'no-server-errors');
  expect(rule).toMatchObject({
    exchanges: [1],
    operations: { getExecution: { observations: 6, violations: 6 } },
    violations: [{ count: 6, exchanges: [1], others: [2, 3, 4, 5, 6] }],
  });
  expect(merged.exchanges.map(({ at }) => new Date(at).toISOString().slice(14, 19))).toEqual([
    '00:01',
    '00:02',
    '00:03',
    '01:01',
    '01:02',
    '01:03',
  ]);
});

describe('if parts have exchanges of the same', () => {
  const reading = (second: string, id: string = ids.execution) =>
    entry({
      at: `2026-03-02T12:00:${second}.000Z`,
      body: { ...running, id },
      url: `https://a.example.com/agents/v2/executions/${id}`,
    });
  const update = (second: string) =>
    entry({
      at: `2026-03-02T12:00:${second}.000Z`,
      method: 'PATCH',
      url: `https://a.example.com/agents/v2/agent-profiles/${ids.profile}`,
      sent: { name: 'a' },
      body: { id: ids.profile, name: 'a' },
    });
  const merged = async (...parts: readonly (readonly unknown[])[]) => {
    const runs = await Promise.all(parts.map((entries) => judged(harOf(...entries))));
    return reportOf(mergeRuns(...runs.map(written)));
  };
  const verdict = ({ rules }: Pick<RecordedRun, 'rules'>, id: string) => rules.find((one) => one.id === id)?.verdict;

  test('execution, a note reports it, and rules that need all of it are inconclusive', async () => {
    const report = await merged([reading('01'), reading('02')], [reading('03')], [reading('04', ids.workflow)]);
    expect(report).toMatchObject({ verdict: 'incomplete', recording: { resumed: { executions: 1, profiles: 0 } } });
    expect(report.remarks.join()).toMatch(/^1 execution was not judged as a whole, so .* or is in several parts\./);
    expect(verdict(report, 'identity-is-constant')).toBe('inconclusive');
    expect(verdict(report, 'response-matches-schema')).toBe('passed');
  });

  test('profile, a note reports it, also after another merge', async () => {
    const one = written(mergeRuns(await judged(harOf(update('01'))), await judged(harOf(update('02')))));
    expect(one.resumed).toEqual({ executions: 0, profiles: 1 });
    expect(mergeRuns(one, await judged(harOf(reading('03')))).resumed).toEqual({ executions: 0, profiles: 1 });
  });

  test('workflow only, there is no note', async () => {
    const other = { ...start, body: { executionId: ids.workflow, status: 'starting' } };
    expect((await merged([entry(start)], [entry(other)])).recording).not.toHaveProperty('resumed');
  });
});

describe('verdicts of parts', () => {
  const rule = async (
    verdict: 'passed' | 'violated' | 'doubt' | 'nothing' | 'not-applicable',
  ): Promise<RecordedRun> => ({
    ...(await judged(harOf())),
    rules: [
      {
        id: 'terminal-is-final',
        level: 'MUST',
        verdict: verdict === 'doubt' || verdict === 'nothing' ? 'untested' : verdict,
        observations: { passed: 2, violated: 3, doubt: 1, nothing: 0, 'not-applicable': 0 }[verdict],
        ...(verdict === 'doubt' && { unclear: 2 }),
        why: verdict,
        exchanges: [],
        violations: verdict === 'violated' ? [violation({ expected: 'this', actual: 'that' })] : [],
        operations: {},
      },
    ],
  });
  test.each([
    ['passed', 'passed', 'passed', ''],
    ['passed', 'nothing', 'passed', ''],
    ['passed', 'violated', 'violated', 'expected: this; actual: that'],
    ['doubt', 'violated', 'violated', 'expected: this; actual: that'],
    ['passed', 'doubt', 'untested', 'doubt'],
    ['nothing', 'doubt', 'untested', 'doubt'],
    ['nothing', 'nothing', 'untested', 'No exchange is about this.'],
    ['not-applicable', 'not-applicable', 'not-applicable', 'not-applicable'],
    ['not-applicable', 'passed', 'passed', ''],
  ] as const)('%s and %s are %s', async (a, b, verdict, why) => {
    const [one, other] = await Promise.all([rule(a), rule(b)]);
    const unclear = [a, b].filter((part) => part === 'doubt').length * 2;
    for (const merged of [mergeRuns(one, other), mergeRuns(other, one)]) {
      expect(merged.rules).toMatchObject([{ verdict, why }]);
      expect(merged.rules[0]?.unclear ?? 0).toBe(unclear);
    }
  });
});

test('the report of a run is not a part of a recording', () => {
  expect(() => runOf(sampleReport(), 'run.json')).toThrow(/^run\.json is the report of a run; only/);
});

test('a known failure of a part is not known for the whole', async () => {
  const run = await judged(harOf(entry({ status: 500 })));
  const report = reportOf(run);
  const known = report.rules.map((rule) => ({ ...rule, known: true as const }));
  expect(runOf({ ...report, rules: known }, 'a.json').rules.filter((rule) => 'known' in rule)).toEqual([]);
});
