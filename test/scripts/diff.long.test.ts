import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { contractAt } from '../../scripts/diff/contract.js';
import { published } from '../../scripts/generate/bundle.js';
import { temporaryFolder } from '../support/folder.js';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
const generated = join(project, 'generated/openapi.json');

const folder = temporaryFolder();

describe('the contract of a git ref', () => {
  let repository: string;
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: repository });
  const at = (ref: string) => contractAt(ref, repository, join(folder, `scratch-${ref}`));

  beforeAll(async () => {
    repository = join(folder, 'repository');
    await mkdir(join(repository, 'generated'), { recursive: true });
    await git('init', '--quiet');
    const commit = async (tag: string) => {
      await git('add', '--all');
      await git('commit', '--quiet', '--allow-empty', '--message', tag);
      await git('tag', tag);
    };
    await commit('empty');
    await cp(generated, join(repository, 'generated/openapi.json'));
    await commit('bundled');
    await cp(join(project, 'openapi'), join(repository, 'openapi'), { recursive: true });
    await rm(join(repository, 'generated'), { recursive: true });
    await commit('sources');
    await rm(join(repository, 'openapi'), { recursive: true });
  });

  it.each(['sources', 'bundled'])('is found in its %s, whatever the working tree has', async (ref) => {
    expect(published((await at(ref)).document)).toEqual(JSON.parse(await readFile(generated, 'utf8')));
  });

  it('has its rules and statements where it has sources', async () => {
    expect((await at('sources')).register).toMatchObject({ rules: expect.any(Array), statements: expect.any(Array) });
    expect((await at('bundled')).register).toBeUndefined();
  });

  it('without a contract is an error', async () => {
    await expect(at('empty')).rejects.toThrow('empty has no contract');
  });

  it('that does not exist is an error that names it', async () => {
    await expect(at('nonesuch')).rejects.toThrow('nonesuch is neither a file nor a git ref');
    await expect(at('--all')).rejects.toThrow('--all is neither a file nor a git ref');
  });
});

describe('the contract of a branch', () => {
  const rename = (title: string) => async (repository: string) => {
    const document = JSON.parse(await readFile(generated, 'utf8'));
    document.info.title = title;
    await writeFile(join(repository, 'generated/openapi.json'), JSON.stringify(document));
  };
  const git = (repository: string, ...args: string[]) =>
    run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: repository });
  const titleAt = async (ref: string, repository: string) =>
    ((await contractAt(ref, repository, join(folder, 'scratch-branch'))).document.info as { title?: string }).title;

  let repository: string;
  let shallow: string;
  beforeAll(async () => {
    repository = join(folder, 'branches');
    shallow = join(folder, 'shallow');
    await mkdir(join(repository, 'generated'), { recursive: true });
    await git(repository, 'init', '--quiet', '--initial-branch', 'main');
    const commit = async (title: string) => {
      await rename(title)(repository);
      await git(repository, 'add', '--all');
      await git(repository, 'commit', '--quiet', '--message', title);
    };
    await commit('where they part');
    await git(repository, 'branch', 'mine');
    await commit('later on main');
    await git(repository, 'tag', 'released');
    await git(repository, 'checkout', '--quiet', 'mine');
    await commit('mine');
    await run('git', ['clone', '--quiet', '--depth=1', '--no-single-branch', `file://${repository}`, shallow]);
  });

  it.each([
    ['main', 'where they part'],
    ['main^0', 'later on main'],
    ['released', 'later on main'],
    ['mine', 'mine'],
    ['HEAD', 'mine'],
  ])('%s has the title of %j', async (ref, title) => {
    expect(await titleAt(ref, repository)).toBe(title);
  });

  it.each([
    ['main', /main is neither a file nor a git ref of this repository; origin\/main is one\.$/],
    [
      'origin/main',
      /^this clone is shallow, .*fetch-depth: 0.*git fetch --unshallow.*npm run diff -- origin\/main\^0\.$/,
    ],
    [
      'v1',
      /this is a shallow clone\. For a tag, depth 1 is enough: git fetch --depth=1 origin tag v1\. For a branch, .*fetch-depth: 0/,
    ],
  ])('%s, in a shallow clone, is an error that names what to fetch', async (ref, message) => {
    await expect(titleAt(ref, shallow)).rejects.toThrow(message);
  });

  it('is found in a shallow clone by the commands that the errors name', async () => {
    expect(await titleAt('origin/main^0', shallow)).toBe('later on main');
    await git(shallow, 'fetch', '--quiet', '--unshallow');
    expect(await titleAt('origin/main', shallow)).toBe('where they part');
  });
});

describe('npm run diff', () => {
  async function diff(...args: string[]) {
    const ended = await run(process.execPath, [join(project, 'scripts/run.js'), 'diff', ...args]).catch(
      (error) => error,
    );
    return { exit: (ended.code ?? 0) as number, stdout: ended.stdout as string, stderr: ended.stderr as string };
  }

  it('ends with 0 when nothing changed', async () => {
    expect(await diff(generated)).toEqual({
      exit: 0,
      stdout: `The contract is as it was at ${generated}.\n`,
      stderr: '',
    });
  });

  it('ends with 1 when a change is breaking, and names the place', async () => {
    const document = JSON.parse(await readFile(generated, 'utf8'));
    document.components.schemas.Execution.properties.mood = { type: 'string' };
    const file = join(folder, 'before.json');
    await writeFile(file, JSON.stringify(document));
    const text = await diff(file);
    expect(text.exit).toBe(1);
    expect(text.stdout).toContain('Breaking\n  schemas/Execution/properties/mood  (answers of getExecution)\n');
    expect(text.stdout).toContain('1 breaking, 0 not breaking');

    const json = await diff(file, '--json');
    const pointer = '#/components/schemas/Execution/properties/mood';
    const says = '`mood` is no longer a field.';
    const change = { breaking: true, asksMore: false, pointer, says, uses: ['answers of getExecution'], gone: 'mood' };
    expect({ ...json, stdout: JSON.parse(json.stdout) }).toEqual({
      exit: 1,
      stdout: { since: file, breaking: true, changes: [change], consequences: expect.any(Array) },
      stderr: '',
    });
  });

  it('lists mentions of a removed field, and the changes that require more of services', async () => {
    const document = JSON.parse(await readFile(generated, 'utf8'));
    const { properties } = document.components.schemas.ExecuteSyncRequest.allOf[1];
    document.components.schemas.Comment.required = ['id'];
    properties.waitSeconds = properties.timeoutSeconds;
    delete properties.timeoutSeconds;
    const file = join(folder, 'renamed.json');
    await writeFile(file, JSON.stringify(document));
    const { stdout } = await diff(file);
    expect(stdout).toContain(
      '`waitSeconds` is no longer a field; `timeoutSeconds` takes the same values, under another name.',
    );
    expect(stdout).toContain('`userId` is required now. Services have to do more than before.');
  });

  it.each([[[]], [['one', 'two']], [['--loud', 'HEAD']], [['nonesuch']]])(
    'ends with 2 and one line with the reason for %j',
    async (args) => {
      const { exit, stdout, stderr } = await diff(...args);
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
      expect(stderr).toMatch(/^diff: .*\n(?:usage: .*\n)?$/);
    },
  );
});
