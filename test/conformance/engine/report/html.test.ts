import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { h } from '../../../../conformance/engine/report/html.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { sampleReport } from '../../../support/report.js';

const page = writeReport('html', sampleReport({ hostile: true }));

test('a page refers to nothing outside its file, and allows only its own style, by hash', () => {
  expect(page.match(/\b(?:src|href)="(?!#|data:,")[^"]*/g)).toBeNull();
  const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    'img-src data:',
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});

test('a template escapes its values, and omits missing ones', () => {
  expect(h`<p title="${'"<&\u0000'}">${false}${undefined}${0}${[h`<b>`, h`${'<'}`]}</p>`.text).toBe(
    '<p title="&quot;&lt;&amp;\\u0000">0<b>&lt;</p>',
  );
});

test('a page of a long run stays below 2 MB, keeps the exchanges of violations, and counts the others', () => {
  const report = sampleReport({ exchanges: 96 * 40 });
  const long = writeReport('html', report);
  expect(long.length).toBeLessThan(2_000_000);
  for (const id of [8, 46, 59]) expect(long).toContain(`id="exchange-${id}"`);
  const held = long.match(/id="exchange-/g)?.length ?? 0;
  expect(long).toContain(
    `${(report.exchanges.length - held).toLocaleString('en')} more are in the JSON and HAR reports`,
  );
});

test('a page has no part without content', () => {
  const bare = writeReport('html', { ...sampleReport(), leftBehind: [], exchanges: [], gaps: [] });
  for (const id of ['callers', 'left-behind', 'gaps', 'changes', 'exchanges']) expect(bare).not.toContain(`id="${id}"`);
});
