/** Windows as Node sees it: commands such as npm are scripts there, which only its shell runs. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandSays } from '../support/command.js';
import { temporaryFolder } from '../support/folder.js';

test('certify runs npm, which is npm.cmd on Windows, by the shell, and the shell interprets none of its arguments', async () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('windows.mjs'), "Object.defineProperty(process, 'platform', { value: 'win32' });");
  writeFileSync(at('npm.cmd'), '');
  // In place of cmd.exe: writes its arguments to a file.
  const shell = `#!/bin/sh\nprintf '%s\\n' "$CERTIFY_SCRIPT" "$@" > '${at('given')}'\n`;
  writeFileSync(at('shell'), shell, { mode: 0o755 });
  await commandSays(['certify', '--script', 'profile', '--', 'npm', 'run', 'a & b', '"%PATH%"'], {
    NODE_OPTIONS: `--import=${at('windows.mjs')}`,
    Path: folder,
    PATHEXT: '.EXE;.CMD',
    comspec: at('shell'),
  });
  expect(readFileSync(at('given'), 'utf8').split('\n')).toEqual([
    'profile',
    '/d',
    '/s',
    '/c',
    '"npm ^"run^" ^"a^ ^&^ b^" ^"\\^"^%PATH^%\\^"^""',
    '',
  ]);
});
