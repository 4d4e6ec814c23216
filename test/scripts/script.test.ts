import { parseArgs } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { Misuse, script } from '../../scripts/script.js';

const usage = 'npm run tidy -- [--all]';
const [node = '', file = ''] = process.argv;
const before = process.exitCode;

async function called(args: readonly string[], main: () => Promise<number> | Promise<void>, removed = {}) {
  const said: string[] = [];
  for (const to of ['log', 'error'] as const) vi.spyOn(console, to).mockImplementation((text) => said.push(text));
  vi.spyOn(process, 'argv', 'get').mockReturnValue([node, file, ...args]);
  await script('tidy', usage, main, removed);
  const code = process.exitCode;
  process.exitCode = before;
  return { code, said: said.join('\n') };
}
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = before;
});

const main = async () => {
  const { values } = parseArgs({ options: { all: { type: 'boolean' } } });
  return values.all ? 1 : 0;
};

test('the exit code is the result of the script', async () => {
  expect(await called([], main)).toEqual({ code: 0, said: '' });
  expect(await called(['--all'], main)).toEqual({ code: 1, said: '' });
});

test('--help prints the usage and does nothing else', async () => {
  const work = vi.fn(main);
  expect(await called(['--all', '--help'], work)).toEqual({ code: before, said: `usage: ${usage}` });
  expect(work).not.toHaveBeenCalled();
});

test.each([
  ['an unknown option', ['--al'], main, `tidy: Unknown option '--al'.\nusage: ${usage}`],
  [
    'a missing part',
    [],
    () => Promise.reject(new Misuse('it takes one file')),
    `tidy: it takes one file.\nusage: ${usage}`,
  ],
  ['any other error', [], () => Promise.reject(new Error('the disk is full')), 'tidy: the disk is full'],
])('%s is reported without a stack trace', async (_, args, work, said) => {
  expect(await called(args, work)).toEqual({ code: 2, said });
});

test('a removed option ends with one line that names its replacement', async () => {
  const removed = { '--most': 'use --all.' };
  expect(await called(['--most=1'], main, removed)).toEqual({ code: 2, said: 'tidy: --most was removed; use --all.' });
});
