import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { disturbances, faults, keys } from '../../deviations/index.js';
import { cli } from '../cli/support.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts the command, and gives what it printed once it listens. */
const serve = (...args: string[]) => start('serve', ...args);

async function start(command: 'serve' | 'mock', ...args: string[]) {
  const child = spawn(process.execPath, [inject('command'), command, '--port', '0', ...args]);
  children.push(child);
  let printed = '';
  let errors = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const exit = once(child, 'close');
  await expect.poll(() => printed, { timeout: 20_000 }).toContain('Ctrl-C');
  return { child, printed: () => printed, url: /http:\S+/.exec(printed)?.[0] ?? '', exit, errors: () => errors };
}

/** What the printed command is answered. A machine without curl, or a shell, sends what it says without them. */
async function answerTo(command: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl -s')]).catch((error) => {
    if (error.code !== 'ENOENT' && error.code !== 127) throw error;
    return sent(command);
  });
  return JSON.parse(stdout);
}

async function sent(command: string): Promise<{ stdout: string }> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const after = (option: string) => words.filter((_, index) => words[index - 1] === option);
  const headers = after('-H').map((header) => header.split(': ') as [string, string]);
  const response = await fetch(words.at(-1) ?? '', { method: 'POST', headers, body: after('-d').join('&') });
  return { stdout: await response.text() };
}

describe('serve', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints a command that works, and ends without error on %s',
    async (signal) => {
      const file = join(folder, `${signal}.yaml`);
      const { child, printed, url, exit, errors } = await serve('--write-target', file);
      const command = /^ {2}(curl .*)$/m.exec(printed())?.[1] ?? '';
      expect(await answerTo(command)).toMatchObject({ status: 'completed', executionResult: { outcome: 'success' } });

      const target = parse(await readFile(file, 'utf8'));
      expect(target).toMatchObject({ baseUrl: url, stateful: true, allow: 'delete', apiKeys: { primary: keys.full } });
      for (const id of Object.values(target.workflows)) expect(printed()).toContain(id);
      await expect
        .poll(printed)
        .toContain(`${file} is written: npx workflow-execution-contract check --target ${file}\n`);

      const waiting = fetch(`${url}/agents/v2/workflows/${target.workflows.slow}/execute/sync`, {
        method: 'POST',
        headers: { 'X-Api-Key': keys.full, 'Content-Type': 'application/json' },
        body: '{}',
      });
      await fetch(url);
      child.kill(signal);
      expect(await (await waiting).json()).toMatchObject({ status: expect.stringMatching(/^(starting|running)$/) });
      expect([(await exit)[0], errors()]).toEqual([0, '']);
    },
  );

  it('has the choices, faults and disturbances of its options', async () => {
    const fault = faults.find(({ breaks }) => breaks.every((rule) => rule.includes('pool')));
    const choices = 'strict,service-agents-key=own';
    const told = ['--speed', '2', '--write-target', join(folder, 'fast.yaml')];
    told.push('--disturbance', 'rate-limited');
    const { url, printed } = await serve('--choices', choices, '--fault', fault?.id ?? '', '--latency', '1', ...told);
    await expect.poll(printed).toContain('fast.yaml is written; for a check, start the service without --speed.\n');
    expect(printed()).toContain(`Fault ${fault?.id}: it breaks ${fault?.breaks.join(', ')}.`);
    const duplicate = `${url}/agents/v2/agent-profiles/b0000001-0000-4000-8000-000000000000/duplicate`;
    const headers = { 'X-Service-Agents-Api-Key': keys.full };
    expect(printed()).toContain(`Disturbance rate-limited: ${disturbances['rate-limited'].says}`);
    const limited = await fetch(duplicate, { method: 'POST', headers });
    expect([limited.status, limited.headers.get('Retry-After')]).toEqual([429, '1']);
    expect((await fetch(duplicate, { method: 'POST', headers })).status).toBe(401);
  });

  it.each([
    [['--host', '203.0.113.1'], '203.0.113.1 is no address of this machine; --host takes one, or 0.0.0.0 for all.'],
    [['--choices', 'strct'], 'the set of choices strct is unknown; did you mean strict?'],
    [['--choices', 'empty-update=take'], 'empty-update: the value take is unknown; did you mean taken?'],
    [['--fault', `${faults[0]?.id}s`], `the fault ${faults[0]?.id}s is unknown; did you mean ${faults[0]?.id}?`],
    [['--disturbance', 'start-503'], 'the disturbance start-503 is unknown; did you mean start-504?'],
    [['--port', '70000'], /^option '--port <number>'.* 0 to 65535\.$/],
    [['--latency', '-1'], /^option '--latency <ms>'.* milliseconds from 0 to a day\.$/],
    [['--force'], '--force needs --write-target FILE.'],
    [['--speed', '0'], /^option '--speed <factor>'.* a number above 0\.$/],
    [
      ['--port', '0', '--write-target', '/nonesuch/x.yaml'],
      '/nonesuch/x.yaml cannot be written: its folder does not exist.',
    ],
  ])('refuses %j in one line', async (args, line) => {
    const { exitCode, stdout, stderr } = await cli(['serve', ...args]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.split('\n')).toEqual([expect.any(String), '']);
    expect(stderr.replace(/^workflow-contract: (.*)\n$/, '$1')).toEqual(
      typeof line === 'string' ? line : expect.stringMatching(line),
    );
  });

  it('overwrites a target file of its own and an empty one, but another one only with --force', async () => {
    const file = join(folder, 'mine.yaml');
    const write = (...force: string[]) =>
      cli(['serve', '--port', '0', '--write-target', file, ...force], {}, AbortSignal.abort());
    await writeFile(file, 'baseUrl: mine\n');
    expect(await write()).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `workflow-contract: ${file} exists; --force overwrites it.\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('baseUrl: mine\n');
    for (const force of [['--force'], []]) {
      const { exitCode, stdout } = await write(...force);
      expect(exitCode).toBe(0);
      expect(await readFile(file, 'utf8')).toContain(/http:\S+/.exec(stdout)?.[0]);
    }
    await writeFile(file, '');
    expect(await write()).toMatchObject({ exitCode: 0 });
  });

  it.each(['serve', 'mock'] as const)(
    '%s answers other machines with --host 0.0.0.0, and no others by default',
    async (command) => {
      const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all);
      const other = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';
      const [open, closed] = await Promise.all([start(command, '--host', '0.0.0.0'), start(command)]);
      const from = ({ url }: typeof open) => fetch(`http://${other}:${new URL(url).port}/agents/v2/executions/1`);
      expect(new URL(open.url).hostname).toBe('127.0.0.1');
      expect((await from(open)).status).toBe(401);
      await expect(from(closed)).rejects.toThrow();
    },
  );
});
