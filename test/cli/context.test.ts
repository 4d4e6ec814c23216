import { expect, test } from 'vitest';
import { respectDumbTerminal } from '../../cli/context.js';
import { reading } from '../../conformance/engine/report/progress.js';

test.each([
  [{ TERM: 'dumb' }, false],
  [{ TERM: 'xterm' }, true],
  [{}, true],
])('on a terminal, with %j, what shows progress moves: %j', (env, moves) => {
  let [written, time] = ['', 0];
  const terminal = { isTTY: true, columns: 80, write: (text: string) => (written += text) };
  const view = reading(respectDumbTerminal(terminal, env), { now: () => (time += 6_000) });
  view.read(10_000);
  view.finish();
  expect(written).not.toBe('');
  expect(written.includes('\u001b')).toBe(moves);
});
