import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractAt } from '../../scripts/diff/contract.js';
import { published } from '../../scripts/generate/bundle.js';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
const generated = join(project, 'generated/openapi.json');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

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

  it.each(['sources', 'bundled'])('is found in its %s, whatever the working tree holds', async (ref) => {
    expect(published(await at(ref))).toEqual(JSON.parse(await readFile(generated, 'utf8')));
  });

  it('that has none is an error that says so', async () => {
    await expect(at('empty')).rejects.toThrow('empty has no contract');
  });

  it('that does not exist is an error that names it', async () => {
    await expect(at('nonesuch')).rejects.toThrow('nonesuch is neither a file nor a git ref');
    await expect(at('--all')).rejects.toThrow('--all is neither a file nor a git ref');
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

  it('ends with 0 when the same is said in another way', async () => {
    const text = (await readFile(generated, 'utf8'))
      .replaceAll(/"enum": \[\s*(\d+)\s*\]/g, '"const": $1')
      .replaceAll(/\{\s*"not": \{\}\s*\}/g, 'false');
    expect(text).toContain('"const": 401');
    expect(text).toContain('"head": false');
    const file = join(folder, 'in-other-words.json');
    await writeFile(file, text);
    expect(await diff(file)).toMatchObject({ exit: 0, stdout: `The contract is as it was at ${file}.\n` });
  });

  it('ends with 1 when a change is breaking, and names the place', async () => {
    const document = JSON.parse(await readFile(generated, 'utf8'));
    document.components.schemas.Execution.properties.mood = { type: 'string' };
    const file = join(folder, 'before.json');
    await writeFile(file, JSON.stringify(document));
    const text = await diff(file);
    expect(text.exit).toBe(1);
    expect(text.stdout).toContain('Breaking\n  schemas/Execution/properties/mood  (response)\n');
    expect(text.stdout).toContain('1 breaking, 0 not breaking');

    const json = await diff(file, '--json');
    const pointer = '#/components/schemas/Execution/properties/mood';
    const change = { breaking: true, pointer, says: expect.stringContaining('mood'), uses: ['response'] };
    expect({ ...json, stdout: JSON.parse(json.stdout) }).toEqual({
      exit: 1,
      stdout: { since: file, breaking: true, changes: [change] },
      stderr: '',
    });
  });

  it.each([[[]], [['one', 'two']], [['--loud', 'HEAD']], [['nonesuch']]])(
    'ends with 2 and one line for %j',
    async (args) => {
      const { exit, stdout, stderr } = await diff(...args);
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
      expect(stderr).toMatch(/^diff: .*\n$/);
    },
  );
});
