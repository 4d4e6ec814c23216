import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { h } from '../../../../conformance/engine/report/html/parts.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { wholeCharacters } from '../../../../conformance/engine/report/text.js';
import type { Transition } from '../../../../conformance/engine/vocabulary.js';
import { sampleReport } from '../../../support/report.js';

const page = writeReport('html', sampleReport({ hostile: true }));

test('a page refers to nothing outside its file', () => {
  expect(page.match(/\b(?:src|href)="(?!#|data:,")[^"]*/g)).toBeNull();
  expect(page.match(/url\((?!#)|@import/)).toBeNull();
});

test('a page runs only its own script and styles, by hash', () => {
  const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
  const [, script = ''] = /<script>([\s\S]*)<\/script>\n<\/body>/.exec(page) ?? [];
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    'img-src data:',
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});

test('a page has the exchanges as data that cannot end the script', () => {
  const [, data = ''] = /id="data">(.*)<\/script>/.exec(page) ?? [];
  expect(data).not.toMatch(/[<\u2028\u2029]/);
  // Half of a surrogate pair stands for no character; it is written as its code.
  const { exchanges } = sampleReport({ hostile: true });
  expect(JSON.parse(data)).toEqual(JSON.parse(wholeCharacters(JSON.stringify(exchanges))));
});

test('a template escapes its values, and omits missing ones', () => {
  expect(h`<p title="${'"<&\u0000'}">${false}${undefined}${0}${[h`<b>`, h`${'<'}`]}</p>`.text).toBe(
    '<p title="&quot;&lt;&amp;\\u0000">0<b>&lt;</p>',
  );
});

test('a page distinguishes documented transitions without observations from observed ones', () => {
  const count = 1;
  const standing = 'documented';
  const states = (transitions: Transition[]) => writeReport('html', { ...sampleReport(), transitions });
  const seen = states([{ from: null, to: 'starting', count: 3, standing }]);
  expect(seen).toContain(
    '<td>new execution</td><td>starting</td><td class="count">at least 3</td><td>in the contract</td>',
  );
  expect(seen).toContain(
    '<td>new execution</td><td>queued</td><td class="count">not seen</td><td>in the contract</td>',
  );
  expect(seen).toContain('<td>queued</td><td>a state that is not named</td><td class="count">not seen</td>');
  const whole = states([
    { from: null, to: 'starting', count, standing },
    { from: null, to: 'queued', count, standing },
    { from: 'queued', to: 'running', count, standing },
  ]);
  expect(whole).not.toContain('not seen');
  expect(states([{ from: 'completed', to: 'melted', count, standing: 'forbidden' }])).toContain(
    '<tr class="forbidden"><td>completed</td><td>melted</td><td class="count">at least 1</td><td>✕ forbidden</td></tr>',
  );
});

test('a page leaves out empty sections', () => {
  const bare = writeReport('html', {
    ...sampleReport(),
    callers: [],
    leftBehind: [],
    scenarios: [],
    exchanges: [],
    gaps: [],
  });
  for (const id of ['callers', 'left-behind', 'gaps', 'changes']) expect(bare).not.toContain(`<section id="${id}"`);
});
