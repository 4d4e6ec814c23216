import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, linkSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openOutputs } from '../../cli/outputs.js';
import { temporaryFolder } from '../support/folder.js';
import { cli } from './support.js';

const folder = temporaryFolder();
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const target = 'baseUrl: http://127.0.0.1:9\n';
const entries = '- {rule: none, verdict: inconclusive, reason: none}\n'.repeat(5_000);
const names = Array.from({ length: 20_000 }, (_, at) => `n${at.toString(36)}:`).join('\n');
const laughs = Array.from({ length: 9 }, (_, n) => `a${n}: &a${n} [${Array(9).fill(n === 0 ? 'x' : `*a${n - 1}`)}]`);

test.each([
  ['--target', 'a device without an end', '/dev/zero', /is longer than 128 kB/],
  ['--target', 'a million lines', file('lines.yaml', '# line\n'.repeat(1_000_000)), /is longer than 128 kB/],
  ['--target', 'a map that contains itself', file('cycle.yaml', `${target}headers: &a {x: *a}\n`), /alias/],
  ['--target', 'aliases that multiply', file('laughs.yaml', laughs.join('\n')), /alias/],
  ['--target', '20,000 unknown names', file('names.yaml', `${target}${names}\n`), /more mistakes/],
  [
    '--target',
    '20,000 variables that are not closed',
    file('begun.yaml', `${target}headers: "${'${A'.repeat(20_000)}"\n`),
    /headers must be a map/,
  ],
  [
    '--target',
    'lists 60,000 deep',
    file('deep.yaml', `${target}headers: ${'['.repeat(60_000)}${']'.repeat(60_000)}\n`),
    /it is nested too deep/,
  ],
  ['--baseline', 'a device without an end', '/dev/zero', /is longer than 1 MB/],
  [
    '--baseline',
    '5,000 unknown rules',
    file('many.yaml', entries),
    /21 mistakes:\n.*more mistakes\.\n.*none: there is no such rule/,
  ],
  ['--against', 'a device without an end', '/dev/zero', /is longer than 1 MB/],
  ['--recording', 'a device without an end', '/dev/zero', /the line is larger than 256 million characters/],
])('%s with %s is refused in words, within a short time', async (option, _, name, message) => {
  const { exitCode, stderr } = await cli(['check', option, name]);
  expect({ exitCode, stderr: stderr.slice(0, 4_000) }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(message),
  });
  expect(stderr.length).toBeLessThan(20_000);
});

test('a recording is read from a pipe, even if the writer starts late', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', `(sleep 1; cat ${file('one.ndjson', 'not JSON\n')}) > ${pipe}`]);
  const { exitCode, stderr } = await cli(['check', '--recording', pipe]);
  writer.kill();
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('it is not JSON') });
});

test('a base URL that looks like an option is refused', async () => {
  expect(await cli(['check', '--', '--help'])).toMatchObject({ exitCode: 2, stdout: '' });
});

describe('a report', () => {
  const write = async (name: string, text: string) => {
    const [output] = await openOutputs([name], process.stdout);
    try {
      await output?.write(text);
    } finally {
      await output?.close();
    }
  };

  test('replaces the old one when it is complete, with the permissions and through the link of the old one', async () => {
    const old = file('report.json', 'old');
    chmodSync(old, 0o640);
    const link = join(folder, 'latest.json');
    symlinkSync(old, link);
    const witness = join(folder, 'witness.json');
    linkSync(old, witness);
    await write(link, 'new');
    expect(readFileSync(old, 'utf8')).toBe('new');
    expect(statSync(old).mode & 0o777).toBe(0o640);
    expect(readFileSync(witness, 'utf8')).toBe('old');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('that does not fit on the disk is reported as that, not as a bug in the tool', async () => {
    await expect(write('/dev/full', 'x'.repeat(100_000))).rejects.toThrow(
      '/dev/full cannot be written: no space is left.',
    );
  });
});
