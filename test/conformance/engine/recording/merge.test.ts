import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyRun, mergeRuns, type RecordedRun } from '../../../../conformance/engine/recording/merge.js';
import { assembleRecording, runOf } from '../../../../conformance/engine/recording/report.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { readReport } from '../../../../conformance/engine/report/read.js';
import { conclude } from '../../../../conformance/engine/rule/conclude.js';
import type { Exchange } from '../../../../conformance/engine/vocabulary.js';
import { historyOf } from '../../../../conformance/suite/histories.js';
import { entry, harOf, judged, lines } from '../../../support/recordings.js';
import { sampleReport } from '../../../support/report.js';
import { histories, mixed } from '../../../support/traffic.js';
import { violation } from '../../../support/violations.js';

const runs = 3;

/** Traffic, and a way to cut it into so many parts: all of one execution or profile in the same. */
const cut = (parts: number) =>
  histories.chain((all) =>
    fc.tuple(mixed(all), fc.array(fc.nat(parts - 1), { minLength: 20, maxLength: 20 })).map(([exchanges, places]) => {
      const names = [...new Set(exchanges.map((one) => historyOf(one) ?? ''))];
      const placeOf = (one: Exchange) => places[names.indexOf(historyOf(one) ?? '')];
      return {
        exchanges,
        parts: Array.from({ length: parts }, (_, part) => exchanges.filter((one) => placeOf(one) === part)),
      };
    }),
  );

const judge = (exchanges: readonly Exchange[]) => judged(lines(...exchanges));
const conclusionOf = (run: RecordedRun) => conclude(run, { today: '2026-11-20' });
/** As it is written, and read again. */
const written = (run: RecordedRun) => {
  const text = writeReport('json', assembleRecording(run, conclusionOf(run)));
  return runOf(readReport(text, 'part.json'), 'part.json');
};

/** These rules for callers look from one execution to another, or to the end of the recording. */
const lookFurther = [
  'caller-looks-up-after-gateway-timeout',
  'caller-does-not-repeat-a-lost-start',
  'caller-follows-202',
  'caller-follows-by-polling',
];

/** All that parts and whole have to agree in: everything but which of many exchanges are shown. */
const told = ({ rules, callers, exchanges, ...rest }: RecordedRun) => ({
  ...rest,
  verdict: conclusionOf({ rules, callers, exchanges, ...rest }).verdict,
  rules: [...rules, ...callers]
    .filter(({ id }) => !lookFurther.includes(id))
    .map(({ id, level, verdict, observations, unclear, operations }) => ({
      id,
      level,
      verdict,
      observations,
      unclear,
      operations,
    })),
});

test('parts of a recording, cut by execution and profile, give what the whole gives, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(cut(3), fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), async ({ exchanges, parts }, order) => {
      const whole = await judge(exchanges);
      const each = await Promise.all(order.map((part) => judge(parts[part] ?? [])));
      expect(told(each.map(written).reduce(mergeRuns, emptyRun))).toEqual(told(whole));
    }),
    { numRuns: runs },
  );
});

describe('merging', () => {
  const three = fc.tuple(cut(1), cut(1), cut(1)).map((all) => all.map(({ exchanges }) => exchanges));
  const judgedAll = (all: readonly Exchange[][]) =>
    Promise.all(all.map(judge)) as Promise<[RecordedRun, RecordedRun, RecordedRun]>;

  test('makes no difference in which order, nor what is merged first, nor with what is empty, nor by being written and read', async () => {
    const empty = await judge([]);
    await fc.assert(
      fc.asyncProperty(three, async (all) => {
        const [a, b, c] = await judgedAll(all);
        const both = mergeRuns(a, b);
        expect(both).toEqual(mergeRuns(b, a));
        expect(JSON.stringify(written(both))).toBe(JSON.stringify(written(mergeRuns(b, a))));
        expect(mergeRuns(both, c)).toEqual(mergeRuns(a, mergeRuns(b, c)));
        expect(mergeRuns(a, empty)).toEqual(a);
        expect(mergeRuns(emptyRun, a)).toEqual(a);
        expect(written(a)).toEqual(a);
      }),
      { numRuns: runs },
    );
  });

  test('shows a violation once, with what came first, and counts all', async () => {
    const broken = Array.from({ length: 3 }, (_, part) =>
      Array.from({ length: 15 }, (_, turn) => ({
        at: 1_770_000_000_000 + turn * 1000 + part,
        durationMs: 1,
        request: {
          method: 'GET',
          url: `https://a.example.com/agents/v2/executions/00000000-0000-4000-8000-0000000000${turn + 10}`,
        },
        response: { status: 500, body: { kind: 'json', value: { code: 500, message: 'No.' } } },
      })),
    );
    const parts = await Promise.all(broken.map((part) => judged(lines(...part))));
    const merged = parts.reduce(mergeRuns);
    const rule = merged.rules.find(({ id }) => id === 'no-server-errors');
    expect(rule?.operations).toEqual({ getExecution: { observations: 45, violations: 45 } });
    const [violation, ...others] = rule?.violations ?? [];
    expect(others).toEqual([]);
    expect(violation).toMatchObject({ count: 45, exchanges: [1], others: [2, 3, 4, 5, 6] });
    expect(merged.exchanges.map(({ at }) => at)).toEqual(
      broken
        .flat()
        .map(({ at }) => at)
        .sort((a, b) => a - b)
        .slice(0, 6),
    );
    expect(rule?.exchanges).toEqual([1]);
  });
});

describe('verdicts of parts', () => {
  const rule = (verdict: 'passed' | 'violated' | 'doubt' | 'nothing' | 'not-applicable') => {
    const counts = { passed: [2, 0], violated: [3, 1], doubt: [1, 0], nothing: [0, 0], 'not-applicable': [0, 0] }[
      verdict
    ];
    const [observations = 0, violations = 0] = counts;
    return {
      ...emptyRun,
      rules: [
        {
          id: 'terminal-is-final' as const,
          level: 'MUST' as const,
          verdict: verdict === 'doubt' || verdict === 'nothing' ? ('untested' as const) : verdict,
          observations,
          ...(verdict === 'doubt' && { unclear: 1 }),
          why: verdict,
          exchanges: [],
          violations: violations > 0 ? [violation({ required: 'this', seen: 'that' })] : [],
          operations: {},
        },
      ],
    };
  };
  test.each([
    ['passed', 'passed', 'passed', ''],
    ['passed', 'nothing', 'passed', ''],
    ['passed', 'violated', 'violated', 'required: this; seen: that'],
    ['doubt', 'violated', 'violated', 'required: this; seen: that'],
    ['passed', 'doubt', 'untested', 'doubt'],
    ['nothing', 'doubt', 'untested', 'doubt'],
    ['nothing', 'nothing', 'untested', 'Nothing was seen that it could be judged by.'],
    ['not-applicable', 'not-applicable', 'not-applicable', 'not-applicable'],
    ['not-applicable', 'passed', 'passed', ''],
  ] as const)('%s and %s are %s', (a, b, verdict, why) => {
    expect(mergeRuns(rule(a), rule(b)).rules).toMatchObject([{ verdict, why }]);
    expect(mergeRuns(rule(b), rule(a)).rules).toMatchObject([{ verdict, why }]);
  });
});

test('what is unclear is counted', () => {
  const doubt = {
    id: 'terminal-is-final',
    level: 'MUST',
    verdict: 'untested',
    observations: 1,
    unclear: 2,
    why: 'b',
  } as const;
  const part = (why: string): RecordedRun => ({
    ...emptyRun,
    rules: [{ ...doubt, why, exchanges: [], violations: [], operations: {} }],
  });
  expect(mergeRuns(part('b'), part('a')).rules).toMatchObject([{ unclear: 4, observations: 2, why: 'a' }]);
});

test('violations that one exchange shows are in an order of their own', async () => {
  const [shown] = (await judged(harOf(entry({ status: 500 })))).exchanges;
  const part = (...seen: string[]): RecordedRun => ({
    ...emptyRun,
    exchanges: shown ? [shown] : [],
    rules: [
      {
        id: 'terminal-is-final',
        level: 'MUST',
        verdict: 'violated',
        observations: seen.length,
        why: '',
        exchanges: [1],
        violations: seen.map((text) => violation({ signature: text, required: 'this', seen: text, exchanges: [1] })),
        operations: {},
      },
    ],
  });
  const [rule] = mergeRuns(part('c', 'a'), part('b')).rules;
  expect(rule?.violations.map(({ seen }) => seen)).toEqual(['a', 'b', 'c']);
  expect(rule?.why).toBe('required: this; seen: a');
});

test('a violation that several parts show is one, with what came first', async () => {
  const { exchanges } = await judged(harOf(entry({ status: 500 }), entry({ status: 501 }), entry({ status: 502 })));
  const part = (id: number, count: number): RecordedRun => ({
    ...emptyRun,
    exchanges: exchanges.filter((exchange) => exchange.id === id),
    rules: [
      {
        id: 'terminal-is-final',
        level: 'MUST',
        verdict: 'violated',
        observations: count,
        why: '',
        exchanges: [id],
        violations: [violation({ seen: `at ${id}`, count, exchanges: [id] })],
        operations: {},
      },
    ],
  });
  const want = { seen: 'at 1', count: 6, exchanges: [1], others: [2, 3] };
  for (const order of [
    [1, 2, 3],
    [3, 1, 2],
  ])
    expect(order.map((id) => part(id, id)).reduce(mergeRuns, emptyRun).rules[0]?.violations).toMatchObject([want]);
});

test('the report of a run is no part of a recording', () => {
  expect(() => runOf(sampleReport(), 'run.json')).toThrow(/^run\.json is the report of a run; only/);
});

test('what a part knew to fail is not known of the whole', async () => {
  const run = await judge([]);
  const [first] = run.rules;
  const report = assembleRecording(
    { ...run, rules: first ? [{ ...first, known: true }] : [] },
    { ...conclusionOf(run), rules: first ? [{ ...first, known: true }] : [] },
  );
  expect(runOf(report, 'a.json').rules).toEqual([first]);
});
