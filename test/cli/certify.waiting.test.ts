import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { scripts } from '../../certify/scripts.js';
import { run } from '../../cli/program.js';
import { temporaryFolder } from '../support/folder.js';
import { cli } from './support.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const node = process.execPath;

beforeAll(async () => {
  const given = `const { BASE_URL, WORKFLOW_API_KEY: key, WORKFLOW_ID, PROFILE_ID, POOL_ID } = process.env;
const send = (method, path, body, headers = { 'X-Service-Agents-Api-Key': key }) =>
  fetch(BASE_URL + '/agents/v2' + path, {
    method,
    headers: body ? { ...headers, 'Content-Type': 'application/json' } : headers,
    ...(body && { body: JSON.stringify(body) }),
  });
`;
  const profile = (name: string) => `${given}
await send('PATCH', '/agent-profiles/' + PROFILE_ID, { name: ${name} });
await send('POST', '/agent-profiles/' + PROFILE_ID + '/duplicate', {});
await send('DELETE', '/agent-profile-pools/' + POOL_ID);
console.log('looked after with ' + key);
`;
  await writeFile(at('good.mjs'), profile(`'Mine'`));
  await writeFile(at('bad.mjs'), profile(`''`));
  await writeFile(at('idle.mjs'), 'process.exitCode = 5;');
  await writeFile(at('loud.mjs'), `for (let line = 0; line < 5000; line += 1) console.log('x'.repeat(1000));`);
  await writeFile(
    at('leaves.mjs'),
    `import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
const leave = (file, detached) => spawn(process.execPath, [file], { stdio: 'inherit', detached }).pid;
leave(${JSON.stringify(at('ticking.mjs'))}, false);
writeFileSync(${JSON.stringify(at('left'))}, String(leave(${JSON.stringify(at('endless.mjs'))}, true)));
while (!existsSync(${JSON.stringify(at('ticks'))})) await new Promise((resolve) => setTimeout(resolve, 10));
process.exit();`,
  );
  await writeFile(
    at('ticking.mjs'),
    `import { appendFileSync } from 'node:fs';
setInterval(() => appendFileSync(${JSON.stringify(at('ticks'))}, '.'), 20);`,
  );
  await writeFile(
    at('patient.mjs'),
    `${given}
const started = await send('POST', '/workflows/' + WORKFLOW_ID + '/execute', {}, { 'X-Api-Key': key });
console.log('started: ' + started.status);
setTimeout(() => {}, 3_600_000);`,
  );
  await writeFile(
    at('reading.mjs'),
    `${given}
const started = await send('POST', '/workflows/' + WORKFLOW_ID + '/execute', {}, { 'X-Api-Key': key });
const { executionId } = await started.json();
for (;;) await send('GET', '/executions/' + executionId);`,
  );
  await writeFile(at('endless.mjs'), 'setInterval(() => {}, 1000);');
});

const certify = (file: string, ...options: string[]) =>
  cli(['certify', '--script', 'profile', ...options, '--', node, at(file)]);

describe('certify', () => {
  test('lists the situations', async () => {
    const { exitCode, stdout } = await cli(['certify', '--list']);
    expect(exitCode).toBe(0);
    for (const { id, says, open } of scripts) for (const text of [id, says, open]) expect(stdout).toContain(text);
  });

  test.each([
    [undefined, '127.0.0.1'],
    ['a.example', 'a.example,127.0.0.1'],
    ['*', '*'],
  ])('keeps callers from using a proxy for this machine, where NO_PROXY is %s', async (before, after) => {
    await writeFile(at('shows.mjs'), 'console.log([process.env.NO_PROXY, process.env.no_proxy].join(" and "));');
    const env = { HTTP_PROXY: 'http://proxy.example.com:3128', ...(before !== undefined && { NO_PROXY: before }) };
    const { stderr: said } = await cli(['certify', '--script', 'profile', '--', node, at('shows.mjs')], env);
    expect(said).toContain(`${after} and ${after}\n`);
  });

  test("passes a caller that keeps the rules, and prints the caller's output", async () => {
    const { exitCode, stdout, stderr } = await certify('good.mjs');
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/✓ MUST {3}caller-stays-within-limits\n/),
    });
    expect(stderr).toContain('looked after');
    expect(stdout).not.toContain('reference-key');
  });

  test('ends with 1 when a rule is violated, and names the violation', async () => {
    const { exitCode, stdout } = await certify('bad.mjs', '--quiet', '--json', at('bad.json'));
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      'profile: updateProfile (request 1, PATCH /agents/v2/agent-profiles/b0000001-0000-4000-8000-000000000000): expected: a request of updateProfile that matches its schema; actual: /name is ""',
    );
    const { callers, scripts: told } = JSON.parse(await readFile(at('bad.json'), 'utf8'));
    expect(told).toEqual([{ id: 'profile', requests: 3 }]);
    expect(callers.filter((one: { verdict: string }) => one.verdict === 'violated')).toMatchObject([
      { id: 'caller-stays-within-limits', level: 'MUST' },
    ]);
  });

  test('ends with 3 when a caller exercises no rule, and reports how it ended', async () => {
    const { exitCode, stdout } = await certify('idle.mjs');
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(
      /no request of the command shows it\. A good caller: .*\. The command failed: it ended with exit code 5\./,
    );
  });

  test('does not wait for processes that a command leaves behind', async () => {
    const begun = performance.now();
    const { exitCode, stdout } = await certify('leaves.mjs', '--max-time', '60s');
    expect(exitCode).toBe(3);
    expect(stdout).not.toContain('it did not end within');
    expect(performance.now() - begun).toBeLessThan(30_000);
    const written = await readFile(at('ticks'), 'utf8');
    await delay(500);
    expect(await readFile(at('ticks'), 'utf8')).toBe(written);
    // In a group of its own it lives on.
    const apart = Number(await readFile(at('left'), 'utf8'));
    process.kill(apart, 'SIGKILL');
  });

  test('lets a command write any amount of output, even if it is not read', async () => {
    const { stdout } = await certify('loud.mjs', '--quiet', '--max-time', '30s');
    expect(stdout).not.toContain('it did not end within');
  });

  test('lets a command write as fast as its output is read, and keeps little of it', async () => {
    let [heard, most] = [0, 0];
    const stderr = new Writable({
      write(text: Buffer, _, next) {
        heard += text.length;
        most = Math.max(most, stderr.writableLength);
        setTimeout(next, 2);
      },
    });
    const told = { stdout: { write: () => true }, env: {}, interrupted: new AbortController().signal, exitCode: 0 };
    await run(['certify', '--script', 'profile', '--', node, at('loud.mjs')], { ...told, stderr });
    expect(heard).toBeGreaterThan(4_000_000);
    expect(most).toBeLessThan(300_000);
  });

  test('reports no violation for steps that a caller had not reached when it was stopped', async () => {
    const stop = new AbortController();
    const shown: string[] = [];
    const stopping = (text: string) => {
      if (text.includes('started: 202')) stop.abort();
      return true;
    };
    const context = { env: {}, interrupted: stop.signal, exitCode: 0, stderr: { write: stopping } };
    const told = { ...context, stdout: { write: (text: string) => shown.push(text) > 0 } };
    await run(['certify', '--script', 'asynchronous', '--', node, at('patient.mjs')], told);
    expect(shown.join('')).toMatch(
      /caller-follows-by-polling {2}inconclusive\n.*\n.*The caller was stopped before it ended/,
    );
    expect(shown.join('')).not.toContain('violated');
  });

  test('starts no command after it was stopped', async () => {
    const stop = new AbortController();
    const [shown, told]: [string[], string[]] = [[], []];
    const stderr = {
      write: (text: string) => {
        told.push(text);
        // The stage of the script is set next.
        queueMicrotask(() => stop.abort());
        return true;
      },
    };
    const stdout = { write: (text: string) => shown.push(text) > 0 };
    const context = { env: {}, interrupted: stop.signal, stdout, stderr, exitCode: 0 };
    const exitCode = await run(['certify', '--max-time', '20s', '--', node, at('patient.mjs')], context);
    expect(exitCode).toBe(3);
    expect(shown.join('')).toContain('it was stopped.');
    expect(told).toHaveLength(1);
  });

  test('ends a caller that keeps reading after the end of an execution, and counts that as a violation', async () => {
    const args = ['--quiet', '--script', 'fails', '--strict', '--', node, at('reading.mjs')];
    const { exitCode, stdout } = await cli(['certify', ...args]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('stopped in fails: it reads the execution again and again after its end.');
    expect(stdout).toMatch(
      /✗ SHOULD caller-polls-to-the-end {2}violated\n.*\n {4}fails: getExecution \(request \d+, GET /,
    );
  });

  test('ends a command that does not end by itself', async () => {
    const { exitCode, stdout } = await certify('endless.mjs', '--max-time', '700ms');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('it did not end within 0.7 seconds.');
  });

  test.each([
    [['certify'], /no command is named; it goes after --/],
    [['certify', '--script', 'profil', '--', 'x'], /unknown situation profil; did you mean profile\?/],
    [
      ['certify', '--script', 'x', '--', 'x'],
      /unknown situation x; npx workflow-execution-contract certify --list shows all\./,
    ],
    [['certify', '--script', ' , ', '--', 'x'], /--script.*It is empty\./],
    [
      ['certify', '--script', 'profile', '--', tmpdir()],
      /cannot be run: it is not a program, or you may not execute it\./,
    ],
    [
      ['certify', '--script', 'profile', '--', '/no/such/command'],
      /\/no\/such\/command cannot be run: there is no such command\./,
    ],
  ])('%j is an error', async (args, says) => {
    const { exitCode, stderr } = await cli(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(says);
  });
});
