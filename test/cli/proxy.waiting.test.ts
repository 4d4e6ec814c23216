import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../cli/program.js';
import type { Report } from '../../conformance/engine/vocabulary/report.js';
import { type Reference, startReference } from '../../deviations/index.js';
import { temporaryFolder } from '../support/folder.js';
import { listen } from '../support/serve.js';
import { cli } from './support.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** Runs the proxy before a service while something calls it. */
async function proxied(
  reference: Reference,
  args: readonly string[],
  work: (url: string, told: () => string) => Promise<unknown>,
  env: NodeJS.ProcessEnv = {},
) {
  const stop = new AbortController();
  let [stdout, stderr] = ['', ''];
  const ended = run(['proxy', '--upstream', reference.url, '--listen', '0', ...args], {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    env,
    interrupted: stop.signal,
    exitCode: 0,
  });
  await expect.poll(() => /listens on (\S+)/.exec(stdout)?.[1], { timeout: 60_000 }).toBeDefined();
  await work(/listens on (\S+)/.exec(stdout)?.[1] ?? '', () => stderr);
  stop.abort();
  const exitCode = await ended;
  return { exitCode, stdout, stderr };
}

const read = async (url: string, reference: Reference, id = reference.fixtures.execution) =>
  (
    await fetch(`${url}/agents/v2/executions/${id}`, { headers: { 'X-Service-Agents-Api-Key': reference.keys.full } })
  ).text();

const reportOf = async (name: string) => JSON.parse(await readFile(at(name), 'utf8')) as Report;
const verdicts = ({ verdict, rules, callers }: Report) => [
  verdict,
  ...[...rules, ...callers].map((rule) => [rule.id, rule.verdict, rule.observations]),
];

describe('proxy', () => {
  test.each([
    ['http://127.0.0.1:4561', '4561'],
    ['http://localhost:4561/gateway', '127.0.0.1:4561'],
    ['http://127.0.0.1:4561', '0.0.0.0:4561'],
    ['http://[::1]:4561', '[::]:4561'],
    ['http://127.0.0.1', '80'],
  ])('refuses to pass requests on to itself: --upstream %s --listen %s', async (upstream, listen) => {
    expect(await cli(['proxy', '--upstream', upstream, '--listen', listen], {}, AbortSignal.abort())).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `workflow-contract: --upstream ${upstream} is where the proxy itself listens; it would pass each request to itself.\n`,
    });
  });

  test('judges the exchanges that pass, and its recording gets the same verdicts', async () => {
    const reference = await startReference();
    try {
      const args = ['--record', at('a.ndjson'), '--report', `json=${at('a.json')}`];
      const { exitCode, stdout, stderr } = await proxied(reference, args, async (url) => {
        for (let turn = 0; turn < 5; turn += 1) await read(url, reference);
        await fetch(`${url}/elsewhere`);
      });
      expect({ exitCode, stdout }).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^Conformant so far: /m),
      });
      const recorded = await readFile(at('a.ndjson'), 'utf8');
      for (const text of [recorded, stdout, stderr]) expect(text).not.toContain(reference.keys.full);
      const again = await cli(['check', '--recording', at('a.ndjson'), '--report', `json=${at('b.json')}`]);
      expect(again.exitCode).toBe(0);
      const [live, later] = [await reportOf('a.json'), await reportOf('b.json')];
      expect(live).toMatchObject({ requests: 5, foreign: 1 });
      expect(verdicts(later)).toEqual(verdicts(live));
    } finally {
      await reference.close();
    }
  });

  test('prints a violation as it passes, and ends with 1', async () => {
    const reference = await startReference({ faults: ['code-of-404-is-its-own'] });
    try {
      const { exitCode, stderr } = await proxied(reference, [], async (url, told) => {
        await read(url, reference, '5d0c4c0e-6a35-4f0b-8a43-3c1b9f7e2d18');
        // Told before the end, so that it can be looked into.
        await expect.poll(() => told(), { timeout: 60_000 }).toContain('✗ MUST simple-error-code (getExecution)');
      });
      expect(exitCode).toBe(1);
      expect(stderr.match(/simple-error-code/g)).toHaveLength(1);
    } finally {
      await reference.close();
    }
  });

  test('reports that it uses no proxy, when it cannot reach the service', async () => {
    const reference = await startReference();
    await reference.close();
    const env = { HTTP_PROXY: 'http://me:secret@proxy.example.com:3128' };
    const { exitCode, stderr } = await proxied(reference, [], (url) => read(url, reference), env);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/Nothing listens at .* HTTP_PROXY is not used here: the proxy calls the service itself\./);
    expect(stderr).not.toContain('secret');
  });

  test.skipIf(!existsSync('/dev/full'))(
    'keeps judging when the recording can no longer be written, and ends with 2',
    async () => {
      const reference = await startReference();
      try {
        const { exitCode, stdout, stderr } = await proxied(reference, ['--record', '/dev/full'], (url) =>
          read(url, reference),
        );
        expect(exitCode).toBe(2);
        expect(stdout).toContain('Conformant');
        expect(stderr).toContain('/dev/full cannot be written: no space is left. The record ends here');
      } finally {
        await reference.close();
      }
    },
  );

  test.each([
    [['--upstream', 'http://127.0.0.1:1', '--record', '-'], /--record is a file/],
    [[], /--upstream is missing: npx workflow-execution-contract proxy --upstream https/],
    [['--upstrem', 'http://127.0.0.1:1'], /unknown option '--upstrem' \(Did you mean --upstream\?\)/],
    [['--upstream', 'staging.example.com'], /--upstream must begin with http/],
    [['--upstream', 'https://me:secret@staging.example.com'], /--upstream must hold no user name/],
    [['--upstream', 'https://staging.example.com/agents/v2'], /--upstream must end before \/agents\/v2/],
    [['--upstream', 'http://127.0.0.1:1', '--listen', 'nowhere'], /It must be a port, or a host and a port/],
    [['--upstream', 'http://127.0.0.1:1', '--listen', '0', '--only', ''], /the argument after --only is empty/],
    [['--upstream', 'http://127.0.0.1:1', '--listen', '0', '--skip', ' , '], /--skip.*It is empty\./],
    [
      ['--upstream', 'http://127.0.0.1:1', '--listen', '0', '--record', '/no/such/folder/x'],
      /its folder does not exist/,
    ],
  ])('%j is an error', async (args, says) => {
    const { exitCode, stderr } = await cli(['proxy', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('secret@');
  });

  test('names the port that is in use', async () => {
    const server = createServer();
    const { port } = new URL(await listen(server));
    const { exitCode, stderr } = await cli(['proxy', '--upstream', 'http://127.0.0.1:1', '--listen', port]);
    server.close();
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`127.0.0.1:${port} is in use`);
  });
});
