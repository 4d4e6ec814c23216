/** Windows as Node sees it: commands such as npm are scripts there, which only its shell runs. */

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};

beforeAll(() => {
  Object.defineProperty(process, 'platform', { value: 'win32', configurable: true });
  writeFileSync(at('npm.cmd'), '');
  // In the place of cmd.exe: says what it was given.
  writeFileSync(at('shell'), `#!/bin/sh\nprintf '%s\\n' "$CERTIFY_SCRIPT" "$@" > '${at('given')}'\n`);
  chmodSync(at('shell'), 0o755);
  vi.stubEnv('comspec', at('shell'));
  vi.stubEnv('PATHEXT', '.EXE;.CMD');
});
afterAll(() => {
  Object.defineProperty(process, 'platform', platform);
  vi.unstubAllEnvs();
});

const certify = async (...command: string[]) => {
  // What it starts commands with asks for the system when it is loaded.
  const { run } = await import('../../cli/program.js');
  let stderr = '';
  const exitCode = await run(['certify', '--script', 'profile', '--', ...command], {
    stdout: { write: () => true },
    stderr: { write: (text: string) => (stderr += text) },
    env: { Path: folder },
    interrupted: new AbortController().signal,
    exitCode: 0,
  });
  return { exitCode, stderr };
};

test('certify runs npm, which is npm.cmd there, by the shell, and the shell finds nothing in its arguments', async () => {
  expect(await certify('npm', 'run', 'a & b', '"%PATH%"')).toMatchObject({ exitCode: 3 });
  expect(readFileSync(at('given'), 'utf8').split('\n')).toEqual([
    'profile',
    '/d',
    '/s',
    '/c',
    '"npm ^"run^" ^"a^ ^&^ b^" ^"\\^"^%PATH^%\\^"^""',
    '',
  ]);
});
