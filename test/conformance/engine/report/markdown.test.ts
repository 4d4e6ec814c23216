import { lexer, type Token, walkTokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { markdown } from '../../../../conformance/engine/report/markdown.js';
import { codeBlock, codeSpan } from '../../../../conformance/engine/report/text.js';
import type { Report } from '../../../../conformance/engine/vocabulary/report.js';
import { callerVerdicts, hostile, sampleReport } from '../../../support/report.js';

const report = sampleReport();

/** Every token that GitHub's Markdown makes of a text. */
function tokens(text: string): Token[] {
  const all: Token[] = [];
  walkTokens(lexer(text, { gfm: true }), (token) => {
    all.push(token);
  });
  return all;
}

const of = (all: readonly Token[], type: string) => all.filter((token) => token.type === type);

test('the verdict is first, then the violations, then the rest', () => {
  const headings = of(tokens(markdown(report)), 'heading').map(({ raw }) => raw.trim());
  expect(headings).toEqual([
    '## ❌ Nonconformant: `https://staging.example.com`',
    '### Violated',
    '### Warnings',
    '### Known failures (baseline)',
    '### Inconclusive',
    '### Untested',
    '### Left behind or deleted',
    '### Remarks',
    '### Where the contract leaves a choice',
  ]);
});

describe('text from the target', () => {
  const all = tokens(markdown({ ...sampleReport({ hostile: true }), callers: callerVerdicts }));

  test('becomes no HTML, no link and no image', () => {
    const tags = new Set(of(all, 'html').flatMap(({ raw }) => raw.match(/<\/?\w+/g) ?? []));
    expect([...tags].sort()).toEqual(
      ['<details', '</details', '<summary', '</summary', '<b', '</b', '<code', '</code', '<sub', '</sub'].sort(),
    );
    expect([...of(all, 'link'), ...of(all, 'image')]).toEqual([]);
  });

  test('becomes no mention and no reference', () => {
    const plain = of(all, 'text').filter((token) => !('tokens' in token && token.tokens));
    expect(plain.filter(({ raw }) => /@|(?<!&)#\d|https?:|owned/.test(raw))).toEqual([]);
    expect(plain.length).toBeGreaterThan(50);
  });

  test('leaves headings and tables as they are', () => {
    expect(of(all, 'heading').map(({ raw }) => raw)).not.toContainEqual(expect.stringContaining('# heading'));
    const tables = of(all, 'table') as unknown as { header: unknown[]; rows: unknown[][] }[];
    expect(
      tables.map(({ header, rows }) => [header.length, rows.every((row) => row.length === header.length)]),
    ).toEqual([[3, true]]);
  });
});

describe('a report fits the limit of GitHub, and counts omitted parts', () => {
  const [first] = report.rules.filter(({ id }) => id === 'execution-progresses');
  const many = (count: number): Report => ({
    ...sampleReport({ hostile: true }),
    rules: Array.from({ length: count }, () => first).flatMap((rule) => rule ?? []),
    remarks: Array.from({ length: count }, () => hostile.repeat(20)),
  });

  test.each([100, 1000])('with %i violated rules', (count) => {
    const text = markdown(many(count));
    expect(text.length).toBeLessThanOrEqual(65_200);
    expect(text.length).toBeGreaterThan(60_000);
    expect(text).toMatch(/_\d[\d,]* parts of this report did not fit/);
    expect(of(tokens(text), 'html').filter(({ raw }) => raw.includes('<details')).length).toBe(
      of(tokens(text), 'html').filter(({ raw }) => raw.includes('</details')).length,
    );
  });
});

describe('code', () => {
  test.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['a|b', '`a\\|b`'],
    ['a\nb', '`a\\nb`'],
    ['', ''],
  ])('span of %j', (given, want) => {
    expect(codeSpan(given)).toBe(want);
  });

  test('block has a longer fence than its text contains', () => {
    expect(codeBlock('a\n````\n\u001b', 'sh')).toBe('`````sh\na\n````\n\\u001b\n`````');
  });
});
