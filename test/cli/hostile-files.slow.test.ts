import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openOutputs } from '../../cli/outputs.js';
import { cli } from './support.js';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const pipe = join(folder, 'pipe');
execFileSync('mkfifo', [pipe]);

const target = 'baseUrl: http://127.0.0.1:9\n';

describe('a file that is no target file is refused in words, soon', () => {
  test.each([
    ['a device without an end', '/dev/zero', /is longer than 1 MB/],
    ['a pipe that nobody writes into', pipe, /is a pipe that nobody writes into/],
    ['a million lines', file('lines.yaml', '# line\n'.repeat(1_000_000)), /is longer than 1 MB/],
    ['aliases of themselves', file('alias.yaml', 'baseUrl: &a [*a]\n'), /./],
    ['a map that holds itself', file('cycle.yaml', `${target}headers: &a {x: *a}\n`), /./],
    [
      'aliases that multiply',
      file(
        'laughs.yaml',
        `a: &a [x,x]\n${'bcdefghijk'
          .split('')
          .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[at]}`)}]`)
          .join('\n')}\n`,
      ),
      /./,
    ],
    [
      '20,000 unknown names',
      file('names.yaml', `${target}${Array.from({ length: 20_000 }, (_, at) => `workflws${at}: 1`).join('\n')}\n`),
      /more mistakes/,
    ],
    ['lists 100,000 deep', file('deep.yaml', `${target}headers: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`), /./],
  ])('%s', async (_, name, message) => {
    const { exitCode, stderr } = await cli(['check', '--target', name]);
    expect({ exitCode, stderr: stderr.slice(0, 300) }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(message),
    });
    expect(stderr.length).toBeLessThan(20_000);
  });
});

describe('a recording with odd lines ends in words', () => {
  const entry = (more: object, request: object = {}) =>
    JSON.stringify({
      log: {
        version: '1.2',
        entries: [
          {
            startedDateTime: '2026-01-01T00:00:00Z',
            time: 1,
            request: {
              method: 'GET',
              url: 'http://a.test/agents/v2/executions/00000000-0000-4000-8000-000000000001',
              headers: [],
              ...request,
            },
            response: { status: 200, headers: [], content: { text: '{}' } },
            ...more,
          },
        ],
      },
    });
  test.each([
    ['a time that is no date', entry({ startedDateTime: 1e300 })],
    ['a duration that no clock counts', entry({ time: 1e308 })],
    [
      'an answer 200,000 levels deep',
      entry({ response: { status: 200, headers: [], content: { text: '['.repeat(200_000) } } }),
    ],
    ['a line 200,000 levels deep', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}\n`],
    [
      'half of a surrogate pair',
      entry({ response: { status: 200, headers: [], content: { text: '{"status":"\\ud800"}' } } }),
    ],
  ])('%s', async (_, text) => {
    const har = join(folder, 'out.har');
    const json = join(folder, 'out.json');
    const { exitCode, stderr } = await cli([
      'check',
      '--recording',
      file('recording.har', text),
      '--report',
      `har=${har}`,
      '--report',
      `json=${json}`,
    ]);
    expect(exitCode, stderr).not.toBe(70);
    // Other tools take no half of a pair.
    if (exitCode !== 2)
      for (const out of [har, json]) expect(readFileSync(out, 'utf8')).not.toMatch(/(?<!\\)\\u[dD][89a-fA-F]/);
  });
});

test('a base URL that looks like an option is none', async () => {
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

  test('is moved over the old one when it is whole, with the rights and through the link of the old one', async () => {
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

  test('for which there is no room is told, and no bug of the tool', async () => {
    await expect(write('/dev/full', 'x'.repeat(100_000))).rejects.toThrow(
      '/dev/full cannot be written: no space is left.',
    );
  });
});
