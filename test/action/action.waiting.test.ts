import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Reference, startReference } from '../../reference/index.js';
import { putCommandInto } from '../support/command.js';
import { temporaryFolder } from '../support/folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  name: string;
  run?: string;
  shell?: string;
  env?: Record<string, string>;
}
interface Action {
  inputs: Record<string, { default: string }>;
  runs: { steps: Step[] };
}

let folder: string;
let reference: Reference;
beforeEach(async () => {
  folder = temporaryFolder();
  // What the step before installs is tried in test/package; here a build stands for it.
  await putCommandInto(folder);
  reference = await startReference();
});
afterEach(async () => {
  await reference.close();
});

/** Runs the step as a runner would: its script in its shell, with the expressions in its environment filled in. */
async function step(name: string, inputs: Record<string, string>, env: Record<string, string>) {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8')) as Action;
  const found = action.runs.steps.find((one) => one.name === name);
  const value = (input: string) => inputs[input] ?? action.inputs[input]?.default ?? '';
  const filled = Object.fromEntries(
    Object.entries(found?.env ?? {}).map(([key, text]) => [
      key,
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => value(input)),
    ]),
  );
  const file = (name: string) => join(folder, name);
  const child = spawn(found?.shell ?? '', ['-e', '-o', 'pipefail', '-c', found?.run ?? ''], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: root.replace(/\/$/, ''),
      GITHUB_OUTPUT: file('output'),
      GITHUB_STEP_SUMMARY: file('summary.md'),
      RUNNER_TEMP: folder,
      ...filled,
      WORKFLOW_CONTRACT: join(folder, 'workflow-contract'),
      ...env,
    },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const read = (name: string) => readFile(file(name), 'utf8').catch(() => '');
  const outputs = Object.fromEntries((await read('output')).split('\n').map((line) => line.split('=')));
  return { exitCode, log, outputs, summary: await read('summary.md') };
}

describe('the action', () => {
  test('checks its base URL and prints the verdict, then whether anything changed since the last run', async () => {
    // The next runs are told of nothing but the folder of state.
    const only = 'missing-key-is-401,invalid-key-is-401,metadata-is-recorded';
    const check = (deviations: { skip?: string }) =>
      step('Check', { 'base-url': reference.url, only, ...deviations }, { WORKFLOW_API_KEY: reference.keys.full });
    const run = await check({});
    expect({ exitCode: run.exitCode, verdict: run.outputs.verdict }, run.log).toEqual({
      exitCode: 0,
      verdict: 'conformant',
    });
    expect(run.summary).toContain('none violated');
    expect(run.outputs).toMatchObject({
      changed: '',
      summary: expect.stringMatching(/^Conformant so far: \d+ of \d+ rules judged, none violated/),
    });
    expect(run.log).toContain(`::notice title=Conformance::${run.outputs.summary}`);
    expect(run.log).not.toContain(reference.keys.full);
    for (const report of ['report.json', 'junit.xml', 'report.html', 'run.har'])
      expect((await readFile(join(run.outputs.reports ?? '', report), 'utf8')).length).toBeGreaterThan(100);
    const same = await check({});
    expect(same.outputs).toMatchObject({ changed: 'false', summary: expect.stringMatching(/: nothing changed\.$/) });
    const smaller = await check({ skip: 'missing-key-is-401' });
    expect(smaller.outputs).toMatchObject({ changed: 'false', summary: expect.stringMatching(/: nothing changed\.$/) });
  });

  test('checks the service of its target file, as far as the inputs allow', async () => {
    const { apiKeys, ...declared } = reference.fixtures;
    await writeFile(join(folder, 'target.yaml'), JSON.stringify(declared));
    const inputs = { target: 'target.yaml', allow: 'read', only: 'missing-key-is-401' };
    const run = await step('Check', inputs, { WORKFLOW_API_KEY: apiKeys.primary });
    expect(run.outputs.verdict, run.log).toBe('conformant');
    expect(run.log).toContain('allow read');
  });

  test('passes every input on as the option of the same name', async () => {
    await writeFile(join(folder, 'workflow-contract'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const values = {
      target: 'target.yaml',
      allow: 'write',
      baseline: 'b.yaml',
      strict: 'true',
      'require-all': 'true',
      'min-judged': '50%',
      only: 'sync-*,execute-*',
      skip: 'pool-*',
      seed: '7',
      'max-time': '90s',
      'max-executions': '12',
      places: '2',
      state: 'kept here',
      against: 'pins.json',
      pin: 'new pins.json',
      compare: 'one.json\ntwo 2.json\n',
    };
    const { log } = await step('Check', { 'base-url': '--strict', ...values }, {});
    const options = Object.entries(values).flatMap(([name, value]) =>
      value === 'true'
        ? [`--${name}`]
        : value
            .split('\n')
            .filter(Boolean)
            .map((one) => `--${name}=${one}`),
    );
    const given = log.split('\n');
    expect(given).toEqual(expect.arrayContaining(options));
    expect(given.slice(given.indexOf('--')).slice(0, 2)).toEqual(['--', '--strict']);
    const { inputs } = parse(await readFile(join(root, 'action.yml'), 'utf8')) as Action;
    // The three others are no options of the check.
    expect(Object.keys(inputs).sort()).toEqual([...Object.keys(values), 'artifact', 'base-url', 'package'].sort());
  });

  test('fails with the exit code of the check and adds annotations with the reason', async () => {
    const run = await step('Check', { 'base-url': reference.url }, { WORKFLOW_API_KEY: 'another-key' });
    expect({ exitCode: run.exitCode, verdict: run.outputs.verdict }, run.log).toEqual({
      exitCode: 4,
      verdict: 'unusable',
    });
    expect(run.log).toMatch(/^::error/m);
  });

  test.each([
    [{}, 'Neither base-url nor target is given'],
    [{ 'base-url': 'http://127.0.0.1:1', strict: 'yes' }, 'strict must be true or false.'],
  ])('does not fall back to a default when %j leaves the target open', async (inputs, message) => {
    const run = await step('Check', inputs, { WORKFLOW_API_KEY: 'a key' });
    expect(run).toMatchObject({ exitCode: 2, log: expect.stringMatching(/^::error::.*\n$/) });
    expect(run.log).toContain(message);
  });

  test('reports a wrong input and sets no verdict', async () => {
    const run = await step('Check', { target: 'no-such-file.yaml' }, { WORKFLOW_API_KEY: 'a key' });
    expect(run.exitCode).toBe(2);
    expect(run.log).toContain('no-such-file.yaml');
    expect(run.outputs.verdict).toBeUndefined();
  });
});
