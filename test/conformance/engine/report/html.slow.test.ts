import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { arrows, states } from '../../../../conformance/engine/report/html/graph.js';
import { h } from '../../../../conformance/engine/report/html/parts.js';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { wholeCharacters } from '../../../../conformance/engine/report/text.js';
import type { Transition } from '../../../../conformance/engine/vocabulary.js';
import { executionStatuses } from '../../../../generated/lifecycle.js';
import { sampleReport } from '../../../support/report.js';

const page = writeReport('html', sampleReport({ hostile: true }));

test('refers to nothing outside the file', () => {
  expect(page.match(/\b(?:src|href)="(?!#|data:,")[^"]*/g)).toBeNull();
  expect(page.match(/url\((?!#)|@import/)).toBeNull();
});

test('lets run only what it carries, by hash', () => {
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

test('carries the exchanges as data that ends no script', () => {
  const [, data = ''] = /id="data">(.*)<\/script>/.exec(page) ?? [];
  expect(data).not.toMatch(/[<\u2028\u2029]/);
  // Half of a surrogate pair stands for no character; it is written as its code.
  const { exchanges } = sampleReport({ hostile: true });
  expect(JSON.parse(data)).toEqual(JSON.parse(wholeCharacters(JSON.stringify(exchanges))));
});

test('escapes what a template is given, and leaves out what is not there', () => {
  expect(h`<p title="${'"<&\u0000'}">${false}${undefined}${0}${[h`<b>`, h`${'<'}`]}</p>`.text).toBe(
    '<p title="&quot;&lt;&amp;\\u0000">0<b>&lt;</p>',
  );
});

describe('the graph of states', () => {
  const count = 1;
  const standing = 'unshown';
  const every: Transition[] = executionStatuses.flatMap((from) =>
    executionStatuses.filter((to) => to !== from).map((to) => ({ from, to, count, standing })),
  );

  test('tells what the interface shows and nobody saw from what was seen', () => {
    const graph = (transitions: Transition[]) => writeReport('html', { ...sampleReport(), transitions });
    const seen = graph([{ from: null, to: 'starting', count: 3, standing: 'shown' }]);
    expect(seen).toContain(
      '<tr class="shown"><td>new execution</td><td>starting</td><td class="count">at least 3</td><td>shown</td></tr>',
    );
    expect(seen).toContain(
      '<tr class="missed"><td>new execution</td><td>queued</td><td class="count">not seen</td><td>shown</td></tr>',
    );
    expect(seen).toContain('<td>queued</td><td>a state that is not named</td><td class="count">not seen</td>');
    expect(seen.match(/<path class="line \w+" d="M[^"]*Q/g)).toHaveLength(2);
    const whole = graph([
      { from: null, to: 'starting', count, standing: 'shown' },
      { from: null, to: 'queued', count, standing: 'shown' },
      { from: 'queued', to: 'running', count, standing: 'shown' },
    ]);
    expect(whole).not.toContain('<tr class="missed">');
  });

  test('has a place for every state', () => {
    expect([...states().keys()].sort()).toEqual([...executionStatuses].sort());
  });

  test('draws every transition between known states, and leaves others to the table', () => {
    expect(arrows(every)).toHaveLength(72);
    expect(arrows([{ from: null, to: 'queued', count, standing }])).toHaveLength(1);
    expect(arrows([{ from: 'running', to: 'melted', count, standing }])).toEqual([]);
    expect(
      writeReport('html', { ...sampleReport(), transitions: [{ from: 'running', to: 'melted', count, standing }] }),
    ).toContain('<td>melted</td>');
  });

  test('draws no line over a third state, as far as runs go that were seen', () => {
    const usual = sampleReport().transitions;
    for (const { transition, from, control, to } of arrows(usual))
      for (const t of [0.2, 0.35, 0.5, 0.65, 0.8]) {
        const mix = (axis: 'x' | 'y') =>
          (1 - t) ** 2 * from[axis] + 2 * (1 - t) * t * control[axis] + t ** 2 * to[axis];
        const hit = [...states()].filter(
          ([name, box]) =>
            name !== transition.from &&
            name !== transition.to &&
            Math.abs(mix('x') - box.x) < box.width / 2 &&
            Math.abs(mix('y') - box.y) < box.height / 2,
        );
        expect(hit.map(([name]) => `${transition.from} to ${transition.to} crosses ${name}`)).toEqual([]);
      }
  });

  test('puts no number onto another', () => {
    const labels = arrows(sampleReport().transitions).map(({ label }) => label);
    for (const [index, a] of labels.entries())
      for (const b of labels.slice(index + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(14);
  });
});

test('leaves out sections that have nothing to say', () => {
  const bare = writeReport('html', {
    ...sampleReport(),
    callers: [],
    leftBehind: [],
    journeys: [],
    exchanges: [],
    gaps: [],
  });
  for (const id of ['callers', 'left-behind', 'timeline', 'gaps', 'changes'])
    expect(bare).not.toContain(`<section id="${id}"`);
});
