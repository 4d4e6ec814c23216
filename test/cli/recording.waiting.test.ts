import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../conformance/engine/vocabulary/report.js';
import { ids } from '../support/evidence.js';
import { temporaryFolder } from '../support/folder.js';
import { entry, harOf, lines, running, start } from '../support/recordings.js';
import { cli } from './support.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

const other = `https://api.example.com/agents/v2/executions/${ids.workflow}`;

beforeAll(async () => {
  const completed = {
    ...running,
    status: 'completed',
    inputs: { a: 1 },
    duration: 1,
    terminalAt: '2026-03-02T12:00:01.000Z',
  };
  await Promise.all([
    writeFile(at('good.har'), harOf(entry(start), entry({ body: { ...running, inputs: { a: 1 } } }))),
    writeFile(at('more.ndjson.gz'), gzipSync(lines(entry({ body: completed, at: '2026-03-02T12:00:02.000Z' })))),
    writeFile(at('bad.har'), harOf(entry({ url: other, status: 404, body: { code: 1, message: 'Not found' } }))),
    writeFile(at('cut.har'), harOf(entry(), entry()).slice(0, -9)),
    writeFile(at('target.yaml'), `baseUrl: https://\${HOST}\napiKeys:\n  primary: \${STAGING_KEY}\n`),
    writeFile(
      at('baseline.yaml'),
      '- {rule: simple-error-code, operation: getExecution, signature: code 404, reason: known}\n',
    ),
  ]);
});

/** Each kind of input, as an output too. */
test.each([
  ['a recording', 'good.har', ['--report', 'har=good.har']],
  ['a recording, by a link', 'good.har', ['--report', 'json=link.har']],
  ['the target file', 'target.yaml', ['--target', 'target.yaml', '--report', 'json=target.yaml']],
  ['the baseline', 'baseline.yaml', ['--baseline', 'baseline.yaml', '--pin', 'baseline.yaml']],
])('%s is not overwritten', async (_, input, options) => {
  await symlink(at('good.har'), at('link.har')).catch(() => undefined);
  const before = await readFile(at(input), 'utf8');
  const args = options.map((one) => (one.startsWith('--') ? one : one.replace(/[^=]+$/, at)));
  const { exitCode, stderr } = await cli(['check', '--recording', at('good.har'), ...args], {
    HOST: 'a.example',
    STAGING_KEY: 'k',
  });
  expect(stderr).toContain('is also an input or record of this command; a report would overwrite it.');
  expect(exitCode).toBe(2);
  expect(await readFile(at(input), 'utf8')).toBe(before);
});

const reportOf = async (name: string) => JSON.parse(await readFile(at(name), 'utf8')) as Report;

describe('check --recording', () => {
  test('judges the exchanges in the files, sends no requests, and needs no key', async () => {
    const files = [at('good.har'), at('more.ndjson.gz')];
    const { exitCode, stdout, stderr } = await cli([
      'check',
      '--recording',
      ...files,
      '--report',
      `json=${at('good.json')}`,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Conformant so far: \d+ of \d+ rules judged, none violated\.$/m);
    expect(await reportOf('good.json')).toMatchObject({
      verdict: 'conformant',
      target: { baseUrl: 'https://api.example.com', allow: 'read', stateful: true },
      startedAt: '2026-03-02T12:00:00.000Z',
      durationMs: 2020,
      requests: 3,
      executionsStarted: 1,
      foreign: 0,
      recording: { baseUrls: ['https://api.example.com'], unrecorded: 0 },
      scenarios: [],
      leftBehind: [],
    });
  });

  test('ends with 1 when a rule is violated, and prints how to repeat it', async () => {
    const { exitCode, stdout } = await cli(['check', '--recording', at('bad.har')]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('MUST simple-error-code');
    expect(stdout).toMatch(/curl .*"x-service-agents-api-key: \$WORKFLOW_API_KEY"/);
    expect(stdout).not.toContain('a-secret-key');
    // Nobody knows what it was sent for.
    expect(stdout).toMatch(/404, 20 ms$/m);
  });

  test('reports the exchanges that were read before it was stopped', async () => {
    const stopped = AbortSignal.abort();
    const { exitCode, stdout } = await cli(['check', '--recording', at('good.har')], {}, stopped);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('The run was stopped before its end');
  });

  test('ends with 3 when no rule was judged', async () => {
    const { exitCode, stdout } = await cli(['check', 'https://elsewhere.example.com', '--recording', at('good.har')]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/2 requests of other APIs or\s+base\s+URLs/);
  });

  test('takes the target from a target file, and needs none of its keys', async () => {
    const { exitCode, stderr } = await cli(['check', '--target', at('target.yaml'), '--recording', at('good.har')], {
      HOST: 'api.example.com',
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test('accepts the same options for baselines and required rules as a run', async () => {
    const args = ['check', '--recording', at('bad.har'), '--baseline', at('baseline.yaml')];
    expect((await cli(args)).exitCode).toBe(0);
    expect((await cli([...args, '--require-all'])).exitCode).toBe(3);
    expect((await cli(['check', '--recording', at('bad.har'), '--skip', 'simple-*'])).exitCode).toBe(0);
  });

  test.each([
    [
      ['--recording', 'cut.har'],
      'cut.har is not JSON to its end, or lacks a list of entries (complete entries: 1 or more).',
    ],
    [['--recording', 'good.har', '--plan'], "option '--recording <files...>' cannot be used with option '--plan'"],
    [
      ['--recording', 'good.har', '--allow', 'read'],
      "option '--recording <files...>' cannot be used with option '--allow <effect>'",
    ],
  ])('%j is an error', async (args, message) => {
    const named = args.map((arg) => (arg.endsWith('.har') ? at(arg) : arg));
    const { exitCode, stdout, stderr } = await cli(['check', ...named]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

test('a variable of the target file that is not set is an error, unless it is a key', async () => {
  const recording = ['check', '--recording', at('good.har'), '--target', at('target.yaml')];
  expect(await cli(recording)).toMatchObject({
    exitCode: 2,
    stderr: `workflow-contract: ${at('target.yaml')}:1:1: the environment variable HOST is not set.\n`,
  });
  expect(await cli(recording, { HOST: 'api.example.com' })).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a base URL after --recording is refused: the error names its place and does not repeat it', async () => {
  const { exitCode, stderr } = await cli(['check', '--recording', at('good.har'), 'https://me:secret@api.example.com']);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'workflow-contract: a base URL goes before --recording: everything after it is read as a recording.\n',
  });
});

test.each(['check --recording', 'merge'])('%s refuses a file that is named twice', async (command) => {
  const { exitCode, stderr } = await cli([...command.split(' '), at('good.har'), join(at('.'), 'good.har')]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: `workflow-contract: ${at('good.har')} is named twice; its requests would count twice.\n`,
  });
});

describe('merge', () => {
  beforeAll(async () => {
    for (const name of ['good', 'bad'])
      await cli(['check', '--recording', at(`${name}.har`), '--report', `json=${at(`${name}.json`)}`]);
  });

  test('adds up the reports of parts, in any order, and concludes anew', async () => {
    const merged = ['good.json', 'bad.json'].map(at);
    const { exitCode, stdout } = await cli(['merge', ...merged, '--report', `json=${at('merged.json')}`]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('3 requests judged');
    await cli(['merge', ...merged.reverse(), '--report', `json=${at('reversed.json')}`]);
    expect(await reportOf('merged.json')).toEqual(await reportOf('reversed.json'));
    expect(await reportOf('merged.json')).toMatchObject({ verdict: 'nonconformant', requests: 3 });
  });

  test('applies a baseline and --require-all to the whole', async () => {
    const merge = ['merge', at('good.json'), at('bad.json')];
    expect((await cli([...merge, '--baseline', at('baseline.yaml')])).exitCode).toBe(0);
    expect((await cli(['merge', at('good.json'), '--require-all'])).exitCode).toBe(3);
  });

  test('needs a report', async () => {
    expect(await cli(['merge'])).toMatchObject({
      exitCode: 2,
      stderr: 'workflow-contract: <reports> is missing; --help shows what the command takes.\n',
    });
  });
});
