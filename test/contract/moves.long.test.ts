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
  readonly proves?: readonly string[];
  /** An operation that is new. */
  readonly tries?: string;
}

const moves: readonly Move[] = [
  { name: 'optional-field', files: 1 },
  { name: 'required-field', files: 4 },
  { name: 'problem-details', files: 4, proves: ['default', 'simple-errors-*'], tries: 'updateProfile' },
  { name: 'execution-sync', files: 4, proves: ['default', 'sync-ignores*'], tries: 'waitForExecution' },
  {
    name: 'second-paths',
    files: 6,
    proves: ['default', 'pools-stay', 'updates-are-not-stored'],
    tries: 'updateProfile',
  },
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
    ...['from=openapi', 'to=generated', 'root='].map((one) => `--${one.replace('=', `=${copy}/`)}`),
  );

describe.each(moves)('the move $name', ({ name, files, proves = [], tries }) => {
  const copy = temporaryFolder();
  const patch = join(repository, `test/contract/moves/${name}.patch`);
  const run = (command: string, ...args: string[]) =>
    promisify(execFile)(command, args, { cwd: copy, env: { ...process.env, NO_COLOR: '1' } });

  beforeAll(async () => {
    copySources(copy);
    await run('git', 'apply', '-C1', '--recount', patch);
    expect(await generated(copy)).toMatchObject({ code: 0 });
  });

  test(`changes ${files} files by hand`, () => {
    expect(readFileSync(patch, 'utf8').match(/^diff /gm)).toHaveLength(files);
  });

  test('passes the linter', async () => {
    expect(await runScript('lint-openapi', join(copy, 'openapi'))).toMatchObject({ code: 0, stderr: '' });
  });

  test('compiles as a whole', async () => {
    const compiled = await run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.').catch((error) => error);
    expect(compiled.stdout).toBe('');
  });

  test.runIf(proves.length > 0)('gets the declared verdicts', async () => {
    const { stdout } = await run(process.execPath, '--import', 'tsx', 'proof/main.ts', ...proves);
    expect(stdout).toContain('as declared');
  });

  test.runIf(tries)('keeps the tests of code that follows from the contract unchanged', async () => {
    const folders = ['client', 'conformance/suite', 'contract', 'mock', 'reference', 'scripts'].map(
      (one) => `test/${one}/`,
    );
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'tests', ...folders];
    const { stdout } = await run(process.execPath, ...vitest).catch((error) => error);
    expect(stdout).not.toMatch(/^.*FAIL.*$/m);
    expect(stdout).toMatch(/Tests .*passed/);
  });

  test.runIf(tries)('leaves no part of the request and answer of the operation untried', async () => {
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'tests', 'test/conformance/tried.test.ts'];
    const { stdout } = await run(process.execPath, ...vitest, '-t', `${tries}: `);
    expect(stdout).toContain('1 passed');
  });
});

test('the linter and the compiler report the stubs of a new operation at each place to fill in', async () => {
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
  expect(await runScript('lint-openapi', join(copy, 'openapi'))).toMatchObject({
    code: 1,
    stderr: 'paths/cancel.yaml has words of a stub: "To be written."\n',
  });
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

test('a removed operation is reported where its own code names it, and not where it is an example', async () => {
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
    'test/conformance/ends.long.test.ts',
    'test/conformance/hooks.test.ts',
    'test/conformance/lost.test.ts',
    'test/contract/operations.test.ts',
    'test/runtimes/cases.ts',
  ]);
});
