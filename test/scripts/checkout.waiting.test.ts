/** What git for Windows makes of the repository: there `core.autocrlf` is true unless somebody said otherwise. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.js';
import { repository } from './contract-copy.js';

const files = [
  '.gitattributes',
  'generated/rules.ts',
  'openapi/openapi.yaml',
  'docs/callers.md',
  'docs/images/report-light.png',
];

test('a check-out on Windows has the same bytes', () => {
  const [origin, checkout] = [temporaryFolder(), join(temporaryFolder(), 'checkout')];
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: origin });
  for (const file of files) {
    mkdirSync(dirname(join(origin, file)), { recursive: true });
    copyFileSync(join(repository, file), join(origin, file));
  }
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All');
  git('clone', '--quiet', '--config', 'core.autocrlf=true', '.', checkout);
  const differ = files.filter(
    (file) => !readFileSync(join(checkout, file)).equals(readFileSync(join(repository, file))),
  );
  expect(differ).toEqual([]);
});
