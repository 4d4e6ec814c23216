import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { repository, runScript } from '../scripts/contract-copy.js';
import { temporaryFolder } from '../support/folder.js';

/** A change of the contract, with all that has to be changed by hand for it. docs/contract-moves.md tells of them. */
interface Move {
  readonly name: string;
  readonly files: number;
  /** Another one, which was made before. */
  readonly after?: string;
  readonly proves?: readonly string[];
  /** An operation that is new. */
  readonly tries?: string;
}

const moves: readonly Move[] = [
  { name: 'optional-field', files: 1 },
  { name: 'required-field', files: 4 },
  {
    name: 'operation',
    files: 9,
    proves: ['default', 'cancel-names-the-execution-is-broken', 'cancel-of-nothing-is-400'],
    tries: 'cancel',
  },
  {
    name: 'second-operation',
    files: 8,
    after: 'operation',
    proves: ['default', 'paused-executions-go-on', 'pause-of-nothing-is-400'],
    tries: 'pause',
  },
  {
    name: 'operation-with-body',
    files: 7,
    after: 'operation',
    proves: ['default', 'cancel-takes-any-body', 'addComment-takes-any-body', 'cancel-*exists', 'addComment-*exists'],
  },
  {
    name: 'rerun',
    files: 5,
    proves: ['default', 'rerun-of-nothing-is-400', 'rerun-takes-any-body', 'rerun-needs-*', 'rerun-takes-any-key*'],
    tries: 'rerun',
  },
  {
    name: 'two-ids',
    files: 6,
    proves: ['default', '*PoolProfile-*exists', '*PoolProfile-of-nothing-is-400', 'getProfile-*exists'],
    tries: 'getPoolProfile',
  },
  { name: 'deletion', files: 3, proves: ['default', 'deleteExecution-of-nothing-is-400'], tries: 'deleteExecution' },
  {
    name: 'list',
    files: 11,
    proves: ['default', 'lists-ignore-the-proxy-type'],
    tries: 'listProfiles',
  },
  { name: 'pages', files: 4, proves: ['default', 'files-*'], tries: 'listExecutionFiles' },
  { name: 'header', files: 13, proves: ['default', 'same-key-same-execution-is-broken'], tries: 'execute' },
  {
    name: 'long-poll',
    files: 11,
    proves: ['default', 'long-poll-waits-is-broken', 'long-polls-are-late'],
    tries: 'getExecution',
  },
  {
    name: 'one-key-header',
    files: 7,
    proves: ['default', 'keys-count-in-*', 'listings-take-the-key-of-readings'],
    tries: 'getExecution',
  },
  {
    name: 'names',
    files: 15,
    proves: ['default', 'metadata-are-any-value', 'metadata-of-numbers-*', 'deprecated-groups-*', 'queue-is-rejected'],
    tries: 'execute',
  },
  { name: 'limits', files: 6, proves: ['default', 'sync-*', 'waits-pass-alone'] },
  { name: 'gap-201', files: 5, proves: ['default'] },
  { name: 'gap-204', files: 6, proves: ['default', 'pool-deletion-says-ok'] },
  {
    name: 'status-renamed',
    files: 12,
    proves: ['default', 'brief-stops', 'pauses-by-the-agent-are-called-paused', 'runs-told-to-be-agent_paused-*'],
    tries: 'getExecution',
  },
  { name: 'settings-leave', files: 11, proves: ['default', 'updates-drop-extensionIds'] },
];

/** Copies all that somebody edits. */
function copySources(copy: string): void {
  for (const name of readdirSync(repository))
    if (!['node_modules', '.git'].includes(name)) cpSync(join(repository, name), join(copy, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
}

const generated = (copy: string) =>
  runScript(
    'generate',
    ...['from=openapi', 'to=generated', 'docs=docs', 'root='].map((one) => `--${one.replace('=', `=${copy}/`)}`),
  );

describe.each(moves)('the move $name', ({ name, files, after, proves = [], tries }) => {
  const copy = temporaryFolder();
  const patchOf = (move: string) => join(repository, `test/contract/moves/${move}.patch`);
  const run = (command: string, ...args: string[]) =>
    promisify(execFile)(command, args, { cwd: copy, env: { ...process.env, NO_COLOR: '1' } });

  beforeAll(async () => {
    copySources(copy);
    for (const move of after === undefined ? [name] : [after, name])
      await run('git', 'apply', '-C1', '--recount', patchOf(move));
    expect(await generated(copy)).toMatchObject({ code: 0 });
  });

  test(`takes ${files} files by hand`, () => {
    expect(readFileSync(patchOf(name), 'utf8').match(/^diff /gm)).toHaveLength(files);
  });

  test('passes the linter', async () => {
    expect(await runScript('lint-openapi', join(copy, 'openapi'))).toMatchObject({ code: 0, stderr: '' });
  });

  test('compiles, all that there is', async () => {
    const compiled = await run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.').catch((error) => error);
    expect(compiled.stdout).toBe('');
  });

  test.runIf(proves.length > 0)('is judged rightly', async () => {
    const { stdout } = await run(process.execPath, '--import', 'tsx', 'proof/main.ts', ...proves);
    expect(stdout).toContain('as declared');
  });

  test.runIf(tries)('leaves no test to be written anew, but the register of rules', async () => {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.unit.config.ts', '-u'];
    const { stdout } = await run(process.execPath, ...vitest).catch((error) => error);
    expect(stdout).not.toMatch(/^.*FAIL.*$/m);
    expect(stdout).toMatch(/Tests .*passed/);
  });

  test.runIf(tries)('leaves nothing untried of what the operation may be asked and may answer', async () => {
    const vitest = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'tests',
      'test/conformance/tried.slow.test.ts',
    ];
    const { stdout } = await run(process.execPath, ...vitest, '-t', `${tries}: `);
    expect(stdout).toContain('1 passed');
  });
});

test('a new operation of which nothing is written yet does not compile, at each place where something has to be', async () => {
  const copy = temporaryFolder();
  copySources(copy);
  const { code, stdout } = await runScript(
    'new-operation',
    'cancel',
    '--like',
    'getExecution',
    '--method',
    'POST',
    '--effect',
    'ends',
    '--in',
    copy,
  );
  expect(code).toBe(0);
  expect(await generated(copy)).toMatchObject({ code: 0 });
  expect(await runScript('lint-openapi', join(copy, 'openapi'))).toMatchObject({ code: 0, stderr: '' });
  const tsc = promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: copy });
  const errors = String((await tsc.catch((error) => error)).stdout);
  const file = 'reference/handlers/executions.ts';
  expect(stdout).toContain(`${file}: `);
  expect(errors).toMatch(new RegExp(`^${file}.*Cannot find name 'toBeWritten'`, 'm'));
});

/** Takes an operation out of the contract, with the rules, gaps and statements that are about nothing else. */
function takeOut(copy: string, operation: string): void {
  const at = (file: string) => join(copy, 'openapi', file);
  const read = (file: string) => readFileSync(at(file), 'utf8');
  const edit = (file: string, change: (text: string) => string) => writeFileSync(at(file), change(read(file)));
  const path = readdirSync(at('paths'))
    .map((name) => `paths/${name}`)
    .find((file) => read(file).includes(`operationId: ${operation}\n`));
  const gaps = [...read(`${path}`).matchAll(/x-gap: ([\w-]+)/g)].map(([, gap]) => gap);
  rmSync(at(`${path}`));
  edit('openapi.yaml', (text) => text.replace(new RegExp(`^ {2}/.*\n {4}\\$ref: ${path}\n`, 'm'), ''));
  edit('rules.yaml', (text) =>
    text
      .replaceAll(new RegExp(`^.*(?: on: \\[${operation}\\]|id: (?:${gaps.join('|')})),.*\n`, 'gm'), '')
      .replaceAll(new RegExp(`, ${operation}\\b`, 'g'), ''),
  );
  const kept = read('rules.yaml');
  edit('statements.yaml', (text) =>
    text
      .replaceAll(new RegExp(`(, )?"?${path}[^,\\]]*`, 'g'), '')
      .replaceAll(', contract: []', '')
      .replaceAll(/^ {2}- \{id: ([\w-]+),.* by: rule,.*\n/gm, (line, id) =>
        new RegExp(`\\b${id}\\b`).test(kept) ? line : '',
      ),
  );
}

test('an operation that leaves is named by what is about it, and by nothing that takes it for an example', async () => {
  const copy = temporaryFolder();
  copySources(copy);
  takeOut(copy, 'deletePool');
  expect(await generated(copy)).toMatchObject({ code: 0, stderr: '' });
  const tsc = promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: copy });
  const errors = String((await tsc.catch((error) => error)).stdout);
  const files = [...new Set([...errors.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))];
  expect(files).toContain('conformance/suite/pools/rules.ts');
  const mayName =
    /^(?:conformance\/suite|deviations|reference|proof\/callers|test\/(?:conformance\/suite|reference|independent))\//;
  expect(files.filter((file) => !mayName.test(file))).toEqual([
    'test/client/reference.test.ts',
    'test/conformance/ends.long.test.ts',
    'test/conformance/hooks.slow.test.ts',
    'test/conformance/lost.slow.test.ts',
    'test/contract/operations.test.ts',
    'test/runtimes/cases.ts',
  ]);
});
