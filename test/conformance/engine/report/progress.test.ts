import { describe, expect, test } from 'vitest';
import { progress, reading } from '../../../../conformance/engine/report/progress.js';

function setup(quiet = false) {
  let time = 0;
  let text = '';
  const view = progress({ write: (more: string) => (text += more) }, { quiet, now: () => time });
  return {
    view,
    text: () => text,
    pass(ms: number) {
      time += ms;
    },
  };
}

describe('of a run', () => {
  test('is plain lines, and a wait is told once in a while', () => {
    const { view, pass, text } = setup();
    view.started('start');
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
        '[   0 ms] start: started',
        '[  6.0 s] start: waits for completed, now running',
        '[ 12.0 s] pausing',
        '[ 12.0 s] start: done after 12.0 s',
        '[ 12.0 s] capacity: skipped',
        '',
      ].join('\n'),
    );
  });

  test('shows what text from a target would do, and does not do it', () => {
    const { view, pass, text } = setup();
    view.started('start');
    pass(6_000);
    view.step('start', 'now \u001b[2Jgone\nand');
    expect(text()).toContain('now \\u001b[2Jgone\\nand');
  });
});

test('quiet is quiet', () => {
  const { view, text } = setup(true);
  view.started('start');
  view.note('pausing');
  view.ended('start', 'failed');
  view.finish();
  expect(text()).toBe('');
});

describe('of reading', () => {
  const told = (isTTY: boolean, quiet = false) => {
    let time = 0;
    let text = '';
    const view = reading({ isTTY, write: (more: string) => (text += more) }, { quiet, now: () => time });
    for (const count of [10_000, 20_000, 30_000]) {
      time += 3_000;
      view.read(count);
    }
    view.finish();
    return text;
  };

  test('a terminal shows one line, which is gone in the end', () => {
    expect(told(true)).toBe(`\r10,000 exchanges read\r20,000 exchanges read\r30,000 exchanges read\r\u001b[K`);
  });

  test('elsewhere there is a line now and then', () => {
    expect(told(false)).toBe('[  6.0 s] 20,000 exchanges read\n');
  });

  test('nothing is shown where quiet', () => {
    expect(told(true, true) + told(false, true)).toBe('');
  });
});
