import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Section } from './measure.js';

/** Installs packages temporarily that are no dependencies of the project. Rejects if npm fails. */
export async function withPackages<T>(specs: readonly string[], use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-packages-'));
  try {
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    await promisify(execFile)('npm', [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      ...specs,
    ]).catch((error) => {
      throw new Unavailable(
        `${specs.join(', ')} cannot be had: ${
          String(error.stderr ?? error)
            .trim()
            .split('\n')[0]
        }`,
      );
    });
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Something that a comparison needs is not available. */
export class Unavailable extends Error {}

/** The section of a benchmark whose comparison is not available. */
export const withoutIt = (title: string, error: unknown): Section => {
  if (!(error instanceof Unavailable)) throw error;
  return { title, how: `Not measured: ${error.message}.`, columns: [], rows: [] };
};
