import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { consoleReport } from '../../../../conformance/engine/report/console.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { wantsColor } from '../../../../conformance/engine/report/progress.js';
import { wrap } from '../../../../conformance/engine/report/text.js';
import type { Report, RuleVerdict } from '../../../../conformance/engine/vocabulary/report.js';
import { operationIds } from '../../../../generated/operations.js';
import { callerVerdicts, sampleReport } from '../../../support/report.js';

const report = sampleReport();
const answered = report.gaps.filter(({ observed }) => observed.length > 0).length;
const text = consoleReport(report, { width: 100 });
const at = (part: string) => {
  expect(text).toContain(part);
  return text.indexOf(part);
};

test('the verdict is first and last, violations are before the rest, in 40 lines at most before the last', () => {
  const lines = text.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^Nonconformant: 3 rules violated, 1 inconclusive, .* untested\.$/);
  expect(lines.at(-1)).toBe(lines[0]);
  expect(lines.length).toBeLessThanOrEqual(41);
  const places = [
    'Violated: 3 rules',
    'MUST simple-error-code',
    'Warnings: 1 rule',
    'Known failures',
    'Inconclusive',
    'Untested',
    'Left behind or deleted',
    'Remarks',
    `${answered} observations where the contract leaves a choice`,
    '96 requests · 21 executions started · took 31.2 s',
  ].map(at);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('every violated rule has its line, and what is omitted is counted and found in the page that was written', () => {
  const violated = report.rules.filter(({ verdict }) => verdict === 'violated');
  const rules = [...Array.from({ length: 9 }, () => violated).flat(), ...report.rules];
  const shown = consoleReport({ ...report, rules }, { width: 100 });
  expect(shown.match(/^ {2}MUST \S+ {2}/gm)).toHaveLength(30);
  expect(shown).toMatch(/^ {2}… details of 30 rules: --report html=FILE$/m);
  expect(shown).not.toMatch(/^(Remarks|Latency)$/m);
  const few = consoleReport({ ...report, rules: [...violated, ...report.rules] }, { width: 100, page: 'broken.html' });
  expect(few.trimEnd().split('\n').length).toBeLessThanOrEqual(41);
  expect(few).toMatch(/^ {2}… details of \d rules in broken\.html$/m);
  expect(few).toMatch(/^ {4}expected /m);
});

test('a failure has the expected and the actual value, the exchange, and the command that repeats it', () => {
  const rules = report.rules.filter(({ id }) => id === 'head-excludes-version');
  const block = consoleReport({ ...report, rules }, { width: 100 })
    .split('\n')
    .slice(2, 8)
    .join('\n');
  expect(block).toMatchInlineSnapshot(`
    "  MUST head-excludes-version  1 time
        expected  a refusal
        actual    202 with executionId (on execute, 1 of 4 times)
        #8        POST /agents/v2/workflows/5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18/execute → 202, 83 ms
                  (run-pauses/step-0)
        repeat    curl -sS -i -X POST https://staging.example.com/agents/v2/workflows/5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18/execute -H 'content-type: application/json' -H "X-Api-Key: $WORKFLOW_API_KEY" --data-raw '{"inputs":{"marker":"m-7"},"metadata":{"run":"nightly","note":"größer"}}'"
  `);
});

test('a violation of several requests ends with the command that repeats it', () => {
  const rule = report.rules.find(({ id }) => id === 'head-excludes-version');
  const violations = rule?.violations.map((one) => ({ ...one, exchanges: [8, 7] })) ?? [];
  const options = { command: 'npx workflow-execution-contract check --target target.yaml' };
  const of = { ...report, seed: 7, options, rules: rule ? [{ ...rule, violations }] : [] };
  const add = '--again report.json  # after a run with --report json=report.json';
  expect(consoleReport(of)).toContain(`    repeat    ${options.command} ${add}\n`);
  const kept = { ...of, options: { ...options, repeat: '--state state --again' } };
  expect(consoleReport(kept)).toContain(`    repeat    ${options.command} --state state --again\n`);
  const lines = [7, 8].map((id) => report.exchanges.find((one) => one.id === id)?.curl);
  expect(writeReport('markdown', of)).toContain(lines.join('\n'));
});

test('the same violation thirty times is printed once, with the count', () => {
  const rule = report.rules.find(({ id }) => id === 'simple-error-code');
  const [violation] = rule?.violations ?? [];
  if (!rule || !violation) throw new Error('the sample has no violation');
  const often = { ...violation, count: 30, exchanges: [1], others: [2, 3, 4, 5, 6] };
  const operations = { getExecution: { observations: 30, violations: 30 } };
  const shown = consoleReport({ ...report, rules: [{ ...rule, violations: [often], operations }] });
  expect(shown.match(/code 4040/g)).toHaveLength(1);
  expect(shown).toContain('simple-error-code  30 times');
  expect(shown).toContain('(on getExecution, 30 of 30 times)');
  expect(shown).toContain('    also in   #2, #3, #4, #5, #6, …\n');
});

test('omitted violations of a rule are counted, with where to find them', () => {
  const rule = report.rules.find(({ id }) => id === 'simple-error-code');
  const [violation] = rule?.violations ?? [];
  if (!rule || !violation) throw new Error('the sample has no violation');
  const violations = Array.from({ length: 5 }, (_, n) => ({ ...violation, actual: `code 404${n}` }));
  const shown = consoleReport({ ...report, rules: [{ ...rule, violations }] });
  expect(shown).toContain('    and       4 other ways: --report html=FILE\n');
});

test('known violations of a rule come after the others', () => {
  const rule = report.rules.find(({ id }) => id === 'simple-error-code');
  const [first, second] = rule?.violations ?? [];
  if (!rule || !first || !second) throw new Error('the sample has no violation');
  const shown = consoleReport(
    { ...report, rules: [{ ...rule, violations: [{ ...first, known: true }, second] }] },
    { width: 120 },
  );
  expect(shown.match(/^ +actual +.*$/gm)).toEqual([
    expect.stringMatching(/code 4010 \(on getExecution, 2 of 14 times\)$/),
  ]);
});

test('untested rules have a line for each cause', () => {
  const untested = report.rules.filter(({ verdict }) => verdict === 'untested');
  const text = consoleReport({ ...report, rules: untested }, { width: 100 });
  expect(text).toMatch(/Untested\n {2}To judge them, set profile, and allow: execute: (\S+,\s+){2}\S+\n/);
  expect(text).toContain('  To judge it, set apiKeys.restricted: insufficient-permission-is-403\n');
});

test('under strict, a violated SHOULD is among the violations', () => {
  const strict = consoleReport(report, { strict: true });
  expect(strict).toContain('Violated: 4 rules');
  expect(strict).not.toContain('Warnings');
});

describe('rules with one probable cause', () => {
  const ids = ['head-excludes-version', 'execution-progresses'];
  const causes = [{ what: 'answers 500 of execute', rules: ids, exchanges: [8] }];
  const shown = consoleReport({ ...report, causes }, { width: 100 });

  test('are together, under their common cause', () => {
    expect(shown).toContain('Violated: 3 rules, 2 probable causes\n');
    const places = ['Probably one cause (2 rules): answers 500 of execute', ...ids.map((id) => `MUST ${id}`)];
    places.push('MUST simple-error-code');
    expect(places.map((part) => shown.indexOf(part))).toEqual(
      places.map((part) => shown.indexOf(part)).toSorted((a, b) => a - b),
    );
    expect(shown).toMatch(/^Nonconformant: 3 rules violated, 2 probable causes, /m);
  });

  test('are the same in Markdown and HTML', () => {
    for (const format of ['markdown', 'html'] as const) {
      const written = writeReport(format, { ...report, causes });
      expect(written.indexOf('Probably one cause (2 rules): answers 500 of execute')).toBeGreaterThan(0);
      expect(written.indexOf('head-excludes-version')).toBeLessThan(written.indexOf('simple-error-code'));
    }
  });
});

test('rules for callers have a section of their own', () => {
  expect(consoleReport({ ...report, rules: [], callers: callerVerdicts })).toMatch(
    /Violated by callers \(not part of the verdict\): 1 rule\n {2}MUST caller-looks-up/,
  );
});

describe('lines', () => {
  test.each([40, 60, 80, 120])(
    'fit into %i columns, except the verdict and what is to be copied: commands and long words',
    (width) => {
      const lines = consoleReport(sampleReport({ hostile: true }), { width })
        .trimEnd()
        .split('\n')
        .slice(1, -1);
      const isCopied = (line: string) => /^ {4}repeat |html=FILE$/.test(line) || /^ *(\S+ +)?\S+$/.test(line);
      expect(lines.filter((line) => line.length > width && !isCopied(line))).toEqual([]);
    },
  );

  test('contain no control character of a target', () => {
    const shown = consoleReport(sampleReport({ hostile: true }), { width: 100 });
    expect(shown.replaceAll('\n', '').match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFE]/u)).toBeNull();
    expect(shown).toContain('\\u001b[2J');
  });

  test('have colours only on request, with the same text', () => {
    const painted = consoleReport(report, { width: 100, color: true });
    expect(text).not.toContain('\u001b');
    expect(painted).toContain('\u001b[31m');
    expect(stripVTControlCharacters(painted)).toBe(text);
  });
});

test.each([
  [true, {}, true],
  [false, {}, false],
  [undefined, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('a terminal (%s) with %j wants colours: %s', (isTTY, env, want) => {
  expect(wantsColor(isTTY === undefined ? {} : { isTTY }, env)).toBe(want);
});

test.each([
  ['one two three', 9, 0, 0, ['one two', 'three']],
  ['one two three', 12, 2, 4, ['  one two', '    three']],
  ['abcdefghijklmnopqrstuvwxyz', 12, 0, 2, ['abcdefghijklmnopqrstuvwxyz']],
  ['', 10, 2, 2, ['']],
])('%j wraps', (given, width, indent, hanging, want) => {
  expect(wrap(given, width, indent, hanging)).toEqual(want);
});

describe('a passed run', () => {
  const [first, ...others] = operationIds;
  const passed: Report = {
    ...report,
    verdict: 'conformant',
    rules: report.rules.map(({ known: _, ...rule }, index): RuleVerdict => {
      const plain = { ...rule, verdict: 'passed', violations: [], why: '' } as const;
      return index % 3 > 0
        ? plain
        : { ...plain, verdict: 'untested', why: `Reason ${index}.`, missing: [`thing ${index}`] };
    }),
    leftBehind: Array.from({ length: 9 }, () => ({ kind: 'profile', id: 'p', note: 'A copy.' }) as const),
    remarks: Array.from({ length: 9 }, (_, index) => `Remark ${index}.`),
    gaps: [
      {
        id: 'header-names-interchangeable',
        observed: [...others.map((one) => `${one}: no`), `${first}: yes`],
      },
    ],
  };

  const pinned = ['trigger-sources was pinned as api, and is now api, schedule.'];

  test('lists new observations where the contract leaves a choice, or that there are none', () => {
    expect(consoleReport({ ...passed, sincePins: pinned })).toContain(`Changed since it was pinned\n  ${pinned[0]}\n`);
    expect(consoleReport({ ...passed, sincePins: [] })).toContain(
      '1 observation where the contract leaves a choice, all as pinned (--gaps)',
    );
  });

  test('lists the gaps on request, and equal values once', () => {
    expect(consoleReport(passed, { gaps: true })).toContain(
      `header-names-interchangeable: no, on ${others.length} operations · ${first}: yes\n`,
    );
  });
});

test('a run that options made smaller than its target file reports that before the last line', () => {
  const smaller = ['--allow execute (the file has delete)'];
  const text = consoleReport({ ...report, target: { ...report.target, smaller } }, { width: 120 });
  expect(text.replaceAll('\n', ' ')).toMatch(
    / The run was smaller than the target file allows: --allow execute .{0,30} Nonconformant: [^.]*\. $/,
  );
  expect(writeReport('markdown', { ...report, target: { ...report.target, smaller } })).toContain(smaller[0]);
  expect(writeReport('html', { ...report, target: { ...report.target, smaller } })).toContain(smaller[0]);
});
