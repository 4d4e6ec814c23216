import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../support/folder.js';
import { entry, lines } from '../support/recordings.js';
import { type Ended, run, serve } from './process.js';

const folder = temporaryFolder();
let file: string;
beforeAll(async () => {
  const script = fileURLToPath(new URL('../../scripts/executable.ts', import.meta.url));
  await promisify(execFile)(process.execPath, ['--import', 'tsx', script, '--output', folder]);
  file = join(folder, 'workflow-contract');
});

/** Nothing of Node is on the path. */
const alone = { PATH: '', NO_COLOR: '1' };
const contract = (...args: string[]): Promise<Ended> => run(folder, file, args, alone);

test('is the command, for users without Node', async () => {
  expect(await contract('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  expect((await contract('rules', 'sync-*')).stdout).toContain('sync-200-means-terminal');
  expect(await contract('check', '--target', 'nonesuch.yaml')).toMatchObject({
    code: 2,
    stderr: 'workflow-contract: nonesuch.yaml does not exist.\n',
  });
});

test('judges the reference service that it serves itself, and writes reports', async () => {
  const served = await serve(folder, file, ['serve', '--port', '0', '--write-target', 'target.yaml'], alone);
  const ended = await contract('check', '--target', 'target.yaml', '--quiet', '--report', 'report.html,report.json');
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toMatch(/^Conformant: \d+ rules passed/m);
  expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')).target.baseUrl).toBe(served.url);
  expect((await stat(join(folder, 'report.html'))).size).toBeGreaterThan(100_000);
  expect(await served.stop()).toBe(0);
});

test('judges recordings', async () => {
  const recording = join(folder, 'recording.ndjson');
  await writeFile(recording, lines(entry(), entry()));
  expect(await contract('check', '--recording', recording)).toMatchObject({ code: 0, stderr: '' });
});

test('says of the mock that it needs Node', async () => {
  expect(await contract('mock')).toMatchObject({ code: 2, stderr: expect.stringContaining('the mock needs Node') });
});

test('comes with the licenses of what is in it', async () => {
  expect(await readFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toContain('commander');
});
