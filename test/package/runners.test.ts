import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { installed } from './installed.js';
import { run } from './process.js';
import { readPages } from './snippets.js';

// Too large to be installed with the project, and asked for by this test alone.
const jest = 'jest@30.5.2';

const { consumer } = await installed();
const pages = await readPages(fileURLToPath(new URL('../..', import.meta.url)));
const guide = pages.find(({ name }) => name === 'testing')?.snippets ?? [];

/** A folder in which the package is installed, with the test that the guide shows for a runner. */
async function projectFor(runner: string, file: string): Promise<string> {
  const text = guide.find(({ place }) => place.includes(`, With ${runner}, `))?.text;
  if (!text) throw new Error(`The guide shows nothing for ${runner}.`);
  const folder = join(consumer, '..', runner.replace(':', '-'));
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await writeFile(join(folder, file), text);
  return folder;
}

const link = (folder: string) => symlink(join(consumer, 'node_modules'), join(folder, 'node_modules'));

describe('the guide to testing', () => {
  test('has a test that Jest passes, in CommonJS', async () => {
    const folder = await projectFor('Jest', 'invoices.test.js');
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
    const { tarball } = await installed();
    const made = await run(folder, 'npm', ['install', jest, tarball, ...options]);
    expect(made.code, made.stderr).toBe(0);
    const { code, stderr } = await run(folder, process.execPath, ['node_modules/jest/bin/jest.js', '--ci']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('1 passed');
  });

  test('has a test that node:test passes', async () => {
    const folder = await projectFor('node:test', 'invoices.test.mjs');
    await link(folder);
    const { code, stdout } = await run(folder, process.execPath, ['--test', '--test-reporter=tap']);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^# pass 1$/m);
  });
});
