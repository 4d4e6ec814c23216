import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Report } from '../../conformance/engine/vocabulary/report.js';
import { installed } from './installed.js';
import { type Ended, run, type Served, serve } from './process.js';

const { consumer, workshop } = await installed();
const command = 'workflow-contract';
const contract = (...args: string[]): Promise<Ended> => run(consumer, command, args);
const served: Served[] = [];

afterEach(async () => {
  for (const one of served.splice(0)) expect(await one.stop()).toBe(0);
});

async function start(cwd: string, ...args: string[]): Promise<Served> {
  const one = await serve(cwd, command, args);
  served.push(one);
  return one;
}

test('the help lists the commands that these tests run', async () => {
  const { stdout, code } = await contract('--help');
  expect(code).toBe(0);
  const [, list = ''] = /Commands:\n(.*?)\n\n/s.exec(stdout) ?? [];
  const commands = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
  expect(commands).toEqual([
    'check',
    'merge',
    'baseline',
    'proxy',
    'certify',
    'serve',
    'mock',
    'rules',
    'init',
    'help',
  ]);
});

test('the version is that of the package, and npx finds the command', async () => {
  const { version } = JSON.parse(
    await readFile(join(consumer, 'node_modules/workflow-execution-contract/package.json'), 'utf8'),
  );
  expect(await contract('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const byNpx = await run(consumer, 'npx', ['workflow-contract', '--version']);
  expect(byNpx).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test('check judges the reference service and writes every report; merge and baseline read them', async () => {
  const formats = ['json', 'junit', 'markdown', 'html', 'har'];
  const reports = formats.flatMap((format) => ['--report', `${format}=report.${format}`]);
  const { code, stdout, stderr } = await contract('check', '--quiet', '--strict', ...reports);
  expect(stderr).toBe('');
  expect(stdout).toContain('No target is named: this checks the reference service');
  expect(stdout).toMatch(
    /^Conformant so far: \d+ of \d+ rules judged, none violated, \d of 9 states not exercised\.$/m,
  );
  expect(code).toBe(0);
  for (const format of formats)
    expect(await readFile(join(consumer, `report.${format}`), 'utf8'), format).not.toContain('reference-key');
  const report = JSON.parse(await readFile(join(consumer, 'report.json'), 'utf8')) as Report;
  expect(report.summary).toMatchObject({ violated: 0, warned: 0, inconclusive: 0 });

  const recorded = await contract('check', '--recording', 'report.har', '--report', 'json=recorded.json');
  expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining('Conformant') });
  const merged = await contract('merge', 'recorded.json');
  expect(merged).toMatchObject({ code: 0, stdout: expect.stringContaining('Conformant') });

  const [first] = report.rules;
  const violation = {
    signature: 'a:1',
    expected: 'a',
    actual: 'b',
    operation: null,
    count: 1,
    exchanges: [],
    others: [],
  };
  const broken = { ...report, rules: [{ ...first, verdict: 'violated', violations: [violation] }] };
  await writeFile(join(consumer, 'broken.json'), JSON.stringify(broken));
  const baseline = await contract('baseline', 'broken.json');
  expect(baseline).toMatchObject({ code: 0, stdout: expect.stringContaining(`rule: ${first?.id}`) });
});

test('init writes a target file, and a plan of it sends no requests', async () => {
  expect(await contract('init')).toMatchObject({ code: 0, stderr: '' });
  const plan = await run(consumer, command, ['check', '--target', 'target.yaml', '--plan'], {
    WORKFLOW_API_KEY: 'any',
  });
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('preflight') });
});

test('rules lists the register', async () => {
  const { code, stdout } = await contract('rules', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).rules).toContainEqual(expect.objectContaining({ id: 'head-excludes-version' }));
});

test('serve starts a service that the client runs a workflow on, and that check reads', async () => {
  const { url } = await start(consumer, 'serve', '--port', '0', '--write-target', 'served.yaml');
  const script = `
    import { createWorkflowClient } from 'workflow-execution-contract';
    import { responseValidator } from 'workflow-execution-contract/validators';
    import { readTarget } from 'workflow-execution-contract/conformance';
    const { facts, keys } = readTarget('served.yaml', {});
    const client = createWorkflowClient({ baseUrl: facts.baseUrl, apiKey: keys.primary, validate: responseValidator });
    const { status } = await client.run(facts.workflows.completes);
    console.log(status);`;
  const called = await run(consumer, process.execPath, ['--input-type=module', '--eval', script]);
  expect(called).toEqual({ code: 0, stdout: 'completed\n', stderr: '' });
  const checked = await run(consumer, command, ['check', url, '--quiet'], { WORKFLOW_API_KEY: 'reference-key-full' });
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('rules judged, none violated') });
});

test('mock names the command that installs Prism', async () => {
  expect(await contract('mock', '--port', '0')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'workflow-contract: Prism is not installed: npm install --save-dev @stoplight/prism-cli@5.14.2\n',
  });
});

test('mock answers when Prism is installed', async () => {
  const { url } = await start(workshop, 'mock', '--port', '0');
  const response = await fetch(`${url}/agents/v2/executions/9b2f8a54-1c7e-4d3a-b6f0-7e5d2c9a4813`, {
    headers: { 'X-Service-Agents-Api-Key': 'any' },
  });
  expect(await response.json()).toMatchObject({ status: expect.any(String) });
});
