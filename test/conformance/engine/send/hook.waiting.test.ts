import { expect, test } from 'vitest';
import { shellHook } from '../../../../conformance/engine/send/hook.js';

test.each([
  ['its output', 'echo "$EXECUTION_ID at $BASE_URL"', { printed: 'an id at http://127.0.0.1:1' }],
  ['its failure, with its last output', 'echo one >&2; echo two >&2; exit 3', { failed: 'it ended with 3: two' }],
  ['its failure, without output', 'exit 3', { failed: 'it ended with 3' }],
])('a command of the operator returns %s', async (_, command, want) => {
  const variables = { BASE_URL: 'http://127.0.0.1:1', EXECUTION_ID: 'an id' };
  expect(await shellHook(command, variables)).toEqual(want);
});

test('an id is never run as a command, whatever its characters', async () => {
  const id = '"; echo broken out; $(echo broken out) `echo broken out`';
  expect(await shellHook('printf %s "$EXECUTION_ID"', { EXECUTION_ID: id })).toEqual({ printed: id });
});

test('a command that hangs is ended, with the processes that it started', async () => {
  const { failed } = (await shellHook('sleep 60 & sleep 60', {}, 300)) as { failed: string };
  expect(failed).toBe('it took longer than 0.3 s');
});
