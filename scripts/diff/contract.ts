/** Reads a contract from a file or a git ref. */

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseYaml } from '@redocly/openapi-core';
import { bundle } from '../generate/bundle.js';
import { type Document, type Kinds, kindsOf } from '../generate/document.js';
import { placed } from '../generate/register.js';
import type { Register } from './register.js';

const run = promisify(execFile);

export interface Contract {
  readonly document: Document;
  /** The rules, gaps and statements beside the sources; a bundled document has none. */
  readonly register: Register | undefined;
  /** The paths by their files, as the root of the sources lists them: `paths/execute.yaml`. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Reads the contract of a file, or of a git ref of the repository of `folder`. For a branch, it is the contract at the
 * point where HEAD left the branch: later commits there were not removed here. Throws if there is none, with the
 * reason.
 */
export async function contractAt(fileOrRef: string, folder: string, scratch: string): Promise<Contract> {
  await mkdir(scratch, { recursive: true });
  // npm runs scripts in the folder of the package, wherever its user is.
  const here = resolve(process.env.INIT_CWD ?? '', fileOrRef);
  const file = [here, fileOrRef].find((one) => existsSync(one)) ?? (await checkOut(fileOrRef, folder, scratch));
  const document = await bundle(file);
  return { document, register: registerBeside(file, kindsOf(document)), files: filesIn(file) };
}

function filesIn(file: string): Contract['files'] {
  const { paths = {} } = parseYaml(readFileSync(file, 'utf8')) as { paths?: Record<string, { $ref?: string }> };
  return new Map(Object.entries(paths).flatMap(([path, { $ref }]) => ($ref === undefined ? [] : [[$ref, path]])));
}

function registerBeside(file: string, ofKind: Kinds): Register | undefined {
  const [rules, statements] = ['rules.yaml', 'statements.yaml'].map((name) => join(dirname(file), name));
  if (!rules || !existsSync(rules)) return undefined;
  const read = (path: string) => parseYaml(readFileSync(path, 'utf8')) as Register;
  const register = read(rules);
  return {
    ...register,
    ...(register.rules && { rules: placed(register.rules, ofKind) }),
    ...(register.callers && { callers: placed(register.callers, ofKind) }),
    ...(statements && existsSync(statements) && read(statements)),
  };
}

/** Copies the sources of the contract at a ref into the scratch folder, or its bundle if the ref has no sources. */
async function checkOut(ref: string, folder: string, scratch: string): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: folder, maxBuffer: 2 ** 26 })).stdout.trim();
  const commit = await commitOf(ref, git);
  const has = (path: string) =>
    git('cat-file', '-e', `${commit}:./${path}`).then(
      () => true,
      () => false,
    );

  if (await has('openapi/openapi.yaml')) {
    const archive = join(scratch, 'openapi.tar');
    await git('archive', '--output', archive, commit, 'openapi');
    await run('tar', ['-xf', archive, '-C', scratch]);
    return join(scratch, 'openapi/openapi.yaml');
  }
  if (await has('generated/openapi.json')) {
    const file = join(scratch, 'openapi.json');
    await writeFile(file, await git('show', `${commit}:./generated/openapi.json`));
    return file;
  }
  throw new Error(`${ref} has no contract: neither openapi/openapi.yaml nor generated/openapi.json.`);
}

type Git = (...args: string[]) => Promise<string>;

async function commitOf(ref: string, git: Git): Promise<string> {
  const commitNamed = (name: string) =>
    git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).catch(() => undefined);
  const isShallow = (await git('rev-parse', '--is-shallow-repository').catch(() => '')) === 'true';
  const commit = await commitNamed(ref);
  if (!commit) {
    const missing = `${ref} is neither a file nor a git ref of this repository`;
    if (await commitNamed(`origin/${ref}`)) throw new Error(`${missing}; origin/${ref} is one.`);
    if (!isShallow) throw new Error(`${missing}.`);
    throw new Error(
      `${missing}, of which this is a shallow clone. For a tag, depth 1 is enough: git fetch --depth=1 origin tag ${ref}. For a ` +
        `branch, it needs ${whole}: git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*', then name origin/${ref}.`,
    );
  }
  const full = await git('rev-parse', '--symbolic-full-name', '--end-of-options', ref).catch(() => '');
  if (!/refs\/(?:heads|remotes)\//.test(full)) return commit;
  const left = await git('merge-base', commit, 'HEAD').catch(() => '');
  if (left || !isShallow) return left || commit;
  throw new Error(
    `this clone is shallow, and does not reach back to where HEAD left ${ref}. It needs ${whole}: git fetch --unshallow. ` +
      `To compare with the tip of ${ref} instead: npm run diff -- ${ref}^0.`,
  );
}

const whole = 'all of the history (GitHub: fetch-depth: 0; GitLab: GIT_DEPTH: 0)';
