import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../generate/bundle.js';
import type { Document } from '../generate/document.js';

const run = promisify(execFile);

/** The bundled contract of a file, or of a git ref of the repository that `folder` is in. Throws when it is neither. */
export async function contractAt(fileOrRef: string, folder: string, scratch: string): Promise<Document> {
  await mkdir(scratch, { recursive: true });
  return bundle(existsSync(fileOrRef) ? fileOrRef : await checkOut(fileOrRef, folder, scratch));
}

/** Puts the sources of the contract as of the ref into the scratch folder, or the bundle where the ref has no sources. */
async function checkOut(ref: string, folder: string, scratch: string): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: folder, maxBuffer: 2 ** 26 })).stdout;
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).catch(() => {
    throw new Error(`${ref} is neither a file nor a git ref of this repository.`);
  });
  const has = (path: string) =>
    git('cat-file', '-e', `${commit.trim()}:./${path}`).then(
      () => true,
      () => false,
    );

  if (await has('openapi/openapi.yaml')) {
    const archive = join(scratch, 'openapi.tar');
    await git('archive', '--output', archive, commit.trim(), 'openapi');
    await run('tar', ['-xf', archive, '-C', scratch]);
    return join(scratch, 'openapi/openapi.yaml');
  }
  if (await has('generated/openapi.json')) {
    const file = join(scratch, 'openapi.json');
    await writeFile(file, await git('show', `${commit.trim()}:./generated/openapi.json`));
    return file;
  }
  throw new Error(`${ref} has no contract: neither openapi/openapi.yaml nor generated/openapi.json.`);
}
