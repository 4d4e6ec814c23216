import { expect, test } from 'vitest';
import { respectDumbTerminal } from '../../cli/context.js';
import { progress } from '../../conformance/engine/report/progress.js';

test.each([
  [{ TERM: 'dumb' }, false],
  [{ TERM: 'xterm' }, true],
  [{}, true],
])('on a terminal, with %j, the progress line moves: %j', (env, moves) => {
  let written = '';
  const terminal = { isTTY: true, columns: 80, write: (text: string) => (written += text) };
  const view = progress(respectDumbTerminal(terminal, env), {
    every: (_, tick) => {
      tick();
      return () => {};
    },
  });
  view.started('starts');
  view.ended('starts', 'skipped');
  view.finish();
  expect(written).not.toBe('');
  expect(written.includes('\u001b')).toBe(moves);
});
