import { describe, expect, test } from 'vitest';
import { progress } from '../../../../conformance/engine/report/progress.js';

function setup(isTTY: boolean, quiet = false, columns = 60) {
  let time = 0;
  let ticking = true;
  let tick = () => {};
  let text = '';
  const view = progress(
    { isTTY, columns, write: (more: string) => (text += more) },
    {
      quiet,
      now: () => time,
      every: (_, call) => {
        tick = call;
        return () => {
          ticking = false;
        };
      },
    },
  );
  return {
    view,
    text: () => text,
    ticking: () => ticking,
    pass(ms: number) {
      time += ms;
      if (ticking) tick();
    },
  };
}

const esc = '\u001b';
const language = new RegExp(`${esc}\\[\\??\\d*[A-Za-z]|\\n|[^${esc}\\n]+`, 'g');

/** What a terminal shows after these writes: only what the live view uses of its language. */
function screen(written: string): string[] {
  const rows = [''];
  let row = 0;
  for (const [part] of written.matchAll(language)) {
    const up = part.startsWith(esc) && /(\d+)F$/.exec(part);
    if (up) row -= Number(up[1]);
    else if (part === `${esc}[0J`) rows.splice(row, rows.length, '');
    else if (part === '\n') {
      row += 1;
      rows[row] ??= '';
    } else if (!part.startsWith(esc)) rows[row] += part;
  }
  return rows;
}

describe('progress on a terminal', () => {
  test('prints which scenarios run and wait, and nothing twice', () => {
    const { view, pass, text } = setup(true);
    view.started('start');
    view.started('capacity');
    view.step('start', 'waits for completed, now running');
    pass(18_400);
    view.ended('capacity', 'done');
    pass(1_000);
    expect(screen(text())).toEqual(['  start       19 s  waits for completed, now running', '  1 scenario over', '']);
  });

  test('cuts no line if the width of the terminal is unknown', () => {
    const { view, pass, text } = setup(true, false, 0);
    view.started('start');
    pass(400);
    expect(screen(text())).toEqual(['  start        0 s  ', '']);
  });

  test('keeps notes and failed scenarios above', () => {
    const { view, pass, text } = setup(true);
    view.started('start');
    pass(100);
    view.note('429: pausing for 2 s');
    view.ended('start', 'failed');
    view.finish();
    expect(screen(text())).toEqual(['429: pausing for 2 s', '  start: failed', '']);
  });

  test('never fills a line, so that none wraps, and counts scenarios that do not fit', () => {
    const { view, pass, text } = setup(true);
    for (let n = 1; n <= 11; n += 1) view.started(`scenario-${n}`);
    view.step('scenario-1', 'x'.repeat(200));
    pass(1000);
    const rows = screen(text());
    expect(Math.max(...rows.map(({ length }) => length))).toBe(59);
    expect(rows).toHaveLength(10);
    expect(rows[8]).toBe('  and 3 more');
  });

  test('leaves the terminal as it was: no text, the cursor visible, no timer', () => {
    const { view, pass, text, ticking } = setup(true);
    view.started('start');
    pass(1000);
    view.finish();
    view.finish();
    expect(screen(text())).toEqual(['']);
    expect(text().endsWith('\u001b[?25h')).toBe(true);
    expect(ticking()).toBe(false);
  });

  test('makes the cursor visible again within each write', () => {
    const writes: string[] = [];
    const view = progress({ isTTY: true, write: (more: string) => writes.push(more) }, { every: () => () => {} });
    view.started('start');
    view.note('one');
    view.finish();
    expect(writes.filter((write) => !write.startsWith(`${esc}[?25l`) || !write.endsWith(`${esc}[?25h`))).toEqual([]);
    expect(writes).toHaveLength(2);
  });

  test('prints control characters of a target as text', () => {
    const { view, pass, text } = setup(true);
    view.started('start');
    view.step('start', 'now \u001b[2Jgone\nand');
    pass(100);
    expect(screen(text())[0]).toContain('now \\u001b[2Jgone\\nand');
  });
});

describe('progress without a terminal', () => {
  test('prints plain lines, and a wait once in a while', () => {
    const { view, pass, text } = setup(false);
    view.started('start');
    view.started('capacity');
    view.started('run-pauses');
    view.ended('run-pauses', 'done');
    view.step('start', 'rich');
    pass(6_000);
    view.step('start', 'waits for completed, now running');
    pass(10);
    view.step('start', 'waits for completed, now paused');
    pass(6_000);
    view.step('start', 'waits for completed, now running');
    view.note('pausing');
    view.ended('start', 'done');
    view.ended('capacity', 'skipped');
    view.finish();
    expect(text()).toBe(
      [
        '[  6.0 s] start: waits for completed, now running',
        '[ 12.0 s] pausing',
        '[ 12.0 s] start: done after 12.0 s',
        '[ 12.0 s] capacity: skipped after 12.0 s',
        '',
      ].join('\n'),
    );
  });
});

test('prints a long wait each minute, and in a long run less often than at first', () => {
  const { view, pass, text } = setup(false);
  view.started('capacity');
  for (let seconds = 0; seconds < 200; seconds += 1) {
    pass(1_000);
    view.step('capacity', 'waits for its end, now running');
  }
  for (const now of ['paused', 'running', 'paused', 'running']) {
    pass(6_000);
    view.step('capacity', `waits for its end, now ${now}`);
  }
  expect(text().match(/[\d.]+ s] .*/g)).toEqual([
    '5.0 s] capacity: waits for its end, now running',
    '5 s] capacity: waits for its end, now running',
    '5 s] capacity: waits for its end, now running',
    '5 s] capacity: waits for its end, now running',
    '26 s] capacity: waits for its end, now paused',
    '44 s] capacity: waits for its end, now running',
  ]);
});

test('prints nothing with --quiet', () => {
  const { view, text } = setup(true, true);
  view.started('start');
  view.note('pausing');
  view.ended('start', 'failed');
  view.finish();
  expect(text()).toBe('');
});
